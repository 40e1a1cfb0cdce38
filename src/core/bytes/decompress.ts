import { Gunzip, Inflate, Unzlib } from 'fflate';
import { Decompress as ZstdDecompress } from 'fzstd';
import { concatBytes } from './concatBytes';
import { crc32 } from './crc32';
import { zstdProblem } from './zstdProblem';

/** Decompressed bytes; if there is a problem, the bytes before it. */
export interface Decompressed {
  readonly bytes: Uint8Array;
  readonly problem?: string;
}

/** Limits of decompression. Recordings are a few megabytes; anything far larger is an accident or an attack. */
export interface DecompressionLimits {
  readonly maxBytes: number;
  /** Decompressed to compressed size. Deflate can reach 1032; what models and servers send rarely reaches 50. */
  readonly maxRatio: number;
  /** The decompressed size up to which the ratio is not limited. */
  readonly freeBytes: number;
}

/** The limits of a body. */
export const DEFAULT_LIMITS: DecompressionLimits = { maxBytes: 16 * 2 ** 20, maxRatio: 100, freeBytes: 2 ** 20 };
/** Compressed data is processed in chunks of this size, so that exceeding the limit is noticed soon. */
const CHUNK_BYTES = 16 * 1024;

export function maxDecompressedSize(compressed: number, limits: DecompressionLimits): number {
  return Math.min(limits.maxBytes, Math.max(limits.freeBytes, compressed * limits.maxRatio));
}

/** Why data is not decompressed to its end. */
export function tooLargeProblem(allowed: number): string {
  return `it decompresses to more than ${allowed} bytes`;
}

const CUT_OFF = 'it is truncated';
/** The size of the header and the trailer. */
const GZIP_OVERHEAD = 18;

/** Decompresses gzip. Consecutive members are concatenated. */
export function gunzip(bytes: Uint8Array, limits: DecompressionLimits): Decompressed {
  if (bytes.length < GZIP_OVERHEAD) return { bytes: new Uint8Array(), problem: CUT_OFF };
  let length = 0;
  let earlier = 0;
  const result = decompressInChunks(bytes, limits, (sink) => {
    const stream = new Gunzip((chunk) => {
      length += chunk.length;
      sink(chunk);
    });
    stream.onmember = () => {
      earlier = length;
    };
    return (piece, last) => stream.push(piece, last);
  });
  const checked = checkedEnd(result, littleEndian(bytes), (length - earlier) >>> 0);
  if (checked.problem !== undefined || littleEndian(bytes, 8) === crc32(result.bytes.subarray(earlier))) return checked;
  return { ...checked, problem: 'its checksum is wrong' };
}

export function unzlib(bytes: Uint8Array, limits: DecompressionLimits): Decompressed {
  const result = decompressInChunks(bytes, limits, (sink) => {
    const stream = new Unzlib(sink);
    return (piece, last) => {
      stream.push(piece, false);
      // A separate push, because a push that fails emits nothing.
      if (last) stream.push(new Uint8Array(), true);
    };
  });
  return checkedEnd(result, bigEndian(bytes), adler32(result.bytes));
}

/** Compares the trailer with the data, because fflate accepts some truncated streams. */
function checkedEnd(result: Decompressed, expected: number, actual: number): Decompressed {
  return result.problem === undefined && expected !== actual ? { ...result, problem: CUT_OFF } : result;
}

function littleEndian(bytes: Uint8Array, fromEnd = 4): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(bytes.length - fromEnd, true);
}

function bigEndian(bytes: Uint8Array): number {
  return bytes.length < 4 ? -1 : new DataView(bytes.buffer, bytes.byteOffset).getUint32(bytes.length - 4);
}

/** The Adler-32 checksum (RFC 1950, section 9). */
function adler32(bytes: Uint8Array): number {
  let low = 1;
  let high = 0;
  for (const byte of bytes) {
    low = (low + byte) % 65_521;
    high = (high + low) % 65_521;
  }
  return ((high << 16) | low) >>> 0;
}

/** Decompresses deflate data without a zlib header, which some servers send as `deflate`. */
export function inflateRaw(bytes: Uint8Array, limits: DecompressionLimits): Decompressed {
  return decompressInChunks(bytes, limits, (sink) => {
    const stream = new Inflate(sink);
    return (piece, last) => stream.push(piece, last);
  });
}

export function unzstd(bytes: Uint8Array, limits: DecompressionLimits): Decompressed {
  const problem = zstdProblem(bytes);
  if (problem !== undefined) return { bytes: new Uint8Array(), problem };
  return decompressInChunks(bytes, limits, (sink) => {
    const stream = new ZstdDecompress(sink);
    return (piece, last) => stream.push(piece, last);
  });
}

type Sink = (chunk: Uint8Array) => void;
type Push = (piece: Uint8Array, last: boolean) => void;

class TooLarge extends Error {}

function decompressInChunks(bytes: Uint8Array, limits: DecompressionLimits, start: (sink: Sink) => Push): Decompressed {
  const allowed = maxDecompressedSize(bytes.length, limits);
  const chunks: Uint8Array[] = [];
  let length = 0;
  const push = start((chunk) => {
    length += chunk.length;
    if (length > allowed) throw new TooLarge(tooLargeProblem(allowed));
    chunks.push(chunk);
  });
  try {
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
      push(bytes.subarray(at, at + CHUNK_BYTES), at + CHUNK_BYTES >= bytes.length);
    return { bytes: concatBytes(chunks) };
  } catch (error) {
    return { bytes: concatBytes(chunks), problem: error instanceof Error ? error.message : String(error) };
  }
}
