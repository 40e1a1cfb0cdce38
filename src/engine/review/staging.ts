import { join } from 'node:path';
import type { StagedFiles } from '../../contracts/engine/engineReviews';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { readBytesIfThere } from '../files/readFile';
import { Repository } from '../git/repository';
import { changedReviews } from './changedReviews';
import { changedSinceReview, requireUnchanged, seenOf } from './stamp';
import type { SubjectReview } from './subject';

/**
 * Stages each changed tape and baseline whose changes are all accepted, as reviewed: all of these files or none, and
 * nothing else. A file in which only ignored values changed is staged only when it is named.
 */
export async function stageAccepted(root: string): Promise<StagedFiles> {
  await Repository.require(root);
  const changed = (await changedReviews(root)).filter(({ changes }) => changes.length > 0);
  const staged = await stageReviewed(
    root,
    changed.filter(({ pending }) => pending.length === 0),
  );
  const pending = changed.filter((review) => review.pending.length > 0);
  return { staged, pending: pending.map((review) => ({ path: review.path, changes: review.pending.length })) };
}

/** Stages changed files as they were reviewed, whatever was decided; returns their paths. Refuses when one was written since. */
export async function stageReviewed(root: string, reviews: readonly SubjectReview[]): Promise<readonly string[]> {
  const repository = await Repository.require(root);
  const contents = await Promise.all(
    reviews.map(async ({ path, sides: { after } }) => {
      const file = { path: join(root, path), content: after };
      const read = async (): Promise<Uint8Array> => {
        const bytes = await readBytesIfThere(file.path, FILE_LIMITS.tape);
        if (bytes !== undefined && seenOf({ after: bytes }).after?.digest === after?.digest) return bytes;
        throw changedSinceReview(path);
      };
      if (after === undefined) await requireUnchanged(path, file);
      return { path: await repository.pathOf(root, path), ...(after && { read }) };
    }),
  );
  const earlier = reviews.flatMap(({ from }) => from ?? []);
  for (const path of earlier) await requireUnchanged(path, { path: join(root, path) });
  const gone = await Promise.all(earlier.map(async (path) => ({ path: await repository.pathOf(root, path) })));
  const staged = new Set(await repository.stage([...contents, ...gone]));
  return reviews.flatMap(({ path }, at) => (staged.has(contents[at]?.path ?? '') ? [path] : []));
}
