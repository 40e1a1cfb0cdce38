import type { Change } from '../core/model/change';
import type { Measure } from '../core/review/measures';
import type { PreviousTotals } from '../core/review/previousTotals';
import type { RootParams } from './engine';
import { isListOf, isMaybe, isShape, isText } from './guards';
import type { ReviewedChange } from './review';
import type { Guard, Guards } from './rpc';

/** What is reviewed: the last run of a case, a tape or a baseline. */
export type ReviewKind = 'run' | 'tape' | 'baseline';

/** With what it is compared: a run with its baseline, a file with the last commit, or a tape with the take it replaced. */
export type ReviewAgainst = 'baseline' | 'commit' | 'take';

/** One review of a project, as a list shows it. */
export interface QueueEntry {
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
export interface FileReviewContent {
  readonly kind: ReviewKind;
  readonly against: ReviewAgainst;
  /** Of both sides, as they were read. */
  readonly stamp: string;
  readonly changes: readonly ReviewedChange[];
  readonly hidden: readonly Change[];
  readonly notices: readonly string[];
  readonly measures: readonly Measure[];
}

/** `path`: from the root, with `/`. */
export interface FileParams extends RootParams {
  readonly path: string;
}

export interface FileTextsParams extends FileParams {
  /** Of a change. */
  readonly id: string;
}

export interface FileDecideParams extends FileParams {
  readonly ids: readonly string[];
  /** Of the sides that were reviewed: a decision about others is refused. */
  readonly stamp: string;
  readonly reason?: string;
}

export interface ChangeTexts {
  readonly before: string;
  readonly after: string;
}

/** The engine's calls about everything that changed in a project. */
export type ReviewsApi = {
  /** What is to be reviewed, or was decided and is not committed yet; by path. */
  reviews(params: RootParams): Promise<readonly QueueEntry[]>;
  /** The review of one file; null where it does not differ. */
  fileReview(params: FileParams): Promise<FileReviewContent | null>;
  /** What a tape took before it changed; null where it does not differ, or is too long to be compared in passing. */
  earlierNumbers(params: FileParams): Promise<PreviousTotals | null>;
  /** The texts of one change of a file. */
  fileTexts(params: FileTextsParams): Promise<ChangeTexts>;
  acceptFile(params: FileDecideParams): Promise<void>;
  /** Takes changes out of the file again. */
  rejectFile(params: FileDecideParams): Promise<void>;
  /** Takes back the last decision about a file that this process carried out. */
  undoFile(params: FileParams): Promise<void>;
  /** Puts a file, as it is on disk, into git's index. */
  stageFile(params: FileParams): Promise<void>;
};

/** From the root and not out of it: a page names the file. */
const isInnerPath: Guard<string> = (value): value is string =>
  isText(value) && value !== '' && !value.startsWith('/') && !value.split(/[\\/]/).includes('..');

const isFileParams = isShape<FileParams>({ root: isText, path: isInnerPath });
const isFileDecideParams = isShape<FileDecideParams>({
  root: isText,
  path: isInnerPath,
  ids: isListOf(isText),
  stamp: isText,
  reason: isMaybe(isText),
});

export const reviewsGuards: Guards<ReviewsApi> = {
  reviews: isShape<RootParams>({ root: isText }),
  fileReview: isFileParams,
  earlierNumbers: isFileParams,
  fileTexts: isShape<FileTextsParams>({ root: isText, path: isInnerPath, id: isText }),
  acceptFile: isFileDecideParams,
  rejectFile: isFileDecideParams,
  undoFile: isFileParams,
  stageFile: isFileParams,
};
