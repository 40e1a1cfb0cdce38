import { type InteractionReport, isMiss, type ProxyVerdict } from './report';

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
