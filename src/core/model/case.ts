import type { Json, JsonRecord } from '../json/json';
import type { Span } from '../text/source';
import type { Message } from './message';

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

/**
 * A declared tolerance: a preset by its name (`uuid`), or a place in the body of the request as a JSON pointer
 * (RFC 6901) in which `*` stands for any member, such as `/metadata/*` or `/messages/0/content`.
 */
export type Mask =
  | { readonly type: 'preset'; readonly preset: MaskPreset }
  | { readonly type: 'path'; readonly path: readonly string[] };

/** A kind of value that differs from run to run and means nothing. */
export interface MaskPreset {
  readonly name: string;
  /** As people are told, such as "ids that providers make". */
  readonly description: string;
  /** What is replaced inside a text. What a group captures stays. */
  readonly patterns: readonly (readonly [RegExp, string])[];
  /** Is the text at this key of this object covered as a whole? */
  isWhole?(key: string, holder: JsonRecord): boolean;
}

/**
 * `sequence`: by position, whatever is asked. `exact`: all of the request. `subset`: what was recorded, and the request
 * may say more. `keyed`: by the format's own key, or as `exact` where it has none.
 */
export type MatchMode = 'sequence' | 'exact' | 'subset' | 'keyed';

export const MATCH_MODES: readonly MatchMode[] = ['sequence', 'exact', 'subset', 'keyed'];

/** What becomes of a request that the tape has no answer to. */
export type OnMiss = 'fail' | 'record' | 'passthrough';

/** `[llm.replay]`: how requests find their recordings. */
export interface ReplaySpec {
  readonly match?: MatchMode;
  readonly masks: readonly Mask[];
  readonly onMiss: OnMiss;
  /** A recording that nobody asked for is a failure. */
  readonly failOnUnused: boolean;
  /** When every recording of a request has been served, the last of them is served again. */
  readonly repeat: boolean;
  /** Recordings that are older than this many days are expired. */
  readonly maxAgeDays?: number;
  /** To be served an expired recording is a failure. */
  readonly failOnExpired: boolean;
}

/** The user's own agent, in place of the built-in one. Its calls of models go through the tape. */
export type ExternalAgent = AgentProgram | AgentService;

/** An agent that is started for each run: a program in any language. */
export interface AgentProgram {
  readonly kind: 'program';
  /** The program and its arguments. */
  readonly command: readonly string[];
  /** Where it runs, relative to the case's folder. */
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** An agent that runs already, and is asked over HTTP. */
export interface AgentService {
  readonly kind: 'service';
  readonly url: string;
  /** Where the models stand in for themselves, for a service that was told so when it was started. */
  readonly proxy?: FixedProxy;
  /** Where in its JSON the answer is, as in `output.text`. */
  readonly responsePath?: string;
  readonly timeoutMs: number;
}

/** An address of the proxy that is known before it is up. */
export interface FixedProxy {
  readonly port: number;
  /** The first part of every path. */
  readonly token: string;
}

/** MoFA's two, and Tapedeck's: the kinds are the keys under `[assert]`. */
export const ASSERTION_KINDS = [
  'contains',
  'tool_called',
  'not_contains',
  'matches',
  'json_schema',
  'max_ms',
  'max_tokens',
  'tool_order',
] as const;
export type AssertionKind = (typeof ASSERTION_KINDS)[number];

export interface Assertion {
  readonly kind: AssertionKind;
  readonly expected: Json;
  readonly span: Span;
}
