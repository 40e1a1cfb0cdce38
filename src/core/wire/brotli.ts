import { decompress } from 'brotli/decompress';
import { allowedSize, type Decompressed, type Limits } from './compression';

/**
 * Decompresses brotli where there is no Node: in a browser. In a module of its own, because its dictionary is larger
 * than all else that reads bodies: who wants it hands it to `useBrotli` in `body.ts`. It cannot be stopped at a size;
 * on Node `zlib.brotliDecompressSync` with `maxOutputLength` can.
 */
export function unbrotli(bytes: Uint8Array, limits: Limits): Decompressed {
  const allowed = allowedSize(bytes.length, limits);
  try {
    const content = decompress(bytes);
    if (content.length <= allowed) return { bytes: content };
    return { bytes: content.subarray(0, allowed), problem: `it grows beyond ${allowed} bytes` };
  } catch (error) {
    return { bytes: new Uint8Array(), problem: error instanceof Error ? error.message : String(error) };
  }
}
