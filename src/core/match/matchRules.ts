import type { TapeFormat } from '../tapes/tapeFormat';
import type { Mask } from './masks';
import type { Hash } from './signature';

/**
 * `sequence`: by position, whatever is asked. `exact`: all of the request. `subset`: what was recorded, and the request
 * may say more. `keyed`: by the format's own key, or as `exact` where it has none.
 */
export type MatchMode = 'sequence' | 'exact' | 'subset' | 'keyed';

export const MATCH_MODES: readonly MatchMode[] = ['sequence', 'exact', 'subset', 'keyed'];

export interface MatchRules {
  readonly match: MatchMode;
  readonly masks: readonly Mask[];
  /** What the format of the tape keeps of a request, and its keys. */
  readonly format?: Pick<TapeFormat, 'stored' | 'keyOf'>;
  /** When every recording of a request has been served, serve the last of them again; otherwise that is a miss. */
  readonly repeat?: boolean;
  /** By default SHA-256 in JavaScript; a program that has a faster one gives it. */
  readonly hash?: Hash;
}
