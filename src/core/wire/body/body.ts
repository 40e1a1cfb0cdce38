import { decodeBase64, encodeBase64 } from '../../bytes/base64';
import { decompressBrotli } from '../../bytes/brotli';
import { concatBytes } from '../../bytes/concatBytes';
import { DEFAULT_LIMITS, type Decompressed, type DecompressionLimits, unzstd } from '../../bytes/decompress';
import { gunzip, inflateRaw, unzlib } from '../../bytes/inflate';
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
  /** Decoding errors, as sentences. */
  readonly problems: readonly string[];
  /** It begins like gzip or zstd, but is incomplete. Any other encoding that cannot be decoded was only a guess. */
  readonly isDamaged: boolean;
}

type Decompressor = (bytes: Uint8Array, limits: DecompressionLimits) => Decompressed;

/**
 * Decodes a recorded body to be read, trusting its bytes over its headers: many recorders store the decoded text and keep the
 * original `content-encoding`. The header counts only for brotli and raw deflate, which have no magic number. What a client gets is
 * `contentBytes`.
 */
export function decodeBody(
  body: HttpBody,
  headers: readonly HttpHeader[] = [],
  limits: DecompressionLimits = DEFAULT_LIMITS,
): DecodedBody {
  return new LazyBody(body, headers, limits);
}

/**
 * The bytes of a body as a client gets them: without the codings that its Content-Encoding names. Nothing else is a coding of HTTP,
 * however much a downloaded file looks like it. As many recorders decode a body and keep the header, a coding counts only where the
 * bytes begin like it; what cannot be decoded stays as it is.
 */
export function contentBytes(body: HttpBody, headers: readonly HttpHeader[]): Uint8Array {
  const codings = (headerOf(headers, 'content-encoding') ?? '').toLowerCase().match(/[\w-]+/g) ?? [];
  let bytes = codings.length === 0 ? storedBytes(body) : packedBytes(body);
  for (const [at, coding] of codings.reverse().slice(0, MAX_LAYERS).entries()) {
    const layer = layerOf(coding, bytes);
    if (layer === undefined) return at === 0 ? storedBytes(body) : bytes;
    const outer = bytes;
    const { bytes: inner, problem } = withinBudget(body, at, outer.length, DEFAULT_LIMITS, (within) =>
      layer(outer, within),
    );
    if (problem !== undefined) return at === 0 ? storedBytes(body) : bytes;
    bytes = inner;
  }
  return bytes;
}

/** The decompressor of a coding; undefined if the bytes are not coded so. */
function layerOf(coding: string, bytes: Uint8Array): Decompressor | undefined {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return isGzip(bytes) ? gunzip : undefined;
    case 'zstd':
      return isZstd(bytes) ? unzstd : undefined;
    case 'deflate':
      if (isUtf8(bytes)) return undefined;
      return isZlib(bytes) ? unzlib : inflateRaw;
    case 'br':
      return isUtf8(bytes) ? undefined : decompressBrotli;
    default:
      return undefined;
  }
}

/** The bytes of a body as it is stored. */
function storedBytes(body: HttpBody): Uint8Array {
  switch (body.type) {
    case 'none':
      return new Uint8Array();
    case 'json':
      return new TextEncoder().encode(compactJson(body.json));
    case 'chunks':
      return chunkBytes(body.chunks);
    case 'text':
      return new TextEncoder().encode(body.text);
    case 'base64':
      return decodeBase64(body.base64) ?? new TextEncoder().encode(body.base64);
  }
}

/** The same where HTTP has compressed it: some recorders store such bytes as a text, character by character or in base64. */
function packedBytes(body: HttpBody): Uint8Array {
  if (body.type !== 'text') return storedBytes(body);
  return latin1Gzip(body.text) ?? base64Gzip(body.text) ?? storedBytes(body);
}

/** Texts of bodies that were parsed, and whether they are JSON. */
const parsedBodies = new WeakMap<HttpBody, boolean>();

class LazyBody implements DecodedBody {
  readonly #body: HttpBody;
  readonly #headers: readonly HttpHeader[];
  readonly #limits: DecompressionLimits;
  #unpacked: Decoded | undefined;
  #text: { readonly value: string | undefined } | undefined;
  #json: { readonly value: Json | undefined } | undefined;

  constructor(body: HttpBody, headers: readonly HttpHeader[], limits: DecompressionLimits) {
    this.#body = body;
    this.#headers = headers;
    this.#limits = limits;
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
    this.#unpacked ??= decode(this.#body, headerOf(this.#headers, 'content-encoding') ?? '', this.#limits);
    return this.#unpacked;
  }
}

/** Bytes, or text if the body was stored as text; neither if it was stored as parsed JSON. */
interface Decoded {
  readonly bytes?: Uint8Array;
  readonly text?: string;
  readonly decodedFrom: readonly string[];
  readonly problems: readonly string[];
  readonly isDamaged?: boolean;
}

function decode(body: HttpBody, encoding: string, limits: DecompressionLimits): Decoded {
  const unpack = (bytes: Uint8Array): Unpacked => decompressLayers(body, bytes, encoding, limits);
  switch (body.type) {
    case 'none':
      return { text: '', decodedFrom: [], problems: [] };
    case 'json':
      return { decodedFrom: [], problems: [] };
    case 'chunks':
      if (body.chunks.some(({ base64 }) => base64)) return unpack(chunkBytes(body.chunks));
      return { text: body.chunks.map(({ data }) => data).join(''), decodedFrom: [], problems: [] };
    case 'text':
      return decodeTextBody(body.text, unpack);
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

function decodeTextBody(text: string, unpack: Unpack): Decoded {
  const bytes = latin1Gzip(text);
  if (bytes !== undefined) return unpack(bytes);
  if (base64Gzip(text) !== undefined) return decodeBase64Body(text, unpack);
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

function decompressLayers(body: HttpBody, packed: Uint8Array, encoding: string, limits: DecompressionLimits): Unpacked {
  const decodedFrom: string[] = [];
  let bytes = packed;
  while (decodedFrom.length < MAX_LAYERS) {
    const layer = detectCompression(bytes, encoding, decodedFrom.length === 0);
    if (layer === undefined) break;
    const outer = bytes;
    const { bytes: inner, problem } = withinBudget(body, decodedFrom.length, outer.length, limits, (within) =>
      layer.decompress(outer, within),
    );
    if (problem !== undefined) {
      const problems = [t('The body is {0} data that cannot be decompressed: {1}.', layer.name, problem)];
      const isDamaged = layer.name === 'gzip' || layer.name === 'zstd';
      // The beginning of a truncated body can still be read.
      return inner.length > 0
        ? { bytes: inner, decodedFrom: [...decodedFrom, layer.name], problems, isDamaged }
        : { bytes, decodedFrom, problems, isDamaged };
    }
    decodedFrom.push(layer.name);
    bytes = inner;
  }
  return { bytes, decodedFrom, problems: [] };
}

interface Compression {
  readonly name: string;
  readonly decompress: Decompressor;
}

function detectCompression(bytes: Uint8Array, encoding: string, outermost: boolean): Compression | undefined {
  if (isGzip(bytes)) return { name: 'gzip', decompress: gunzip };
  if (isZstd(bytes)) return { name: 'zstd', decompress: unzstd };
  // The rest are guesses, made only if the bytes are not readable as they are.
  if (bytes.length < 2 || isUtf8(bytes)) return undefined;
  if (isZlib(bytes)) return { name: 'zlib', decompress: unzlib };
  if (!outermost) return undefined;
  if (/\bbr\b/i.test(encoding)) return { name: 'br', decompress: decompressBrotli };
  return /\bdeflate\b/i.test(encoding) ? { name: 'deflate', decompress: inflateRaw } : undefined;
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
