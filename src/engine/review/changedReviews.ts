import { join } from 'node:path';
import type { Change } from '../../core/model/change';
import type { PriceTable } from '../../core/prices/priceTable';
import { parseCaseAddress } from '../../core/project/caseAddress';
import { owningCasePath, RUNS_FOLDER } from '../../core/project/layout';
import { filesInShard, isInShard, type Shard } from '../../core/project/shard';
import { likenessOf } from '../../core/review/likeness';
import { runMeasures } from '../../core/review/measures';
import { MAX_COMPARED_BYTES } from '../../core/review/recordings';
import { tapeTotals } from '../../core/transcript/metrics';
import { realPath } from '../files/fileStatus';
import { fromRoot } from '../files/projectPaths';
import type { ChangedFile } from '../git/changedContents';
import type { ChangedEntry } from '../git/changedEntries';
import { Repository } from '../git/repository';
import type { RevisionSpan } from '../git/revision';
import { onlyFiles, type WantedFiles } from '../git/wantedFiles';
import { CaseReader, type CasesByTape } from '../project/casesByTape';
import { OwnState } from '../project/ownState';
import { CommittedRenames } from './committedRenames';
import { OwnDecisions } from './decisionFile';
import { configOfSpan } from './earlierRules';
import { type ChangedSides, type FileReview, type KnownTapes, recordingOf, reviewFile } from './fileReview';
import { measuresOfSides } from './measuresOfSides';
import { withRecordings } from './recording';
import { withRenames } from './renames';
import { replacedTapes, takeSides } from './replacedTakes';
import { CaseTapes, NAMED_LIKE_TAPES, withCaseTapes } from './reviewedFiles';
import { ReviewRules } from './reviewRules';
import { openRunReview } from './runReview';
import type { ReviewSides } from './stamp';
import type { ListedReview, SubjectReview } from './subject';

interface ListOptions {
  /** Called for each changed file when it was compared, with the number of all. */
  onFile?(path: string, total: number): void;
  /** Makes of a change what is kept of it. */
  shorten?(change: Change): Change;
  /** Only the files and cases of this shard are compared. */
  readonly shard?: Shard | undefined;
  /** Whether both sides are measured. */
  readonly isMeasured?: true;
  /** What is known of cases by now. */
  readonly caseReader?: CaseReader;
}

interface ChosenOptions extends Omit<ListOptions, 'shard'> {
  /** Whether a file or the run of a case is compared at all, by its path from the root. */
  isWanted?(path: string): boolean;
  /** The project's own, by which both sides are measured. */
  readonly prices?: PriceTable;
}

/**
 * Everything in a project that changed and is reviewed, by path: a tape with what its recording has changed in the result of its
 * case. Without a repository: the last runs, and the tapes with the takes that they replaced. Rejects where a repository cannot be read, or is required and missing.
 */
export async function listReviews(
  root: string,
  span: RevisionSpan,
  options: ListOptions = {},
): Promise<readonly ListedReview[]> {
  const rules = await ReviewRules.ofSpan(root, span);
  const repository = span.type === 'worktree' ? await Repository.of(root) : await Repository.require(root);
  const changed = async (): Promise<AllChangedSides> =>
    repository === undefined
      ? changedSinceTakes(root, await replacedTapes(root))
      : await changedInRepository(root, repository, span);
  const cases = span.type === 'worktree' ? await casesThatRan(root) : [];
  const { caseReader = new CaseReader() } = options;
  const isWanted =
    options.shard && (await reviewsInShard((await changed()).files, cases, caseReader.read(root), options.shard));
  const { prices } = options.isMeasured ? await configOfSpan(root, span) : {};
  const chosen = { ...options, ...(isWanted && { isWanted }), ...(prices && { prices }) };
  const files = (await listFiles(root, await changed(), rules, chosen)).filter(isDifferent);
  const runs = await runReviews(root, cases, rules, chosen);
  const all = [...files, ...runs].sort((left, right) => (left.path < right.path ? -1 : 1));
  return withRecordings(all, () => caseReader.read(root));
}

function isDifferent({ changes, hidden }: SubjectReview): boolean {
  return changes.length + hidden.length > 0;
}

/**
 * The reviews of all files, as lists keep them: against the last commit; without a repository, tapes against the takes that
 * they replaced. Files that have not changed are left out.
 */
export async function changedReviews(root: string): Promise<readonly SubjectReview[]> {
  return listFiles(root, await changedSides(root), await ReviewRules.of(root));
}

/** The review of one file, by its path from the root; undefined where it has not changed. */
export async function changedReview(root: string, path: string): Promise<FileReview | undefined> {
  const normaliser = await (await ReviewRules.of(root)).of(path);
  const own = new OwnDecisions(root);
  const { files, caseTapes } = await changedSides(root, [path]);
  for await (const file of files) return reviewFile(root, file, normaliser, own, caseTapes);
  return undefined;
}

/** The sides of a file that differs from the last commit, or from the take it replaced; undefined where it does not. */
export async function sidesOf(root: string, path: string): Promise<ReviewSides | undefined> {
  for await (const { sides } of (await changedSides(root, [path])).files) return sides;
  return undefined;
}

/** Changed files, read one after the other. */
interface AllChangedSides {
  /** How many there are at most. */
  readonly count: number;
  readonly files: AsyncIterable<ChangedSides>;
  readonly caseTapes: KnownTapes;
}

async function changedSides(root: string, paths?: readonly string[]): Promise<AllChangedSides> {
  const repository = await Repository.of(root);
  if (repository === undefined) return changedSinceTakes(root, paths ?? (await replacedTapes(root)));
  return changedInRepository(root, repository, { type: 'worktree' }, paths);
}

async function listFiles(
  root: string,
  { count, files, caseTapes }: AllChangedSides,
  rules: ReviewRules,
  { onFile, shorten = listedChange, isWanted = () => true, isMeasured, prices }: ChosenOptions = {},
): Promise<readonly SubjectReview[]> {
  const own = new OwnDecisions(root);
  const reviews: SubjectReview[] = [];
  for await (const file of files) {
    if (!isWanted(file.path)) continue;
    const review = await reviewFile(root, file, await rules.of(file.path), own, caseTapes, shorten);
    onFile?.(join(root, file.path), count);
    if (review === undefined) continue;
    reviews.push(isMeasured ? { ...review, measures: measuresOfSides(file.path, file.sides, prices) } : review);
  }
  return reviews;
}

function changedSinceTakes(root: string, paths: readonly string[]): AllChangedSides {
  return { count: paths.length, files: takesOf(root, paths), caseTapes: new CaseTapes(root) };
}

async function* takesOf(root: string, paths: readonly string[]): AsyncGenerator<ChangedSides> {
  for (const path of paths) {
    const sides = await takeSides(root, path);
    if (sides !== undefined) yield { path, sides, against: 'take' };
  }
}

/** The changed files of a project, and those that its cases name as their tapes, or those of them at some paths, with both sides. */
async function changedInRepository(
  root: string,
  repository: Repository,
  span: RevisionSpan,
  paths?: readonly string[],
): Promise<AllChangedSides> {
  // The repository's path may lead through a symbolic link where the project's does not, or the other way round.
  const top = (await realPath(root)) ?? root;
  const inProject = (path: string) => fromRoot(top, join(repository.top, path));
  const asked = paths && onlyFiles(paths);
  const caseTapes = new CaseTapes(root, repository, span);
  const others: string[] = [];
  const entriesOf = (reviewed: WantedFiles) =>
    repository.changedEntries(span, {
      isWanted: (path) => {
        const name = inProject(path);
        const isOne = reviewed.isWanted(name) || asked?.isWanted(name) === true;
        if (!isOne) others.push(name);
        return isOne;
      },
      mayHoldWanted: (folder) => (asked ?? reviewed).mayHoldWanted(`${inProject(folder)}/`),
    });
  const byName = await entriesOf(NAMED_LIKE_TAPES);
  const named = asked === undefined ? await caseTapes.among(others) : [];
  const reviewed = named.length === 0 ? NAMED_LIKE_TAPES : withCaseTapes(NAMED_LIKE_TAPES, named);
  const all = named.length === 0 ? byName : await entriesOf(reviewed);
  const isAsked = ({ path }: ChangedEntry): boolean => (asked ?? reviewed).isWanted(inProject(path));
  // Only what is new may be another file, renamed.
  const mayBeRenamed = all.some((entry) => isAsked(entry) && entry.before === undefined);
  const entries = mayBeRenamed ? await withRenames(repository, all) : all;
  const { count, files } = await repository.contentsOf(entries.filter(isAsked));
  return { count, files: commitSides(files, inProject, new CommittedRenames(root, repository, inProject)), caseTapes };
}

async function* commitSides(
  files: AsyncIterable<ChangedFile>,
  inProject: (path: string) => string,
  earlier: CommittedRenames,
): AsyncGenerator<ChangedSides> {
  for await (const { path, from, ...sides } of files) {
    const isKnown = from === undefined && sides.before !== undefined;
    const renamed =
      from === undefined ? isKnown && { decidedAs: await earlier.nameOf(path) } : { from: inProject(from) };
    yield { path: inProject(path), ...renamed, sides, against: 'commit' };
  }
}

async function casesThatRan(root: string): Promise<readonly string[]> {
  const names = await new OwnState(root).files(RUNS_FOLDER);
  return names.flatMap((name) => owningCasePath(`${RUNS_FOLDER}/${name}`) ?? []);
}

/** The last runs that differ from their baselines. */
async function runReviews(
  root: string,
  cases: readonly string[],
  rules: ReviewRules,
  { shorten = listedChange, isWanted = () => true, isMeasured }: ChosenOptions,
): Promise<readonly SubjectReview[]> {
  const own = new OwnDecisions(root);
  const reviews: SubjectReview[] = [];
  for (const path of cases) {
    if (!isWanted(path)) continue;
    const review = await openRunReview(root, join(root, path), own, rules);
    if (review?.baseline === undefined || review.changes.length === 0) continue;
    const measures = isMeasured && runMeasures(review.baseline, review.artifact);
    reviews.push({ ...listedReview(review, shorten), ...(measures && { measures }) });
  }
  return reviews;
}

/** In UTF-16 units: a list shows the beginning of a first line. */
const LISTED_TEXT = 2000;

/**
 * A review as lists keep it, with the beginnings of its texts and without what was compared: thousands of reviews stay in memory
 * together.
 */
function listedReview(review: SubjectReview, shorten: (change: Change) => Change = listedChange): SubjectReview {
  const { kind, path, against, sides, changes, hidden, notices, decisions, pending, stamp, error } = review;
  const listed = { kind, path, against, sides, notices, decisions, stamp, ...(error !== undefined && { error }) };
  return {
    ...listed,
    changes: changes.map(shorten),
    hidden: hidden.map(shorten),
    pending: pending.map(shorten),
  };
}

/** The change with the beginnings of its texts. */
function listedChange(change: Change): Change {
  const { recording: _, ...rest } = change;
  const likeness = likenessOf(change);
  return {
    ...rest,
    ...(likeness && { likeness }),
    before: beginningOf(change.before),
    after: beginningOf(change.after),
  };
}

/** A copy, because a slice would keep the whole text in memory. */
function beginningOf(text: string): string {
  return text.length <= LISTED_TEXT ? text : Buffer.from(text.slice(0, LISTED_TEXT), 'utf16le').toString('utf16le');
}

/**
 * Whether a changed file, or the last run of a case, belongs to a shard: balanced by the times on the tapes that have changed, which
 * every machine has. Without any, paths decide, since a machine may have other changed files, such as its own reports. A baseline, and
 * the tape of a case, stay with the run of the case.
 */
async function reviewsInShard(
  files: AsyncIterable<ChangedSides>,
  casePaths: readonly string[],
  cases: CasesByTape,
  shard: Shard,
): Promise<(path: string) => boolean> {
  /** The file of the case, for what belongs to one; any other file is its own. */
  const ownerOf = (path: string): string => parseCaseAddress(owningCasePath(path) ?? cases.only(path) ?? path).path;
  const times = new Map(casePaths.map((path): [string, number | undefined] => [ownerOf(path), undefined]));
  for await (const file of files) {
    const owner = ownerOf(file.path);
    times.set(owner, recordedTime(file) ?? times.get(owner));
  }
  if ([...times.values()].every((time) => time === undefined)) return (path) => isInShard(ownerOf(path), shard);
  const timed = [...times].map(([path, durationMs]) => ({ path, durationMs }));
  const chosen = filesInShard(timed, shard);
  return (path) => chosen.has(ownerOf(path));
}

/** The milliseconds of the recording as it is now; undefined where it has no times, or is too large to be compared in detail. */
function recordedTime({ path, sides: { before, after } }: ChangedSides): number | undefined {
  const bytes = after ?? before;
  if (bytes === undefined || bytes.length > MAX_COMPARED_BYTES) return undefined;
  const recording = recordingOf(path, bytes);
  return recording?.kind === 'tape' ? tapeTotals(recording.tape).durationMs : undefined;
}
