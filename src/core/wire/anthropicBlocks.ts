import { isRecord, type Json, type JsonRecord } from '../json/json';
import type { MediaPart, Part, ToolCall } from '../tapes/tape';
import { isBlank, listOf, recordOf, textOf } from './fields';
import { mediaAt, mediaOf, reasoningParts, textParts, unknownPart } from './parts';
import { toolCall } from './toolCalls';

/** The blocks of a content, which may be one text. */
export function blocksOf(content: Json | undefined): readonly Json[] {
  if (content === undefined || content === null) return [];
  return Array.isArray(content) ? content : [content];
}

/** What a block says; nothing for a call of a tool. */
export function blockParts(block: Json): Part[] {
  if (typeof block === 'string') return textParts(block);
  if (!isRecord(block)) return [unknownPart(block)];
  return knownBlock(block) ?? otherBlock(block);
}

export function blockCalls(block: Json): ToolCall[] {
  return isRecord(block) && block.type === 'tool_use' ? [toolCall(block.id, block.name, block.input)] : [];
}

/** Undefined for a block of an unknown type, or one that lacks what makes it that type. */
function knownBlock(block: JsonRecord): Part[] | undefined {
  const { type, text } = block;
  switch (type) {
    case 'text':
      return typeof text === 'string' ? [...textParts(text), ...citations(block)] : undefined;
    case 'thinking':
      return reasoningParts(textOf(block.thinking) ?? '', textOf(block.signature));
    case 'redacted_thinking':
      return reasoningParts('', textOf(block.data));
    case 'tool_use':
      return [];
    case 'server_tool_use':
    case 'mcp_tool_use':
      return [{ type: 'server_tool', name: textOf(block.name) ?? type, payload: block }];
    case 'image':
      return sourceParts('image', block);
    case 'document':
      return sourceParts('file', block);
    default:
      return undefined;
  }
}

/** The results of what the provider ran itself: `web_search_tool_result` and its kin. */
function otherBlock(block: JsonRecord): Part[] {
  const type = textOf(block.type) ?? '';
  return type.endsWith('_tool_result')
    ? [{ type: 'server_tool', name: type.slice(0, -'_tool_result'.length), payload: block }]
    : [unknownPart(block)];
}

function citations({ citations: list }: JsonRecord): Part[] {
  return isBlank(list) ? [] : [unknownPart({ citations: list ?? [] })];
}

function sourceParts(type: MediaPart['type'], block: JsonRecord): Part[] | undefined {
  const source = recordOf(block.source);
  const { data, url, content, media_type: mime } = source;
  const name = textOf(block.title);
  if (source.type === 'text') return textParts(data);
  if (source.type === 'content') return listOf(content).flatMap(blockParts);
  if (typeof url === 'string') return [mediaAt(type, url, name)];
  // Of a file that was uploaded before, only its id is known.
  if (typeof source.file_id === 'string') return [{ type, name: name ?? source.file_id }];
  return typeof data === 'string' ? [{ ...mediaOf(textOf(mime), data, name), type }] : undefined;
}
