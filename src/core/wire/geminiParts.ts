import { isRecord, type Json, type JsonRecord } from '../json/json';
import type { Part, ToolCall } from '../tapes/tape';
import { present, recordOf, textOf } from './fields';
import { mediaOf, mediaType, reasoningParts, textParts, unknownPart } from './parts';
import { toolCall } from './toolCalls';

/** A member in camel case, or else in snake case: Google accepts both. */
export function either(record: JsonRecord, camel: string): Json | undefined {
  return record[camel] ?? record[camel.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
}

/** What a turn consists of. */
export interface GeminiTurn {
  readonly parts: readonly Part[];
  readonly toolCalls: readonly ToolCall[];
}

export function geminiTurn(parts: readonly Json[]): GeminiTurn {
  return { parts: parts.flatMap(geminiPart), toolCalls: parts.flatMap(functionCall) };
}

function functionCall(part: Json): ToolCall[] {
  const call = either(recordOf(part), 'functionCall');
  return isRecord(call) ? [toolCall(call.id, call.name, call.args)] : [];
}

/** What a part says; of a call of a function only the signature that belongs to it. */
export function geminiPart(part: Json): Part[] {
  if (!isRecord(part)) return typeof part === 'string' ? textParts(part) : [unknownPart(part)];
  const signature = textOf(either(part, 'thoughtSignature'));
  if (part.thought === true) return reasoningParts(textOf(part.text) ?? '', signature);
  // Gemini signs what follows its thoughts, not the thoughts.
  return [...reasoningParts('', signature), ...contentOf(part)];
}

function contentOf(part: JsonRecord): Part[] {
  if (typeof part.text === 'string') return textParts(part.text);
  if (either(part, 'functionCall') !== undefined) return [];
  return mediaIn(part) ?? serverTool(part) ?? (isOnlySignature(part) ? [] : [unknownPart(part)]);
}

function isOnlySignature(part: JsonRecord): boolean {
  return Object.keys(part).every((key) => /^thought_?signature$/i.test(key));
}

function mediaIn(part: JsonRecord): Part[] | undefined {
  const inline = recordOf(either(part, 'inlineData'));
  const mime = textOf(either(inline, 'mimeType'));
  const name = textOf(either(inline, 'displayName'));
  if (typeof inline.data === 'string') return [mediaOf(mime, inline.data, name)];
  const file = recordOf(either(part, 'fileData'));
  const url = textOf(either(file, 'fileUri'));
  const fileMime = textOf(either(file, 'mimeType'));
  return url === undefined ? undefined : [present({ type: mediaType(fileMime), mime: fileMime, url })];
}

const SERVER_TOOLS = [
  ['executableCode', 'code_execution'],
  ['codeExecutionResult', 'code_execution'],
  ['toolCall', 'tool_call'],
  ['toolResponse', 'tool_response'],
] as const;

function serverTool(part: JsonRecord): Part[] | undefined {
  for (const [member, name] of SERVER_TOOLS) {
    const payload = either(part, member);
    if (payload !== undefined) return [{ type: 'server_tool', name, payload: { [member]: payload } }];
  }
  return undefined;
}
