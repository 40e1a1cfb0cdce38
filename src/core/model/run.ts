import type { Json } from '../json/json';
import type { Span } from '../text/source';
import type { InteractionVerdict, RunMode } from './artifact';

/** One field in which a run differs from its baseline. */
export interface FieldDifference {
  readonly field: string;
  /** From the baseline. */
  readonly expected: Json;
  readonly actual: Json;
}

export interface BaselineComparison {
  readonly matches: boolean;
  readonly differences: readonly FieldDifference[];
}

/** What the user asks for; a case with a script runs scripted in every mode. */
export type RequestedMode = Exclude<RunMode, 'scripted'>;

export type RunStatus = 'passed' | 'failed' | 'cancelled';

/**
 * Why a run failed. `case`: the case or a file it names could not be understood. `assertion`, `difference`: it ran, and
 * the result is not the wanted one. `agent`: the loop ended in an error. `replay`: the tape has no answer.
 * `provider`: the provider refused. `unreachable`: it could not be reached, or stopped answering. `unused`: recordings were
 * not asked for, where that counts.
 */
export type FailureKind =
  | 'case'
  | 'assertion'
  | 'difference'
  | 'agent'
  | 'replay'
  | 'provider'
  | 'unreachable'
  | 'unused';

export interface Failure {
  readonly kind: FailureKind;
  readonly message: string;
  readonly fix?: string;
  /** Where there are two texts to compare. */
  readonly expected?: string;
  readonly actual?: string;
  /** The place in the case file. */
  readonly span?: Span;
  /** Of a request that has no recording: what can be done about it. */
  readonly miss?: ReplayMiss;
}

/** A request that a tape has no answer to. */
export interface ReplayMiss {
  readonly tapePath: string;
  /** How many requests were answered before: the first that is to be recorded anew, from 0. */
  readonly at: number;
  /** How many interactions the tape has. */
  readonly recorded: number;
  /** The recording that is most alike, from 0. */
  readonly nearest?: number;
  /** What it takes to record again from there on. */
  readonly retake: RetakeCost;
  /** Masks with which the request would have been answered, as the case writes them. */
  readonly masks: readonly string[];
}

/** The outcome of one case. Paths are absolute. */
export interface RunResult {
  readonly casePath: string;
  readonly name: string;
  readonly mode: RunMode;
  readonly status: RunStatus;
  readonly durationMs: number;
  readonly failures: readonly Failure[];
  /** In words, what a "passed" rests on, such as "2 assertions, 5 fields against the baseline". */
  readonly compared: string;
  readonly outputText?: string;
  readonly toolCalls: readonly string[];
  readonly artifactPath?: string;
  readonly baselinePath: string;
  readonly hasBaseline: boolean;
  readonly comparison?: BaselineComparison;
  /** True when this run was written as the baseline, because that was asked for. */
  readonly baselineUpdated?: true;
  readonly recording?: RecordedTake;
  /** In a replay: what was used of each tape. */
  readonly tapeUses?: readonly TapeUse[];
  /** How each request of the agent went, in their order, and what of the tape was not asked for. */
  readonly interactions?: readonly InteractionVerdict[];
}

/** Which of its recorded interactions a replay used. */
export interface TapeUse {
  readonly tapePath: string;
  /** How many interactions the tape has. */
  readonly recorded: number;
  /** Their indices, from 0. */
  readonly used: readonly number[];
}

/** A new take that replaced a tape. */
export interface RecordedTake {
  readonly tapePath: string;
  readonly interactions: number;
  /** How many of them, the first, are those of the take before; absent where all are new. */
  readonly kept?: number;
  /** Where the take it replaced is kept; absent for the first take. */
  readonly previousTakePath?: string;
}

/** What it takes to record the end of a tape again, going by what was recorded. */
export interface RetakeCost {
  readonly calls: number;
  /** US dollars; absent where a price or the tokens of a call are not known. */
  readonly dollars?: number;
}
