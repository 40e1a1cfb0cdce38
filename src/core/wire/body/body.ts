import { decodeBase64, encodeBase64 } from '../../bytes/base64';
import { decompressBrotli } from '../../bytes/brotli';
import { concatBytes } from '../../bytes/concatBytes';
import {
  DEFAULT_LIMITS,
  type Decompressed,
  type DecompressionLimits,
  gunzip,
  inflateRaw,
  unzlib,
  unzstd,
} from '../../bytes/decompress';
import { ZSTD_MAGIC } from '../../bytes/zstdProblem';
import { compactJson, type Json } from '../../json/json';
import { parseJson } from '../../json/readJson';
import type { Chunk, HttpBody, HttpHeader } from '../../model/http';
import { headerOf } from '../http';

/** A body as it is meant to be read. Everything is worked out when it is asked for, and once. */
export interface DecodedBody {
  readonly bytes: Uint8Array;
  /** Undefined where the bytes are no text. */
  readonly text: string | undefined;
  /** Undefined where the text is no JSON. */
  readonly json: Json | undefined;
  /** What was undone, outermost first: `base64`, `gzip`, `zlib`, `deflate`, `zstd`, `br`. */
  readonly decodedFrom: readonly string[];
  /** What stood in the way of decoding, as sentences. */
  readonly problems: readonly string[];
}

type Decompressor = (bytes: Uint8Array, limits: DecompressionLimits) => Decompressed;

/**
 * Decodes a recorded body by what its bytes are. Headers are not believed: many recorders store the decoded text and
 * keep a `content-encoding` that no longer holds. Only for brotli, which has no mark of its own, do they count.
 */
export function decodeBody(
  body: HttpBody,
  headers: readonly HttpHeader[] = [],
  limits: DecompressionLimits = DEFAULT_LIMITS,
): DecodedBody {
  return new LazyBody(body, headers, limits);
}

/**
 * Is the body itself damaged, by what stood in the way of decoding it? What bears the mark of gzip or of zstd has to be
 * whole; all else was guessed, or is not read here.
 */
export function isDamagedBody(problem: string): boolean {
  return /^The body is (?:gzip|zstd) data that cannot be decompressed/.test(problem);
}

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
    this.#json ??= { value: this.#body.type === 'json' ? this.#body.json : parseJson(this.text ?? '') };
    return this.#json.value;
  }

  get decodedFrom(): readonly string[] {
    return this.#unpack().decodedFrom;
  }

  get problems(): readonly string[] {
    return this.#unpack().problems;
  }

  #readText(): string | undefined {
    if (this.#body.type === 'json') return compactJson(this.#body.json);
    const { bytes, text } = this.#unpack();
    return bytes === undefined ? text : decodeText(bytes, headerOf(this.#headers, 'content-type'));
  }

  #unpack(): Decoded {
    this.#unpacked ??= decode(this.#body, headerOf(this.#headers, 'content-encoding') ?? '', this.#limits);
    return this.#unpacked;
  }
}

/** Either bytes or, where the body was text all along, the text; neither where it was parsed. */
interface Decoded {
  readonly bytes?: Uint8Array;
  readonly text?: string;
  readonly decodedFrom: readonly string[];
  readonly problems: readonly string[];
}

function decode(body: HttpBody, encoding: string, limits: DecompressionLimits): Decoded {
  switch (body.type) {
    case 'none':
      return { text: '', decodedFrom: [], problems: [] };
    case 'json':
      return { decodedFrom: [], problems: [] };
    case 'chunks':
      if (body.chunks.some(({ base64 }) => base64)) return decompressLayers(chunkBytes(body.chunks), encoding, limits);
      return { text: body.chunks.map(({ data }) => data).join(''), decodedFrom: [], problems: [] };
    case 'text':
      return decodeTextBody(body.text, encoding, limits);
    case 'base64':
      return decodeBase64Body(body.base64, encoding, limits);
  }
}

/** Text that the network cut inside a character came in pieces that are no text. */
export function chunkBytes(chunks: readonly Chunk[]): Uint8Array {
  return concatBytes(
    chunks.map(({ data, base64 }) =>
      base64 ? (decodeBase64(data) ?? new Uint8Array()) : new TextEncoder().encode(data),
    ),
  );
}

/** gzip in base64, of 9 characters all gzip data has in common. */
const BASE64_GZIP = /^H4sI[A-Za-z0-9+/=\s]{16,}$/;
/** The first bytes of gzip, as characters. */
const LATIN1_GZIP = String.fromCharCode(0x1f, 0x8b, 8);

function decodeTextBody(text: string, encoding: string, limits: DecompressionLimits): Decoded {
  if (text.startsWith(LATIN1_GZIP) && isLatin1(text)) {
    return decompressLayers(
      Uint8Array.from(text, (char) => char.charCodeAt(0)),
      encoding,
      limits,
    );
  }
  if (BASE64_GZIP.test(text)) return decodeBase64Body(text, encoding, limits);
  return { text, decodedFrom: [], problems: [] };
}

function isLatin1(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0xff) return false;
  return true;
}

function decodeBase64Body(base64: string, encoding: string, limits: DecompressionLimits): Decoded {
  const bytes = decodeBase64(base64);
  if (bytes === undefined) return { text: base64, decodedFrom: [], problems: ['The body is no valid base64.'] };
  const { decodedFrom, ...unpacked } = decompressLayers(bytes, encoding, limits);
  return { ...unpacked, decodedFrom: ['base64', ...decodedFrom] };
}

/** Some proxies compress what was compressed already. */
const MAX_LAYERS = 3;

function decompressLayers(
  packed: Uint8Array,
  encoding: string,
  limits: DecompressionLimits,
): Decoded & { bytes: Uint8Array } {
  const decodedFrom: string[] = [];
  let bytes = packed;
  while (decodedFrom.length < MAX_LAYERS) {
    const layer = detectCompression(bytes, encoding, decodedFrom.length === 0);
    if (layer === undefined) break;
    const { bytes: inner, problem } = layer.decompress(bytes, limits);
    if (problem !== undefined) {
      const problems = [`The body is ${layer.name} data that cannot be decompressed: ${problem}.`];
      // Some text is better than none, and what is left of a body that was cut off can be read.
      return inner.length > 0
        ? { bytes: inner, decodedFrom: [...decodedFrom, layer.name], problems }
        : { bytes, decodedFrom, problems };
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
  const [first = 0, second = 0, third = 0, fourth = 0] = bytes;
  if (first === 0x1f && second === 0x8b && third === 8) return { name: 'gzip', decompress: gunzip };
  if (((fourth << 24) | (third << 16) | (second << 8) | first) >>> 0 === ZSTD_MAGIC) {
    return { name: 'zstd', decompress: unzstd };
  }
  // What follows is a guess: it may only be made where a reader would otherwise see garbage.
  if (bytes.length < 2 || isUtf8(bytes)) return undefined;
  if ((first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0) return { name: 'zlib', decompress: unzlib };
  if (!outermost) return undefined;
  if (/\bbr\b/i.test(encoding)) return { name: 'br', decompress: decompressBrotli };
  return /\bdeflate\b/i.test(encoding) ? { name: 'deflate', decompress: inflateRaw } : undefined;
}

function isUtf8(bytes: Uint8Array): boolean {
  return decodeText(bytes, undefined) !== undefined;
}

/** The text that bytes are: UTF-8, or the character set that a header of a text names. */
function decodeText(bytes: Uint8Array, contentType: string | undefined): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const charset = /^text\/.*charset="?(iso-8859-1|latin1|windows-1252)/i.exec(contentType ?? '')?.[1];
    return charset === undefined ? undefined : new TextDecoder(charset).decode(bytes);
  }
}

/** Bytes from the network in the form of a recorded body: as text where they are text. */
export function bodyFromBytes(bytes: Uint8Array): HttpBody {
  if (bytes.length === 0) return { type: 'none' };
  try {
    return { type: 'text', text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { type: 'base64', base64: encodeBase64(bytes) };
  }
}
