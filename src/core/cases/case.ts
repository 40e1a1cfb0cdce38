import type { Json } from '../json/json';
import type { Message } from '../tapes/tape';
import type { Span } from '../text/source';
import type { Assertion } from './assertion';
import type { ExternalAgent } from './externalAgent';
import type { ReplaySpec } from './replaySpec';

/** One test: MoFA's `test-dsl` schema (FORMATS 3.1.2, pull request 1581) with Tapedeck's optional additions. */
export interface Case {
  readonly name: string;
  /** Where the name stands: the place of lenses, tests and messages about the case as a whole. */
  readonly nameSpan: Span;
  readonly prompt: string;
  /** Tapedeck: what the user says when the agent has answered, turn by turn. Only other kinds of cases have it. */
  readonly laterPrompts?: readonly string[];
  /** What was said before the prompt. Only other kinds of cases have it. */
  readonly context?: readonly Message[];
  /** Tapedeck: words to find and choose cases by. */
  readonly tags: readonly string[];
  readonly agent: AgentSpec;
  readonly bootstrapFiles: readonly BootstrapFile[];
  readonly tools: readonly ToolSpec[];
  readonly llm: LlmSpec;
  readonly assertions: readonly Assertion[];
  /** Tapedeck: a file of semantic assertions, relative to the case's folder. */
  readonly semantic?: string;
}

export interface AgentSpec {
  readonly name?: string;
  readonly description?: string;
  /** Tapedeck: replaces the system prompt that is made from the identity and the bootstrap files. */
  readonly system?: string;
  /** Tapedeck: how often the model may be asked in one run. */
  readonly maxIterations: number;
  /** Tapedeck: how long one tool call may take, in milliseconds. */
  readonly toolTimeoutMs: number;
  /** Tapedeck: runs in place of the built-in agent. */
  readonly external?: ExternalAgent;
  /** Tapedeck: the moment that the run takes for now, as a text of ISO 8601. */
  readonly clock?: string;
}

export interface BootstrapFile {
  /** Relative to the run's workspace. */
  readonly path: string;
  readonly content: string;
}

/** A tool the agent may call; its answer is always `result`. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly schema: Json;
  readonly result: Json;
  /** Tapedeck: how long the tool takes to answer, in milliseconds. */
  readonly delayMs: number;
}

/** Where the model's answers come from. More than one source may be there; the run's mode chooses. */
export interface LlmSpec {
  readonly script?: readonly ScriptStep[];
  /** The tape of `[llm] tape`, as written: relative to the case's folder. */
  readonly tape?: string;
  /** The tape of `[llm] record_tape`, as written. */
  readonly recordTape?: string;
  readonly provider?: ProviderSpec;
  /** Tapedeck: how requests find their recordings. */
  readonly replay?: ReplaySpec;
}

export type ScriptStep =
  | { readonly type: 'text'; readonly content: string }
  | { readonly type: 'tool_call'; readonly tool: string; readonly arguments: Json };

export type ProviderKind = 'open_ai_compatible' | 'ollama' | 'practice' | 'vscode_lm';

/** A provider as written; defaults that depend on the environment are filled in where it is used. */
export interface ProviderSpec {
  readonly kind: ProviderKind;
  readonly baseUrl?: string;
  readonly model?: string;
  readonly apiKeyEnv?: string;
  /** Tapedeck: ask for the answer as a stream. */
  readonly stream: boolean;
  /** Tapedeck: how long the provider may stay silent, in milliseconds. */
  readonly timeoutMs: number;
  /** Tapedeck: chooses the answers of the practice provider; by default the number of takes recorded so far. */
  readonly seed?: number;
}

/** The tape that Replay reads: where a case has only `record_tape`, that one. */
export function replayTape({ tape, recordTape }: LlmSpec): string | undefined {
  return tape ?? recordTape;
}

/** The tape that Re-record replaces. */
export function recordedTape({ tape, recordTape }: LlmSpec): string | undefined {
  return recordTape ?? tape;
}
