import { writeSync } from 'node:fs';
import { changedReviews } from '../../../src/engine/review/changedReviews';
import { Reviews } from '../../../src/engine/review/decide';
import { stageReviewed } from '../../../src/engine/review/staging';

/** node stagingKillChild.js ROOT stage|restore   reports when it begins to stage, or to restore, all that changed. */
async function settle([root = '', what]: readonly string[]): Promise<void> {
  const changed = await changedReviews(root);
  const reviews = new Reviews();
  writeSync(1, 'begin\n');
  if (what === 'stage') await stageReviewed(root, changed);
  else
    for (const { kind, path, changes, stamp } of changed) {
      const ids = changes.map(({ id }) => id);
      await reviews.decide({ root, subject: { kind, path }, verdict: 'rejected', changes: ids, stamp });
    }
}

void settle(process.argv.slice(2));
