import { t } from '../text/l10n';
import type { DecompressionLimits } from './decompress';

const MIB = 2 ** 20;

/** How many bytes a file may have to be read at all. A text cannot be longer than a tape may be: V8 ends there. */
export const FILE_LIMITS = {
  tape: 256 * MIB,
  /** A run's result, a baseline, a report. */
  artifact: 256 * MIB,
  case: 64 * MIB,
  /** `tapedeck.toml`, `flakestorm.yaml`, and the files that these name. */
  config: 16 * MIB,
  decisions: 64 * MIB,
} as const;

/** How large the content of a gzipped tape may be. Both the content and its text are in memory while it is read. */
export const GZIPPED_TAPE: DecompressionLimits = { maxBytes: 64 * MIB, maxRatio: 100, freeBytes: 16 * MIB };

/**
 * How large a file may be to be read for a list of files: unasked, and also in a window that is not trusted. It is listed
 * without its content, and read when it is opened.
 */
export const LISTED_BYTES = 64 * MIB;
export const LISTED_GZIP: DecompressionLimits = { maxBytes: 16 * MIB, maxRatio: 100, freeBytes: 4 * MIB };

/** The reason why a file is not read, for the user. */
export function tooLargeReason(limit: number): string {
  return t('it is larger than {0} MiB', limit / MIB);
}
