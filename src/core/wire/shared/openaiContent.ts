import { asList, asRecord, asString } from '../../json/fields';
import { isRecord, type Json, type JsonRecord } from '../../json/json';
import type { Part } from '../../model/message';
import { mediaFromBase64, mediaFromUrl, reasoningParts, textParts, unknownPart } from './messages';

/** Reads content of OpenAI's protocols, and of those modelled on them: a string, or a list of parts. */
export function readOpenaiContent(content: Json | undefined): Part[] {
  if (typeof content === 'string') return textParts(content);
  if (content === undefined || content === null) return [];
  return Array.isArray(content) ? content.flatMap(readOpenaiPart) : readOpenaiPart(content);
}

function readOpenaiPart(part: Json): Part[] {
  if (typeof part === 'string') return textParts(part);
  if (!isRecord(part)) return part === null ? [] : [unknownPart(part)];
  return knownPart(part) ?? [unknownPart(part)];
}

/** Undefined for a part of an unknown type, or one without the members of its type. */
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
      return reasoningParts(thinkingText(part.thinking ?? part.text ?? part.reasoning), asString(part.signature));
    default:
      return mediaPart(part);
  }
}

/** The text of thinking; Mistral's is a list of parts. */
export function thinkingText(thinking: Json | undefined): string {
  if (typeof thinking === 'string') return thinking;
  return asList(thinking)
    .map((part) => asString(part) ?? asString(asRecord(part).text) ?? '')
    .join('');
}

function citations({ annotations }: JsonRecord): Part[] {
  return asList(annotations).length === 0 ? [] : [unknownPart({ annotations: annotations ?? [] })];
}

function mediaPart(part: JsonRecord): Part[] | undefined {
  switch (part.type) {
    case 'image_url':
    case 'input_image':
    case 'image':
      return mediaAtUrl('image', part.image_url ?? part.url ?? part.image) ?? uploadedFile('image', part);
    case 'audio_url':
      return mediaAtUrl('audio', part.audio_url);
    case 'video_url':
      return mediaAtUrl('file', part.video_url);
    case 'document_url':
      return mediaAtUrl('file', part.document_url, asString(part.document_name));
    case 'input_audio':
      return inputAudio(part.input_audio);
    case 'file':
      return filePart(asRecord(part.file));
    case 'input_file':
      return filePart(part);
    default:
      return undefined;
  }
}

/** Reads a URL, or an object with one. */
function mediaAtUrl(type: 'image' | 'audio' | 'file', source: Json | undefined, name?: string): Part[] | undefined {
  const url = asString(source) ?? asString(asRecord(source).url);
  return url === undefined ? undefined : [mediaFromUrl(type, url, name)];
}

/** A file that was uploaded earlier is named by its id. */
function uploadedFile(type: 'image' | 'file', { file_id: id }: JsonRecord): Part[] | undefined {
  return typeof id === 'string' ? [{ type, name: id }] : undefined;
}

function inputAudio(audio: Json | undefined): Part[] | undefined {
  if (typeof audio === 'string') return [mediaFromBase64('audio/*', audio)];
  const { data, format } = asRecord(audio);
  if (typeof data !== 'string') return undefined;
  return [mediaFromBase64(`audio/${asString(format) ?? '*'}`, data)];
}

function filePart(file: JsonRecord): Part[] | undefined {
  const name = asString(file.filename);
  const data = asString(file.file_data);
  if (data !== undefined)
    return [data.startsWith('data:') ? mediaFromUrl('file', data, name) : mediaFromBase64(undefined, data, name)];
  const url = asString(file.file_url);
  if (url !== undefined) return [mediaFromUrl('file', url, name)];
  return name === undefined ? uploadedFile('file', file) : [{ type: 'file', name }];
}
