import { deflateSync, gzipSync, zlibSync } from 'fflate';
import { concatBytes } from './concatBytes';

/**
 * Compresses bytes in the same layers as before: `layers` as in `DecodedBody`, outermost first, without `base64`. Gzip
 * keeps its header. Undefined for an unsupported layer.
 */
export function recompress(bytes: Uint8Array, layers: readonly string[], original: Uint8Array): Uint8Array | undefined {
  return layers.toReversed().reduce<Uint8Array | undefined>((inner, layer, index) => {
    // The header of an inner gzip layer is not available. It contains nothing that a reader needs.
    const isOutermost = index === layers.length - 1;
    return inner && compress(inner, layer, isOutermost ? original : new Uint8Array());
  }, bytes);
}

function compress(bytes: Uint8Array, layer: string, original: Uint8Array): Uint8Array | undefined {
  switch (layer) {
    case 'gzip':
      return withGzipHeader(gzipSync(bytes, { mtime: 0 }), original);
    case 'zlib':
      return zlibSync(bytes);
    case 'deflate':
      return deflateSync(bytes);
    case 'zstd':
      return storeAsZstd(bytes);
    case 'br':
      return storeAsBrotli(bytes);
    default:
      return undefined;
  }
}

/** Bytes 4 to 9: modification time, compression hint, operating system. */
function withGzipHeader(gzip: Uint8Array, original: Uint8Array): Uint8Array {
  gzip.set(original.subarray(4, 10), 4);
  return gzip;
}

/** The largest block of Zstandard. */
const ZSTD_BLOCK = 128 * 1024;

/** Writes a Zstandard frame (RFC 8878) of uncompressed blocks. */
function storeAsZstd(bytes: Uint8Array): Uint8Array {
  const size = new Uint8Array(8);
  new DataView(size.buffer).setBigUint64(0, BigInt(bytes.length), true);
  // A single-segment frame with an eight-byte content size, which is also its window.
  const parts: Uint8Array[] = [new Uint8Array([0x28, 0xb5, 0x2f, 0xfd, 0b1110_0000]), size];
  for (let at = 0; at === 0 || at < bytes.length; at += ZSTD_BLOCK) {
    const block = bytes.subarray(at, at + ZSTD_BLOCK);
    const last = at + ZSTD_BLOCK >= bytes.length ? 1 : 0;
    const header = (block.length << 3) | last;
    parts.push(new Uint8Array([header & 0xff, (header >> 8) & 0xff, header >> 16]), block);
  }
  return concatBytes(parts);
}

/** The largest block of Brotli whose length fits four nibbles. */
const BROTLI_BLOCK = 65_536;

/**
 * A window of 16 bits, and a metadata block with a byte that is not UTF-8: brotli has no magic number, and is detected
 * only in data that is not text.
 */
const BROTLI_START = new Uint8Array([0b0010_1100, 0, 0xff]);
const BROTLI_END = new Uint8Array([0b11]);

/** Writes a Brotli stream (RFC 7932) of uncompressed blocks. */
function storeAsBrotli(bytes: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [BROTLI_START];
  for (let at = 0; at < bytes.length; at += BROTLI_BLOCK) {
    const block = bytes.subarray(at, at + BROTLI_BLOCK);
    // From the lowest bit: not the last block (0), four nibbles (00) of length minus 1, uncompressed (1).
    const header = ((block.length - 1) << 3) | (1 << 19);
    parts.push(new Uint8Array([header & 0xff, (header >> 8) & 0xff, header >> 16]), block);
  }
  return concatBytes([...parts, BROTLI_END]);
}
