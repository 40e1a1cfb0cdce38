import { Gunzip, Inflate, Unzlib } from 'fflate';
import { message, t } from '../text/l10n';
import { crc32 } from './crc32';
import { type Decompressed, type DecompressionLimits, decompressInChunks } from './decompress';

/** The problem of data whose end is missing. */
export const CUT_OFF = message('it is truncated');
/** The size of the header and the trailer. */
const GZIP_OVERHEAD = 18;

/**
 * Decompresses gzip. Consecutive members are concatenated. Builds for Node use Node's decompressors in place of this file:
 * `src/engine/files/zlib.ts`.
 */
export function gunzip(bytes: Uint8Array, limits: DecompressionLimits): Decompressed {
  if (bytes.length < GZIP_OVERHEAD) return { bytes: new Uint8Array(), problem: t(CUT_OFF) };
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
  return { ...checked, problem: t('its checksum is wrong') };
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
  return result.problem === undefined && expected !== actual ? { ...result, problem: t(CUT_OFF) } : result;
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
