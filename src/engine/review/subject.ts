import type { ReviewAgainst, ReviewSubject } from '../../contracts/engine/review';
import type { Artifact } from '../../core/model/artifact';
import type { Change, ChangeSet } from '../../core/model/change';
import type { Decision, Decisions } from '../../core/review/decisions';
import type { Measure } from '../../core/review/measures';
import type { SeenSides } from '../../core/review/stamp';
import type { SeenFile } from './stamp';

/** A subject's review as it is on disk now. */
export interface SubjectReview extends ReviewSubject, ChangeSet {
  readonly against: ReviewAgainst;
  /** The earlier path of a file that was renamed. */
  readonly from?: string;
  readonly sides: SeenSides;
  /** What is compared of a run: its result, and its baseline unless it is the first. */
  readonly artifact?: Artifact;
  readonly baseline?: Artifact | undefined;
  readonly decisions: Decisions;
  readonly pending: readonly Change[];
  /** Of the sides and rules above: see `reviewStamp`. */
  readonly stamp: string;
  /** Set if a list asked for them. */
  readonly measures?: readonly Measure[];
  /** Why nothing can be decided. */
  readonly error?: string;
}

/** A review as a list shows it: that of a tape has what its recording has changed in the result of its case. */
export interface ListedReview extends SubjectReview {
  /** The last run and the baseline that are decided with a tape, as far as they differ. */
  readonly results?: readonly ReviewSubject[];
  readonly changes: readonly ListedChange[];
  readonly pending: readonly ListedChange[];
}

export interface ListedChange extends Change {
  /** The result that has it, where the tape has not. */
  readonly of?: ReviewSubject;
}

/** The effect of a decision besides its record in the decision file. */
export interface Effect {
  /** The changes that are decided, by their ids: those that were named, and those that belong to them. */
  readonly decided: readonly string[];
  /** Other ids to which the decision applies: of a take, or of what it changes in the baseline. */
  readonly alike?: readonly string[];
  /** The changes that are shown afterwards, by their ids; absent where they are the same. */
  readonly left?: readonly string[];
  /** Writes the baseline or the file; absent if neither changes. */
  write?(): Promise<void>;
}

/** How one kind of subject is reviewed and decided. Only this differs between runs and files. */
export interface DecidableSubject {
  readonly root: string;
  readonly subject: ReviewSubject;
  /** The decision file; absolute. */
  readonly decisionFile: string;
  /** The tape or baseline that a decision may write, and that is staged; absolute. */
  readonly reviewedFile: string;
  /** The current review; undefined if nothing differs, or the case has not run. */
  open(): Promise<SubjectReview | undefined>;
  /** The error for a decision where `open` finds nothing. */
  missing(): Error;
  /** The files on disk that a review shows. */
  seen(review: SubjectReview): readonly SeenFile[];
  /** Prepares a decision, and writes nothing. */
  prepare(review: SubjectReview, verdict: Decision, ids: readonly string[]): Promise<Effect>;
}
