import { asRecord, asString, omitUndefined } from '../../json/fields';
import { isRecord, type Json, type JsonRecord } from '../../json/json';
import type { Part, ToolCall } from '../../model/message';
import { mediaFromBase64, mediaType, reasoningParts, textParts, unknownPart } from '../shared/messages';
import { readToolCall } from '../shared/toolCalls';

/** A member by its name in camel case, or else in snake case: Google accepts both. */
export function camelOrSnake(record: JsonRecord, camel: string): Json | undefined {
  return record[camel] ?? record[camel.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
}

/** The content of one turn. */
interface GeminiContent {
  readonly parts: readonly Part[];
  readonly toolCalls: readonly ToolCall[];
}

export function readGeminiParts(parts: readonly Json[]): GeminiContent {
  return { parts: parts.flatMap(readGeminiPart), toolCalls: parts.flatMap(functionCall) };
}

function functionCall(part: Json): ToolCall[] {
  const call = camelOrSnake(asRecord(part), 'functionCall');
  return isRecord(call) ? [readToolCall(call.id, call.name, call.args)] : [];
}

/** Reads a part; of a function call, only its thought signature. */
export function readGeminiPart(part: Json): Part[] {
  if (!isRecord(part)) return typeof part === 'string' ? textParts(part) : [unknownPart(part)];
  const signature = asString(camelOrSnake(part, 'thoughtSignature'));
  if (part.thought === true) return reasoningParts(asString(part.text) ?? '', signature);
  // Gemini signs the part after its thoughts, not the thoughts.
  return [...reasoningParts('', signature), ...contentOf(part)];
}

function contentOf(part: JsonRecord): Part[] {
  if (typeof part.text === 'string') return textParts(part.text);
  if (camelOrSnake(part, 'functionCall') !== undefined) return [];
  return mediaIn(part) ?? serverTool(part) ?? (isOnlySignature(part) ? [] : [unknownPart(part)]);
}

function isOnlySignature(part: JsonRecord): boolean {
  return Object.keys(part).every((key) => /^thought_?signature$/i.test(key));
}

function mediaIn(part: JsonRecord): Part[] | undefined {
  const inline = asRecord(camelOrSnake(part, 'inlineData'));
  const mime = asString(camelOrSnake(inline, 'mimeType'));
  const name = asString(camelOrSnake(inline, 'displayName'));
  if (typeof inline.data === 'string') return [mediaFromBase64(mime, inline.data, name)];
  const file = asRecord(camelOrSnake(part, 'fileData'));
  const url = asString(camelOrSnake(file, 'fileUri'));
  const fileMime = asString(camelOrSnake(file, 'mimeType'));
  return url === undefined ? undefined : [omitUndefined({ type: mediaType(fileMime), mime: fileMime, url })];
}

const SERVER_TOOLS = [
  ['executableCode', 'code_execution'],
  ['codeExecutionResult', 'code_execution'],
  ['toolCall', 'tool_call'],
  ['toolResponse', 'tool_response'],
] as const;

function serverTool(part: JsonRecord): Part[] | undefined {
  for (const [member, name] of SERVER_TOOLS) {
    const payload = camelOrSnake(part, member);
    if (payload !== undefined) return [{ type: 'server_tool', name, payload: { [member]: payload } }];
  }
  return undefined;
}
