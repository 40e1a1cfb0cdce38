import type { SearchedInteraction } from '../model/found';
import type { TapeFacts } from './tapeFacts';

/** What all tapes of a workspace come to. Plain data, with its secrets hidden. */
export interface Overview {
  readonly tapes: number;
  readonly interactions: number;
  /** What the interactions cost whose price is known, in US dollars. */
  readonly cost: number;
  /** So many calls of models have no known price. */
  readonly unpriced: number;
  /** The dearest first, then those with the most interactions. */
  readonly models: readonly ModelSum[];
  /** From the newest to the oldest; the last is of interactions without a date. */
  readonly ages: readonly AgeSum[];
  /** The most frequent first. */
  readonly formats: readonly FormatSum[];
  readonly dearest: readonly TapeCount[];
  readonly oldest: readonly TapeCount[];
  readonly orphans: TapeList;
  readonly secrets: TapeList;
  readonly problems: TapeList;
  /** Files that could not be read. */
  readonly skipped: TapeList;
}

/** What has the same property, as a search for it finds it. */
export interface Sum {
  readonly tapes: number;
  readonly interactions: number;
  /** What to search for to see them; absent where nothing does. */
  readonly query?: string;
}

export interface ModelSum extends Sum {
  readonly model: string;
  readonly failed: number;
  /** In US dollars; absent where no price is known. */
  readonly cost?: number;
  /** When it was last recorded, in milliseconds since 1970. */
  readonly newest?: number;
}

export interface AgeSum extends Sum {
  readonly age: AgeName;
}

export type AgeName = 'week' | 'month' | 'quarter' | 'year' | 'older' | 'unknown';

export interface FormatSum extends Sum {
  readonly format: string;
}

export interface TapeCount {
  /** Absolute. */
  readonly path: string;
  /** Dollars, a time, or how many. */
  readonly value: number;
}

/** The first of the tapes that have something, those with the most first. */
export interface TapeList {
  readonly tapes: number;
  readonly first: readonly TapeCount[];
  readonly query?: string;
}

/** A tape of the workspace. */
interface OverviewTape {
  /** Absolute. */
  readonly path: string;
  readonly facts: TapeFacts;
  readonly isOrphan: boolean;
  /** Hides what is secret in the name of a model. */
  hide(name: string): string;
}

/** So many of the tapes that have something are named. */
const NAMED = 10;

/** Sums up tapes one by one, and keeps none of them. */
export class OverviewSum {
  readonly #models = new Map<string, Counter>();
  readonly #ages = new Map<AgeName, Counter>(AGES.map(({ age }) => [age, new Counter()]));
  readonly #formats = new Map<string, Counter>();
  readonly #all = new Counter();
  readonly #dearest = new Longest();
  readonly #oldest = new Longest();
  readonly #orphans = new Longest();
  readonly #secrets = new Longest();
  readonly #problems = new Longest();
  readonly #skipped = new Longest();
  #unpriced = 0;

  /** @param now In milliseconds since 1970. */
  constructor(private readonly now: number) {}

  add({ path, facts, isOrphan, hide }: OverviewTape): void {
    const { interactions, formatLabel, secrets, problems } = facts;
    this.#all.add(path, interactions);
    this.#unpriced += interactions.filter(({ kind, cost }) => kind === 'llm' && cost === undefined).length;
    counterOf(this.#formats, formatLabel).add(path, interactions);
    for (const one of interactions) {
      for (const name of new Set([one.model, one.askedModel]))
        if (name !== undefined && name !== '') counterOf(this.#models, hide(name)).add(path, [one]);
      counterOf(this.#ages, ageOf(one.recordedAt, this.now)).add(path, [one]);
    }
    this.#dearest.add(path, costOf(interactions));
    const oldest = interactions.reduce((time, { recordedAt = time }) => Math.min(time, recordedAt), this.now);
    this.#oldest.add(path, this.now - oldest);
    this.#orphans.add(path, isOrphan ? 1 : 0);
    this.#secrets.add(path, secrets);
    this.#problems.add(path, problems);
  }

  skip(path: string): void {
    this.#skipped.add(path, 1);
  }

  get overview(): Overview {
    const { tapes, interactions, cost = 0 } = this.#all;
    return {
      tapes,
      interactions,
      cost,
      unpriced: this.#unpriced,
      models: [...this.#models].map(([model, sum]) => modelSum(model, sum)).sort(byCost),
      ages: AGES.map(({ age, query }) => ({ age, ...sumOf(counterOf(this.#ages, age), query) })),
      formats: [...this.#formats]
        .map(([format, sum]) => ({ format, ...sumOf(sum, nameQuery('format', format)) }))
        .sort((left, right) => right.tapes - left.tapes),
      dearest: this.#dearest.first,
      oldest: this.#oldest.first.map(({ path, value }) => ({ path, value: this.now - value })),
      orphans: this.#orphans.list('is:orphan'),
      secrets: this.#secrets.list('has:secrets'),
      problems: this.#problems.list('has:problems'),
      skipped: this.#skipped.list(undefined),
    };
  }
}

const DAY = 86_400_000;

/** Each ends before so many days; what is found by its query is what it counts. */
const AGES: readonly { readonly age: AgeName; readonly days: number; readonly query?: string }[] = [
  { age: 'week', days: 7, query: 'age:<7d' },
  { age: 'month', days: 30, query: 'age:>=7d age:<30d' },
  { age: 'quarter', days: 90, query: 'age:>=30d age:<90d' },
  { age: 'year', days: 365, query: 'age:>=90d age:<365d' },
  { age: 'older', days: Number.POSITIVE_INFINITY, query: 'age:>=365d' },
  { age: 'unknown', days: Number.NaN },
];

function ageOf(recordedAt: number | undefined, now: number): AgeName {
  if (recordedAt === undefined) return 'unknown';
  return AGES.find(({ days }) => now - recordedAt < days * DAY)?.age ?? 'older';
}

/** A query for a whole name; undefined where a query has no way to write it. */
function nameQuery(field: 'model' | 'format', name: string): string | undefined {
  if (name.includes('"')) return undefined;
  return /\s/.test(name) ? `${field}:="${name}"` : `${field}:=${name}`;
}

/** Counts tapes, which come one after the other. */
class Counter {
  tapes = 0;
  interactions = 0;
  failed = 0;
  cost: number | undefined;
  newest: number | undefined;
  #last: string | undefined;

  add(path: string, interactions: readonly SearchedInteraction[]): void {
    if (path !== this.#last) this.tapes += 1;
    this.#last = path;
    this.interactions += interactions.length;
    for (const { isFailed, cost, recordedAt } of interactions) {
      if (isFailed) this.failed += 1;
      if (cost !== undefined) this.cost = (this.cost ?? 0) + cost;
      if (recordedAt !== undefined) this.newest = Math.max(this.newest ?? recordedAt, recordedAt);
    }
  }
}

function counterOf<K>(counters: Map<K, Counter>, key: K): Counter {
  const known = counters.get(key) ?? new Counter();
  counters.set(key, known);
  return known;
}

function sumOf({ tapes, interactions }: Counter, query: string | undefined): Sum {
  return { tapes, interactions, query };
}

function modelSum(model: string, counter: Counter): ModelSum {
  const { failed, cost, newest } = counter;
  return {
    model,
    ...sumOf(counter, nameQuery('model', model)),
    failed,
    cost,
    newest,
  };
}

function byCost(left: ModelSum, right: ModelSum): number {
  return (right.cost ?? 0) - (left.cost ?? 0) || right.interactions - left.interactions;
}

function costOf(interactions: readonly SearchedInteraction[]): number {
  return interactions.reduce((sum, { cost = 0 }) => sum + cost, 0);
}

/** The tapes with the most of something, and how many have any. */
class Longest {
  first: readonly TapeCount[] = [];
  #tapes = 0;

  add(path: string, value: number): void {
    if (!(value > 0)) return;
    this.#tapes += 1;
    const last = this.first.at(NAMED - 1);
    if (last !== undefined && last.value >= value) return;
    const added = [...this.first, { path, value }].sort((left, right) => right.value - left.value);
    this.first = added.slice(0, NAMED);
  }

  list(query: string | undefined): TapeList {
    return { tapes: this.#tapes, first: this.first, query };
  }
}
