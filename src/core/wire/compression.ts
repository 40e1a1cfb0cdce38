import { Decompress as FlateDecompress, Inflate } from 'fflate';
import { Decompress as ZstdDecompress } from 'fzstd';
import { concatBytes } from './bytes';
import { zstdProblem } from './zstdFrames';

/** What a compressed text holds; with a problem, what came before it. */
export interface Decompressed {
  readonly bytes: Uint8Array;
  readonly problem?: string;
}

/** How much a body may grow: recordings are text of some megabytes, anything beyond is an accident or an attack. */
export interface Limits {
  readonly maxBytes: number;
  /** Decompressed to compressed. Deflate can reach 1032. */
  readonly maxRatio: number;
}

export const LIMITS: Limits = { maxBytes: 64 * 2 ** 20, maxRatio: 1000 };
/** Small bodies may have any ratio. */
const HARMLESS = 2 ** 20;
/** Compressed data is fed in pieces, so that one piece cannot grow past the limit by much before it is noticed. */
const PIECE = 16 * 1024;

export function allowedSize(compressed: number, { maxBytes, maxRatio }: Limits): number {
  return Math.min(maxBytes, Math.max(HARMLESS, compressed * maxRatio));
}

/** The header and the trailer of gzip. */
const GZIP_FRAME = 18;

/** gzip and zlib, told apart by their first bytes. */
export function inflate(bytes: Uint8Array, limits: Limits): Decompressed {
  if (bytes[0] === 0x1f && bytes.length < GZIP_FRAME) return { bytes: new Uint8Array(), problem: 'it is cut off' };
  return collect(bytes, limits, (sink) => {
    const stream = new FlateDecompress(sink);
    return (piece, last) => stream.push(piece, last);
  });
}

/** Deflate without a header, which some servers send as `deflate`. */
export function inflateRaw(bytes: Uint8Array, limits: Limits): Decompressed {
  return collect(bytes, limits, (sink) => {
    const stream = new Inflate(sink);
    return (piece, last) => stream.push(piece, last);
  });
}

export function unzstd(bytes: Uint8Array, limits: Limits): Decompressed {
  const problem = zstdProblem(bytes);
  if (problem !== undefined) return { bytes: new Uint8Array(), problem };
  return collect(bytes, limits, (sink) => {
    const stream = new ZstdDecompress(sink);
    return (piece, last) => stream.push(piece, last);
  });
}

type Sink = (chunk: Uint8Array) => void;
type Push = (piece: Uint8Array, last: boolean) => void;

class TooLarge extends Error {}

function collect(bytes: Uint8Array, limits: Limits, start: (sink: Sink) => Push): Decompressed {
  const allowed = allowedSize(bytes.length, limits);
  const chunks: Uint8Array[] = [];
  let length = 0;
  const push = start((chunk) => {
    length += chunk.length;
    if (length > allowed) throw new TooLarge(`it grows beyond ${allowed} bytes`);
    chunks.push(chunk);
  });
  try {
    for (let at = 0; at < bytes.length; at += PIECE) push(bytes.subarray(at, at + PIECE), at + PIECE >= bytes.length);
    return { bytes: concatBytes(chunks) };
  } catch (error) {
    return { bytes: concatBytes(chunks), problem: error instanceof Error ? error.message : String(error) };
  }
}
