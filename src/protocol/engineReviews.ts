import type { PreviousTotals } from '../core/review/previousTotals';
import { isListOf, isMaybe, isShape, isText } from './guards';
import type { ChangeTexts, FileReviewState, ReviewSummary } from './review';
import type { Guard, Guards } from './rpc';

export interface RootParams {
  readonly root: string;
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

/** The engine's calls about everything that changed in a project. */
export type EngineReviewsApi = {
  /** What is to be reviewed, or was decided and is not committed yet; by path. */
  reviews(params: RootParams): Promise<readonly ReviewSummary[]>;
  /** The review of one file; null where it does not differ. */
  fileReview(params: FileParams): Promise<FileReviewState | null>;
  /** What a tape took before it changed; null where it does not differ, or is too long to be compared in passing. */
  previousTotals(params: FileParams): Promise<PreviousTotals | null>;
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

export const engineReviewsGuards: Guards<EngineReviewsApi> = {
  reviews: isShape<RootParams>({ root: isText }),
  fileReview: isFileParams,
  previousTotals: isFileParams,
  fileTexts: isShape<FileTextsParams>({ root: isText, path: isInnerPath, id: isText }),
  acceptFile: isFileDecideParams,
  rejectFile: isFileDecideParams,
  undoFile: isFileParams,
  stageFile: isFileParams,
};
