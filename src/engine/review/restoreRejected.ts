import { changedReviews } from './check';
import { rejectInFile } from './decideFile';

/**
 * Takes out of tapes and baselines what was rejected and is in them again, as after another recording with the same
 * result. Gives the paths, from the project's root, of the files that were written.
 */
export async function restoreRejected(root: string): Promise<readonly string[]> {
  const restored: string[] = [];
  for (const { review, sides } of await changedReviews(root)) {
    const { path, changes, decisions } = review;
    const ids = changes.map(({ id }) => id).filter((id) => decisions[id]?.verdict === 'rejected');
    if (ids.length === 0) continue;
    await rejectInFile({ root, path, sides, ids });
    restored.push(path);
  }
  return restored;
}
