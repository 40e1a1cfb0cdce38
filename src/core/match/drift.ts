import type { RequestChanges } from './changes';
import type { Mask } from './masks';

/** Why a request has no recording that answers it. Plain data. */
export interface Drift {
  /**
   * `missing`: nothing like it was recorded. `drifted`: it differs from what was recorded. `used-up`: it was recorded,
   * and every recording of it has been served. `out-of-order`: it was recorded in another place than the next.
   */
  readonly kind: 'missing' | 'drifted' | 'used-up' | 'out-of-order';
  /** Of the request. */
  readonly model?: string;
  /** The start of the last message that the user wrote. */
  readonly lastUserMessage?: string;
  /** How many recordings there are. */
  readonly recorded: number;
  /** The recording that is most alike; `used` when it has been served already. */
  readonly nearest?: { readonly index: number; readonly used: boolean };
  /** The recordings of this very request, where there are some. */
  readonly same: readonly number[];
  /** Against the nearest recording; absent where there is none. */
  readonly changes?: RequestChanges;
  /** Masks with which the request would match the nearest recording; empty where none would do. */
  readonly masks: readonly Mask[];
}
