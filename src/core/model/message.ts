import type { Json, JsonRecord } from '../json/json';
import type { Chunk } from './http';
import type { Usage } from './usage';

type Role = 'system' | 'user' | 'assistant' | 'tool' | 'developer' | (string & {});

export interface Message {
  readonly role: Role;
  /** The plain text of the message; null if it has none. */
  readonly content: string | null;
  /** The parts of the message in order, if it is more than plain text and tool calls. */
  readonly parts?: readonly Part[];
  readonly toolCalls: readonly ToolCall[];
  /** For a tool result: the id of its call. */
  readonly toolCallId?: string;
  /** For a tool result: whether the tool failed. */
  readonly isError?: boolean;
  /** The name of the participant or of the tool, if the protocol provides it. */
  readonly name?: string;
}

/** A part of a message. Unsupported parts are kept as `unknown`. */
export type Part =
  | { readonly type: 'text'; readonly text: string }
  | ReasoningPart
  | { readonly type: 'refusal'; readonly text: string }
  | MediaPart
  /** A tool that the provider ran itself, such as a web search. */
  | { readonly type: 'server_tool'; readonly name: string; readonly payload: Json }
  /** The number and the dimensions of vectors; the numbers stay in the recorded body. */
  | { readonly type: 'embeddings'; readonly count: number; readonly dimensions?: number }
  | { readonly type: 'unknown'; readonly raw: Json };

export interface ReasoningPart {
  readonly type: 'reasoning';
  readonly text: string;
  /** Whether there is reasoning that only the provider can read. */
  readonly encrypted?: boolean;
  /** The provider's signature, which later requests must repeat. */
  readonly signature?: string;
}

export interface MediaPart {
  readonly type: 'image' | 'audio' | 'file';
  readonly mime?: string;
  /** The content, unless there is a `url`. A recorded URL is never loaded. */
  readonly base64?: string;
  readonly url?: string;
  readonly name?: string;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** Parsed arguments; a string if the model wrote invalid JSON. */
  readonly arguments: Json;
  /** The recorded text of the arguments, if it was a string of JSON. */
  readonly argumentsText?: string;
}

export interface ToolDefinition {
  readonly name: string;
  readonly description?: string;
  /** JSON schema of the arguments; absent if the format stores only the name. */
  readonly schema?: Json;
  /** Further members of the definition by their wire names, such as `strict` or the options of a web search. */
  readonly settings?: JsonRecord;
}

interface RequestPosition {
  /** The number of messages of the model before it. */
  readonly turn?: number;
  /** Whether a result of a tool is in it. */
  readonly hasToolResult?: boolean;
  /** How many requests that the same rule is for came before. */
  readonly occurrence?: number;
}

export interface ChatRequest {
  readonly model?: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  /** Stored parameters by their wire names, such as `temperature`. */
  readonly params: Readonly<Record<string, Json>>;
  /** When it comes, on a tape whose requests are rules. */
  readonly when?: RequestPosition;
  /** The format stores only the beginning of the last message. */
  readonly partial?: 'preview';
  /** What the tape keeps of a request that it does not store. */
  readonly digests?: RequestDigests;
}

export interface ChatResponse {
  readonly content: string | null;
  readonly parts?: readonly Part[];
  readonly toolCalls: readonly ToolCall[];
  /** Of a tool: the result is the JSON value that `content` is the text of, not that text. */
  readonly isJson?: true;
  /** The model that the response names. */
  readonly model?: string;
  readonly usage?: Usage;
  /** What the provider says that the request cost, in US dollars. */
  readonly reportedCost?: number;
  readonly finishReason?: string;
  readonly error?: string;
  /** The stream was cut off: it has no event with which its protocol ends one. */
  readonly endedEarly?: true;
  /** The chunks of a streamed response, in order. */
  readonly chunks?: readonly Chunk[];
}

/** The digests of the parts of a request: enough to say which of them differ, and not how. */
export interface RequestDigests {
  readonly model: string;
  /** Empty if there is none. */
  readonly toolChoice: string;
  /** `role:digest` */
  readonly messages: readonly string[];
  /** By the name of the tool. */
  readonly tools: Readonly<Record<string, string>>;
}
