import { isRecord, type Json, type JsonRecord } from '../json/json';
import type { Part } from '../tapes/tape';
import { listOf, recordOf, textOf } from './fields';
import { mediaAt, mediaOf, reasoningParts, textParts, unknownPart } from './parts';

/** The content of a message of OpenAI's protocols, and of those modelled on them: a text, or a list of parts. */
export function openaiContent(content: Json | undefined): Part[] {
  if (typeof content === 'string') return textParts(content);
  if (content === undefined || content === null) return [];
  return Array.isArray(content) ? content.flatMap(openaiPart) : openaiPart(content);
}

function openaiPart(part: Json): Part[] {
  if (typeof part === 'string') return textParts(part);
  if (!isRecord(part)) return part === null ? [] : [unknownPart(part)];
  return knownPart(part) ?? [unknownPart(part)];
}

/** Undefined for a part of an unknown type, or one that lacks what makes it that type. */
function knownPart(part: JsonRecord): Part[] | undefined {
  switch (part.type) {
    case 'text':
    case 'input_text':
    case 'output_text':
    case undefined:
      return typeof part.text === 'string' ? [...textParts(part.text), ...citations(part)] : undefined;
    case 'refusal':
      return typeof part.refusal === 'string' ? [{ type: 'refusal', text: part.refusal }] : undefined;
    case 'thinking':
    case 'reasoning':
    case 'reasoning_text':
      return reasoningParts(thinkingText(part.thinking ?? part.text ?? part.reasoning), textOf(part.signature));
    default:
      return mediaPart(part);
  }
}

/** Mistral's thinking is a list of parts. */
export function thinkingText(thinking: Json | undefined): string {
  if (typeof thinking === 'string') return thinking;
  return listOf(thinking)
    .map((part) => textOf(part) ?? textOf(recordOf(part).text) ?? '')
    .join('');
}

function citations({ annotations }: JsonRecord): Part[] {
  return listOf(annotations).length === 0 ? [] : [unknownPart({ annotations: annotations ?? [] })];
}

function mediaPart(part: JsonRecord): Part[] | undefined {
  switch (part.type) {
    case 'image_url':
    case 'input_image':
    case 'image':
      return at('image', part.image_url ?? part.url ?? part.image) ?? uploaded('image', part);
    case 'audio_url':
      return at('audio', part.audio_url);
    case 'video_url':
      return at('file', part.video_url);
    case 'document_url':
      return at('file', part.document_url, textOf(part.document_name));
    case 'input_audio':
      return inputAudio(part.input_audio);
    case 'file':
      return filePart(recordOf(part.file));
    case 'input_file':
      return filePart(part);
    default:
      return undefined;
  }
}

/** An address, or an object with one. */
function at(type: 'image' | 'audio' | 'file', place: Json | undefined, name?: string): Part[] | undefined {
  const url = textOf(place) ?? textOf(recordOf(place).url);
  return url === undefined ? undefined : [mediaAt(type, url, name)];
}

/** Of a file that was uploaded before, only its id is known. */
function uploaded(type: 'image' | 'file', { file_id: id }: JsonRecord): Part[] | undefined {
  return typeof id === 'string' ? [{ type, name: id }] : undefined;
}

function inputAudio(audio: Json | undefined): Part[] | undefined {
  if (typeof audio === 'string') return [mediaOf('audio/*', audio)];
  const { data, format } = recordOf(audio);
  if (typeof data !== 'string') return undefined;
  return [mediaOf(`audio/${textOf(format) ?? '*'}`, data)];
}

function filePart(file: JsonRecord): Part[] | undefined {
  const name = textOf(file.filename);
  const data = textOf(file.file_data);
  if (data !== undefined)
    return [data.startsWith('data:') ? mediaAt('file', data, name) : mediaOf(undefined, data, name)];
  const url = textOf(file.file_url);
  if (url !== undefined) return [mediaAt('file', url, name)];
  return name === undefined ? uploaded('file', file) : [{ type: 'file', name }];
}
