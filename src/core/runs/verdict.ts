/**
 * How a request went, or a recording that no request asked for. `exact`: served as it was recorded. `masked`: the same
 * under the declared masks. `in-order`: served by its place, though the request is not the recorded one. `expired`: served,
 * and too old. `drifted`, `missing`, `used-up`: nothing was served. `recorded`, `cut-off`, `passed`: a model was asked, and
 * the answer kept, kept as far as it came, or not kept. `unreachable`: no model could be asked. `unused`: not asked for.
 */
export type Verdict =
  | 'exact'
  | 'masked'
  | 'in-order'
  | 'expired'
  | 'drifted'
  | 'missing'
  | 'used-up'
  | 'recorded'
  | 'cut-off'
  | 'passed'
  | 'unreachable'
  | 'unused';

export interface InteractionVerdict {
  /** Of the request, from 0, in the order in which the agent asked; absent for a recording that no request asked for. */
  readonly number?: number;
  readonly verdict: Verdict;
  /** Of the recording, from 0; absent where there is none. */
  readonly index?: number;
  /** Why a request was not answered, or how it differs from what was recorded. */
  readonly explanation?: string;
}

/** `3 exact, 1 masked, 2 unused`, in the order in which they first occur; empty where there are none. */
export function verdictCounts(verdicts: readonly InteractionVerdict[]): string {
  const counts = new Map<Verdict, number>();
  for (const { verdict } of verdicts) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  return Array.from(counts, ([verdict, count]) => `${count} ${verdict}`).join(', ');
}
