import { gunzipSync, gzipSync } from 'fflate';
import { FILE_LIMITS } from './fileLimits';

const HEADER_BYTES = 10;

/** The first bytes of a gzipped file, which a rewrite keeps; undefined for a file that is not gzipped. */
export function gzipHeaderOf(bytes: Uint8Array): Uint8Array | undefined {
  const isGzip = bytes.length > HEADER_BYTES && bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 0x08;
  return isGzip ? bytes.slice(0, HEADER_BYTES) : undefined;
}

/** The content of a gzipped file; undefined where it is damaged, or too large for a tape. */
export function gunzipFile(bytes: Uint8Array): Uint8Array | undefined {
  // The last four bytes are the size of the content, modulo 2^32.
  const size = new DataView(bytes.buffer, bytes.byteOffset + bytes.length - 4, 4).getUint32(0, true);
  if (size > FILE_LIMITS.tape) return undefined;
  try {
    return gunzipSync(bytes);
  } catch {
    return undefined;
  }
}

/** Compresses a content, with the modification time, compression hint and system (bytes 4 to 9) of a header. */
export function gzipFile(content: Uint8Array, header: Uint8Array): Uint8Array {
  const packed = gzipSync(content, { mtime: 0 });
  packed.set(header.subarray(4, HEADER_BYTES), 4);
  return packed;
}
