import type { Change, ChangeLikeness } from '../../core/model/change';
import type { DecidedChange } from '../../core/review/decisions';
import type { DeferrableChange } from '../../core/review/deferTexts';
import type { Measure } from '../../core/review/measures';
import { list, optional, shape, text, type Value } from '../../core/schema/schema';
import { innerPath } from './project';

/** The subject of a review and of its decisions: the last run of a case, a tape, or a baseline. */
export const reviewSubject = shape({
  kind: text('', { enum: ['run', 'tape', 'baseline'] }),
  /** Of the case, or of the file. */
  path: innerPath,
});
export type ReviewSubject = Value<typeof reviewSubject>;
export type ReviewKind = ReviewSubject['kind'];

/** The earlier side of a review: the baseline of a run, the last commit of a file, or the take that a tape replaced. */
export type ReviewAgainst = 'baseline' | 'commit' | 'take';

/** A change as messages name it. */
export type NamedChange = Pick<Change, 'id' | 'title'>;

/** A decision on changes of a review, as they were shown. */
export const DECISION = {
  verdict: text('', { enum: ['accepted', 'rejected'] }),
  /** Ids of the changes. */
  changes: list(text()),
  /** Of the review that was shown: when its files or rules have changed since, the decision is refused. */
  stamp: text(),
  reason: optional(text()),
};
export const reviewDecision = shape(DECISION);
export type ReviewDecision = Value<typeof reviewDecision>;

/** A pending change that is the same in other files. */
export interface SharedChange extends ChangeLikeness {
  readonly id: string;
  readonly title: string;
}

/** One review of a project, as a list shows it. */
export interface ReviewSummary extends ReviewSubject {
  /** Of the review: see `ReviewDecision`. */
  readonly stamp: string;
  readonly shared: readonly SharedChange[];
  /** The earlier path of a file that was renamed. */
  readonly from?: string;
  /** What a tape's recording has changed in its case, and is decided with the tape: the last run, the baseline. */
  readonly results?: readonly ReviewSubject[];
  /** The changes, in a few words; empty if all differences are ignored. */
  readonly summary: string;
  readonly open: number;
  readonly accepted: number;
  readonly rejected: number;
  /** How many differences the rules ignore. */
  readonly hidden: number;
}

/** One review with its changes. */
export interface ReviewDetails {
  readonly kind: ReviewKind;
  readonly against: ReviewAgainst;
  readonly stamp: string;
  readonly changes: readonly ReviewedChange[];
  /** Differences that the rules ignore. */
  readonly hidden: readonly Change[];
  /** Notes on parts that could not be compared completely. */
  readonly notices: readonly string[];
  readonly measures: readonly Measure[];
  /** The case whose last run and baseline are decided with the tape, from the root. */
  readonly casePath?: string;
}

export interface ReviewedChange extends DecidedChange<DeferrableChange> {
  /** Where a tape is decided with the result of its case: the titles of what is the same edit there. */
  readonly counterparts?: readonly string[];
  /** Whether only the result has it. */
  readonly isOfResult?: true;
}

export interface ChangeTexts {
  readonly before: string;
  readonly after: string;
}
