import type { Json } from '../json/json';
import type { Problem, Span } from '../text/source';

/** The formats Tapedeck reads. A format is one file in `formats/`; nothing outside it knows the format. */
export type FormatId = 'mofa';

/** A file of recorded interactions, whatever its format. */
export interface Tape {
  readonly format: FormatId;
  readonly name?: string;
  readonly version?: string;
  readonly interactions: readonly Interaction[];
  readonly problems: readonly Problem[];
}

export type InteractionKind = 'llm' | 'embedding' | 'tool' | 'http';

/** One recorded request with its response. */
export interface Interaction {
  /** From 0, in the order of the file. */
  readonly index: number;
  readonly kind: InteractionKind;
  readonly request?: ChatRequest;
  readonly response?: ChatResponse;
  readonly timing?: Timing;
  /** Where the interaction stands in the source text. */
  readonly source: Span;
}

export type Role = 'system' | 'user' | 'assistant' | 'tool' | 'developer' | (string & {});

export interface Message {
  readonly role: Role;
  readonly content: string | null;
  readonly toolCalls: readonly ToolCall[];
  /** On a tool result: the call it answers. */
  readonly toolCallId?: string;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** Parsed arguments; a string where the model wrote invalid JSON. */
  readonly arguments: Json;
}

export interface ToolDefinition {
  readonly name: string;
  readonly description?: string;
  /** JSON schema of the arguments; absent where the format keeps only the name. */
  readonly schema?: Json;
}

export interface ChatRequest {
  readonly model?: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  /** Sampling parameters that the format stores, by their wire name, such as `temperature`. */
  readonly params: Readonly<Record<string, Json>>;
}

export interface ChatResponse {
  readonly content: string | null;
  readonly toolCalls: readonly ToolCall[];
  readonly usage?: Usage;
  readonly finishReason?: string;
  readonly error?: string;
}

/** Token counts as the provider reported them. */
export interface Usage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly totalTokens: number;
}

/** Milliseconds. */
export interface Timing {
  readonly recordedAt?: string;
  readonly durationMs?: number;
}

/** Sums over a tape. */
export interface TapeTotals {
  readonly interactions: number;
  readonly toolCalls: number;
  readonly usage: Usage;
}

export function tapeTotals(tape: Tape): TapeTotals {
  const usages = tape.interactions.flatMap(({ response }) => response?.usage ?? []);
  return {
    interactions: tape.interactions.length,
    toolCalls: tape.interactions.reduce((sum, { response }) => sum + (response?.toolCalls.length ?? 0), 0),
    usage: {
      promptTokens: usages.reduce((sum, usage) => sum + usage.promptTokens, 0),
      completionTokens: usages.reduce((sum, usage) => sum + usage.completionTokens, 0),
      totalTokens: usages.reduce((sum, usage) => sum + usage.totalTokens, 0),
    },
  };
}
