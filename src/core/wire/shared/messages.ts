import { asRecord, asRecords, asString, omitUndefined } from '../../json/fields';
import { isRecord, type Json, type JsonRecord } from '../../json/json';
import type { ChatResponse, MediaPart, Message, Part, ToolCall } from '../../model/message';
import { NEW_REQUEST_TEXT } from '../protocol';
import { readToolCall } from './toolCalls';

/** The content of a message: its text, and its parts if it is more than one text. */
export interface TextAndParts {
  readonly content: string | null;
  readonly parts?: readonly Part[];
}

/** Derives the content of a message from its parts. Its text parts are joined without separators. */
export function textContent(parts: readonly Part[]): TextAndParts {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const content = texts.length === 0 ? null : texts.join('');
  const nonEmpty = parts.filter((part) => part.type !== 'text' || part.text !== '');
  const isPlainText = nonEmpty.length <= 1 && nonEmpty.every(({ type }) => type === 'text');
  return isPlainText ? { content } : { content, parts: nonEmpty };
}

/** A text part, also for an empty text; none if `text` is not a string. */
export function textParts(text: Json | undefined): Part[] {
  return typeof text === 'string' ? [{ type: 'text', text }] : [];
}

export function unknownPart(raw: Json): Part {
  return { type: 'unknown', raw };
}

/** A reasoning part, which may have only a signature or an encrypted form; none if it has nothing. */
export function reasoningParts(text: string, signature?: string): Part[] {
  if (text === '' && !signature) return [];
  return [
    omitUndefined({ type: 'reasoning', text, encrypted: text === '' || undefined, signature: signature || undefined }),
  ];
}

const DATA_URL = /^data:([^;,]*)(?:;[^;,]*)*;base64,/;

/** Media at a URL, which may be a data URL. */
export function mediaFromUrl(type: MediaPart['type'], url: string, name?: string): MediaPart {
  const [prefix, mime] = DATA_URL.exec(url.slice(0, 1024)) ?? [];
  if (prefix === undefined) return omitUndefined({ type, url, name });
  return omitUndefined({ type, mime: mime || undefined, base64: url.slice(prefix.length), name });
}

/** Media by its content. */
export function mediaFromBase64(mime: string | undefined, base64: string, name?: string): MediaPart {
  return omitUndefined({ type: mediaType(mime), mime, base64, name });
}

export function mediaType(mime: string | undefined): MediaPart['type'] {
  const [family] = mime?.split('/') ?? [];
  return family === 'image' || family === 'audio' ? family : 'file';
}

/** Reads a message of the shape that Cohere and Ollama share; `parts` reads its content. */
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

/** Reads `tool_calls` whose members are a `function` with a name and arguments. */
export function readFunctionCalls({ tool_calls: calls }: JsonRecord): ToolCall[] {
  return asRecords(calls).map((call) => {
    const { name, arguments: args } = asRecord(call.function);
    return readToolCall(call.id, name, args);
  });
}

/** Whether anything was found in a response; nothing is while it is incomplete. */
export function isRecognised({ content, parts, toolCalls, error, finishReason }: ChatResponse): boolean {
  return (
    content !== null || parts !== undefined || toolCalls.length > 0 || error !== undefined || finishReason !== undefined
  );
}

/** The message of a new request, in the many protocols that write messages as Chat Completions does. */
export const BLANK_USER_MESSAGE: Json = { role: 'user', content: NEW_REQUEST_TEXT };
