import type { StagedFiles } from '../../protocol/engine';
import { pathInRepository, requireRepository } from '../git/git';
import { putIntoIndex } from '../git/gitIndex';
import { type ChangedReview, changedReviews } from './changedReviews';
import { assertUnchanged } from './decideFile';

/**
 * Puts each changed tape and baseline into git's index of which every change was accepted, as it was reviewed: all of
 * them or none, and nothing else. A file in which only volatile values changed is staged when somebody names it.
 */
export async function stageAccepted(root: string): Promise<StagedFiles> {
  const repository = await requireRepository(root);
  const changed = (await changedReviews(root)).filter(({ review }) => review.changes.length > 0);
  const [open, accepted] = [true, false].map((isOpen) =>
    changed.filter(({ pending }) => pending.length > 0 === isOpen),
  );
  return {
    staged: await stageFiles(repository, root, accepted ?? []),
    open: (open ?? []).map(({ review, pending }) => ({ path: review.path, changes: pending.length })),
  };
}

/** Stages changed files as they were reviewed, whatever was decided about them. Refuses when one was written since. */
export async function stageReviewed(root: string, reviews: readonly ChangedReview[]): Promise<readonly string[]> {
  return stageFiles(await requireRepository(root), root, reviews);
}

async function stageFiles(
  repository: string,
  root: string,
  reviews: readonly ChangedReview[],
): Promise<readonly string[]> {
  const contents = await Promise.all(
    reviews.map(async ({ review, sides: { after } }) => {
      await assertUnchanged(root, review.path, after);
      return { path: await pathInRepository(repository, root, review.path), ...(after && { bytes: after }) };
    }),
  );
  const staged = new Set(await putIntoIndex(repository, contents));
  return reviews.flatMap(({ review }, at) => (staged.has(contents[at]?.path ?? '') ? [review.path] : []));
}
