import { brotliDecompressSync } from 'node:zlib';
import { useBrotli } from '../../core/wire/body';
import { allowedSize } from '../../core/wire/compression';

/** Reads brotli bodies with Node's own decompressor, which, unlike the portable one, stops at a size. */
export function useNodeBrotli(): void {
  useBrotli((bytes, limits) => {
    try {
      return { bytes: brotliDecompressSync(bytes, { maxOutputLength: allowedSize(bytes.length, limits) }) };
    } catch (error) {
      return { bytes: new Uint8Array(), problem: error instanceof Error ? error.message : String(error) };
    }
  });
}
