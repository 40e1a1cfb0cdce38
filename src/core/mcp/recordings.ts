import { diffValues, type ValueDifference } from '../diff/diffValues';
import { sketchSimilarity, sketchText } from '../diff/similarity';
import { canonicalJson } from '../json/canonicalJson';
import { asRecord } from '../json/fields';
import type { JsonRecord } from '../json/json';
import { applyMasks } from '../match/masks';
import type { Mask, OnDrift } from '../model/case';
import type { McpExchange } from '../model/mcp';
import { comparableMessage, messageTitle, methodOf } from './message';

/** An exchange of a tape, with the index of its interaction. */
export interface RecordedExchange {
  readonly index: number;
  readonly exchange: McpExchange;
}

export interface McpRules {
  readonly masks: readonly Mask[];
  readonly onDrift?: OnDrift;
  /** Hides secrets, in what is recorded and in what is compared with it. */
  hide(message: JsonRecord): JsonRecord;
}

/** Why a message has no recording to serve. */
export interface McpMiss {
  readonly kind: 'missing' | 'drifted' | 'used-up';
  /** What was asked: `tools/call write_file`. */
  readonly title: string;
  readonly server: string;
  /** How many exchanges with this server are on the tape. */
  readonly recorded: number;
  /** The interactions of exactly this message. */
  readonly same: readonly number[];
  readonly nearest?: { readonly index: number; readonly used: boolean };
  /** Compared with the nearest; the paths are those of masks. */
  readonly differences: readonly ValueDifference[];
}

export type McpTaken =
  | { readonly kind: 'exact' | 'masked' | 'differs'; readonly recorded: RecordedExchange; readonly miss?: McpMiss }
  | { readonly kind: 'miss'; readonly miss: McpMiss };

/** Messages that only ask: clients send them as often as they connect, so the last recording is served again. */
const ASKS = /^(?:initialize|notifications\/initialized|ping|logging\/setLevel|[a-z/]+\/list)$/;

/** The recorded exchanges with one server. Each is served once in a run, equal ones in recorded order. */
export class McpRecordings {
  readonly #server: string;
  readonly #recorded: readonly RecordedExchange[];
  readonly #rules: McpRules;
  readonly #byKey = new Map<string, RecordedExchange[]>();
  readonly #byMaskedKey = new Map<string, RecordedExchange[]>();
  readonly #served = new Set<number>();

  constructor(server: string, recorded: readonly RecordedExchange[], rules: McpRules) {
    this.#server = server;
    this.#recorded = recorded;
    this.#rules = rules;
    for (const one of recorded) {
      const message = this.comparable(one.exchange.message);
      append(this.#byKey, canonicalJson(message), one);
      append(this.#byMaskedKey, this.#masked(message), one);
    }
  }

  get transport(): McpExchange['transport'] | undefined {
    return this.#recorded[0]?.exchange.transport;
  }

  /** The interactions that were served. */
  get served(): ReadonlySet<number> {
    return this.#served;
  }

  /** A message as it is compared. */
  comparable(message: JsonRecord): JsonRecord {
    return comparableMessage(this.#rules.hide(message));
  }

  /** How the client's part of an exchange differs from the recorded one; empty if it does not count. */
  differences(recorded: JsonRecord, now: JsonRecord): ValueDifference[] {
    const masked = (message: JsonRecord) => asRecord(applyMasks(this.comparable(message), this.#rules.masks));
    return diffValues(masked(recorded), masked(now));
  }

  /** Whether a message would be served. */
  has(message: JsonRecord): boolean {
    return this.#find(message, this.comparable(message)) !== undefined;
  }

  /** The next recording of a message. */
  take(message: JsonRecord): McpTaken {
    const comparable = this.comparable(message);
    const taken = this.#find(message, comparable) ?? this.#findOther(message, comparable);
    if (taken.kind !== 'miss') this.#served.add(taken.recorded.index);
    return taken;
  }

  #find(message: JsonRecord, comparable: JsonRecord): McpTaken | undefined {
    const exact = this.#byKey.get(canonicalJson(comparable)) ?? [];
    const masked = this.#byMaskedKey.get(this.#masked(comparable)) ?? [];
    const again = ASKS.test(methodOf(message)) ? (exact.at(-1) ?? masked.at(-1)) : undefined;
    const recorded = this.#first(exact) ?? this.#first(masked) ?? again;
    return recorded && { kind: exact.includes(recorded) ? 'exact' : 'masked', recorded };
  }

  #first(queue: readonly RecordedExchange[]): RecordedExchange | undefined {
    return queue.find(({ index }) => !this.#served.has(index));
  }

  #findOther(message: JsonRecord, comparable: JsonRecord): McpTaken {
    const miss = this.#explain(message, comparable);
    const nearest = this.#recorded.find(({ index }) => index === miss.nearest?.index);
    if (this.#rules.onDrift !== 'warn' || nearest === undefined || miss.nearest?.used) return { kind: 'miss', miss };
    return { kind: 'differs', recorded: nearest, miss };
  }

  #explain(message: JsonRecord, comparable: JsonRecord): McpMiss {
    const about = { title: messageTitle(message), server: this.#server, recorded: this.#recorded.length };
    const same = (this.#byMaskedKey.get(this.#masked(comparable)) ?? []).map(({ index }) => index);
    if (same.length > 0) return { ...about, kind: 'used-up', same, differences: [] };
    const nearest = this.#nearest(message, comparable);
    if (nearest === undefined) return { ...about, kind: 'missing', same, differences: [] };
    const differences = this.differences(nearest.exchange.message, message);
    const used = this.#served.has(nearest.index);
    return { ...about, kind: 'drifted', same, nearest: { index: nearest.index, used }, differences };
  }

  /** The most similar recording of the same method, and of the same tool where there is one; those that are left come first. */
  #nearest(message: JsonRecord, comparable: JsonRecord): RecordedExchange | undefined {
    const ofMethod = this.#recorded.filter(({ exchange }) => methodOf(exchange.message) === methodOf(message));
    const ofTitle = ofMethod.filter(({ exchange }) => messageTitle(exchange.message) === messageTitle(message));
    const sketch = sketchText(canonicalJson(comparable));
    const ranked = (ofTitle.length > 0 ? ofTitle : ofMethod).map((one) => {
      const similar = sketchSimilarity(sketch, sketchText(canonicalJson(this.comparable(one.exchange.message))));
      return { one, rank: similar - (this.#served.has(one.index) ? 1 : 0) };
    });
    return ranked.sort((left, right) => right.rank - left.rank)[0]?.one;
  }

  #masked(comparable: JsonRecord): string {
    return canonicalJson(applyMasks(comparable, this.#rules.masks) ?? null);
  }
}

function append(queues: Map<string, RecordedExchange[]>, key: string, one: RecordedExchange): void {
  const queue = queues.get(key);
  if (queue === undefined) queues.set(key, [one]);
  else queue.push(one);
}
