import type { PreviousTotals } from '../../core/review/previousTotals';
import { isListOf, isMaybe, isOneOf, isShape, isText } from '../rpc/guards';
import type { Guard, Guards } from '../rpc/rpc';
import type { ChangeTexts, ReviewDecision, ReviewDetails, ReviewSubject, ReviewSummary } from './review';

/** The engine's calls about reviews. */
export type EngineReviewsApi = {
  /** Everything that is to be reviewed, or was decided and is not committed yet; by path. */
  reviews(params: RootParams): Promise<readonly ReviewSummary[]>;
  /** What git tracks in `.tapedeck/`, from the root: decisions in these files do not count. */
  trackedState(params: RootParams): Promise<readonly string[]>;
  /** One review; null if a file does not differ, or a case has not run. */
  review(params: SubjectParams): Promise<ReviewDetails | null>;
  /** The whole texts of one change. */
  changeTexts(params: ChangeParams): Promise<ChangeTexts>;
  /** The usage and cost of a tape before it changed; null if it does not differ, or is too large to compare unasked. */
  previousTotals(params: TapeParams): Promise<PreviousTotals | null>;
  /** Accepts or rejects changes: the only call that writes decisions, baselines and reviewed files. */
  decide(params: DecideParams): Promise<void>;
  /** The same decision on several subjects, as one: on all of them, or on none. */
  decideTogether(params: DecideTogetherParams): Promise<void>;
  /** Reverts the last decision on a subject that this process carried out, with all that was decided together. Returns its subjects. */
  undo(params: SubjectParams): Promise<readonly ReviewSubject[]>;
  /** Puts a subject's file, as it is on disk, into git's index; without a subject, every file whose changes are all accepted. */
  stage(params: StageParams): Promise<StagedFiles>;
  /** Removes rejected changes that are back from tapes and baselines; returns the paths of the written files. */
  reapplyRejections(params: RootParams): Promise<readonly string[]>;
};

export interface RootParams {
  /** The absolute path of the project's root, where `.tapedeck/` and `tapedeck.toml` are. */
  readonly root: string;
}

export interface SubjectParams extends RootParams {
  readonly subject: ReviewSubject;
}

export interface ChangeParams extends SubjectParams {
  /** Of the change. */
  readonly id: string;
}

export interface TapeParams extends RootParams {
  /** From the root, with `/`. */
  readonly path: string;
}

export interface DecideParams extends SubjectParams, ReviewDecision {}

export interface DecideTogetherParams extends RootParams {
  readonly verdict: ReviewDecision['verdict'];
  readonly members: readonly DecidedSubject[];
  readonly reason?: string;
}

/** Changes of one of several subjects that are decided together. */
export interface DecidedSubject extends Pick<ReviewDecision, 'changes' | 'stamp'> {
  readonly subject: ReviewSubject;
}

export interface StageParams extends RootParams {
  readonly subject?: ReviewSubject;
  /** Of the review that was shown: when its file has changed since, nothing is staged. */
  readonly stamp?: string;
}

/** Paths are from the project's root. */
export interface StagedFiles {
  readonly staged: readonly string[];
  /** Files that were left out because some of their changes are pending. */
  readonly pending: readonly { readonly path: string; readonly changes: number }[];
}

const DECISION = {
  verdict: isOneOf('accepted', 'rejected'),
  changes: isListOf(isText),
  stamp: isText,
  reason: isMaybe(isText),
} as const;

export const isReviewDecision: Guard<ReviewDecision> = isShape<ReviewDecision>(DECISION);

/** A path from the root that stays inside it: pages name files by such paths. */
export const isInnerPath: Guard<string> = (value): value is string =>
  isText(value) && value !== '' && !value.startsWith('/') && !value.split(/[\\/]/).includes('..');

const isSubject = isShape<ReviewSubject>({ kind: isOneOf('run', 'tape', 'baseline'), path: isInnerPath });
const isRootParams = isShape<RootParams>({ root: isText });
const isSubjectParams = isShape<SubjectParams>({ root: isText, subject: isSubject });

export const engineReviewsGuards: Guards<EngineReviewsApi> = {
  reviews: isRootParams,
  trackedState: isRootParams,
  review: isSubjectParams,
  changeTexts: isShape<ChangeParams>({ root: isText, subject: isSubject, id: isText }),
  previousTotals: isShape<TapeParams>({ root: isText, path: isInnerPath }),
  decide: isShape<DecideParams>({ root: isText, subject: isSubject, ...DECISION }),
  decideTogether: isShape<DecideTogetherParams>({
    root: isText,
    verdict: DECISION.verdict,
    members: isListOf(
      isShape<DecidedSubject>({ subject: isSubject, changes: DECISION.changes, stamp: DECISION.stamp }),
    ),
    reason: DECISION.reason,
  }),
  undo: isSubjectParams,
  stage: isShape<StageParams>({ root: isText, subject: isMaybe(isSubject), stamp: isMaybe(isText) }),
  reapplyRejections: isRootParams,
};
