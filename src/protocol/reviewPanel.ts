import type { Change } from '../core/model/change';
import type { Measure } from '../core/review/measures';
import { isReviewDecision } from './engineReviews';
import { isIndex, isNothing, isOneOf, isShape, isText } from './guards';
import type { ChangeTexts, ReviewAgainst, ReviewDecision, ReviewedChange, ReviewKind } from './review';
import type { Guards } from './rpc';

/** The calls that the review webview may make. */
export type ReviewHost = {
  /** The review as it is now. After this, `changed` events follow. */
  open(params: undefined): Promise<ReviewState>;
  /** The texts of a change that were left for later. */
  texts(params: { readonly id: string }): Promise<ChangeTexts>;
  decide(params: ReviewDecision): Promise<void>;
  /** Reverts the last decision, and shows the review that it was made in. */
  undo(params: undefined): Promise<void>;
  /** Puts the baseline, or the file, into git's index. */
  stage(params: undefined): Promise<void>;
  /** Stages every file whose changes are all accepted. VS Code shows the outcome in a message of its own. */
  stageAll(params: undefined): void;
  /** Opens one change in VS Code's own diff editor. */
  openDiff(params: { readonly id: string }): Promise<void>;
  /** Shows an interaction of the tape that is reviewed (from 0) in its transcript. */
  openTranscript(params: { readonly interaction: number }): Promise<void>;
  /** Shows the next or previous review of the queue; false where there is no other. */
  go(params: { readonly to: Direction }): Promise<boolean>;
};

/** In the order of the queue; `open`: the next one that is still to be decided. */
export type Direction = 'next' | 'previous' | 'open';

/** Where a review stands among all that are to be decided. */
export interface QueuePlace {
  /** From 1; 0 where the review is not, or no longer, among them. */
  readonly position: number;
  readonly total: number;
  /** How many others are still to be decided. */
  readonly othersOpen: number;
}

export interface ReviewState {
  /** What the webview remembers, so that VS Code can restore the panel. */
  readonly caseUri: string;
  readonly caseName: string;
  readonly kind: ReviewKind;
  readonly against: ReviewAgainst;
  readonly stamp: string;
  /** When the run under review took place, in milliseconds since 1970, and how. */
  readonly ranAt: number;
  readonly mode: string;
  /** False for the first run of a case: then everything is new. */
  readonly hasBaseline: boolean;
  readonly changes: readonly ReviewedChange[];
  /** What normalising rules hide. */
  readonly hidden: readonly Change[];
  /** What could not be compared as it should, in words. */
  readonly notices: readonly string[];
  readonly measures: readonly Measure[];
  readonly queue: QueuePlace;
  /** Whether decisions can be made here; in an untrusted workspace one can only look. */
  readonly canDecide: boolean;
  /** Instead of changes, why there is nothing to review. */
  readonly notice?: string;
}

/** The event that carries a new `ReviewState` to the webview. */
export const REVIEW_CHANGED = 'changed';

const isChangeId = isShape<{ readonly id: string }>({ id: isText });

export const reviewGuards: Guards<ReviewHost> = {
  open: isNothing,
  decide: isReviewDecision,
  undo: isNothing,
  stage: isNothing,
  stageAll: isNothing,
  openDiff: isChangeId,
  openTranscript: isShape<{ readonly interaction: number }>({ interaction: isIndex }),
  texts: isChangeId,
  go: isShape<{ readonly to: Direction }>({ to: isOneOf('next', 'previous', 'open') }),
};
