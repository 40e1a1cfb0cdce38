import { join } from 'node:path';
import type { ChangeParams, EngineReviewsApi, SubjectParams, TapeParams } from '../../contracts/engine/engineReviews';
import type { ChangeTexts, ReviewDetails } from '../../contracts/engine/review';
import type { Change } from '../../core/model/change';
import { artifactPath, owningCasePath } from '../../core/project/layout';
import { withDecisions } from '../../core/review/decisions';
import { type Measure, runMeasures } from '../../core/review/measures';
import { type PreviousTotals, previousTotals } from '../../core/review/previousTotals';
import { MAX_COMPARED_BYTES } from '../../core/review/recordings';
import { sentToPage } from '../../core/review/sentToPage';
import { fileStatus } from '../files/fileStatus';
import { trackedState } from '../git/trackedState';
import { projectConfig } from '../project/projectConfig';
import { sidesOf } from './changedReviews';
import { Reviews } from './decide';
import { recordingOf } from './fileReview';
import { measuresOfSides } from './measuresOfSides';
import { decisionOnEdit, type Edit, editsOf, type Recording, recordingStamp } from './recording';
import { reviewQueue } from './reviewQueue';
import { ReviewRules } from './reviewRules';
import { changedSinceReview } from './stamp';
import type { SubjectReview } from './subject';

/** The reviews of projects, for an editor: the same as `check`, `accept` and `reject` see and write. */
export function createReviewApi(): EngineReviewsApi {
  const reviews = new Reviews();
  const texts = new ReviewTextCache();
  return {
    reviews: ({ root }) => reviewQueue(root, reviews),
    trackedState: async ({ root }) => (await trackedState(root)).paths,
    review: async (params) => {
      const review = await reviews.open(params);
      if (review === undefined) return null;
      const recording = params.subject.kind === 'tape' ? await reviews.recording(params) : undefined;
      const edits = recording && editsOf(recording);
      await texts.remember(params, edits?.map(({ change }) => change) ?? review.changes);
      const content = await contentOf(params.root, review);
      return recording && edits ? recordingContent(content, recording, edits) : content;
    },
    changeTexts: (params) => changeTexts(params, reviews, texts),
    previousTotals: previousTotalsOf,
    lastDecision: async ({ root }) => (await reviews.lastDecision(root)) ?? null,
    decide: (params) => reviews.decide(params),
    decideTogether: (params) => reviews.decideTogether(params),
    undo: (params) => reviews.undo(params),
    stage: (params) => reviews.stage(params),
    reapplyRejections: ({ root }) => reviews.reapplyRejections(root),
  };
}

async function contentOf(root: string, review: SubjectReview): Promise<ReviewDetails> {
  const { kind, against, stamp, changes, hidden, notices, pending, decisions } = review;
  const sent = sentToPage({ changes, hidden, notices });
  return {
    kind,
    against,
    stamp,
    ...sent,
    changes: withDecisions(sent.changes, pending, decisions),
    measures: await measuresOf(root, review),
  };
}

/** The review of a tape with what its recording has changed in the result of its case. */
function recordingContent(content: ReviewDetails, recording: Recording, edits: readonly Edit[]): ReviewDetails {
  const [result] = recording.results;
  const { changes } = sentToPage({ changes: edits.map(({ change }) => change), hidden: [], notices: [] });
  return {
    ...content,
    stamp: recordingStamp(recording),
    ...(result && { casePath: owningCasePath(result.path) ?? result.path }),
    notices: [...new Set([...content.notices, ...recording.results.flatMap(({ notices }) => notices)])],
    changes: changes.map((change, index) => {
      const { review, counterparts, ...edit } = edits[index] as Edit;
      const decision = decisionOnEdit({ review, counterparts, ...edit });
      const { reason } = review.decisions[change.id] ?? {};
      return {
        ...change,
        decision,
        ...(decision !== 'open' && reason !== undefined && { reason }),
        ...(counterparts.length > 0 && { counterparts: [...new Set(counterparts.map((one) => one.change.title))] }),
        ...(review.kind !== 'tape' && { isOfResult: true }),
      };
    }),
  };
}

async function measuresOf(root: string, review: SubjectReview): Promise<readonly Measure[]> {
  if (review.artifact !== undefined) return runMeasures(review.baseline, review.artifact);
  const { path } = review;
  if (sizeOf(review.sides) > MAX_COMPARED_BYTES) return [];
  const sides = await sidesOf(root, path);
  return sides === undefined ? [] : measuresOfSides(path, sides, (await projectConfig(root)).prices);
}

function sizeOf({ before, after }: SubjectReview['sides']): number {
  return (before?.size ?? 0) + (after?.size ?? 0);
}

/** The most bytes, of both sides together, that are compared without a review being opened. */
const MAX_UNASKED_BYTES = 16e6;

async function previousTotalsOf({ root, path }: TapeParams): Promise<PreviousTotals | null> {
  const file = await fileStatus(join(root, path)).catch(() => undefined);
  // A large file is not even read.
  if (file === undefined || file.size > MAX_UNASKED_BYTES) return null;
  const sides = await sidesOf(root, path);
  if (sides?.before === undefined || sides.after === undefined) return null;
  if (sides.before.length + sides.after.length > MAX_UNASKED_BYTES) return null;
  const before = recordingOf(path, sides.before);
  const after = recordingOf(path, sides.after);
  if (before?.kind !== 'tape' || after?.kind !== 'tape') return null;
  const normaliser = await (await ReviewRules.of(root)).of(path);
  return previousTotals(before.tape, after.tape, normaliser, (await projectConfig(root)).prices);
}

async function changeTexts(
  { id, ...shown }: ChangeParams,
  reviews: Reviews,
  texts: ReviewTextCache,
): Promise<ChangeTexts> {
  const changes = (await texts.of(shown)) ?? (await shownChanges(shown, reviews));
  const change = changes?.find((one) => one.id === id);
  if (change === undefined) throw changedSinceReview(shown.subject.path);
  return { before: change.before, after: change.after };
}

async function shownChanges(params: SubjectParams, reviews: Reviews): Promise<readonly Change[] | undefined> {
  const recording = params.subject.kind === 'tape' ? await reviews.recording(params) : undefined;
  if (recording !== undefined) return editsOf(recording).map(({ change }) => change);
  return (await reviews.open(params))?.changes;
}

interface ShownReview {
  readonly address: string;
  /** When the file was written, and its length. */
  readonly version: string;
  readonly changes: readonly Change[];
}

/** The changes of the last opened review, because a page requests long texts one by one. */
class ReviewTextCache {
  #last: ShownReview | undefined;

  async remember(params: SubjectParams, changes: readonly Change[]): Promise<void> {
    this.#last = { address: addressOf(params), version: await versionOf(params), changes };
  }

  /** Undefined when another review was opened last, or its file was written since. */
  async of(params: SubjectParams): Promise<readonly Change[] | undefined> {
    if (this.#last?.address !== addressOf(params)) return undefined;
    return this.#last.version === (await versionOf(params)) ? this.#last.changes : undefined;
  }
}

function addressOf({ root, subject: { kind, path } }: SubjectParams): string {
  return [root, kind === 'run', path].join('\0');
}

async function versionOf({ root, subject: { kind, path } }: SubjectParams): Promise<string> {
  const file = await fileStatus(join(root, kind === 'run' ? artifactPath(path) : path));
  return file === undefined ? '-' : `${file.modifiedMs}:${file.size}`;
}
