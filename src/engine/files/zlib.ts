import { brotliDecompressSync, constants, gunzipSync, gzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import {
  type Decompressed,
  type DecompressionLimits,
  maxDecompressedSize,
  tooLarge,
} from '../../core/bytes/decompress';
import * as portable from '../../core/bytes/inflate';
import { t } from '../../core/text/l10n';

/**
 * Node's own decompressors. In builds for Node they replace the portable ones, which take ten times as long and, for brotli,
 * do not stop at a size. Data with an error is left to the portable ones, which yield what is before the error.
 */
export function gunzip(bytes: Uint8Array, limits: DecompressionLimits): Decompressed {
  return withNode(bytes, limits, gunzipSync, portable.gunzip);
}

export function unzlib(bytes: Uint8Array, limits: DecompressionLimits): Decompressed {
  return withNode(bytes, limits, inflateSync, portable.unzlib);
}

export function inflateRaw(bytes: Uint8Array, limits: DecompressionLimits): Decompressed {
  return withNode(bytes, limits, inflateRawSync, portable.inflateRaw);
}

export function decompressBrotli(bytes: Uint8Array, limits: DecompressionLimits): Decompressed {
  return withNode(bytes, limits, brotliDecompressSync, () => undefined);
}

export function gzip(content: string | Uint8Array): Uint8Array {
  return gzipSync(content);
}

/** How much of damaged data is shown. */
const SALVAGED_BYTES = 2 ** 20;

interface NodeOptions {
  readonly maxOutputLength: number;
  readonly finishFlush?: number;
}

type Salvage = (bytes: Uint8Array, limits: DecompressionLimits) => Decompressed | undefined;

function withNode(
  bytes: Uint8Array,
  limits: DecompressionLimits,
  decompress: (bytes: Uint8Array, options: NodeOptions) => Uint8Array,
  salvage: Salvage,
): Decompressed {
  const maxOutputLength = maxDecompressedSize(bytes.length, limits);
  try {
    return { bytes: decompress(bytes, { maxOutputLength }) };
  } catch (error) {
    if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') return tooLarge(maxOutputLength);
    if (codeOf(error) === 'Z_BUF_ERROR') {
      const start = decompress(bytes, { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH });
      return { bytes: start, problem: t(portable.CUT_OFF) };
    }
    const salvaged = salvage(bytes, { ...limits, maxBytes: Math.min(limits.maxBytes, SALVAGED_BYTES) });
    if (salvaged !== undefined && salvaged.exceeded === undefined) return salvaged;
    return { bytes: new Uint8Array(), problem: error instanceof Error ? error.message : String(error) };
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
