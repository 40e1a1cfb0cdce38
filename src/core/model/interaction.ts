import type { Json } from '../json/json';
import type { Span } from '../text/source';
import type { HttpExchange } from './http';
import type { McpExchange } from './mcp';
import type { ChatRequest, ChatResponse } from './message';

/**
 * `http`: traffic that is not a model call. `mcp`: a message to an MCP server, with what followed. `script`: a declared step
 * without a recorded response.
 */
export type InteractionKind = 'llm' | 'embedding' | 'tool' | 'mcp' | 'http' | 'environment' | 'frame' | 'script';

/** One recorded request with its response. Members may be read lazily, on first use. */
export interface Interaction {
  /** From 0, in the order of the file. */
  readonly index: number;
  readonly kind: InteractionKind;
  readonly request?: ChatRequest | undefined;
  readonly response?: ChatResponse | undefined;
  readonly timing?: Timing | undefined;
  /** The HTTP exchange, if the tape records HTTP. */
  readonly http?: HttpExchange | undefined;
  /** The messages, of an exchange with an MCP server. */
  readonly mcp?: McpExchange | undefined;
  /** The wire protocol of the exchange, if known. */
  readonly api?: ProtocolId | undefined;
  /** A few words about an exchange that is not a chat, such as "moderation, flagged". */
  readonly summary?: string | undefined;
  /** What a script says of it besides a request and a response, such as what is expected of the agent. */
  readonly declared?: Readonly<Record<string, Json>> | undefined;
  /** The agents and other steps of a run that it is a part of, from the outermost. */
  readonly within?: readonly RunStep[] | undefined;
  /** The format's own identifier: a key, an id or a hash. Not always unique. */
  readonly id?: string | undefined;
  /** The location in the source text; 0 to 0 in a binary file, such as a zip. */
  readonly source: Span;
}

/** A part of a run that interactions are in: an agent, a workflow, a tool that calls models. */
export interface RunStep {
  /** Unique among the steps of the tape. */
  readonly id: string;
  readonly name: string;
}

/** Milliseconds. */
export interface Timing {
  /** As the tape writes it. */
  readonly recordedAt?: string;
  readonly durationMs?: number;
  readonly firstTokenMs?: number;
}

/** The id of a wire protocol, such as `openai-chat`. `core/wire/registry.ts` lists the protocols. */
export type ProtocolId = string;

/** The members of an interaction that a recording creates. */
export type RecordedInteraction = Pick<Interaction, 'request' | 'response'> &
  Partial<Pick<Interaction, 'kind' | 'http' | 'mcp' | 'timing'>>;
