import type { Json } from '../json/json';
import type { MediaPart, Part } from '../tapes/tape';
import { present } from './fields';

/** What a message says: its text, and all of it where it is more than one text. */
export interface Said {
  readonly content: string | null;
  readonly parts?: readonly Part[];
}

/** The content of a message from its parts. The text is that of its text parts, joined as they stand. */
export function said(parts: readonly Part[]): Said {
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
  return [present({ type: 'reasoning', text, encrypted: text === '' || undefined, signature: signature || undefined })];
}

const DATA_URL = /^data:([^;,]*)(?:;[^;,]*)*;base64,/;

/** Something that is no text, where it is: in a data URL or elsewhere. */
export function mediaAt(type: MediaPart['type'], url: string, name?: string): MediaPart {
  const [prefix, mime] = DATA_URL.exec(url.slice(0, 1024)) ?? [];
  if (prefix === undefined) return present({ type, url, name });
  return present({ type, mime: mime || undefined, base64: url.slice(prefix.length), name });
}

/** Something that is no text, by its content. */
export function mediaOf(mime: string | undefined, base64: string, name?: string): MediaPart {
  return present({ type: mediaType(mime), mime, base64, name });
}

export function mediaType(mime: string | undefined): MediaPart['type'] {
  const [family] = mime?.split('/') ?? [];
  return family === 'image' || family === 'audio' ? family : 'file';
}
