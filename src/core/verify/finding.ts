import type { Problem } from '../text/source';

/** What kind of thing is wrong. Stable: programs rely on it. Secrets have the name of their rule behind `secret/`. */
export type FindingRule =
  | 'unreadable'
  | 'format'
  | 'syntax'
  | 'duplicate-key'
  | 'base64'
  | 'cut-off'
  | 'repeated'
  | 'lfs-pointer'
  | 'empty'
  | 'gzip'
  | 'orphan'
  | 'unused'
  | 'expired'
  | `secret/${string}`;

/** Something that is wrong with a tape, by rule. */
export interface Finding extends Problem {
  readonly rule: FindingRule;
}

/** Is the tape wrong by this? What is only worth knowing is not. */
export function isFault({ severity }: Problem): boolean {
  return severity !== 'info';
}
