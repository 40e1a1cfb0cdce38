import type { Json, JsonRecord } from '../json/json';
import type { Problem, Span } from '../text/source';
import type { WireApi } from '../wire/wireApi';

/** The formats Tapedeck reads. A format is one file in `formats/`; nothing outside it knows the format. */
export type FormatId =
  | 'mofa'
  | 'mofa-golden'
  | 'mofa-scenario'
  | 'mofa-agent-scenario'
  | 'mofa-assertions'
  | 'checkagent'
  | 'reyn'
  | 'flakestorm'
  | 'flakestorm-config'
  | 'loader'
  | 'inspect'
  | 'ws-frames'
  | 'xai-proto'
  | 'mcp-stdio'
  | 'gemini-cli'
  | 'codex'
  | 'claude-code'
  | 'vercel-ai'
  | 'azure-test-proxy'
  | 'opencode'
  | 'mastra'
  | 'polly-har'
  | 'har'
  | 'req-llm'
  | 'httprr'
  | 'aimock'
  | 'vcrpy'
  | 'vcrpy-parsed-body'
  | 'langchain-gz'
  | 'ruby-vcr'
  | 'r-vcr'
  | 'go-vcr'
  | 'httpmock'
  | 'tapedeck';

/** A file of recorded interactions, whatever its format. */
export interface Tape {
  readonly format: FormatId;
  readonly name?: string | undefined;
  readonly version?: string | undefined;
  /** Hold the list while you walk it: a large tape that nobody uses reads it again, and then has other objects in it. */
  readonly interactions: readonly Interaction[];
  /** Those of its interactions too: to ask for them may take reading all of the tape. */
  readonly problems: readonly Problem[];
  /** How many records the file has, where one interaction is made of several: pieces of a stream, frames, lines of a log. */
  readonly records?: number | undefined;
}

/** `http`: traffic that is no call of a model. `script`: a declared step that has no recorded answer. */
export type InteractionKind = 'llm' | 'embedding' | 'tool' | 'http' | 'environment' | 'frame' | 'script';

/** One recorded request with its response. Formats read what it says when it is first asked for: see `lazyTape.ts`. */
export interface Interaction {
  /** From 0, in the order of the file. */
  readonly index: number;
  readonly kind: InteractionKind;
  readonly request?: ChatRequest | undefined;
  readonly response?: ChatResponse | undefined;
  readonly timing?: Timing | undefined;
  /** What went over the wire, where the tape records HTTP. */
  readonly http?: HttpExchange | undefined;
  /** The wire protocol of the exchange, where it is known: see `wire/readExchange.ts`. */
  readonly api?: WireApi | undefined;
  /** A few words about what is no chat, such as "moderation, flagged". */
  readonly summary?: string | undefined;
  /** The format's own name for the interaction: a key, an id, a hash. Not always unique. */
  readonly id?: string | undefined;
  /** Where the interaction stands in the source text: 0 to 0 in a file that is no text, such as a zip. */
  readonly source: Span;
}

export type Role = 'system' | 'user' | 'assistant' | 'tool' | 'developer' | (string & {});

export interface Message {
  readonly role: Role;
  /** The plain text of the message; null where it has none. */
  readonly content: string | null;
  /** All of the message in its order, where it is more than plain text and tool calls. */
  readonly parts?: readonly Part[];
  readonly toolCalls: readonly ToolCall[];
  /** On a tool result: the call it answers. */
  readonly toolCallId?: string;
  /** On a tool result: the tool said that it failed. */
  readonly isError?: boolean;
  /** Who speaks, where the wire says so: a participant, or the tool that answered. */
  readonly name?: string;
}

/** A piece of a message. What is not understood is kept as `unknown`, never dropped. */
export type Part =
  | { readonly type: 'text'; readonly text: string }
  | ReasoningPart
  | { readonly type: 'refusal'; readonly text: string }
  | MediaPart
  /** Something the provider ran itself, such as a web search. */
  | { readonly type: 'server_tool'; readonly name: string; readonly payload: Json }
  /** Vectors, told by their number and length; the numbers stay in the recorded body. */
  | { readonly type: 'embeddings'; readonly count: number; readonly dimensions?: number }
  | { readonly type: 'unknown'; readonly raw: Json };

export interface ReasoningPart {
  readonly type: 'reasoning';
  readonly text: string;
  /** There is reasoning that only the provider can read. */
  readonly encrypted?: boolean;
  /** What the provider wants back to believe that the reasoning is its own. */
  readonly signature?: string;
}

export interface MediaPart {
  readonly type: 'image' | 'audio' | 'file';
  readonly mime?: string;
  /** Either the content in base64, or where it was; a recorded address is never loaded. */
  readonly base64?: string;
  readonly url?: string;
  readonly name?: string;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** Parsed arguments; a string where the model wrote invalid JSON. */
  readonly arguments: Json;
  /** The arguments as the wire had them, where that was a string of JSON. */
  readonly argumentsText?: string;
}

export interface ToolDefinition {
  readonly name: string;
  readonly description?: string;
  /** JSON schema of the arguments; absent where the format keeps only the name. */
  readonly schema?: Json;
  /** What else the definition says, by its names on the wire, such as `strict` or the options of a web search. */
  readonly settings?: JsonRecord;
}

export interface ChatRequest {
  readonly model?: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  /** Sampling parameters that the format stores, by their wire name, such as `temperature`. */
  readonly params: Readonly<Record<string, Json>>;
  /** The format keeps no more of the request than how its last message begins. */
  readonly partial?: 'preview';
}

export interface ChatResponse {
  readonly content: string | null;
  readonly parts?: readonly Part[];
  readonly toolCalls: readonly ToolCall[];
  /** The model that answered, where the response names it. */
  readonly model?: string;
  readonly usage?: Usage;
  readonly finishReason?: string;
  readonly error?: string;
  /** The pieces of a streamed answer, in their order. */
  readonly chunks?: readonly Chunk[];
}

/** One frame of a streamed answer. */
export interface Chunk {
  /** Its payload: the data of a server-sent event, a line, the payload of a binary frame. */
  readonly data: string;
  /** What came over the network at a time was no text: `data` is base64. */
  readonly base64?: true;
  readonly event?: string;
  /** Milliseconds since the frame before, where it was recorded. */
  readonly delayMs?: number;
}

/** Token counts as the provider reported them; a total that it left out is the sum. */
export interface Usage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly totalTokens: number;
  readonly cachedTokens?: number;
  readonly cacheWriteTokens?: number;
  readonly reasoningTokens?: number;
}

/** Milliseconds. */
export interface Timing {
  /** As the tape writes it. */
  readonly recordedAt?: string;
  readonly durationMs?: number;
  readonly firstTokenMs?: number;
}

export type HttpHeader = readonly [name: string, value: string];

/** One HTTP request with its response, as recorded: nothing decoded, nothing left out. */
export interface HttpExchange {
  readonly method: string;
  /** Absolute, or only the path where the format does not keep the host. */
  readonly url: string;
  readonly requestHeaders: readonly HttpHeader[];
  readonly requestBody: HttpBody;
  /** Absent where no response was recorded. */
  readonly status?: number;
  readonly responseHeaders: readonly HttpHeader[];
  readonly responseBody: HttpBody;
  /** How the answer ended where it did not come to its end. */
  readonly ended?: ResponseEnding;
}

/** The other side closed the connection, or reset it, or fell silent, before the answer was whole. */
export type ResponseEnding = 'closed' | 'reset' | 'silent';

/** A body in the form in which its format keeps it; `wire/body.ts` decodes it on demand. */
export type HttpBody =
  | { readonly type: 'none' }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'base64'; readonly base64: string }
  /** A format that stores JSON bodies parsed. */
  | { readonly type: 'json'; readonly json: Json }
  /** A format that stores a streamed body frame by frame. */
  | { readonly type: 'chunks'; readonly chunks: readonly Chunk[] };
