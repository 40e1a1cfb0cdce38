import { fingerprint } from '../hash/fingerprint';
import { isRecord } from '../json/json';
import type { ChatResponse, Message, Part } from '../tapes/tape';

/** What a message is known by when a later request repeats it. */
export interface MessagePrint {
  readonly role: string;
  /** All of the message. */
  readonly whole: number;
  /** What was said and called: agents send an answer back without its reasoning, its citations, its white space. */
  readonly spoken: number;
  /** Nothing is repeated: the message says which answer is meant, as of one that was spoken aloud. */
  readonly isReference?: true;
}

/** An absent text and an empty one are the same. */
export function printMessage({ role, content, parts, toolCalls, toolCallId, isError, name }: Message): MessagePrint {
  const calls = toolCalls.map(({ id, name: tool, arguments: args }) => [id, tool, args]);
  return {
    role,
    whole: fingerprint([role, content ?? '', parts ?? [], calls, toolCallId, isError ?? false, name]),
    spoken: fingerprint(['spoken', role, content?.trim() ?? '', calls]),
    ...(role === 'assistant' && isReference(content, parts) ? { isReference: true } : {}),
  };
}

/** OpenAI's `{ "audio": { "id": … } }`. */
function isReference(content: string | null, parts: readonly Part[] = []): boolean {
  const [part, ...others] = parts;
  if (content !== null || part?.type !== 'unknown' || others.length > 0 || !isRecord(part.raw)) return false;
  return isRecord(part.raw.audio) && typeof part.raw.audio.id === 'string';
}

/** An answer, as the message that it will be in the requests that follow it. */
export function printAnswer({ content, toolCalls }: ChatResponse): MessagePrint {
  const { role, spoken } = printMessage({ role: 'assistant', content, toolCalls });
  return { role, spoken, whole: spoken };
}
