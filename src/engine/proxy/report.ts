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

/** More than anybody reads; a server may run for days. */
const KEPT = 1000;

/** How the requests of a session went. */
export class Tally {
  readonly #counts = new Map<ProxyVerdict, number>();
  readonly #kept: InteractionReport[] = [];
  #misses = 0;

  add(report: InteractionReport): void {
    this.#counts.set(report.verdict, this.count(report.verdict) + 1);
    if (isMiss(report)) this.#misses += 1;
    if (this.#kept.length < KEPT) this.#kept.push(report);
  }

  count(verdict: ProxyVerdict): number {
    return this.#counts.get(verdict) ?? 0;
  }

  /** Requests that the tape had no answer to. */
  get misses(): number {
    return this.#misses;
  }

  /** The first reports, in the order in which they came. */
  get reports(): readonly InteractionReport[] {
    return this.#kept;
  }

  /** Such as `3 exact, 1 drifted`. */
  text(): string {
    const parts = [...this.#counts].map(([verdict, count]) => `${count} ${verdict}`);
    return parts.length === 0 ? 'no request came' : parts.join(', ');
  }
}
