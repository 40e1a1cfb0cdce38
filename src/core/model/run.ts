import type { Json } from '../json/json';
import type { Said } from '../text/notice';
import type { Span } from '../text/source';
import type { AssertionStep, InteractionVerdict, RunMode } from './artifact';

/** One field in which a run differs from its baseline. */
interface FieldDifference {
  readonly field: string;
  /** From the baseline. */
  readonly expected: Json;
  readonly actual: Json;
}

export interface BaselineComparison {
  readonly matches: boolean;
  readonly differences: readonly FieldDifference[];
  /** The number of differences that the `[normalise]` rules ignore; absent for none. */
  readonly ignored?: number;
}

/** The mode that the user requests. A case with a script runs scripted in every mode. */
export type RequestedMode = Exclude<RunMode, 'scripted'>;

export type RunStatus = 'passed' | 'failed' | 'cancelled';

/**
 * Why a run failed. `case`: the case, or a file it names, is invalid. `assertion`, `difference`: the result is not the
 * expected one. `agent`: the agent ended in an error. `replay`: the tape has no recording for a request. `provider`:
 * the provider returned an error. `unreachable`: the provider could not be reached, or stopped responding. `unused`:
 * recordings were not requested, and the case counts that as a failure.
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
  /** In English where it is stored, as are `fix` and `line`. */
  readonly message: string;
  readonly fix?: string;
  /** `expected` and `actual` are present if there are two texts to compare. */
  readonly expected?: string;
  readonly actual?: string;
  /** What differs between them in one line, such as `Output: Hello → Hello, Ada`, where there is room for no more. */
  readonly line?: string;
  /** What these texts say, where that is not the same in every language. */
  readonly said?: FailureNotices;
  /** The location in the case file. */
  readonly span?: Span;
  /** For an assertion about the steps of a run: the one at which it fails. */
  readonly step?: FailureStep;
  /** For a request without a recording: the ways to fix it. */
  readonly miss?: ReplayMiss;
  /** In a replay: the absolute path of the tape that does not exist yet. */
  readonly missingTape?: string;
}

export type FailureNotices = { readonly [text in 'message' | 'fix' | 'line']?: Said };

/** A step of a run. */
interface FailureStep extends AssertionStep {
  /** The tape of the run; absent if the step is on none. */
  readonly tapePath?: string;
}

/**
 * `missing`: nothing like it was recorded. `drifted`: it differs from the recording. `used-up`: every recording of it has been
 * served. `out-of-order`: it was recorded, but not as the next request.
 */
export type MissKind = 'missing' | 'drifted' | 'used-up' | 'out-of-order';

/** A request without a recording. */
export interface ReplayMiss {
  readonly tapePath: string;
  /** Why there is no recording for it. */
  readonly kind: MissKind;
  /** What differs, in one line, such as `user: 2026-11-22 → 2026-11-23`. */
  readonly line: string;
  /** What the line says. */
  readonly said?: Said;
  /** The number of requests served before, which is the index of the first interaction to re-record. */
  readonly at: number;
  /** The number of interactions on the tape. */
  readonly recorded: number;
  /** The most similar recording, from 0. */
  readonly nearest?: number;
  /** The cost of re-recording from there on. */
  readonly retake: RetakeCost;
  /** Masks under which the request would have matched, as a case writes them. */
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
  /** A summary of the comparison, such as "2 assertions, 5 fields against the baseline". */
  readonly compared: string;
  /** What the summary says. */
  readonly said?: Said;
  /** Present if there was nothing to compare the run with: no assertion and no baseline. */
  readonly checkedNothing?: true;
  readonly outputText?: string;
  readonly toolCalls: readonly string[];
  readonly artifactPath?: string;
  readonly baselinePath: string;
  readonly hasBaseline: boolean;
  readonly comparison?: BaselineComparison;
  /** Present if this run was written as the baseline on request. */
  readonly baselineUpdated?: true;
  readonly recording?: RecordedTake;
  /** In a replay: the interactions used of each tape. */
  readonly tapeUses?: readonly TapeUse[];
  /** In a replay: the command lines of MCP servers that were started, and so not replayed; absent if none were seen. */
  readonly untapedServers?: readonly string[];
  /** The outcome of each request in order, and the unused recordings. */
  readonly interactions?: readonly InteractionVerdict[];
}

/** The interactions of a tape that a replay used. */
export interface TapeUse {
  readonly tapePath: string;
  /** The number of interactions on the tape. */
  readonly recorded: number;
  /** Their indices, from 0. */
  readonly used: readonly number[];
}

/** A new take that replaced a tape. */
export interface RecordedTake {
  readonly tapePath: string;
  readonly interactions: number;
  /** The number of leading interactions kept from the previous take; absent if all are new. */
  readonly kept?: number;
  /** The stored previous take; absent for the first take. */
  readonly previousTakePath?: string;
  /** Present if the results of the tools were written into the case. */
  readonly wroteResults?: true;
}

/** What the calls of a recording are likely to cost, estimated from an earlier one. */
export interface RetakeCost {
  /** Calls of models. */
  readonly calls: number;
  /** US dollars of the calls whose cost is known; absent if it is known of none. */
  readonly dollars?: number;
  /** The models without a known price, each once. `dollars` does not include them. */
  readonly unpriced?: readonly string[];
  /** The number of calls whose tokens or model were not recorded. `dollars` does not include them. */
  readonly uncounted?: number;
}
