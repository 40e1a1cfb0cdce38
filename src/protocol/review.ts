import type { Change } from '../core/review/change';
import type { Verdict } from '../core/review/decision';
import { isListOf, isMaybe, isNothing, isShape, isText } from './guards';
import type { Guards } from './rpc';

/** The calls that the review webview may make. */
export type ReviewHost = {
  /** The review as it is now. After this, `changed` events follow. */
  open(params: undefined): Promise<ReviewState>;
  accept(params: ReviewIds): Promise<void>;
  reject(params: ReviewIds): Promise<void>;
  /** Takes back the last decision. */
  undo(params: undefined): Promise<void>;
  /** Puts the baseline into git's index. */
  stage(params: undefined): Promise<void>;
  /** Opens one change in VS Code's own diff editor. */
  openDiff(params: { readonly id: string }): Promise<void>;
};

export interface ReviewIds {
  readonly ids: readonly string[];
  /** Of the files that were on the screen: nobody decides about what they have not seen. */
  readonly stamp: string;
  readonly reason?: string;
}

export interface ReviewState {
  /** What the webview remembers, so that VS Code can restore the panel. */
  readonly caseUri: string;
  readonly caseName: string;
  readonly stamp: string;
  /** When the run under review took place, in milliseconds since 1970, and how. */
  readonly ranAt: number;
  readonly mode: string;
  /** False for the first run of a case: then everything is new. */
  readonly hasBaseline: boolean;
  readonly changes: readonly ReviewedChange[];
  /** What normalising rules hide. */
  readonly hidden: readonly Change[];
  /** Whether decisions can be made here; in an untrusted workspace one can only look. */
  readonly canDecide: boolean;
  /** Instead of changes, why there is nothing to review. */
  readonly notice?: string;
}

export type ReviewedChange = Change & { readonly decision: 'open' | Verdict; readonly reason?: string };

/** The event that carries a new `ReviewState` to the webview. */
export const REVIEW_CHANGED = 'changed';

const isReviewIds = isShape<ReviewIds>({ ids: isListOf(isText), stamp: isText, reason: isMaybe(isText) });

export const reviewGuards: Guards<ReviewHost> = {
  open: isNothing,
  accept: isReviewIds,
  reject: isReviewIds,
  undo: isNothing,
  stage: isNothing,
  openDiff: isShape<{ readonly id: string }>({ id: isText }),
};
