const MIB = 2 ** 20;

/** How many bytes a file may have to be read at all. A text cannot be longer than a tape may be: V8 ends there. */
export const FILE_LIMITS = {
  tape: 512 * MIB,
  /** A run's result, a baseline, a report. */
  artifact: 512 * MIB,
  case: 64 * MIB,
  /** `tapedeck.toml`, `flakestorm.yaml`, and the files that these name. */
  config: 16 * MIB,
  decisions: 64 * MIB,
} as const;

/** The reason why a file is not read, for the user. */
export function tooLargeReason(limit: number): string {
  return `it is larger than ${limit / MIB} MiB`;
}
