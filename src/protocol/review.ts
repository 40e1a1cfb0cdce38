import type { Change } from '../core/model/change';
import type { DecidedChange } from '../core/review/decisions';
import type { DeferrableChange } from '../core/review/deferTexts';
import type { Measure } from '../core/review/measures';

export interface DecidedChanges {
  readonly ids: readonly string[];
  /** Of the files that were on the screen: nobody decides about what they have not seen. */
  readonly stamp: string;
  readonly reason?: string;
}

export type ReviewedChange = DecidedChange<DeferrableChange>;

/** What is reviewed: the last run of a case, a tape or a baseline. */
export type ReviewKind = 'run' | 'tape' | 'baseline';

/** With what it is compared: a run with its baseline, a file with the last commit, or a tape with the take it replaced. */
export type ReviewAgainst = 'baseline' | 'commit' | 'take';

/** One review of a project, as a list shows it. */
export interface ReviewSummary {
  /** Of the case, or of the file; from the project's root, with `/`. */
  readonly path: string;
  readonly kind: ReviewKind;
  /** What changed, in a few words; empty where nothing did that means anything. */
  readonly summary: string;
  readonly open: number;
  readonly accepted: number;
  readonly rejected: number;
  /** Differences that mean nothing. */
  readonly hidden: number;
}

/** The review of a tape or baseline. */
export interface FileReviewState {
  readonly kind: ReviewKind;
  readonly against: ReviewAgainst;
  /** Of both sides, as they were read. */
  readonly stamp: string;
  readonly changes: readonly ReviewedChange[];
  readonly hidden: readonly Change[];
  readonly notices: readonly string[];
  readonly measures: readonly Measure[];
}

export interface ChangeTexts {
  readonly before: string;
  readonly after: string;
}
