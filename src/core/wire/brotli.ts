import { decompress } from 'brotli/decompress';
import { allowedSize, type Decompressed, type Limits } from './compression';

/** A first guess of how much text is smaller when compressed. */
const USUAL_RATIO = 8;

/**
 * Decompresses brotli. In a module of its own, because its dictionary is larger than all else that reads bodies:
 * who wants it hands it to `useBrotli` in `body.ts`.
 */
export function unbrotli(bytes: Uint8Array, limits: Limits): Decompressed {
  const allowed = allowedSize(bytes.length, limits);
  // The decoder fills a buffer of a given size, and brotli does not say how large its content is.
  for (let size = Math.min(bytes.length * USUAL_RATIO, allowed); ; size = Math.min(size * 4, allowed)) {
    try {
      return { bytes: decompress(bytes, size) };
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      const tooSmall = problem === 'Output buffer is not large enough';
      if (!tooSmall) return { bytes: new Uint8Array(), problem };
      if (size >= allowed) return { bytes: new Uint8Array(), problem: `it grows beyond ${allowed} bytes` };
    }
  }
}
