import type { Json, JsonRecord } from '../../json/json';
import { listOf, present, recordOf, recordsOf, textOf, without } from '../../wire/fields';
import { mediaAt, mediaOf, reasoningParts, said, textParts, unknownPart } from '../../wire/parts';
import { toolCall } from '../../wire/toolCalls';
import type { Message, Part, ToolCall } from '../tape';

/** A message as Inspect has it, whatever the provider. */
export function readInspectMessage(message: JsonRecord): Message {
  const failed = textOf(recordOf(message.error).message);
  const content = said(contentParts(message.content));
  return present({
    role: textOf(message.role) ?? 'unknown',
    ...(failed !== undefined && (content.content ?? '') === '' ? said(textParts(failed)) : content),
    toolCalls: recordsOf(message.tool_calls).map(readCall),
    toolCallId: textOf(message.tool_call_id),
    isError: failed !== undefined || undefined,
    name: textOf(message.function),
  });
}

/** Where the model wrote no JSON, Inspect keeps its text as the error of the parser. */
function readCall({ id, function: name, arguments: args }: JsonRecord): ToolCall {
  return toolCall(id, name, args);
}

function contentParts(content: Json | undefined): Part[] {
  if (typeof content === 'string') return content === '' ? [] : textParts(content);
  return listOf(content).flatMap((item) => contentPart(recordOf(item)));
}

function contentPart(part: JsonRecord): Part[] {
  switch (part.type) {
    case 'text':
      return part.refusal === true ? [{ type: 'refusal', text: textOf(part.text) ?? '' }] : textParts(part.text);
    case 'reasoning':
      return readReasoning(part);
    case 'image':
      return mediaPart('image', part.image, undefined);
    case 'audio':
      return mediaPart('audio', part.audio, textOf(part.format));
    case 'video':
      return mediaPart('file', part.video, undefined);
    case 'document':
      return mediaPart('file', part.document, undefined, textOf(part.filename));
    case 'tool_use':
      return [{ type: 'server_tool', name: textOf(part.name) ?? 'tool', payload: without(part, 'type') }];
    default:
      return [unknownPart(part)];
  }
}

function readReasoning({ reasoning, summary, signature, redacted }: JsonRecord): Part[] {
  if (redacted !== true) return reasoningParts(textOf(reasoning) ?? '', textOf(signature));
  const plain = textOf(summary) ?? '';
  return plain === '' ? reasoningParts('', textOf(reasoning)) : [{ type: 'reasoning', text: plain, encrypted: true }];
}

/** An address or a data URL; sound may also be plain base64. */
function mediaPart(type: 'image' | 'audio' | 'file', place: Json | undefined, format?: string, name?: string): Part[] {
  const url = textOf(place);
  if (url === undefined) return [unknownPart({ type })];
  if (format !== undefined && !/^(?:data:|https?:)/.test(url.slice(0, 8)))
    return [mediaOf(`audio/${format}`, url, name)];
  return [mediaAt(type, url, name)];
}
