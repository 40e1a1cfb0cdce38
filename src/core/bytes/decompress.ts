import { Gunzip, Inflate, Unzlib } from 'fflate';
import { Decompress as ZstdDecompress } from 'fzstd';
import { concatBytes } from './concatBytes';
import { crc32 } from './crc32';
import { zstdProblem } from './zstdProblem';

/** What a compressed text holds; with a problem, what came before it. */
export interface Decompressed {
  readonly bytes: Uint8Array;
  readonly problem?: string;
}

/** How much a body may grow: recordings are text of some megabytes, anything beyond is an accident or an attack. */
export interface DecompressionLimits {
  readonly maxBytes: number;
  /** Decompressed to compressed. Deflate can reach 1032. */
  readonly maxRatio: number;
}

export const DEFAULT_LIMITS: DecompressionLimits = { maxBytes: 64 * 2 ** 20, maxRatio: 1000 };
/** Small bodies may have any ratio. */
const UNLIMITED_RATIO_BYTES = 2 ** 20;
/** Compressed data is fed in pieces, so that one piece cannot grow past the limit by much before it is noticed. */
const CHUNK_BYTES = 16 * 1024;

export function maxDecompressedSize(compressed: number, { maxBytes, maxRatio }: DecompressionLimits): number {
  return Math.min(maxBytes, Math.max(UNLIMITED_RATIO_BYTES, compressed * maxRatio));
}

const CUT_OFF = 'it is cut off';
/** The header and the trailer of gzip. */
const GZIP_OVERHEAD = 18;

/** Several members, one behind the other, are one text. */
export function gunzip(bytes: Uint8Array, limits: DecompressionLimits): Decompressed {
  if (bytes.length < GZIP_OVERHEAD) return { bytes: new Uint8Array(), problem: CUT_OFF };
  let length = 0;
  let earlier = 0;
  const found = decompressInChunks(bytes, limits, (sink) => {
    const stream = new Gunzip((chunk) => {
      length += chunk.length;
      sink(chunk);
    });
    stream.onmember = () => {
      earlier = length;
    };
    return (piece, last) => stream.push(piece, last);
  });
  const whole = checkedEnd(found, littleEndian(bytes), (length - earlier) >>> 0);
  if (whole.problem !== undefined || littleEndian(bytes, 8) === crc32(found.bytes.subarray(earlier))) return whole;
  return { ...whole, problem: 'its checksum is wrong' };
}

export function unzlib(bytes: Uint8Array, limits: DecompressionLimits): Decompressed {
  const found = decompressInChunks(bytes, limits, (sink) => {
    const stream = new Unzlib(sink);
    return (piece, last) => {
      stream.push(piece, false);
      // Apart, because it hands out nothing of the piece that it fails in.
      if (last) stream.push(new Uint8Array(), true);
    };
  });
  return checkedEnd(found, bigEndian(bytes), adler32(found.bytes));
}

/** fflate takes some texts that were cut off for whole ones: what they end with tells. */
function checkedEnd(found: Decompressed, says: number, is: number): Decompressed {
  return found.problem === undefined && says !== is ? { ...found, problem: CUT_OFF } : found;
}

function littleEndian(bytes: Uint8Array, fromEnd = 4): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(bytes.length - fromEnd, true);
}

function bigEndian(bytes: Uint8Array): number {
  return bytes.length < 4 ? -1 : new DataView(bytes.buffer, bytes.byteOffset).getUint32(bytes.length - 4);
}

/** RFC 1950, section 9. */
function adler32(bytes: Uint8Array): number {
  let [low, high] = [1, 0];
  for (const byte of bytes) {
    low = (low + byte) % 65_521;
    high = (high + low) % 65_521;
  }
  return ((high << 16) | low) >>> 0;
}

/** Deflate without a header, which some servers send as `deflate`. */
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
    if (length > allowed) throw new TooLarge(`it grows beyond ${allowed} bytes`);
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
