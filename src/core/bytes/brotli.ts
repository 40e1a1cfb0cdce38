import { decompress } from 'brotli/decompress';
import { type Decompressed, type DecompressionLimits, maxDecompressedSize } from './decompress';

/**
 * Decompresses brotli without Node. It cannot be stopped at a size, and its dictionary is large, so builds for Node
 * replace this file by `src/engine/files/zlib.ts` (see `esbuild.mjs`).
 */
export function decompressBrotli(bytes: Uint8Array, limits: DecompressionLimits): Decompressed {
  const allowed = maxDecompressedSize(bytes.length, limits);
  try {
    const content = decompress(bytes);
    if (content.length <= allowed) return { bytes: content };
    return { bytes: content.subarray(0, allowed), problem: `it decompresses to more than ${allowed} bytes` };
  } catch (error) {
    return { bytes: new Uint8Array(), problem: error instanceof Error ? error.message : String(error) };
  }
}
