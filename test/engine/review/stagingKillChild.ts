import { writeSync } from 'node:fs';
import { changedReviews } from '../../../src/engine/review/changedReviews';
import { rejectInFile } from '../../../src/engine/review/decideFile';
import { stageReviewed } from '../../../src/engine/review/staging';

/** node stagingKillChild.js ROOT stage|restore   says when it begins to stage, or to put back, all that changed. */
async function settle([root = '', what]: readonly string[]): Promise<void> {
  const reviews = await changedReviews(root);
  writeSync(1, 'begin\n');
  if (what === 'stage') await stageReviewed(root, reviews);
  else
    for (const { review, sides } of reviews)
      await rejectInFile({ root, path: review.path, sides, ids: review.changes.map(({ id }) => id) });
}

void settle(process.argv.slice(2));
