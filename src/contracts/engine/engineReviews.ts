import type { PreviousTotals } from '../../core/review/previousTotals';
import { list, optional, shape, text } from '../../core/schema/schema';
import { type Answers, call, type Params, returns } from '../contract';
import { inProject, PLACE, ROOT } from './project';
import {
  type ChangeTexts,
  DECISION,
  type NamedChange,
  type ReviewDetails,
  type ReviewSubject,
  type ReviewSummary,
  reviewSubject,
} from './review';

const SUBJECT = { ...ROOT, subject: reviewSubject };
/** Changes of one of several subjects that are decided together. */
const decidedSubject = shape({ subject: reviewSubject, changes: DECISION.changes, stamp: DECISION.stamp });

/** The engine's calls about reviews. */
export const engineReviewsCalls = {
  /** Everything that is to be reviewed, or was decided and is not committed yet; by path. */
  reviews: call(inProject, returns<readonly ReviewSummary[]>()),
  /** What git tracks in `.tapedeck/`, from the root: decisions in these files do not count. */
  trackedState: call(inProject, returns<readonly string[]>()),
  /** One review; null if a file does not differ, or a case has not run. */
  review: call(shape(SUBJECT), returns<ReviewDetails | null>()),
  /** The whole texts of the change `id`. */
  changeTexts: call(shape({ ...SUBJECT, id: text() }), returns<ChangeTexts>()),
  /** The usage and cost of a tape before it changed; null if it does not differ, or is too large to compare unasked. */
  previousTotals: call(shape(PLACE), returns<PreviousTotals | null>()),
  /**
   * Accepts or rejects changes: the only call that writes decisions, baselines and reviewed files. Returns the changes that were decided
   * as well, because the file cannot be written with only some of them.
   */
  decide: call(shape({ ...SUBJECT, ...DECISION }), returns<readonly NamedChange[]>()),
  /** The same decision on several subjects, as one: on all of them, or on none. Returns what `decide` does. */
  decideTogether: call(
    shape({ ...ROOT, verdict: DECISION.verdict, members: list(decidedSubject), reason: DECISION.reason }),
    returns<readonly NamedChange[]>(),
  ),
  /** The last decision in a project; null if there is none that can be undone. */
  lastDecision: call(inProject, returns<LastDecision | null>()),
  /** Reverts the last decision on a subject, with all that was decided together. Returns its subjects. */
  undo: call(shape(SUBJECT), returns<readonly ReviewSubject[]>()),
  /**
   * Puts a subject's file, as it is on disk, into git's index; without a subject, every file whose changes are all accepted. The
   * stamp is that of the review that was shown: when its file has changed since, nothing is staged.
   */
  stage: call(shape({ ...ROOT, subject: optional(reviewSubject), stamp: optional(text()) }), returns<StagedFiles>()),
  /** Removes rejected changes that are back from tapes and baselines; returns the paths of the written files. */
  reapplyRejections: call(inProject, returns<readonly string[]>()),
};
export type EngineReviewsApi = Answers<typeof engineReviewsCalls>;
type ReviewParams<M extends keyof typeof engineReviewsCalls> = Params<(typeof engineReviewsCalls)[M]>;
export type RootParams = ReviewParams<'reviews'>;
export type SubjectParams = ReviewParams<'review'>;
export type ChangeParams = ReviewParams<'changeTexts'>;
export type TapeParams = ReviewParams<'previousTotals'>;
export type DecideParams = ReviewParams<'decide'>;
export type StageParams = ReviewParams<'stage'>;
export type DecideTogetherParams = ReviewParams<'decideTogether'>;
export type DecidedSubject = DecideTogetherParams['members'][number];

export interface LastDecision {
  readonly subject: ReviewSubject;
  /** In milliseconds since 1970. */
  readonly at: number;
}

/** Paths are from the project's root. */
export interface StagedFiles {
  readonly staged: readonly string[];
  /** Files that were left out because some of their changes are pending. */
  readonly pending: readonly { readonly path: string; readonly changes: number }[];
}
