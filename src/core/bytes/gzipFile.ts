import { gzipSync } from 'fflate';
import { t } from '../text/l10n';
import { type DecompressionLimits, tooLarge } from './decompress';
import { gunzip } from './inflate';

const HEADER_BYTES = 10;
const MIB = 2 ** 20;

/** The first bytes of a gzipped file, which a rewrite keeps; undefined for a file that is not gzipped. */
export function gzipHeaderOf(bytes: Uint8Array): Uint8Array | undefined {
  const isGzip = bytes.length > HEADER_BYTES && bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 0x08;
  return isGzip ? bytes.slice(0, HEADER_BYTES) : undefined;
}

/** The content of a gzipped file, or why there is none. */
type GunzippedFile =
  | { readonly content: Uint8Array }
  | { readonly isDamaged: true }
  /** As the end of a sentence. */
  | { readonly tooLarge: string };

/** Unpacks a gzipped file, up to the limits, whatever its trailer says about its size. */
export function gunzipFile(bytes: Uint8Array, limits: DecompressionLimits): GunzippedFile {
  // What is packed is hardly ever larger than its content, so a file beyond the limit needs no look.
  const isBeyond = bytes.length > limits.maxBytes + limits.maxBytes / 64;
  const { bytes: content, problem, exceeded } = isBeyond ? tooLarge(limits.maxBytes) : gunzip(bytes, limits);
  if (problem === undefined) return { content };
  if (exceeded === undefined) return { isDamaged: true };
  const size = Math.floor(exceeded / MIB);
  return {
    tooLarge:
      exceeded < limits.maxBytes
        ? t('unpacked, it is larger than {0} MiB and {1} times its size', size, limits.maxRatio)
        : t('unpacked, it is larger than {0} MiB', size),
  };
}

/** Compresses a content, with the modification time, compression hint and system (bytes 4 to 9) of a header. */
export function gzipFile(content: Uint8Array, header: Uint8Array): Uint8Array {
  const packed = gzipSync(content, { mtime: 0 });
  packed.set(header.subarray(4, HEADER_BYTES), 4);
  return packed;
}
