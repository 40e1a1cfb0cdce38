import { decodeBase64, encodeBase64 } from '../bytes/base64';
import { recompress } from '../bytes/recompress';
import type { HttpBody } from '../model/http';
import { decodeBody } from '../wire/body/body';
import type { BodyBudget } from '../wire/body/bodyBudget';

/** A string that has to be decoded to read its text. */
export interface PackedString {
  readonly text: string;
  /** The string for another text; undefined if the encoding cannot be written. */
  repack(text: string): string | undefined;
}

/** Base64 on one or several lines, in either alphabet. Shorter strings may be words. */
const BASE64 = /^[A-Za-z0-9+/_-]{16,}(?:\r?\n[A-Za-z0-9+/_-]+)*={0,2}\s*$/;
const DATA_URL = /^data:[^,]{0,200};base64,/;
const LATIN1_GZIP = '\u001f\u008b\b';

/** From this length on, V8 might overflow: it keeps every step of a repetition. */
const LONG = 4_000_000;

function looksLikeBase64(value: string): boolean {
  return value.length < LONG ? BASE64.test(value) : !/[^A-Za-z0-9+/_=\s-]/.test(value);
}

/** Whether a string is base64, of any content. */
export function isBase64(value: string): boolean {
  return looksLikeBase64(value) && decodeBase64(value) !== undefined;
}

/**
 * Decodes a string that is base64, a data URL, or compressed; undefined for others, and for binary content. `budget` is of the
 * text that the string is in.
 */
export function unpackString(value: string, budget?: BodyBudget): PackedString | undefined {
  const prefix = value.startsWith('data:') ? (DATA_URL.exec(value.slice(0, 256))?.[0] ?? '') : '';
  const packed = value.slice(prefix.length);
  const isText = packed.startsWith(LATIN1_GZIP);
  const bytes = isText ? latin1Bytes(packed) : looksLikeBase64(packed) ? decodeBase64(packed) : undefined;
  if (bytes === undefined) return undefined;
  const stored: HttpBody = { type: 'base64', base64: isText ? encodeBase64(bytes) : packed };
  budget?.coverBody(stored);
  const body = decodeBody(stored);
  const { text } = body;
  if (text === undefined || !isReadable(text) || body.problems.length > 0) return undefined;
  return {
    text,
    repack: (next) => {
      const encoder = new TextEncoder();
      if (encoder.encode(text).length !== body.bytes.length) return undefined;
      const layers = body.decodedFrom.filter((layer) => layer !== 'base64');
      const again = recompress(encoder.encode(next), layers, bytes);
      if (again === undefined) return undefined;
      return isText
        ? Array.from(again, (byte) => String.fromCharCode(byte)).join('')
        : prefix + encodeLike(packed, again);
    },
  };
}

/** Whether decoded bytes are text: random bytes that happen to be UTF-8 contain control characters. */
function isReadable(text: string): boolean {
  return !/[^\P{Cc}\t\n\r]/u.test(text);
}

/** Encodes bytes in the alphabet of the old string, with padding if it had some. */
function encodeLike(packed: string, bytes: Uint8Array): string {
  const base64 = encodeBase64(bytes);
  const padded = packed.trimEnd().endsWith('=') || decodedIsWhole(packed) ? base64 : base64.replace(/=+$/, '');
  return /[-_]/.test(packed) ? padded.replaceAll('+', '-').replaceAll('/', '_') : padded;
}

/** Whether base64 needs no padding, so that it does not show whether its writer pads. */
function decodedIsWhole(packed: string): boolean {
  return packed.replace(/\s/g, '').length % 4 === 0;
}

/** The bytes of a text with one character per byte. */
function latin1Bytes(text: string): Uint8Array {
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}
