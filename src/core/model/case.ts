import type { Json, JsonRecord } from '../json/json';
import type { Pattern } from '../text/compilePattern';
import type { Span } from '../text/source';
import type { Message } from './message';
import type { CaseRules } from './normalise';

/** One test: MoFA's `test-dsl` schema (mofa-org/mofa, pull request 1581) with Tapedeck's optional additions. */
export interface Case {
  readonly name: string;
  /** The location of the name, where lenses, tests and problems of the whole case are shown. */
  readonly nameSpan: Span;
  readonly prompt: string;
  /** Tapedeck: the user's further prompts, one per turn. Not part of the TOML DSL. */
  readonly laterPrompts?: readonly string[];
  /** The messages before the prompt. Not part of the TOML DSL. */
  readonly context?: readonly Message[];
  /** Tapedeck: words to search and filter cases by. */
  readonly tags: readonly string[];
  readonly agent: AgentSpec;
  readonly bootstrapFiles: readonly BootstrapFile[];
  readonly tools: readonly ToolSpec[];
  readonly llm: LlmSpec;
  readonly assertions: readonly Assertion[];
  /** Tapedeck: `[assert] samples` and `pass_rate`. */
  readonly sampling?: Sampling;
  /** Tapedeck: a file of semantic assertions, relative to the case's folder. */
  readonly semantic?: string;
  /** Tapedeck: what is noise in a review of this case. */
  readonly normalise?: CaseRules;
}

/** How many runs judge the case, and how many of them have to pass. */
export interface Sampling {
  readonly samples: number;
  /** From 0 to 1. */
  readonly passRate: number;
  readonly span: Span;
}

export interface AgentSpec {
  readonly name?: string;
  readonly description?: string;
  /** Tapedeck: replaces the system prompt, which is otherwise composed of the identity and the bootstrap files. */
  readonly system?: string;
  /** Tapedeck: the maximum number of model calls in one run. */
  readonly maxIterations: number;
  /** Tapedeck: the timeout of one tool call, in milliseconds. */
  readonly toolTimeoutMs: number;
  /** Tapedeck: runs in place of the built-in agent. */
  readonly external?: ExternalAgent;
  /** Tapedeck: the current time during the run, in ISO 8601. */
  readonly clock?: string;
}

export interface BootstrapFile {
  /** Relative to the run's workspace. */
  readonly path: string;
  readonly content: string;
}

/** A tool the agent may call. It always returns `result`, or where it has `results`, the one for the arguments of the call. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly schema: Json;
  readonly result: Json;
  /** Tapedeck: what calls return by their arguments. A call that is not among them is a miss. */
  readonly results?: readonly ToolResult[];
  /** Tapedeck: whether the arguments of a result are all that a call has, or a part of them. */
  readonly match?: ToolMatch;
  /** Tapedeck: what recordings call, to write `results` of what it returns. */
  readonly source?: ToolSource;
  /** Tapedeck: the duration of a call, in milliseconds. */
  readonly delayMs: number;
}

export const TOOL_MATCHES = ['exact', 'subset'] as const;
export type ToolMatch = (typeof TOOL_MATCHES)[number];

/** What a tool returns for some arguments: a result, or an error for the model. */
export type ToolResult = { readonly arguments: JsonRecord } & ({ readonly output: Json } | { readonly error: string });

/** What a tool really is. Nothing of it runs in a replay. */
export type ToolSource =
  | {
      readonly kind: 'command';
      /** Gets the arguments as JSON on stdin; what it prints is the result. Its folder is the case's. */
      readonly command: readonly string[];
      /** Variables of the user's environment that it gets besides the usual ones. */
      readonly passedVariables: readonly string[];
    }
  | {
      readonly kind: 'mcp';
      /** A client's configuration, relative to the case's folder, and the name of a server in it. */
      readonly config: string;
      readonly server: string;
      /** The tool's name there. */
      readonly tool: string;
    };

/** The sources of the model's responses. The mode of the run selects one. */
export interface LlmSpec {
  readonly script?: readonly ScriptStep[];
  /** The tape of `[llm] tape`, as written: relative to the case's folder. */
  readonly tape?: string;
  /** The tape of `[llm] record_tape`, as written. */
  readonly recordTape?: string;
  /** The location of `record_tape`, or else of `tape`. */
  readonly tapeSpan?: Span;
  readonly provider?: ProviderSpec;
  /** Tapedeck: how requests are matched with recordings. */
  readonly replay?: ReplaySpec;
}

export type ScriptStep =
  | { readonly type: 'text'; readonly content: string }
  | {
      readonly type: 'tool_call';
      readonly tool: string;
      readonly arguments: Json;
      /** Said beside the call. */
      readonly content?: string;
    };

type ProviderKind = 'open_ai_compatible' | 'ollama' | 'practice' | 'vscode_lm';

/** A provider as written. Defaults that depend on the environment are applied on use. */
export interface ProviderSpec {
  readonly kind: ProviderKind;
  readonly baseUrl?: string;
  readonly model?: string;
  readonly apiKeyEnv?: string;
  /** Tapedeck: whether to request streams. */
  readonly stream: boolean;
  /** Tapedeck: the longest silence of the provider, in milliseconds. */
  readonly timeoutMs: number;
  /** Tapedeck: selects the responses of the practice provider; by default the number of earlier takes. */
  readonly seed?: number;
}

/**
 * What is ignored of a request when it is matched: values of a kind by a preset such as `uuid`; what a pattern of one's own matches,
 * `pattern:note_[0-9a-f]+`; an order, such as `tool-order`; or a part by a JSON pointer (RFC 6901) into the body, in which `*` stands
 * for any member, such as `/metadata/*` or `/messages/0/content`.
 */
export type Mask =
  | { readonly type: 'preset'; readonly preset: MaskPreset }
  | { readonly type: 'pattern'; readonly pattern: Pattern }
  | { readonly type: 'order'; readonly order: MaskedOrder }
  | { readonly type: 'path'; readonly path: readonly string[] };

/** Of the tools in a request, or of the results of calls that a model made together. */
export type MaskedOrder = 'tool-order' | 'result-order';

/**
 * A pattern with its replacement, in which captured groups are kept. It matches only texts that `hint` matches, which is found much
 * sooner: to compile a pattern for dates takes longer than to compare a request.
 */
export type MaskPattern = readonly [pattern: RegExp, replacement: string, hint: RegExp];

/** A kind of value that differs in every run and does not matter. */
export interface MaskPreset {
  readonly name: string;
  /** As shown to users, such as "ids that providers make". */
  readonly description: string;
  readonly patterns: readonly MaskPattern[];
  /** Whether the whole text at this key of this object is masked. */
  isWhole?(key: string, holder: JsonRecord): boolean;
}

/**
 * What counts as equal, and in which order. `sequence`: the next recording of the endpoint, which has to be equal. `exact`: any
 * recording that is equal. `subset`: everything in the recorded request; the actual one may have more. `keyed`: the format's own
 * key, or like `exact` if it has none. `recorder`: what the program that recorded the tape would serve; it may compare less, and what
 * differs is told.
 */
export type MatchMode = 'sequence' | 'exact' | 'subset' | 'keyed' | 'recorder';

export const MATCH_MODES: readonly MatchMode[] = ['sequence', 'exact', 'subset', 'keyed', 'recorder'];

/**
 * What happens when a request is not as recorded. `fail`: it is refused. `warn`: it is served the nearest recording of its
 * endpoint that has not been served, and the drift is reported.
 */
export const ON_DRIFT = ['fail', 'warn'] as const;
export type OnDrift = (typeof ON_DRIFT)[number];

/** The rules for requests of a replay. The project's hold where a case or a command line has none. */
export interface ReplayRules {
  readonly match?: MatchMode;
  readonly onDrift?: OnDrift;
  /** Those of the project, the case and the command line add up. */
  readonly masks: readonly Mask[];
}

/** How a request without a recording is handled. */
type OnMiss = 'fail' | 'record' | 'passthrough';

/** `[llm.replay]`: how requests are matched with recordings. */
export interface ReplaySpec extends ReplayRules {
  readonly onMiss: OnMiss;
  /** Whether a recording that was not requested fails the run. */
  readonly failOnUnused: boolean;
  /** Whether the last recording of a request is served again once all of them have been served. */
  readonly repeat: boolean;
  /** The age in days after which a recording is expired. */
  readonly maxAgeDays?: number;
  /** Whether serving an expired recording fails the run. */
  readonly failOnExpired: boolean;
}

/** The user's own agent, in place of the built-in one. Its model calls go through the tape. */
export type ExternalAgent = AgentProgram | AgentService;

/** An agent that is started for each run: a program in any language. */
export interface AgentProgram {
  readonly kind: 'program';
  /** The program and its arguments. */
  readonly command: readonly string[];
  /** The command as people are shown it, where a part of it is Tapedeck's own program. */
  readonly shownCommand?: readonly string[];
  /** Its working directory, relative to the case's folder. */
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Variables of the user's environment that it gets besides the usual ones; in a replay, stand-ins for secret ones. */
  readonly passedVariables?: readonly string[];
  /** The configuration of its MCP servers, relative to the case's folder: what they say is on the tape as well. */
  readonly mcpConfig?: string;
  /** The files and folders of its source, relative to the case's folder; absent if they are found by its command. */
  readonly watched?: readonly string[];
  /** A run is right without any request. */
  readonly allowsNone?: true;
  readonly timeoutMs: number;
}

/** An agent that is already running and is called over HTTP. */
export interface AgentService {
  readonly kind: 'service';
  readonly url: string;
  /** The proxy address that the service was configured with when it was started. */
  readonly proxy?: FixedProxy;
  /** The path of the response text in its JSON, such as `output.text`. */
  readonly responsePath?: string;
  /** The files and folders of its source, relative to the case's folder; absent if they are found by its command. */
  readonly watched?: readonly string[];
  /** A run is right without any request. */
  readonly allowsNone?: true;
  readonly timeoutMs: number;
}

/** An address of the proxy that is chosen in advance. */
interface FixedProxy {
  readonly port: number;
  /** The first segment of every path. */
  readonly token: string;
}

export interface Assertion {
  /** Its key under `[assert]`. */
  readonly kind: string;
  readonly expected: Json;
  readonly span: Span;
}
