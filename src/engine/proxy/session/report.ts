import type { Json } from '../../../core/json/json';
import type { ReplayVerdict } from '../../../core/model/artifact';
import type { MissKind } from '../../../core/model/run';
import { counted } from '../../../core/text/counts';
import { t } from '../../../core/text/l10n';
import type { Said } from '../../../core/text/notice';
import type { Telemetry } from '../../../core/wire/telemetry';

/** The outcome of one request of the agent. */
export type ProxyVerdict = Exclude<ReplayVerdict, 'expired' | 'unused'>;

export interface InteractionReport {
  /** From 0, in the order of arrival. */
  readonly number: number;
  readonly path: string;
  readonly verdict: ProxyVerdict;
  /** On the tape, from 0. */
  readonly index?: number;
  /** The reason why it was refused, or how it differs from its recording. */
  readonly explanation?: string;
  /** What the explanation says. It is in no file. */
  readonly said?: Said;
  /** Only of the first request that was refused. */
  readonly missed?: MissedRequest;
}

export interface MissedRequest {
  readonly kind: MissKind;
  /** What differs, in one line. */
  readonly line: string;
  /** What the line says. */
  readonly said?: Said;
  /** The index of the most similar recording. */
  readonly nearest?: number;
  /** Masks with which it would have matched, as a case writes them. */
  readonly masks: readonly string[];
  /** Its body without secrets. */
  readonly sent: Json;
}

const MISSES: ReadonlySet<ProxyVerdict> = new Set(['drifted', 'missing', 'used-up']);

/** Whether the request was refused because the tape has no recording of it. */
export function isMiss({ verdict }: InteractionReport): boolean {
  return MISSES.has(verdict);
}

/** How many reports are kept: a server may run for days. */
const KEPT = 1000;
/** How many addresses of telemetry are named. */
const LISTED = 5;

/** The outcomes of a session's requests, counted. */
export class Tally {
  readonly #counts = new Map<ProxyVerdict, number>();
  readonly #kept: InteractionReport[] = [];
  readonly #telemetry = new Map<string, number>();
  #misses = 0;

  add(report: InteractionReport): void {
    this.#counts.set(report.verdict, this.count(report.verdict) + 1);
    if (isMiss(report)) this.#misses += 1;
    if (this.#kept.length < KEPT) this.#kept.push(report);
  }

  /** Counts telemetry, which is no request of the agent's own. */
  addTelemetry({ to, sender }: Telemetry): void {
    const name = `${to} (${sender})`;
    this.#telemetry.set(name, (this.#telemetry.get(name) ?? 0) + 1);
  }

  count(verdict: ProxyVerdict): number {
    return this.#counts.get(verdict) ?? 0;
  }

  get counts(): Readonly<Partial<Record<ProxyVerdict, number>>> {
    return Object.fromEntries(this.#counts);
  }

  /** How many requests had no recording. */
  get misses(): number {
    return this.#misses;
  }

  /** The first reports, in the order in which they came. */
  get reports(): readonly InteractionReport[] {
    return this.#kept;
  }

  /** What became of telemetry, as a sentence; undefined if there was none. */
  telemetryText({ isReplay }: { readonly isReplay: boolean }): string | undefined {
    if (this.#telemetry.size === 0) return undefined;
    const count = [...this.#telemetry.values()].reduce((sum, one) => sum + one, 0);
    const names = [...this.#telemetry.keys()];
    const few = `${names.slice(0, LISTED).join(', ')}${names.length > LISTED ? ', …' : ''}`;
    return isReplay
      ? counted(
          count,
          '{0} request for telemetry or packages was answered by Tapedeck and not sent: {1}',
          '{0} requests for telemetry or packages were answered by Tapedeck and not sent: {1}',
          few,
        )
      : counted(
          count,
          '{0} request for telemetry or packages was not recorded: {1}',
          '{0} requests for telemetry or packages were not recorded: {1}',
          few,
        );
  }

  /** Such as `3 exact, 1 drifted`. */
  text(): string {
    const parts = [...this.#counts].map(([verdict, count]) => `${count} ${verdict}`);
    return parts.length === 0 ? t('no requests') : parts.join(', ');
  }
}
