import { join, relative, sep } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { owningCasePath, STATE_FOLDER } from '../../core/project/layout';
import { Normaliser } from '../../core/review/compare/normaliser';
import { pendingInRun } from '../../core/review/decisions';
import { listFolder, realPath } from '../files/fileStatus';
import { readBytesIfThere } from '../files/readFile';
import { readBlobs, withLfsContent } from '../git/blobs';
import { type ChangedFile, changedFiles, type FileSides, type RevisionSpan } from '../git/changedFiles';
import { repositoryOf, requireRepository } from '../git/git';
import { projectConfig } from '../project/projectConfig';
import { type FileReview, mayBeReviewed, reviewFile } from './fileReview';
import { replacedTapes, takeSides } from './replacedTakes';
import { openRunReview } from './runReview';

/** The last run of a case that differs from its baseline. */
export interface PendingRunReview extends Omit<FileReview, 'kind'> {
  readonly kind: 'run';
}

export type ProjectReview = FileReview | PendingRunReview;

/**
 * Everything in a project that changed and is reviewed, by path. Without a repository: the last runs, and the tapes beside
 * the takes that they replaced. Rejects where a repository cannot be read, or is needed and is not there.
 */
export async function listReviews(root: string, span: RevisionSpan): Promise<readonly ProjectReview[]> {
  const normaliser = new Normaliser((await projectConfig(root)).normalise);
  const repository = span.type === 'worktree' ? await repositoryOf(root) : await requireRepository(root);
  const files =
    repository === undefined
      ? await takeReviews(root, normaliser)
      : await fileReviews(root, repository, span, normaliser);
  const runs = span.type === 'worktree' ? await runReviews(root) : [];
  return [...files, ...runs].sort((left, right) => (left.path < right.path ? -1 : 1));
}

/** A changed file with its two sides. */
export interface ChangedReview {
  readonly review: FileReview;
  readonly sides: FileSides;
  readonly pending: FileReview['pending'];
  /** What the earlier side is. */
  readonly against: 'commit' | 'take';
}

/**
 * What some files, by their paths from the root, or all of them have that the last commit has not; without a repository,
 * what tapes have that the takes which they replaced had not.
 */
export async function changedReviews(root: string, paths?: readonly string[]): Promise<readonly ChangedReview[]> {
  const repository = await repositoryOf(root);
  if (paths?.length === 0) return [];
  const normaliser = new Normaliser((await projectConfig(root)).normalise);
  if (repository === undefined) return changedSinceTake(root, paths ?? (await replacedTapes(root)), normaliser);
  const isWanted = paths === undefined ? mayBeReviewed : (path: string) => paths.includes(path);
  return reviewChanged(root, repository, { type: 'worktree' }, normaliser, isWanted);
}

/** A file as it was in the last commit, or as the take that it replaced, and as it is; undefined where it has not changed. */
export async function sidesOf(root: string, path: string): Promise<FileSides | undefined> {
  const repository = await repositoryOf(root);
  if (repository === undefined) return takeSides(root, path);
  const [file] = await changedIn(root, repository, { type: 'worktree' }, (one) => one === path);
  return file?.sides;
}

async function fileReviews(
  root: string,
  repository: string,
  span: RevisionSpan,
  normaliser: Normaliser,
): Promise<readonly FileReview[]> {
  const changed = await reviewChanged(root, repository, span, normaliser, mayBeReviewed);
  return changed.map(({ review }) => review).filter(({ changes, hidden }) => changes.length + hidden.length > 0);
}

async function takeReviews(root: string, normaliser: Normaliser): Promise<readonly FileReview[]> {
  const changed = await changedSinceTake(root, await replacedTapes(root), normaliser);
  return changed.map(({ review }) => review).filter(({ changes, hidden }) => changes.length + hidden.length > 0);
}

async function changedSinceTake(
  root: string,
  paths: readonly string[],
  normaliser: Normaliser,
): Promise<readonly ChangedReview[]> {
  const reviews = paths.map(async (path) => {
    const sides = await takeSides(root, path);
    const review = sides && (await reviewFile(root, path, sides, normaliser));
    return review && { review, sides, pending: review.pending, against: 'take' as const };
  });
  return (await Promise.all(reviews)).filter((review) => review !== undefined);
}

async function reviewChanged(
  root: string,
  repository: string,
  span: RevisionSpan,
  normaliser: Normaliser,
  isWanted: (path: string) => boolean,
): Promise<readonly ChangedReview[]> {
  const changed = await changedIn(root, repository, span, isWanted);
  const reviews = changed.map(async ({ path, sides }) => {
    const review = await reviewFile(root, path, sides, normaliser);
    return review && { review, sides, pending: review.pending, against: 'commit' as const };
  });
  return (await Promise.all(reviews)).filter((review) => review !== undefined);
}

/** The changed files of a project, by their paths from its root, with both sides. */
async function changedIn(
  root: string,
  repository: string,
  span: RevisionSpan,
  isWanted: (path: string) => boolean,
): Promise<readonly { readonly path: string; readonly sides: FileSides }[]> {
  // A repository may be named through a symbolic link, the project not, or the other way round.
  const top = (await realPath(root)) ?? root;
  const inProject = (path: string) => relative(top, join(repository, path)).split(sep).join('/');
  const changed = (await changedFiles(repository, span)).filter(({ path }) => isWanted(inProject(path)));
  const ids = changed.flatMap(({ before, after }) => [before ?? [], after === 'worktree' ? [] : (after ?? [])].flat());
  const blobs = await withLfsContent(repository, await readBlobs(repository, ids));
  return Promise.all(
    changed.map(async (file) => ({ path: inProject(file.path), sides: await bothSides(repository, file, blobs) })),
  );
}

async function bothSides(repository: string, { path, before, after }: ChangedFile, blobs: ReadonlyMap<string, Buffer>) {
  const old = before === undefined ? undefined : blobs.get(before);
  const now =
    after === 'worktree' ? await readBytesIfThere(join(repository, path), FILE_LIMITS.tape) : blobs.get(after ?? '');
  return { ...(old && { before: old }), ...(now && { after: now }) };
}

async function runReviews(root: string): Promise<readonly PendingRunReview[]> {
  const folder = join(root, STATE_FOLDER, 'runs');
  const names = await listFolder(folder, { recursive: true });
  const cases = names.flatMap((name) => owningCasePath(`${STATE_FOLDER}/runs/${name}`) ?? []);
  const reviews = await Promise.all(
    cases.map(async (path): Promise<readonly PendingRunReview[]> => {
      const review = await openRunReview(root, join(root, path));
      if (review?.baseline === undefined || review.comparison.changes.length === 0) return [];
      const { comparison, decisions } = review;
      const { changes, hidden, notices } = comparison;
      return [{ path, kind: 'run', changes, hidden, notices, decisions, pending: pendingInRun(changes, decisions) }];
    }),
  );
  return reviews.flat();
}
