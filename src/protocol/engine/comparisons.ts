import type { Change } from '../../core/model/change';
import type { DeferrableChange } from '../../core/review/deferTexts';
import type { Measure } from '../../core/review/measures';
import { isMaybe, isShape, isText } from '../rpc/guards';
import type { Guard, Guards } from '../rpc/rpc';
import { isInnerPath } from './engineReviews';
import type { ChangeTexts } from './review';

/** The engine's calls about any two recordings. They only read. */
export type ComparisonsApi = {
  /** Two tapes, or two runs, aligned. Rejects if one cannot be read, or one is a tape and the other a run. */
  comparison(params: ComparisonParams): Promise<Comparison>;
  /** The whole texts of one change. */
  comparisonTexts(params: ComparisonParams & { readonly id: string }): Promise<ChangeTexts>;
  /** The takes that a tape has replaced and the commits that changed a file, each the latest first. */
  earlierVersions(params: RecordingSide): Promise<EarlierVersions>;
};

/** A tape or a run: the current file, its version in a commit, or a take that was replaced. */
export interface RecordingSide {
  /** The absolute path of the project's root. */
  readonly root: string;
  /** Of the file, from the root, with `/`. */
  readonly path: string;
  /** A commit. */
  readonly revision?: string;
  /** The file name of a kept take. */
  readonly take?: string;
}

export interface ComparisonParams {
  readonly before: RecordingSide;
  /** The rules of its project hold. */
  readonly after: RecordingSide;
}

export interface Comparison {
  readonly kind: 'tape' | 'run';
  readonly changes: readonly DeferrableChange[];
  /** Differences that the rules ignore. */
  readonly hidden: readonly Change[];
  readonly notices: readonly string[];
  readonly measures: readonly Measure[];
}

export interface EarlierVersions {
  readonly takes: readonly KeptTake[];
  readonly commits: readonly FileCommit[];
}

export interface KeptTake {
  /** Its file name. */
  readonly take: string;
  /** When it was replaced, in milliseconds since 1970. */
  readonly time: number;
  /** In bytes. */
  readonly size: number;
}

export interface FileCommit {
  readonly revision: string;
  /** In milliseconds since 1970. */
  readonly time: number;
  readonly subject: string;
}

/** The file name of a take as it is kept. */
export const isTake: Guard<string> = (value): value is string => isText(value) && /^[\dT.-]+Z\.json$/.test(value);

const isRecordingSide = isShape<RecordingSide>({
  root: isText,
  path: isInnerPath,
  revision: isMaybe(isText),
  take: isMaybe(isTake),
});

const SIDES = { before: isRecordingSide, after: isRecordingSide } as const;

export const comparisonsGuards: Guards<ComparisonsApi> = {
  comparison: isShape<ComparisonParams>(SIDES),
  comparisonTexts: isShape<ComparisonParams & { readonly id: string }>({ ...SIDES, id: isText }),
  earlierVersions: isRecordingSide,
};
