import type { Change } from '../../core/model/change';
import type { DeferrableChange } from '../../core/review/deferTexts';
import type { Measure } from '../../core/review/measures';
import { optional, shape, text, type Value } from '../../core/schema/schema';
import { type Answers, call, type Params, returns } from '../contract';
import { PLACE, takeName } from './project';
import type { ChangeTexts } from './review';

/** A tape or a run: the current file, its version in a commit (`revision`), or a take that was replaced. */
const recordingSide = shape({ ...PLACE, revision: optional(text()), take: optional(takeName) });
export type RecordingSide = Value<typeof recordingSide>;

/** The rules of the project of `after` hold. */
const SIDES = { before: recordingSide, after: recordingSide };

/** The engine's calls about any two recordings. They only read. */
export const comparisonsCalls = {
  /** Two tapes, or two runs, aligned. Rejects if one cannot be read, or one is a tape and the other a run. */
  comparison: call(shape(SIDES), returns<Comparison>()),
  /** The whole texts of one change. */
  comparisonTexts: call(shape({ ...SIDES, id: text() }), returns<ChangeTexts>()),
  /** The takes that a tape has replaced and the commits that changed a file, each the latest first. */
  earlierVersions: call(recordingSide, returns<EarlierVersions>()),
};
export type ComparisonsApi = Answers<typeof comparisonsCalls>;
export type ComparisonParams = Params<typeof comparisonsCalls.comparison>;

export interface Comparison {
  readonly kind: 'tape' | 'run';
  readonly changes: readonly DeferrableChange[];
  /** Differences that the rules ignore. */
  readonly hidden: readonly Change[];
  readonly notices: readonly string[];
  readonly measures: readonly Measure[];
}

export interface EarlierVersions {
  readonly takes: readonly StoredTake[];
  readonly commits: readonly FileCommit[];
}

export interface StoredTake {
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
