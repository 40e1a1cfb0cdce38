import { decompress } from 'brotli/decompress';
import { type Decompressed, type DecompressionLimits, maxDecompressedSize, tooLarge } from './decompress';

/**
 * Decompresses brotli without Node. Its dictionary is large, so builds for Node replace this file by
 * `src/engine/files/zlib.ts` (see `build/nodeZlib.mjs`). In the build for browsers, the decompressor throws if its output is
 * full (see `build/smallerModules.mjs`); elsewhere, as in tests, it stops at its end only.
 */
export function decompressBrotli(bytes: Uint8Array, limits: DecompressionLimits): Decompressed {
  const allowed = maxDecompressedSize(bytes.length, limits);
  try {
    const content = decompress(bytes, allowed);
    return content.length <= allowed ? { bytes: content.slice() } : tooLarge(allowed);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return reason === FULL ? tooLarge(allowed) : { bytes: new Uint8Array(), problem: reason };
  }
}

const FULL = 'Output buffer is not large enough';
