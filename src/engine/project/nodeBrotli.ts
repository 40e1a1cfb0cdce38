import { brotliDecompressSync } from 'node:zlib';
import { useBrotli } from '../../core/wire/body';
import { allowedSize, type Decompressed, type Limits } from '../../core/wire/compression';

/** Node's own decompressor, which, unlike the portable one, stops at a size. It stands in for that one where Node runs. */
export function unbrotli(bytes: Uint8Array, limits: Limits): Decompressed {
  try {
    return { bytes: brotliDecompressSync(bytes, { maxOutputLength: allowedSize(bytes.length, limits) }) };
  } catch (error) {
    return { bytes: new Uint8Array(), problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Lets bodies in brotli be read. */
export function useNodeBrotli(): void {
  useBrotli(unbrotli);
}
