import { join } from 'node:path';
import type { Change } from '../../core/model/change';
import { decisionPathOf, owningCasePath } from '../../core/project/layout';
import { summariseChanges } from '../../core/review/compare/describeChange';
import { Normaliser } from '../../core/review/compare/normaliser';
import { withDecisions } from '../../core/review/decisions';
import { clipSide, deferTexts } from '../../core/review/deferTexts';
import { type Measure, runMeasures, tapeMeasures } from '../../core/review/measures';
import { type PreviousTotals, previousTotals } from '../../core/review/previousTotals';
import type {
  EngineReviewsApi,
  FileDecideParams,
  FileParams,
  FileTextsParams,
  RootParams,
} from '../../protocol/engineReviews';
import type { ChangeTexts, FileReviewState, ReviewedChange, ReviewSummary } from '../../protocol/review';
import { UserError } from '../errors/userError';
import { fileStatus } from '../files/fileStatus';
import type { FileSides } from '../git/changedFiles';
import { projectConfig } from '../project/projectConfig';
import { type ChangedReview, changedReviews, listReviews, type ProjectReview, sidesOf } from './changedReviews';
import { acceptInFile, rejectInFile } from './decideFile';
import { caseDecision, type DecidedFiles, type DecisionHistory } from './decisionHistory';
import { recordingOf } from './fileReview';
import { stageReviewed } from './staging';
import { sidesStamp } from './stamp';

/** So many differences that mean nothing travel to a page. */
const MAX_HIDDEN = 500;

/** Everything that changed in projects, for an editor: as `check` sees it, decided as `accept` and `reject` do. */
export function projectReviews(history: DecisionHistory): EngineReviewsApi {
  const shown = new ReviewTextCache();
  return {
    reviews: (params) => queueOf(params, history),
    fileReview: async (params) => {
      const changed = await changedFile(params);
      if (changed === undefined) return null;
      await shown.remember(params, changed.review.changes);
      return contentOf(params, changed);
    },
    previousTotals: previousTotalsOf,
    fileTexts: (params) => fileTexts(params, shown),
    acceptFile: (params) => decideFile('accepted', params, history),
    rejectFile: (params) => decideFile('rejected', params, history),
    undoFile: (params) => history.undo(undoTarget(params, history)),
    stageFile: async ({ root, path }) => void (await stageReviewed(root, await changedReviews(root, [path]))),
  };
}

async function queueOf({ root }: RootParams, history: DecisionHistory): Promise<readonly ReviewSummary[]> {
  const reviews = await listReviews(root, { type: 'worktree' });
  const listed = reviews.map(entryOf);
  // What was rejected as a whole is as in the last commit again, and can still be taken back.
  const putBack = history.decidedFiles(root).filter((path) => !listed.some((entry) => entry.path === path));
  return [...listed, ...putBack.map(putBackEntry)].sort((left, right) => (left.path < right.path ? -1 : 1));
}

function putBackEntry(path: string): ReviewSummary {
  const kind = path.endsWith('.baseline.json') ? 'baseline' : 'tape';
  return { path, kind, summary: 'Put back as it was', open: 0, accepted: 0, rejected: 1, hidden: 0 };
}

function entryOf({ path, kind, changes, hidden, pending, decisions }: ProjectReview): ReviewSummary {
  const decided = withDecisions(changes, pending, decisions);
  const count = (wanted: string) => decided.filter(({ decision }) => decision === wanted).length;
  return {
    path,
    kind,
    summary: summariseChanges(pending.length > 0 ? pending : changes),
    open: count('open'),
    accepted: count('accepted'),
    rejected: count('rejected'),
    hidden: hidden.length,
  };
}

async function changedFile({ root, path }: FileParams): Promise<ChangedReview | undefined> {
  const [changed] = await changedReviews(root, [path]);
  return changed;
}

async function contentOf({ root, path }: FileParams, changed: ChangedReview): Promise<FileReviewState> {
  const { review, sides, against } = changed;
  const { kind, changes, hidden, notices, pending, decisions } = review;
  return {
    kind,
    against,
    stamp: sidesStamp(sides),
    changes: withDecisions(deferTexts(changes), pending, decisions).map(countedRepeats),
    hidden: hidden.slice(0, MAX_HIDDEN).map(({ before, after, ...change }) => ({
      ...change,
      before: clipSide(before),
      after: clipSide(after),
    })),
    notices: [
      ...notices,
      ...(hidden.length > MAX_HIDDEN
        ? [
            `Of ${hidden.length} hidden differences, ${MAX_HIDDEN} are listed here; \`tapedeck diff --all\` lists them all.`,
          ]
        : []),
    ],
    measures: await measuresOf(root, path, sides),
  };
}

/** A page says how often a change is found again, not where: with thousands of changes, that is the most there is to send. */
function countedRepeats(change: ReviewedChange): ReviewedChange {
  return { ...change, repeats: change.repeats.map(() => ({ path: [] })) };
}

async function measuresOf(root: string, path: string, { before, after }: FileSides): Promise<readonly Measure[]> {
  const [old, now] = [before && recordingOf(path, before), after && recordingOf(path, after)];
  if (old?.kind === 'baseline' || now?.kind === 'baseline')
    return runMeasures(
      old?.kind === 'baseline' ? old.artifact : undefined,
      now?.kind === 'baseline' ? now.artifact : undefined,
    );
  return tapeMeasures(old?.tape, now?.tape, (await projectConfig(root)).prices);
}

/** Bytes of both sides that are compared without anybody having asked for a review. */
const MAX_UNASKED_BYTES = 16e6;

async function previousTotalsOf({ root, path }: FileParams): Promise<PreviousTotals | null> {
  const file = await fileStatus(join(root, path)).catch(() => undefined);
  // Of a large file not even the bytes are looked at.
  if (file === undefined || file.size > MAX_UNASKED_BYTES) return null;
  const sides = await sidesOf(root, path);
  if (sides?.before === undefined || sides.after === undefined) return null;
  if (sides.before.length + sides.after.length > MAX_UNASKED_BYTES) return null;
  const [old, now] = [recordingOf(path, sides.before), recordingOf(path, sides.after)];
  if (old?.kind !== 'tape' || now?.kind !== 'tape') return null;
  const { normalise, prices } = await projectConfig(root);
  return previousTotals(old.tape, now.tape, new Normaliser(normalise), prices);
}

async function fileTexts({ id, ...file }: FileTextsParams, shown: ReviewTextCache): Promise<ChangeTexts> {
  const changes = (await shown.of(file)) ?? (await changedFile(file))?.review.changes;
  const change = changes?.find((one) => one.id === id);
  if (change === undefined) throw fileChangedError(file.path);
  return { before: change.before, after: change.after };
}

/** About the very sides that were reviewed, or not at all. */
async function decideFile(
  verdict: 'accepted' | 'rejected',
  { root, path, ids, stamp, reason }: FileDecideParams,
  history: DecisionHistory,
): Promise<void> {
  const changed = await changedFile({ root, path });
  if (changed === undefined || sidesStamp(changed.sides) !== stamp) throw fileChangedError(path);
  const decision = { root, path, sides: changed.sides, ids, ...(reason !== undefined && { reason }) };
  await history.during(decidedFiles({ root, path }), () =>
    verdict === 'accepted' ? acceptInFile(decision) : rejectInFile(decision),
  );
}

function fileChangedError(path: string): UserError {
  return new UserError(`${path} has changed since this review`, 'Look at it again and decide about what it is now.');
}

/** What was decided last about a file: a baseline may also have come of a decision about its case. */
function undoTarget(params: FileParams, history: DecisionHistory): DecidedFiles {
  const about = decidedFiles(params);
  const casePath = owningCasePath(params.path);
  return casePath === undefined || history.count(about) > 0
    ? about
    : caseDecision({ root: params.root, casePath: join(params.root, casePath) });
}

/** What a decision about a file may write. */
function decidedFiles({ root, path }: FileParams): DecidedFiles {
  return { root, kind: 'file', name: path, files: [path, decisionPathOf(path)].map((file) => join(root, file)) };
}

interface ShownReview {
  readonly address: string;
  /** When the file was written, and how long it was. */
  readonly stamp: string;
  readonly changes: readonly Change[];
}

/** The changes of the review that was asked for last: of its texts those that are long are asked for one by one. */
export class ReviewTextCache {
  #last: ShownReview | undefined;

  async remember(file: FileParams, changes: readonly Change[]): Promise<void> {
    this.#last = { address: addressOf(file), stamp: await stampOf(file), changes };
  }

  /** Undefined when another file was shown last, or this one was written since. */
  async of(file: FileParams): Promise<readonly Change[] | undefined> {
    if (this.#last?.address !== addressOf(file)) return undefined;
    return this.#last.stamp === (await stampOf(file)) ? this.#last.changes : undefined;
  }
}

function addressOf({ root, path }: FileParams): string {
  return join(root, path);
}

async function stampOf(file: FileParams): Promise<string> {
  const found = await fileStatus(addressOf(file));
  return found === undefined ? '-' : `${found.modifiedMs}:${found.size}`;
}
