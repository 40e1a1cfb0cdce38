import { isReviewDecision } from '../engine/engineReviews';
import type { ChangeTexts, ReviewAgainst, ReviewDecision, ReviewDetails } from '../engine/review';
import { isIndex, isMaybe, isNothing, isOneOf, isShape, isText } from '../rpc/guards';
import type { Guards } from '../rpc/rpc';

/** The calls that the review webview may make. */
export type ReviewHost = {
  /** The current review. `changed` events follow. */
  open(params: undefined): Promise<ReviewState>;
  /** The whole texts of a change whose texts were deferred. */
  texts(params: { readonly id: string }): Promise<ChangeTexts>;
  decide(params: ReviewDecision): Promise<void>;
  /** The same change in all files, to be decided together; empty if it is no longer in another file. */
  sameChanges(params: { readonly id: string }): Promise<readonly SameChange[]>;
  /** Decides on the changes that `sameChanges` returned last, as one. */
  decideSame(params: SameDecision): Promise<void>;
  /** Reverts the last decision, and shows the review that it was made in. */
  undo(params: undefined): Promise<void>;
  /** Puts the baseline, or the file, into git's index. */
  stage(params: undefined): Promise<void>;
  /** Stages every file whose changes are all accepted. VS Code shows the outcome in a message of its own. False if that failed. */
  stageAll(params: undefined): Promise<boolean>;
  /** Shows VS Code's Source Control view, where the files are committed. */
  openSourceControl(params: undefined): void;
  /** Opens one change in VS Code's own diff editor. */
  openDiff(params: { readonly id: string }): Promise<void>;
  /** Shows an interaction of the reviewed tape (from 0) in its transcript. */
  openTranscript(params: { readonly interaction: number }): Promise<void>;
  /** Shows the next or previous review of the queue; false if there is no other. */
  go(params: { readonly to: Direction }): Promise<boolean>;
};

/** A change that is the same in several files. */
export interface SameChange {
  /** The path of the file or case, relative to its workspace folder. */
  readonly path: string;
  readonly title: string;
  /** The words that were replaced, and those in their place. */
  readonly before: string;
  readonly after: string;
}

export type SameDecision = Pick<ReviewDecision, 'verdict' | 'reason'>;

/** In the order of the queue; `open`: the next review with pending changes. */
export type Direction = 'next' | 'previous' | 'open';

/** The position of a review among all that need decisions. */
export interface QueuePlace {
  /** From 1; 0 where the review is not in the queue, or no longer. */
  readonly position: number;
  readonly total: number;
  /** How many other reviews have pending changes. */
  readonly othersOpen: number;
}

export interface ReviewState extends Omit<ReviewDetails, 'against'> {
  /** The earlier side; in a comparison, what the user has chosen. */
  readonly against: ReviewAgainst | 'chosen';
  /** The address that the webview keeps, so that VS Code can restore the panel. */
  readonly caseUri: string;
  readonly caseName: string;
  /** The start of the reviewed run, in milliseconds since 1970. */
  readonly ranAt: number;
  readonly mode: string;
  /** False for the first run of a case: then every change is an addition. */
  readonly hasBaseline: boolean;
  readonly queue: QueuePlace;
  /** Whether a decision was made in this window that is not undone. */
  readonly canUndo: boolean;
  /** The number of files with the same pending change, this one included, by its id; absent if there is no other. */
  readonly same: Readonly<Record<string, number>>;
  /** How many files have all their changes decided, and some accepted. */
  readonly stageable: number;
  /** False in an untrusted workspace and in a browser, where reviews are read-only. */
  readonly canDecide: boolean;
  /** The two sides of a comparison, in which there is nothing to decide. */
  readonly compared?: ComparedSides;
  /** Why there is nothing to review, in place of changes. */
  readonly notice?: string;
}

export interface ComparedSides {
  /** The names of the sides, such as `support.tape.json in 3f2a1c9`. */
  readonly before: string;
  readonly after: string;
  /** Whether the later side is the current file. */
  readonly isCurrent: boolean;
}

/** The event that carries a new `ReviewState` to the webview. */
export const REVIEW_CHANGED = 'changed';

/** The event that opens the page's help. */
export const REVIEW_HELP = 'help';

const isChangeId = isShape<{ readonly id: string }>({ id: isText });

export const reviewGuards: Guards<ReviewHost> = {
  open: isNothing,
  decide: isReviewDecision,
  sameChanges: isChangeId,
  decideSame: isShape<SameDecision>({ verdict: isOneOf('accepted', 'rejected'), reason: isMaybe(isText) }),
  undo: isNothing,
  stage: isNothing,
  stageAll: isNothing,
  openSourceControl: isNothing,
  openDiff: isChangeId,
  openTranscript: isShape<{ readonly interaction: number }>({ interaction: isIndex }),
  texts: isChangeId,
  go: isShape<{ readonly to: Direction }>({ to: isOneOf('next', 'previous', 'open') }),
};
