import type { Json } from '../json/json';
import type { Said } from '../text/notice';

/**
 * The canonical result of a run: MoFA's `AgentRunArtifact` (mofa-org/mofa, pull request 1581, `tests/src/artifact.rs`).
 * Field names and order are MoFA's, so that either tool reads the other's files. Times are milliseconds.
 */
export interface Artifact {
  readonly case_name: string;
  readonly status: 'passed' | 'failed';
  readonly output_text: string | null;
  readonly runner_error: string | null;
  readonly duration_ms: number;
  readonly started_at_ms: number;
  readonly execution_id: string;
  readonly session_id: string | null;
  readonly workspace_root: string;
  readonly agent: { readonly id: string; readonly name: string };
  readonly assertions: readonly AssertionResult[];
  readonly tool_calls: readonly ToolCallRecord[];
  readonly llm_request: Json;
  readonly llm_response: Json;
  readonly session_snapshot: {
    readonly messages: readonly { readonly role: string; readonly content: string }[];
  } | null;
  readonly workspace_before: WorkspaceSnapshot;
  readonly workspace_after: WorkspaceSnapshot;
  /** Tapedeck's additions; MoFA ignores them. */
  readonly tapedeck?: ArtifactExtension;
}

export interface ArtifactExtension {
  readonly mode: RunMode;
  /** The tape that served or received the run, relative to the case's folder. */
  readonly tape?: string;
  /** The exit of the user's own agent. */
  readonly process?: ArtifactProcess;
  /** In a replay: the interactions used of each tape, by path relative to the project. Absent from baselines. */
  readonly tape_uses?: Json;
  /** Data of the kind of case, such as the matrix of a contract or the invocations of a scripted backend. */
  readonly details?: Json;
  /** In a replay: the outcome of each request, and the recordings that were not requested. */
  readonly verdicts?: readonly InteractionVerdict[];
  /** In a replay: what did not count when requests were matched, as a case writes it. Absent without masks. */
  readonly masks?: readonly string[];
}

export interface ArtifactProcess {
  readonly command: readonly string[];
  /** Null if a signal ended the process. */
  readonly exit_code: number | null;
  readonly stdout: string;
  /** Of no run the same, and not compared. Absent from baselines. */
  readonly stderr?: string;
}

/** Where the responses of a run come from. */
export type RunMode = 'replay' | 'record' | 'live' | 'scripted';

export interface AssertionResult {
  readonly kind: string;
  readonly expected: Json;
  readonly actual: Json;
  readonly passed: boolean;
  /** Tapedeck: the finding as a sentence, if `expected` and `actual` do not show it. */
  readonly details?: string;
  /** What `details` says. It is in no file. */
  readonly said?: Said;
  /** Tapedeck: the call of the model at which it fails. */
  readonly step?: AssertionStep;
}

export interface AssertionStep {
  /** The request, from 0, in the agent's order. */
  readonly number: number;
  /** Its recording on the tape of the run, from 0; absent if there is none. */
  readonly index?: number;
}

export interface ToolCallRecord {
  readonly tool_name: string;
  readonly input: Json;
  readonly output: Json;
  readonly success: boolean;
  readonly duration_ms: number | null;
  readonly timed_out: boolean;
}

export interface WorkspaceSnapshot {
  readonly files: readonly WorkspaceFile[];
}

export interface WorkspaceFile {
  readonly relative_path: string;
  readonly size_bytes: number;
  readonly modified_ms: number | null;
  /** An unsigned 64-bit SipHash of the content. */
  readonly checksum: number | bigint;
}

/**
 * The outcome of a request, or `unused` for a recording that was not requested.
 * - Served from the tape: `exact`, equal to the recording; `masked`, equal under the declared masks; `equivalent`, equal but for
 *   members that say nothing and ids that a client made up for calls; `differs`, although it is not as recorded, because
 *   `on_drift` lets that pass; `unchecked`, by position, because the tape has no request to compare; `expired`, although the recording
 *   is too old.
 * - Not served: `drifted`, `missing`, `used-up`.
 * - Sent to a model: `recorded`, with the response kept; `cut-off`, kept as far as it came; `passed`, not kept;
 *   `unreachable`, without a response.
 */
export type ReplayVerdict =
  | 'exact'
  | 'masked'
  | 'equivalent'
  | 'differs'
  | 'unchecked'
  | 'expired'
  | 'drifted'
  | 'missing'
  | 'used-up'
  | 'recorded'
  | 'cut-off'
  | 'passed'
  | 'unreachable'
  | 'unused';

export interface InteractionVerdict {
  /** The request, from 0, in the agent's order; absent for an unused recording. */
  readonly number?: number;
  readonly verdict: ReplayVerdict;
  /** The recording, from 0; absent if there is none. */
  readonly index?: number;
  /** Why a request was not served, or how it differs from the recording. */
  readonly explanation?: string;
}
