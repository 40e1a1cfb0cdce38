import type { Problem } from '../text/source';

/** The kind of a finding. Stable, since programs rely on it. Secrets have the name of their rule after `secret/`. */
type FindingRule =
  | 'unreadable'
  | 'unknown'
  | 'conflict'
  | 'format'
  | 'not-read'
  | 'syntax'
  | 'duplicate-key'
  | 'base64'
  | 'cut-off'
  | 'repeated'
  | 'lfs-pointer'
  | 'empty'
  | 'gzip'
  | 'orphan'
  | 'shared'
  | 'unused'
  | 'expired'
  | 'undated'
  | 'cache-prefix'
  | `secret/${string}`;

/** A problem of a tape, with its rule. */
export interface Finding extends Problem {
  readonly rule: FindingRule;
}

/** Whether a finding makes `verify` fail; information does not. */
export function isFault({ severity }: Problem): boolean {
  return severity !== 'info';
}
