import { count, nothing, shape, text, trusted, type Value } from '../../core/schema/schema';
import { call, contract, returns } from '../contract';
import {
  type ChangeTexts,
  DECISION,
  type NamedChange,
  type ReviewAgainst,
  type ReviewDetails,
  reviewDecision,
} from '../engine/review';

/** A change that is the same in several files. */
export interface SameChange {
  /** The path of the file or case, relative to its workspace folder. */
  readonly path: string;
  readonly title: string;
  /** The words that were replaced, and those in their place. */
  readonly before: string;
  readonly after: string;
}

/** The position of a review among all that need decisions. */
interface QueuePlace {
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
  /** Whether there is a decision that can be undone, in whatever review. */
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

const ofChange = shape({ id: text() });
const sameDecision = shape({ verdict: DECISION.verdict, reason: DECISION.reason });
export type SameDecision = Value<typeof sameDecision>;

/** In the order of the queue; `open`: the next review with pending changes. */
const direction = text('', { enum: ['next', 'previous', 'open'] });
export type Direction = Value<typeof direction>;

export const reviewPage = contract({
  calls: {
    /** The whole texts of a change whose texts were deferred. */
    texts: call(ofChange, returns<ChangeTexts>()),
    /** Returns the changes that were decided as well, because the file cannot be written with only some of them. */
    decide: call(reviewDecision, returns<readonly NamedChange[]>()),
    /** The same change in all files, to be decided together; empty if it is no longer in another file. */
    sameChanges: call(ofChange, returns<readonly SameChange[]>()),
    /** Decides on the changes that `sameChanges` returned last, as one. Returns what `decide` does. */
    decideSame: call(sameDecision, returns<readonly NamedChange[]>()),
    /** Reverts the last decision, and shows the review that it was made in. */
    undo: call(nothing, returns<void>()),
    /** Puts the baseline, or the file, into git's index. */
    stage: call(nothing, returns<void>()),
    /** Stages every file whose changes are all accepted. VS Code shows the outcome in a message of its own. False if that failed. */
    stageAll: call(nothing, returns<boolean>()),
    /** Shows VS Code's Source Control view, where the files are committed. */
    openSourceControl: call(nothing, returns<void>()),
    /** Opens one change in VS Code's own diff editor. */
    openDiff: call(ofChange, returns<void>()),
    /** Shows an interaction of the reviewed tape (from 0) in its transcript. */
    openTranscript: call(shape({ interaction: count() }), returns<void>()),
    /** Shows the next or previous review of the queue; false if there is no other. */
    go: call(shape({ to: direction }), returns<boolean>()),
  },
  /** The host is our own, and trusted. */
  state: shape({ review: trusted<ReviewState>(shape({ caseUri: text() })) }),
  events: {
    /** Opens the page's help. */
    help: nothing,
  },
});
