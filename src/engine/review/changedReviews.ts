import { join, relative, sep } from 'node:path';
import { CONFIG_FILE, owningCasePath, STATE_FOLDER } from '../../core/project/layout';
import { DEFAULT_RULES, type NormaliseRules, Normaliser } from '../../core/review/compare/normaliser';
import type { ReviewSides } from '../../core/review/stamp';
import { CaseError } from '../errors/failures';
import { listFolder, realPath } from '../files/fileStatus';
import { Repository } from '../git/repository';
import type { RevisionSpan, SinceRevision } from '../git/revision';
import { onlyFiles, type WantedFiles } from '../git/wantedFiles';
import { parseConfig, projectConfig } from '../project/projectConfig';
import { OwnDecisions } from './decisionFile';
import { type ChangedSides, type FileReview, REVIEWED_FILES, reviewFile } from './fileReview';
import { replacedTapes, takeSides } from './replacedTakes';
import { openRunReview } from './runReview';
import type { SubjectReview } from './subject';

/** Called for each changed file when it was compared, with the number of all. */
type OnFile = (path: string, total: number) => void;

/**
 * Everything in a project that changed and is reviewed, by path. Without a repository: the last runs, and the tapes with
 * the takes that they replaced. Rejects where a repository cannot be read, or is required and missing.
 */
export async function listReviews(
  root: string,
  span: RevisionSpan,
  onFile: OnFile = () => undefined,
): Promise<readonly SubjectReview[]> {
  const { normalise } = await projectConfig(root);
  const repository = span.type === 'worktree' ? await Repository.of(root) : await Repository.require(root);
  const rules = span.type === 'since' && repository ? await rulesBefore(root, repository, span) : normalise;
  const normaliser = new Normaliser(rules);
  const changed =
    repository === undefined
      ? await changedSinceTakes(root, await replacedTapes(root))
      : await changedInRepository(root, repository, span, REVIEWED_FILES);
  const files = (await reviewFiles(root, changed, normaliser, onFile)).filter(isDifferent);
  const runs = span.type === 'worktree' ? await runReviews(root) : [];
  return [...files, ...runs].sort((left, right) => (left.path < right.path ? -1 : 1));
}

/** The rules of the project where the span begins: commits that are reviewed must not hide their own changes. */
async function rulesBefore(root: string, repository: Repository, span: SinceRevision): Promise<NormaliseRules> {
  const bytes = await repository.fileBefore(span, await repository.pathOf(root, CONFIG_FILE));
  try {
    return bytes === undefined ? DEFAULT_RULES : (await parseConfig(new TextDecoder().decode(bytes))).normalise;
  } catch (error) {
    if (error instanceof CaseError) return DEFAULT_RULES;
    throw error;
  }
}

function isDifferent({ changes, hidden }: SubjectReview): boolean {
  return changes.length + hidden.length > 0;
}

/**
 * The reviews of some files, by their paths from the root, or of all: against the last commit; without a repository, tapes
 * against the takes that they replaced. Files that have not changed are left out.
 */
export async function changedReviews(root: string, paths?: readonly string[]): Promise<readonly FileReview[]> {
  const normaliser = new Normaliser((await projectConfig(root)).normalise);
  return reviewFiles(root, await changedSides(root, paths), normaliser);
}

/** The sides of a file that differs from the last commit, or from the take it replaced; undefined where it does not. */
export async function sidesOf(root: string, path: string): Promise<ReviewSides | undefined> {
  const [changed] = await changedSides(root, [path]);
  return changed?.sides;
}

async function changedSides(root: string, paths?: readonly string[]): Promise<readonly ChangedSides[]> {
  const repository = await Repository.of(root);
  if (paths?.length === 0) return [];
  if (repository === undefined) return changedSinceTakes(root, paths ?? (await replacedTapes(root)));
  const wanted = paths === undefined ? REVIEWED_FILES : onlyFiles(paths);
  return changedInRepository(root, repository, { type: 'worktree' }, wanted);
}

async function reviewFiles(
  root: string,
  changed: readonly ChangedSides[],
  normaliser: Normaliser,
  onFile: OnFile = () => undefined,
): Promise<readonly FileReview[]> {
  const own = new OwnDecisions(root);
  const reviews = await Promise.all(
    changed.map(async (file) => {
      const review = await reviewFile(root, file, normaliser, own);
      onFile(join(root, file.path), changed.length);
      return review;
    }),
  );
  return reviews.filter((review) => review !== undefined);
}

async function changedSinceTakes(root: string, paths: readonly string[]): Promise<readonly ChangedSides[]> {
  const changed = paths.map(async (path) => {
    const sides = await takeSides(root, path);
    return sides && { path, sides, against: 'take' as const };
  });
  return (await Promise.all(changed)).filter((file) => file !== undefined);
}

/** The changed files of a project, with both sides. */
async function changedInRepository(
  root: string,
  repository: Repository,
  span: RevisionSpan,
  { isWanted, mayHoldWanted }: WantedFiles,
): Promise<readonly ChangedSides[]> {
  // The repository's path may lead through a symbolic link where the project's does not, or the other way round.
  const top = (await realPath(root)) ?? root;
  const inProject = (path: string) => relative(top, join(repository.top, path)).split(sep).join('/');
  const changed = await repository.changes(span, {
    isWanted: (path) => isWanted(inProject(path)),
    mayHoldWanted: (folder) => mayHoldWanted(`${inProject(folder)}/`),
  });
  return changed.map(({ path, ...sides }) => ({ path: inProject(path), sides, against: 'commit' }));
}

/** The last runs that differ from their baselines. */
async function runReviews(root: string): Promise<readonly SubjectReview[]> {
  const folder = join(root, STATE_FOLDER, 'runs');
  const names = await listFolder(folder, { recursive: true });
  const cases = names.flatMap((name) => owningCasePath(`${STATE_FOLDER}/runs/${name}`) ?? []);
  const own = new OwnDecisions(root);
  const reviews = await Promise.all(cases.map((path) => openRunReview(root, join(root, path), own)));
  return reviews.flatMap((review) => (review?.baseline !== undefined && review.changes.length > 0 ? [review] : []));
}
