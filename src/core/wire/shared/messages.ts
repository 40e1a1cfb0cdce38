import { asRecord, asRecords, asString, omitUndefined } from '../../json/fields';
import { isRecord, type Json, type JsonRecord } from '../../json/json';
import type { ChatResponse, MediaPart, Message, Part, ToolCall } from '../../model/message';
import { NEW_REQUEST_TEXT } from '../protocol';
import { readToolCall } from './toolCalls';

/** What a message says: its text, and all of it where it is more than one text. */
export interface TextAndParts {
  readonly content: string | null;
  readonly parts?: readonly Part[];
}

/** The content of a message from its parts. The text is that of its text parts, joined as they stand. */
export function textContent(parts: readonly Part[]): TextAndParts {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const content = texts.length === 0 ? null : texts.join('');
  const telling = parts.filter((part) => part.type !== 'text' || part.text !== '');
  return telling.every(({ type }) => type === 'text') && telling.length <= 1
    ? { content }
    : { content, parts: telling };
}

/** A text part, unless there is no text. An empty text is one. */
export function textParts(text: Json | undefined): Part[] {
  return typeof text === 'string' ? [{ type: 'text', text }] : [];
}

export function unknownPart(raw: Json): Part {
  return { type: 'unknown', raw };
}

/** Reasoning of which only a signature or a sealed form may be known. */
export function reasoningParts(text: string, signature?: string): Part[] {
  if (text === '' && !signature) return [];
  return [
    omitUndefined({ type: 'reasoning', text, encrypted: text === '' || undefined, signature: signature || undefined }),
  ];
}

const DATA_URL = /^data:([^;,]*)(?:;[^;,]*)*;base64,/;

/** Something that is no text, where it is: in a data URL or elsewhere. */
export function mediaFromUrl(type: MediaPart['type'], url: string, name?: string): MediaPart {
  const [prefix, mime] = DATA_URL.exec(url.slice(0, 1024)) ?? [];
  if (prefix === undefined) return omitUndefined({ type, url, name });
  return omitUndefined({ type, mime: mime || undefined, base64: url.slice(prefix.length), name });
}

/** Something that is no text, by its content. */
export function mediaFromBase64(mime: string | undefined, base64: string, name?: string): MediaPart {
  return omitUndefined({ type: mediaType(mime), mime, base64, name });
}

export function mediaType(mime: string | undefined): MediaPart['type'] {
  const [family] = mime?.split('/') ?? [];
  return family === 'image' || family === 'audio' ? family : 'file';
}

/** A message that has its role beside its calls and their ids, as Cohere's and Ollama's have; `parts` reads the rest. */
export function readRoleMessage(message: Json, parts: (message: JsonRecord) => Part[]): Message {
  if (!isRecord(message)) return { role: 'unknown', ...textContent([unknownPart(message)]), toolCalls: [] };
  const role = asString(message.role) ?? 'unknown';
  return omitUndefined({
    role,
    ...textContent(parts(message)),
    toolCalls: readFunctionCalls(message),
    toolCallId: role === 'tool' ? (asString(message.tool_call_id) ?? '') : undefined,
  });
}

/** The calls of a message, each of a `function` with its name and arguments. */
export function readFunctionCalls({ tool_calls: calls }: JsonRecord): ToolCall[] {
  return asRecords(calls).map((call) => {
    const { name, arguments: args } = asRecord(call.function);
    return readToolCall(call.id, name, args);
  });
}

/** Whether an answer says anything: one that is still to come does not. */
export function isRecognised({ content, parts, toolCalls, error, finishReason }: ChatResponse): boolean {
  return (
    content !== null || parts !== undefined || toolCalls.length > 0 || error !== undefined || finishReason !== undefined
  );
}

/** The message of a new request, in the many protocols that write messages as Chat Completions does. */
export const BLANK_USER_MESSAGE: Json = { role: 'user', content: NEW_REQUEST_TEXT };
