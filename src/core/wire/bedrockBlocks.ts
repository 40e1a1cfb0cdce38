import { isRecord, type Json, type JsonRecord } from '../json/json';
import type { MediaPart, Part, ToolCall } from '../tapes/tape';
import { compactJson } from './compactJson';
import { isBlank, present, recordOf, recordsOf, textOf } from './fields';
import { parseJson } from './parseJson';
import { reasoningParts, textParts, unknownPart } from './parts';
import { toolCall } from './toolCalls';

/** A place up to which the provider caches: nothing that anyone says. */
export function isMarker(block: Json): boolean {
  return isRecord(block) && 'cachePoint' in block && Object.keys(block).length === 1;
}

/** A block has one member, named after its type. */
export function converseParts(block: Json): Part[] {
  if (!isRecord(block)) return typeof block === 'string' ? textParts(block) : [unknownPart(block)];
  if (isBlank(block)) return [];
  if (typeof block.text === 'string') return textParts(block.text);
  if (isRecord(block.toolUse) && isServerTool(block.toolUse)) return serverTool(block.toolUse);
  if (isRecord(block.toolResult)) return serverResult(block.toolResult);
  if (isMarker(block) || isRecord(block.toolUse)) return [];
  if (isRecord(block.reasoningContent)) return reasoning(block.reasoningContent);
  if (isRecord(block.citationsContent)) return cited(block, block.citationsContent);
  return media(block) ?? [unknownPart(block)];
}

export function converseCalls(block: Json): ToolCall[] {
  const call = recordOf(block).toolUse;
  return isRecord(call) && !isServerTool(call) ? [toolCall(call.toolUseId, call.name, call.input)] : [];
}

/** Nova's own tools are called, and answered, in the same message. */
function isServerTool(call: JsonRecord): boolean {
  return call.type === 'server_tool_use';
}

function serverTool(call: JsonRecord): Part[] {
  const input = typeof call.input === 'string' ? (parseJson(call.input) ?? call.input) : call.input;
  return [{ type: 'server_tool', name: textOf(call.name) ?? '', payload: { ...call, input: input ?? null } }];
}

/** JSON in the result of a tool. */
export function nestedOutput(block: Json): Part[] | undefined {
  const { json } = recordOf(block);
  return json === undefined ? undefined : textParts(compactJson(json));
}

function reasoning({ reasoningText, redactedContent }: JsonRecord): Part[] {
  const { text, signature } = recordOf(reasoningText);
  return [...reasoningParts(textOf(text) ?? '', textOf(signature)), ...reasoningParts('', textOf(redactedContent))];
}

function cited(block: JsonRecord, { content }: JsonRecord): Part[] {
  const text = recordsOf(content)
    .flatMap((part) => textOf(part.text) ?? [])
    .join('');
  return [...textParts(text), unknownPart(block)];
}

function serverResult(result: JsonRecord): Part[] {
  const name = textOf(result.type)?.replace(/_result$/, '') ?? 'tool';
  return [{ type: 'server_tool', name, payload: result }];
}

const MEDIA = { image: 'image', audio: 'audio', video: 'file', document: 'file' } as const;
const DOCUMENT_TYPES: Readonly<Record<string, string>> = { txt: 'text/plain', md: 'text/markdown', html: 'text/html' };

function media(block: JsonRecord): MediaPart[] | undefined {
  for (const [member, type] of Object.entries(MEDIA)) {
    const { format, name, source } = recordOf(block[member]);
    const { bytes, s3Location } = recordOf(source);
    const base64 = textOf(bytes);
    const url = textOf(recordOf(s3Location).uri);
    if (base64 !== undefined || url !== undefined) {
      return [present({ type, mime: mimeOf(member, textOf(format)), base64, url, name: textOf(name) })];
    }
  }
  return undefined;
}

function mimeOf(member: string, format: string | undefined): string | undefined {
  if (format === undefined) return undefined;
  if (member !== 'document') return `${member}/${format}`;
  return Object.hasOwn(DOCUMENT_TYPES, format) ? DOCUMENT_TYPES[format] : `application/${format}`;
}
