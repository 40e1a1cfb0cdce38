import type { Json } from '../json/json';

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
  /** What Tapedeck adds; MoFA ignores it. */
  readonly tapedeck?: ArtifactExtension;
}

export interface ArtifactExtension {
  readonly mode: RunMode;
  /** The tape that served or received the run, relative to the case's folder. */
  readonly tape?: string;
  /** How the user's own agent ended. */
  readonly process?: ArtifactProcess;
  /** In a replay: what it used of each tape, by its path from the project's root. Baselines do not have it. */
  readonly tape_uses?: Json;
  /** What the kind of case adds, such as the matrix of a contract or the invocations of a scripted backend. */
  readonly details?: Json;
  /** In a replay: what came of each request, and of what was recorded beside. */
  readonly verdicts?: readonly InteractionVerdict[];
}

export interface ArtifactProcess {
  readonly command: readonly string[];
  /** Null when a signal ended it. */
  readonly exit_code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How the model's answers come about in a run. */
export type RunMode = 'replay' | 'record' | 'live' | 'scripted';

export interface AssertionResult {
  readonly kind: string;
  readonly expected: Json;
  readonly actual: Json;
  readonly passed: boolean;
  /** Tapedeck: what was found, as a sentence, where expected and actual do not tell it by themselves. */
  readonly details?: string;
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
 * How a request went, or a recording that no request asked for. `exact`: served as it was recorded. `masked`: the same
 * under the declared masks. `in-order`: served by its place, though the request is not the recorded one. `expired`: served,
 * and too old. `drifted`, `missing`, `used-up`: nothing was served. `recorded`, `cut-off`, `passed`: a model was asked, and
 * the answer kept, kept as far as it came, or not kept. `unreachable`: no model could be asked. `unused`: not asked for.
 */
export type ReplayVerdict =
  | 'exact'
  | 'masked'
  | 'in-order'
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
  /** Of the request, from 0, in the order in which the agent asked; absent for a recording that no request asked for. */
  readonly number?: number;
  readonly verdict: ReplayVerdict;
  /** Of the recording, from 0; absent where there is none. */
  readonly index?: number;
  /** Why a request was not answered, or how it differs from what was recorded. */
  readonly explanation?: string;
}
