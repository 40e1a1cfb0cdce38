import { brotliDecompressSync, gzipSync } from 'node:zlib';
import { type Decompressed, type DecompressionLimits, maxDecompressedSize } from '../../core/bytes/decompress';

/** Node's own decompressor, which, unlike the portable one that it replaces in builds for Node, stops at a size. */
export function decompressBrotli(bytes: Uint8Array, limits: DecompressionLimits): Decompressed {
  try {
    return { bytes: brotliDecompressSync(bytes, { maxOutputLength: maxDecompressedSize(bytes.length, limits) }) };
  } catch (error) {
    return { bytes: new Uint8Array(), problem: error instanceof Error ? error.message : String(error) };
  }
}

export function gzip(text: string): Uint8Array {
  return gzipSync(text);
}
