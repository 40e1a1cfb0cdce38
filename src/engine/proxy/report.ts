import type { Json } from '../../core/json/json';
import type { ReplayVerdict } from '../../core/model/artifact';

/** How one request of the agent went. */
export type ProxyVerdict = Exclude<ReplayVerdict, 'expired' | 'unused'>;

export interface InteractionReport {
  /** From 0, in the order in which the agent asked. */
  readonly number: number;
  readonly path: string;
  readonly verdict: ProxyVerdict;
  /** On the tape, from 0. */
  readonly index?: number;
  /** Why it was not answered, or how it differs from what was recorded. */
  readonly explanation?: string;
  /** Of the first request that was refused. */
  readonly missed?: MissedRequest;
}

export interface MissedRequest {
  /** The recording that is most alike, from 0. */
  readonly nearest?: number;
  /** Masks with which it would have been answered, as a case writes them. */
  readonly masks: readonly string[];
  /** Its body without secrets. */
  readonly asked: Json;
}

const MISSES: ReadonlySet<ProxyVerdict> = new Set(['drifted', 'missing', 'used-up']);

/** Was the request refused because the tape has no answer to it? */
export function isMiss({ verdict }: InteractionReport): boolean {
  return MISSES.has(verdict);
}
