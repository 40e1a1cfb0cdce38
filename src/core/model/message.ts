import type { Json, JsonRecord } from '../json/json';
import type { Chunk } from './http';
import type { Usage } from './usage';

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
