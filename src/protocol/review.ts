import type { Change } from '../core/review/changes';
import { isListOf, isNothing, isShape, isText } from './guards';
import type { Guards } from './rpc';

/** The calls that the review webview may make. */
export type ReviewHost = {
  /** The review as it is now. After this, `changed` events follow. */
  open(params: undefined): Promise<ReviewState>;
  accept(params: ReviewFields): Promise<void>;
  reject(params: ReviewFields): Promise<void>;
  /** Opens one change in VS Code's own diff editor. */
  openDiff(params: { readonly field: string }): Promise<void>;
};

export interface ReviewFields {
  readonly fields: readonly string[];
  /** Of the run that was on the screen: nobody decides about one they have not seen. */
  readonly executionId: string;
}

export interface ReviewState {
  /** What the webview remembers, so that VS Code can restore the panel. */
  readonly caseUri: string;
  readonly caseName: string;
  readonly executionId: string;
  /** When the run under review took place, in milliseconds since 1970, and how. */
  readonly ranAt: number;
  readonly mode: string;
  /** False for the first run of a case: then everything is new. */
  readonly hasBaseline: boolean;
  readonly changes: readonly ReviewedChange[];
  /** Whether decisions can be made here; in an untrusted workspace one can only look. */
  readonly canDecide: boolean;
  /** Instead of changes, why there is nothing to review. */
  readonly notice?: string;
}

export type ReviewedChange = Change & { readonly decision: 'open' | 'rejected' };

/** The event that carries a new `ReviewState` to the webview. */
export const REVIEW_CHANGED = 'changed';

const isReviewFields = isShape<ReviewFields>({ fields: isListOf(isText), executionId: isText });

export const reviewGuards: Guards<ReviewHost> = {
  open: isNothing,
  accept: isReviewFields,
  reject: isReviewFields,
  openDiff: isShape<{ readonly field: string }>({ field: isText }),
};
