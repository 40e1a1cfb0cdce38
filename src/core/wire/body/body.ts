import { decodeBase64, encodeBase64 } from '../../bytes/base64';
import { decompressBrotli } from '../../bytes/brotli';
import { concatBytes } from '../../bytes/concatBytes';
import { DEFAULT_LIMITS, type Decompressed, type DecompressionLimits, unzstd } from '../../bytes/decompress';
import { gunzip, inflateRaw, unzlib } from '../../bytes/inflate';
import { decodeLatin1 } from '../../bytes/latin1';
import { ZSTD_MAGIC } from '../../bytes/zstdProblem';
import { compactJson, type Json } from '../../json/json';
import type { Chunk, HttpBody, HttpHeader } from '../../model/http';
import { t } from '../../text/l10n';
import { headerOf } from '../http';
import { withinBudget } from './bodyBudget';
import { parseBodyJson } from './bodyJson';

/** A decoded body. Each member is computed on first use. */
export interface DecodedBody {
  readonly bytes: Uint8Array;
  /** Undefined if the bytes are not text. */
  readonly text: string | undefined;
  /** Undefined if the text is not JSON. */
  readonly json: Json | undefined;
  /** Whether there is `json`, which is not parsed again to know this. */
  readonly isJson: boolean;
  /** The encodings that were removed, outermost first: `base64`, `gzip`, `zlib`, `deflate`, `zstd`, `br`. */
  readonly decodedFrom: readonly string[];
  /** How many of `decodedFrom`, the innermost ones, no header names: the body is, or was taken for, a compressed file. */
  readonly guesses: number;
  /** It is, as it seems, a compressed file that is too large to be read: that it was not searched, as a sentence. */
  readonly unsearched: string | undefined;
  /** Decoding errors, as sentences: only of what a header calls encoded. */
  readonly problems: readonly string[];
  /** A header names gzip or zstd, and it begins so, but is incomplete. Any other encoding may have been removed by the recorder. */
  readonly isDamaged: boolean;
}

type Decompressor = (bytes: Uint8Array, limits: DecompressionLimits) => Decompressed;

/**
 * Decodes a recorded body to be read, trusting its bytes over its headers: many recorders store the decoded text and keep the
 * original `content-encoding`, or drop it. So files that are compressed are read as what they contain. For what is compared, counted,
 * served, or converted, see `decodeContent`.
 */
export function decodeBody(
  body: HttpBody,
  headers: readonly HttpHeader[] = [],
  limits: DecompressionLimits = DEFAULT_LIMITS,
): DecodedBody {
  return new LazyBody(body, headers, { limits, mayGuess: true });
}

/**
 * Decodes a recorded body as a client does: without the codings that its Content-Encoding names. Nothing else is a coding of HTTP,
 * however much a downloaded file looks like it. As many recorders decode a body and keep the header, a coding counts only where the
 * bytes begin like it; what cannot be decoded stays as it is, with a problem.
 */
export function decodeContent(body: HttpBody, headers: readonly HttpHeader[]): DecodedBody {
  return new LazyBody(body, headers, { limits: DEFAULT_LIMITS, mayGuess: false });
}

/** The bytes of a body as a client gets them; see `decodeContent`. */
export function contentBytes(body: HttpBody, headers: readonly HttpHeader[]): Uint8Array {
  return decodeContent(body, headers).bytes;
}

/** The codings that a header names, in the order in which they are taken off. */
export function codingsOf(headers: readonly HttpHeader[]): string[] {
  const header = headerOf(headers, 'content-encoding');
  if (header === undefined) return [];
  const names = header.toLowerCase().split(',');
  return names.flatMap((name) => (/^\s*(?:identity\s*)?$/.test(name) ? [] : [name.trim()])).reverse();
}

/** The decompressor of a coding; undefined if the bytes are not coded so. */
function codingIn(name: string, bytes: Uint8Array): Compression | undefined {
  switch (name) {
    case 'gzip':
    case 'x-gzip':
      return isGzip(bytes) ? GZIP : undefined;
    case 'zstd':
      return isZstd(bytes) ? ZSTD : undefined;
    case 'deflate':
      if (isPlainText(bytes)) return undefined;
      return isZlib(bytes) ? ZLIB : DEFLATE;
    case 'br':
      return isPlainText(bytes) ? undefined : BROTLI;
    default:
      return undefined;
  }
}

/** Texts of bodies that were parsed, and whether they are JSON. */
const parsedBodies = new WeakMap<HttpBody, boolean>();

class LazyBody implements DecodedBody {
  readonly #body: HttpBody;
  readonly #headers: readonly HttpHeader[];
  readonly #how: Decoding;
  #unpacked: Decoded | undefined;
  #text: { readonly value: string | undefined } | undefined;
  #json: { readonly value: Json | undefined } | undefined;

  constructor(body: HttpBody, headers: readonly HttpHeader[], how: Decoding) {
    this.#body = body;
    this.#headers = headers;
    this.#how = how;
  }

  get bytes(): Uint8Array {
    return this.#unpack().bytes ?? new TextEncoder().encode(this.text ?? '');
  }

  get text(): string | undefined {
    this.#text ??= { value: this.#readText() };
    return this.#text.value;
  }

  get json(): Json | undefined {
    this.#json ??= { value: this.#readJson() };
    return this.#json.value;
  }

  get isJson(): boolean {
    return parsedBodies.get(this.#body) ?? this.json !== undefined;
  }

  get decodedFrom(): readonly string[] {
    return this.#unpack().decodedFrom;
  }

  get guesses(): number {
    return this.#unpack().guesses ?? 0;
  }

  get unsearched(): string | undefined {
    return this.#unpack().unsearched;
  }

  get problems(): readonly string[] {
    return this.#unpack().problems;
  }

  get isDamaged(): boolean {
    return this.#unpack().isDamaged ?? false;
  }

  #readText(): string | undefined {
    if (this.#body.type === 'json') return compactJson(this.#body.json);
    const { bytes, text } = this.#unpack();
    return bytes === undefined ? text : decodeText(bytes, headerOf(this.#headers, 'content-type'));
  }

  #readJson(): Json | undefined {
    if (this.#body.type === 'json') return this.#body.json;
    const json = parseBodyJson(this.text ?? '');
    // What a packed body decodes to depends on its headers, too.
    if (this.#body.type === 'text' && this.text === this.#body.text) parsedBodies.set(this.#body, json !== undefined);
    return json;
  }

  #unpack(): Decoded {
    this.#unpacked ??= decode(this.#body, codingsOf(this.#headers), this.#how);
    return this.#unpacked;
  }
}

interface Decoding {
  readonly limits: DecompressionLimits;
  /** Whether bytes that look compressed are, though no header says so. */
  readonly mayGuess: boolean;
}

/** Bytes, or text if the body was stored as text; neither if it was stored as parsed JSON. */
interface Decoded {
  readonly bytes?: Uint8Array;
  readonly text?: string;
  readonly decodedFrom: readonly string[];
  readonly guesses?: number;
  readonly unsearched?: string | undefined;
  readonly problems: readonly string[];
  readonly isDamaged?: boolean;
}

function decode(body: HttpBody, codings: readonly string[], how: Decoding): Decoded {
  const unpack = (bytes: Uint8Array): Unpacked => decompressLayers(body, bytes, codings, how);
  switch (body.type) {
    case 'none':
      return { text: '', decodedFrom: [], problems: [] };
    case 'json':
      return { decodedFrom: [], problems: [] };
    case 'chunks':
      if (body.chunks.some(({ base64 }) => base64)) return unpack(chunkBytes(body.chunks));
      return { text: body.chunks.map(({ data }) => data).join(''), decodedFrom: [], problems: [] };
    case 'text':
      return codings.length > 0 || how.mayGuess
        ? decodeTextBody(body.text, unpack, codings.length > 0)
        : plainText(body.text);
    case 'base64':
      return decodeBase64Body(body.base64, unpack);
  }
}

/** The bytes of chunks. A chunk is base64 if the network split a character, so that the chunk is not valid text. */
export function chunkBytes(chunks: readonly Chunk[]): Uint8Array {
  return concatBytes(
    chunks.map(({ data, base64 }) =>
      base64 ? (decodeBase64(data) ?? new Uint8Array()) : new TextEncoder().encode(data),
    ),
  );
}

/** Base64 of gzip: all gzip data begins with the same bytes, `1f 8b 08`. */
const BASE64_GZIP = /^H4sI[A-Za-z0-9+/=\s]{16}/;
const NOT_BASE64 = /[^A-Za-z0-9+/=\s]/;
/** The first bytes of gzip, as characters. */
const LATIN1_GZIP = String.fromCharCode(0x1f, 0x8b, 8);

/** Some recorders store what HTTP has compressed as a text, character by character or in base64. Any other text is what it says. */
function decodeTextBody(text: string, unpack: Unpack, isCoded: boolean): Decoded {
  const latin1 = latin1Gzip(text);
  const base64 = latin1 === undefined ? base64Gzip(text) : undefined;
  // Short data that is compressed may be UTF-8 by chance.
  const bytes = latin1 ?? base64 ?? (isCoded && CONTROL.test(text) ? new TextEncoder().encode(text) : undefined);
  if (bytes === undefined) return plainText(text);
  const { decodedFrom, ...unpacked } = unpack(bytes);
  // Some of a damaged body can be shown, and otherwise the text itself.
  if (decodedFrom.length === 0) return { ...unpacked, bytes: new TextEncoder().encode(text), decodedFrom };
  return { ...unpacked, decodedFrom: base64 === undefined ? decodedFrom : ['base64', ...decodedFrom] };
}

function plainText(text: string): Decoded {
  return { text, decodedFrom: [], problems: [] };
}

function latin1Gzip(text: string): Uint8Array | undefined {
  if (!text.startsWith(LATIN1_GZIP) || !isLatin1(text)) return undefined;
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}

function base64Gzip(text: string): Uint8Array | undefined {
  return BASE64_GZIP.test(text) && !NOT_BASE64.test(text) ? decodeBase64(text) : undefined;
}

function isLatin1(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0xff) return false;
  return true;
}

function decodeBase64Body(base64: string, unpack: Unpack): Decoded {
  const bytes = decodeBase64(base64);
  if (bytes === undefined) return { text: base64, decodedFrom: [], problems: [t('The body is not valid base64.')] };
  const { decodedFrom, ...unpacked } = unpack(bytes);
  return { ...unpacked, decodedFrom: ['base64', ...decodedFrom] };
}

/** Some proxies compress bodies that are already compressed. */
const MAX_LAYERS = 3;

type Unpacked = Decoded & { readonly bytes: Uint8Array };
type Unpack = (bytes: Uint8Array) => Unpacked;

function decompressLayers(
  body: HttpBody,
  packed: Uint8Array,
  codings: readonly string[],
  { limits, mayGuess }: Decoding,
): Unpacked {
  const decodedFrom: string[] = [];
  const run = ({ decompress }: Compression, bytes: Uint8Array): Decompressed =>
    withinBudget(body, decodedFrom.length, bytes.length, limits, (within) => decompress(bytes, within));
  let bytes = packed;
  let failed: (Unpacked & { readonly coding: Compression }) | undefined;
  for (const name of codings.slice(0, MAX_LAYERS)) {
    const coding = codingIn(name, bytes);
    if (coding === undefined) break;
    const { bytes: inner, problem } = run(coding, bytes);
    if (problem !== undefined) {
      const problems = [t('The body is {0} data that cannot be decompressed: {1}.', coding.name, problem)];
      const isDamaged = coding === GZIP || coding === ZSTD;
      // The beginning of a truncated body can still be read.
      failed =
        mayGuess && hasReadableText(inner)
          ? { bytes: inner, decodedFrom: [...decodedFrom, coding.name], problems, isDamaged, coding }
          : { bytes, decodedFrom, problems, isDamaged, coding };
      break;
    }
    decodedFrom.push(coding.name);
    bytes = inner;
  }
  let guesses = 0;
  let unsearched: string | undefined;
  while (mayGuess && decodedFrom.length < MAX_LAYERS) {
    const file = compressionOf(bytes);
    if (file === undefined || file === failed?.coding) break;
    const result = run(file, bytes);
    if (result.exceeded !== undefined && result.problem !== undefined)
      unsearched = t('The body is a {0} file that was not searched for secrets: {1}.', file.name, result.problem);
    const content = readableContent(result);
    if (content === undefined) break;
    decodedFrom.push(file.name);
    guesses += 1;
    bytes = content;
  }
  return failed !== undefined && guesses === 0 ? failed : { bytes, decodedFrom, guesses, unsearched, problems: [] };
}

/** What a file was decompressed to: its beginning if it is damaged; nothing if it only begins like a compressed one. */
function readableContent({ bytes, problem }: Decompressed): Uint8Array | undefined {
  return problem === undefined || hasReadableText(bytes) ? bytes : undefined;
}

interface Compression {
  readonly name: string;
  readonly decompress: Decompressor;
}

const GZIP: Compression = { name: 'gzip', decompress: gunzip };
const ZSTD: Compression = { name: 'zstd', decompress: unzstd };
const ZLIB: Compression = { name: 'zlib', decompress: unzlib };
const DEFLATE: Compression = { name: 'deflate', decompress: inflateRaw };
const BROTLI: Compression = { name: 'br', decompress: decompressBrotli };

/** The compression that bytes begin like. Two bytes say little, so what is readable as it is counts as what it says. */
function compressionOf(bytes: Uint8Array): Compression | undefined {
  if (isGzip(bytes)) return GZIP;
  if (isZstd(bytes)) return ZSTD;
  return bytes.length >= 2 && isZlib(bytes) && !isUtf8(bytes) ? ZLIB : undefined;
}

/** What bytes contain that are a compressed file, as it seems: one that a client downloads as it is. */
interface CompressedFile {
  /** As in `DecodedBody.decodedFrom`. */
  readonly layer: string;
  /** Undefined where it is too large to be decompressed; the beginning of damaged data. */
  readonly content: Uint8Array | undefined;
  readonly isDamaged: boolean;
}

/** Looks into a file; undefined for bytes that are not compressed, or only begin like it. */
export function compressedFile(bytes: Uint8Array): CompressedFile | undefined {
  const file = compressionOf(bytes);
  if (file === undefined) return undefined;
  const result = file.decompress(bytes, DEFAULT_LIMITS);
  const isDamaged = result.problem !== undefined;
  if (result.exceeded !== undefined) return { layer: file.name, content: undefined, isDamaged };
  const content = readableContent(result);
  return content && { layer: file.name, content, isDamaged };
}

function isGzip([first, second, third]: Uint8Array): boolean {
  return first === 0x1f && second === 0x8b && third === 8;
}

function isZstd([first = 0, second = 0, third = 0, fourth = 0]: Uint8Array): boolean {
  return ((fourth << 24) | (third << 16) | (second << 8) | first) >>> 0 === ZSTD_MAGIC;
}

function isZlib([first = 0, second = 0]: Uint8Array): boolean {
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
}

function isUtf8(bytes: Uint8Array): boolean {
  return decodeText(bytes, undefined) !== undefined;
}

/** Whether bytes are text, as a recorder has decoded it. */
function isPlainText(bytes: Uint8Array): boolean {
  const text = decodeText(bytes, undefined);
  return text !== undefined && !CONTROL.test(text);
}

const CONTROL = /[^\P{Cc}\t\n\r]/u;
/** Shorter texts occur by chance where noise is decompressed. */
const READABLE = /[\t\n\r\x20-\x7e]{8}/;

/** Whether the beginning of damaged data says something: noise that is decompressed does not. */
function hasReadableText(bytes: Uint8Array): boolean {
  // Without zeros, as between the characters of UTF-16.
  if (READABLE.test(decodeLatin1(bytes).replaceAll('\0', ''))) return true;
  if (bytes.length < 8) return false;
  try {
    // The last character may be cut.
    return !CONTROL.test(new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true }));
  } catch {
    return false;
  }
}

/** Decodes UTF-8, or the character set that the header of a text names. */
function decodeText(bytes: Uint8Array, contentType: string | undefined): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const charset = /^text\/.*charset="?(iso-8859-1|latin1|windows-1252)/i.exec(contentType ?? '')?.[1];
    return charset === undefined ? undefined : new TextDecoder(charset).decode(bytes);
  }
}

/** Bytes from the network as a recorded body: text if they are UTF-8, otherwise base64. */
export function bodyFromBytes(bytes: Uint8Array): HttpBody {
  if (bytes.length === 0) return { type: 'none' };
  try {
    return { type: 'text', text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { type: 'base64', base64: encodeBase64(bytes) };
  }
}
