import { fingerprintJson } from '../../json/fingerprintJson';
import { isRecord } from '../../json/json';
import type { ChatResponse, Message, Part, ToolCall } from '../../model/message';

/** The hashes by which a message is found when a later request repeats it. */
export interface MessageFingerprint {
  readonly role: string;
  /** The hash of the whole message. */
  readonly whole: number;
  /** The hash of text and tool calls: agents send responses back without reasoning, citations, ids, and white space. */
  readonly content: number;
  /** The same without its reasoning, where that stands in the text between `<think>` and `</think>`. */
  readonly withoutThinking?: number;
  /** The message only refers to a response, as to a spoken one, and does not repeat it. */
  readonly isReference?: true;
}

/** An absent text and an empty one are the same. */
export function fingerprintMessage({
  role,
  content,
  parts,
  toolCalls,
  toolCallId,
  isError,
  name,
}: Message): MessageFingerprint {
  const calls = toolCalls.map(({ id, name: tool, arguments: args }) => [id, tool, args]);
  return {
    role,
    whole: fingerprintJson([role, content ?? '', parts ?? [], calls, toolCallId, isError ?? false, name]),
    content: contentFingerprint(role, content, toolCalls),
    ...(role === 'assistant' ? fingerprintWithoutThinking(content, toolCalls) : {}),
    ...(role === 'assistant' && isReference(content, parts) ? { isReference: true } : {}),
  };
}

function contentFingerprint(role: string, content: string | null, toolCalls: readonly ToolCall[]): number {
  return fingerprintJson([
    'spoken',
    role,
    content?.trim() ?? '',
    toolCalls.map(({ name, arguments: args }) => [name, args]),
  ]);
}

const END_OF_THINKING = '</think>';

/**
 * Some models write their reasoning before the text, and agents leave it out when they send that back. Some write only its
 * end, since their prompt template has opened it.
 */
function fingerprintWithoutThinking(
  content: string | null,
  toolCalls: readonly ToolCall[],
): Pick<MessageFingerprint, 'withoutThinking'> {
  const end = content?.indexOf(END_OF_THINKING) ?? -1;
  if (content === null || end === -1) return {};
  return { withoutThinking: contentFingerprint('assistant', content.slice(end + END_OF_THINKING.length), toolCalls) };
}

/**
 * The hashes of the messages into which an agent may split a response with several calls, each followed by its result. The
 * text comes back alone, or with the first call.
 */
export function fingerprintPieces({ content, toolCalls }: ChatResponse): readonly number[] {
  if (toolCalls.length === 0 || (toolCalls.length === 1 && (content ?? '') === '')) return [];
  const alone = toolCalls.map((call) => contentFingerprint('assistant', null, [call]));
  if ((content ?? '') === '') return alone;
  return [
    contentFingerprint('assistant', content, []),
    contentFingerprint('assistant', content, toolCalls.slice(0, 1)),
    ...alone,
  ];
}

/** OpenAI's `{ "audio": { "id": … } }`. */
function isReference(content: string | null, parts: readonly Part[] = []): boolean {
  const [part, ...others] = parts;
  if (content !== null || part?.type !== 'unknown' || others.length > 0 || !isRecord(part.raw)) return false;
  return isRecord(part.raw.audio) && typeof part.raw.audio.id === 'string';
}

/** The fingerprint of a response as a message in later requests. */
export function fingerprintResponse({ content, toolCalls }: ChatResponse): MessageFingerprint {
  const fingerprint = fingerprintMessage({ role: 'assistant', content, toolCalls });
  return { ...fingerprint, whole: fingerprint.content };
}
