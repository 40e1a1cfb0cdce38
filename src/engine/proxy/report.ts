/** How one request of the agent went. */
export type ProxyVerdict =
  | 'exact'
  | 'masked'
  /** Answered by its place on the tape, though it is not what was recorded. */
  | 'in-order'
  /** The tape has one like it, which differs. */
  | 'drifted'
  /** The tape has nothing like it. */
  | 'missing'
  /** The tape has it, and all of its recordings were served already. */
  | 'used-up'
  | 'recorded'
  /** The connection broke: recorded as far as it came, in a format that can say so. */
  | 'cut-off'
  | 'passed'
  | 'unreachable';

export interface InteractionReport {
  /** From 0, in the order in which the agent asked. */
  readonly number: number;
  readonly path: string;
  readonly verdict: ProxyVerdict;
  /** On the tape, from 0. */
  readonly index?: number;
  /** Why it was not answered, or how it differs from what was recorded. */
  readonly explanation?: string;
}

const MISSES: ReadonlySet<ProxyVerdict> = new Set(['drifted', 'missing', 'used-up']);

/** Was the request refused because the tape has no answer to it? */
export function isMiss({ verdict }: InteractionReport): boolean {
  return MISSES.has(verdict);
}
