import { decodeBase64, encodeBase64 } from '../bytes/base64';
import { encodeLatin1 } from '../bytes/latin1';
import { recompress } from '../bytes/recompress';
import { compactJson } from '../json/json';
import { parseJson } from '../json/readJson';
import type { HttpBody, HttpHeader } from '../model/http';
import { applySplices } from '../text/splice';
import { bodyFromBytes, codingsOf, compressedFile, decodeContent } from '../wire/body/body';
import { looksLikeEventStream, readEventStream, writeEventStream } from '../wire/body/eventStream';
import { looksLikeNdjson } from '../wire/body/ndjson';
import { looksLikeSse } from '../wire/body/sse';
import { headerOf } from '../wire/http';
import { hideInBinary } from './binaryText';
import { looseStringSplices } from './looseStrings';
import { redactJson } from './redactJson';
import { redactStream } from './redactStream';
import type { SpellingSearch } from './spellingSearch';

/**
 * The bytes of a body without secrets: the same object if it contains none, and decompressed if the headers declare
 * compression. A compressed file stays one. Undefined if the body cannot be decompressed or written without them.
 */
export function redactBody(
  bytes: Uint8Array,
  headers: readonly HttpHeader[],
  search: SpellingSearch,
): Uint8Array | undefined {
  const redacted = redactDecompressed(bytes, headers, search);
  return redacted && (redacted.isSame && codingsOf(headers).length === 0 ? bytes : redacted.bytes);
}

/** A body without secrets, and without the codings that the headers name; undefined like `redactBody`. */
export function redactDecompressed(
  bytes: Uint8Array,
  headers: readonly HttpHeader[],
  search: SpellingSearch,
): { readonly bytes: Uint8Array; readonly isSame: boolean } | undefined {
  const content = withoutCodings(bytes, headers);
  const clean = content && redactFile(content, headers, search);
  return clean && { bytes: clean, isSame: clean === content };
}

/** The bytes without the codings that the headers name; undefined where one of them cannot be taken off. */
function withoutCodings(bytes: Uint8Array, headers: readonly HttpHeader[]): Uint8Array | undefined {
  const codings = codingsOf(headers);
  if (codings.length === 0) return bytes;
  const stored: HttpBody = { type: 'base64', base64: encodeBase64(bytes) };
  const { bytes: content, decodedFrom, problems } = decodeContent(stored, headers);
  // `decodedFrom` includes the base64. A server may name a coding, and send text without it.
  if (problems.length === 0 && decodedFrom.length - 1 === codings.length) return content;
  return bodyFromBytes(bytes).type === 'base64' ? undefined : bytes;
}

/** Compressed files in compressed files. */
const MAX_FILES = 3;

/**
 * The content of a body without secrets. One that is a compressed file stays as it is, or is compressed again where what is in it had a
 * secret; undefined where it can be neither.
 */
function redactFile(
  content: Uint8Array,
  headers: readonly HttpHeader[],
  search: SpellingSearch,
  depth = 0,
): Uint8Array | undefined {
  const file = depth < MAX_FILES ? compressedFile(content) : undefined;
  if (file === undefined) return redactPlain(content, headers, search);
  // Half a secret at the end of damaged data would not be found.
  if (file.content === undefined || file.isDamaged) return undefined;
  const inside = redactFile(file.content, headers, search, depth + 1);
  const next = inside === file.content ? content : inside && recompress(inside, [file.layer], content);
  // Names in the header of a file, or what follows its end, are not compressed.
  return next && hideInBinary(next, (text) => search.hide(text), search.hasWideValues) === next ? next : undefined;
}

function redactPlain(
  plain: Uint8Array,
  headers: readonly HttpHeader[],
  search: SpellingSearch,
): Uint8Array | undefined {
  const stored = bodyFromBytes(plain);
  if (stored.type === 'none') return plain;
  if (stored.type === 'text') {
    const clean = redactText(stored.text, search, headers);
    return clean === stored.text ? plain : clean === undefined ? undefined : new TextEncoder().encode(clean);
  }
  if (looksLikeEventStream(plain)) return redactEventStream(plain, search);
  const hidden = hideInBinary(plain, (text) => search.hide(text), search.hasWideValues);
  if (hidden !== plain) return redactPlain(hidden, headers, search);
  // A form with files, or text of another character set.
  const type = headerOf(headers, 'content-type') ?? '';
  if (!/^(?:text\/|multipart\/)/i.test(type)) return plain;
  const latin1 = new TextDecoder('latin1').decode(plain);
  return search.replacements(latin1).length === 0 ? plain : redactLatin1(plain, search);
}

function redactLatin1(plain: Uint8Array, search: SpellingSearch): Uint8Array {
  let text = '';
  for (const byte of plain) text += String.fromCharCode(byte);
  const hidden = search.hide(text);
  return hidden === text ? plain : encodeLatin1(hidden.replace(/[^\0-\xff]/g, '?'));
}

/** The text of a body without secrets; undefined if it cannot be written without them. */
export function redactText(
  text: string,
  search: SpellingSearch,
  headers: readonly HttpHeader[] = [],
): string | undefined {
  const isStream = looksLikeSse(text) || looksLikeNdjson(text);
  const joined = isStream || /^\s*\[/.test(text.slice(0, 64)) ? redactJoined(text, headers, search) : text;
  if (joined === undefined) return undefined;
  const searched = isForm(joined, headers) ? joined : search.hide(joined);
  const hidden = isForm(searched, headers) ? search.hide(`?${searched}`, true).slice(1) : searched;
  if (!isStream && hidden !== text) {
    const json = parseJson(text);
    // A pattern of the project may match across strings.
    if (json !== undefined && parseJson(hidden) === undefined) return compactJson(redactJson(json, search));
  }
  return isStream || (/^\s*[{["]/.test(hidden.slice(0, 64)) && parseJson(hidden) !== undefined)
    ? hidden
    : applySplices(hidden, looseStringSplices(hidden, search));
}

function redactJoined(text: string, headers: readonly HttpHeader[], search: SpellingSearch): string | undefined {
  const body: HttpBody = { type: 'text', text };
  const clean = redactStream(body, headers, search);
  return clean?.type === 'text' ? clean.text : undefined;
}

const FORM = /^[\w.%[\]-]{1,100}=[^&\s{"<]{0,8000}(?:&[\w.%[\]-]{1,100}=[^&\s{"<]{0,8000}){0,200}$/;

function isForm(text: string, headers: readonly HttpHeader[]): boolean {
  return /x-www-form-urlencoded/i.test(headerOf(headers, 'content-type') ?? '') || FORM.test(text.slice(0, 100_000));
}

/** Redacts each message of an AWS event stream. The rest of a truncated message cannot be searched, and is left out. */
function redactEventStream(stream: Uint8Array, search: SpellingSearch): Uint8Array | undefined {
  const joined = redactStream(bodyFromBytes(stream), [], search);
  const bytes = joined?.type === 'base64' ? decodeBase64(joined.base64) : undefined;
  if (bytes === undefined) return undefined;
  const { messages } = readEventStream(bytes);
  const clean = messages.map((message) => ({ ...message, payload: redactPayload(message.payload, search) }));
  const isWhole = messages.at(-1)?.end === bytes.length;
  const isSame = clean.every(({ payload }, index) => payload === messages[index]?.payload);
  if (!isWhole || !isSame) return writeEventStream(clean);
  return joined?.type === 'base64' && sameBytes(bytes, stream) ? stream : bytes;
}

function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}

function redactPayload(payload: Uint8Array, search: SpellingSearch): Uint8Array {
  const stored = bodyFromBytes(payload);
  if (stored.type !== 'text') return hideInBinary(payload, (text) => search.hide(text), search.hasWideValues);
  const hidden = search.hide(stored.text);
  return hidden === stored.text ? payload : new TextEncoder().encode(hidden);
}
