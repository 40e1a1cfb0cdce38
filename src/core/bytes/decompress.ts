import { Decompress as ZstdDecompress } from 'fzstd';
import { t } from '../text/l10n';
import { concatBytes } from './concatBytes';
import { zstdProblem } from './zstdProblem';

/** Decompressed bytes; if there is a problem, the bytes before it, or none if there are too many. */
export interface Decompressed {
  readonly bytes: Uint8Array;
  readonly problem?: string;
  /** The number of bytes that the content exceeds, if that is the problem. */
  readonly exceeded?: number;
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

/** The result for data that decompresses to more than is allowed. */
export function tooLarge(allowed: number): Decompressed {
  return { bytes: new Uint8Array(), problem: t('it decompresses to more than {0} bytes', allowed), exceeded: allowed };
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

/** Decompresses by a stream that `start` opens, and stops it where its output exceeds the limits. */
export function decompressInChunks(
  bytes: Uint8Array,
  limits: DecompressionLimits,
  start: (sink: Sink) => Push,
): Decompressed {
  const allowed = maxDecompressedSize(bytes.length, limits);
  const chunks: Uint8Array[] = [];
  let length = 0;
  const push = start((chunk) => {
    length += chunk.length;
    if (length > allowed) throw new TooLarge();
    chunks.push(chunk);
  });
  try {
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
      push(bytes.subarray(at, at + CHUNK_BYTES), at + CHUNK_BYTES >= bytes.length);
    return { bytes: concatBytes(chunks) };
  } catch (error) {
    if (error instanceof TooLarge) return tooLarge(allowed);
    return { bytes: concatBytes(chunks), problem: error instanceof Error ? error.message : String(error) };
  }
}
