import type { Json, JsonRecord } from '../json/json';
import type { ChatResponse, Message, Part, ToolCall } from '../tapes/tape';
import { present } from '../wire/fields';

/** What is compared of a message or an answer. Ids of tool calls are not: what answers what shows in the order. */
export interface Spoken {
  readonly role?: string;
  readonly name?: string;
  readonly isError?: boolean;
  readonly text: string;
  /** What is in it beside plain text and tool calls, in its order. */
  readonly parts: readonly Part[];
  readonly calls: readonly ToolCall[];
  readonly callId?: string;
}

export function spokenMessage({ role, content, parts, toolCalls, toolCallId, isError, name }: Message): Spoken {
  const rest = present({ role, name, isError, callId: toolCallId });
  return { ...rest, text: content ?? '', parts: otherParts(parts), calls: toolCalls };
}

export function spokenAnswer({
  content,
  parts,
  toolCalls,
}: Pick<ChatResponse, 'content' | 'parts' | 'toolCalls'>): Spoken {
  return { text: content ?? '', parts: otherParts(parts), calls: toolCalls };
}

function otherParts(parts: readonly Part[] = []): readonly Part[] {
  return parts.filter(({ type }) => type !== 'text');
}

/** A call without its id. */
export function callShape({ name, arguments: given }: ToolCall): JsonRecord {
  return { name, arguments: given };
}

/** A part without what only the provider can read, which is new with every answer. */
export function partShape(part: Part): Json {
  if (part.type !== 'reasoning') return { ...part };
  return { type: part.type, text: part.text };
}

/** A message or answer as one value that two equal ones have in common. */
export function spokenShape({ role, name, isError, text, parts, calls }: Spoken): JsonRecord {
  return present({ role, name, isError, text, parts: parts.map(partShape), calls: calls.map(callShape) });
}
