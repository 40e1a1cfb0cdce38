import { diffArrays } from 'diff';
import { longestRising } from './longestRising';

/** One place in two aligned sequences. On one side only: added or removed. */
export interface Aligned<T> {
  readonly before?: T;
  readonly after?: T;
  readonly beforeIndex?: number;
  readonly afterIndex?: number;
  /** It is on both sides, and not in the same order among the others. */
  readonly moved: boolean;
}

export interface Alignment<T> {
  /** By the order of `after`; what was removed stands after what it followed in `before`. */
  readonly pairs: readonly Aligned<T>[];
  /** A stretch was too long to look for what resembles what: it was paired by position. */
  readonly coarse: boolean;
}

export interface AlignOptions<T> {
  /** Quick, for what both sequences begin and end with. */
  readonly same?: (before: T, after: T) => boolean;
  /** From the strictest to the loosest: what has the same digest is the same thing, wherever it is. Empty: no digest. */
  readonly digests: readonly ((item: T) => string)[];
  /** What has the same of these is the same thing, edited, if its neighbours are the same. */
  readonly akin?: readonly ((item: T) => string)[];
  /** From 0 to 1, of two that have no digest in common. */
  likeness(before: T, after: T): number;
  /** Among several that may be meant, the higher the better; from 0 to 1. Without it, likeness decides. */
  readonly preference?: (before: T, after: T) => number;
  /** Are these the same thing, edited, where there is but one on each side between two that stayed? */
  alone(before: T, after: T): boolean;
  /** Where there are more, they are from this likeness on … */
  readonly nearby: number;
  /** … and, if they have moved, when this says so. */
  anywhere(before: T, after: T): boolean;
}

/** With more pairs than this left, only neighbours are looked at. */
const MOST_WEIGHED = 400;
/** Of two that are equally alike, the one that is nearer. */
const NEARER = 1e-6;
/** A stretch with more pairs than this is not searched for likeness. */
const MOST_COMPARED = 4_000;

/**
 * Aligns two sequences: first what is equal by a digest, then, between what stayed in its order, what resembles each
 * other most (Needleman and Wunsch, 1970), then what resembles each other elsewhere.
 * What is on both sides but outside the longest common order has moved.
 */
export function alignSequences<T>(before: readonly T[], after: readonly T[], options: AlignOptions<T>): Alignment<T> {
  const matching = new Matching(before, after, options);
  matching.matchEnds();
  for (const digest of options.digests) matching.matchEqual(digest);
  matching.matchAnywhere();
  for (const digest of options.akin ?? []) matching.matchAkin(digest);
  const coarse = matching.matchNearby();
  return { pairs: matching.pairs(), coarse };
}

class Matching<T> {
  /** The place in `before` for each place in `after`, and the other way round. */
  readonly #origin: (number | undefined)[];
  readonly #target: (number | undefined)[];

  constructor(
    private readonly before: readonly T[],
    private readonly after: readonly T[],
    private readonly options: AlignOptions<T>,
  ) {
    this.#origin = new Array<number | undefined>(after.length).fill(undefined);
    this.#target = new Array<number | undefined>(before.length).fill(undefined);
  }

  /** What both begin and end with. */
  matchEnds(): void {
    const { same } = this.options;
    if (same === undefined) return;
    const shorter = Math.min(this.before.length, this.after.length);
    let start = 0;
    while (start < shorter && same(at(this.before, start), at(this.after, start))) {
      this.#match(start, start);
      start += 1;
    }
    let [old, now] = [this.before.length - 1, this.after.length - 1];
    while (old >= start && now >= start && same(at(this.before, old), at(this.after, now))) {
      this.#match(old, now);
      old -= 1;
      now -= 1;
    }
  }

  /** What is equal by a digest: as much of it as there is in order, then, for what has moved, the first with the first. */
  matchEqual(digest: (item: T) => string): void {
    const olds = this.#keys(this.before, this.#target, digest);
    const news = this.#keys(this.after, this.#origin, digest);
    const [oldPlaces, newPlaces] = [placesByKey(olds), placesByKey(news)];
    for (const [from, to] of settled(commonOrder(olds, news), olds, oldPlaces, newPlaces)) this.#match(from, to);
    for (const [key, places] of newPlaces) {
      const origins = (oldPlaces.get(key) ?? []).filter((index) => this.#target[index] === undefined);
      const open = places.filter((index) => this.#origin[index] === undefined);
      for (const [count, index] of open.slice(0, origins.length).entries()) this.#match(origins[count] ?? 0, index);
    }
  }

  /** What is equal by a looser digest, only between two that kept their order: if several are, what is most alike. */
  matchAkin(digest: (item: T) => string): void {
    const olds = this.#keys(this.before, this.#target, digest);
    const news = this.#keys(this.after, this.#origin, digest);
    for (const { old, now } of this.#stretches())
      this.#matchAlike(old, now, (from, to) => isEqualKey(olds.get(from), news.get(to)));
  }

  /** In order, what may be matched, and of that what is most alike. */
  #matchAlike(old: readonly number[], now: readonly number[], may: (from: number, to: number) => boolean): void {
    if (old.length * now.length > MOST_COMPARED) return;
    const scores = old.map((from, row) =>
      now.map((to, column) => (may(from, to) ? 1 + this.#preference(from, to) - NEARER * Math.abs(row - column) : 0)),
    );
    for (const [from, to] of bestChain(scores, 0.5)) this.#match(at(old, from), at(now, to));
  }

  /** In each stretch between two that kept their order. True where one was too long. */
  matchNearby(): boolean {
    let coarse = false;
    for (const { old, now } of this.#stretches()) coarse = this.#matchStretch(old, now) || coarse;
    return coarse;
  }

  /** What was edited so little that there is no doubt, even if it has moved. */
  matchAnywhere(): void {
    const [olds, news] = [free(this.#target), free(this.#origin)];
    if (olds.length * news.length > MOST_WEIGHED) return;
    const pairs = olds.flatMap((old) => news.map((now) => ({ old, now })));
    const likely = pairs
      .filter(({ old, now }) => this.#likeness(old, now) >= this.options.nearby)
      .map(({ old, now }) => ({ old, now, score: this.#preference(old, now) - NEARER * Math.abs(old - now) }));
    for (const { old, now } of likely.sort((left, right) => right.score - left.score)) {
      if (this.#target[old] !== undefined || this.#origin[now] !== undefined) continue;
      if (this.options.anywhere(at(this.before, old), at(this.after, now))) this.#match(old, now);
    }
  }

  pairs(): readonly Aligned<T>[] {
    const kept = new Set(this.#kept());
    const removedAfter = this.#removed();
    const pairs = [...(removedAfter.get(-1) ?? [])];
    this.after.forEach((item, index) => {
      const origin = this.#origin[index];
      const old = origin === undefined ? {} : { before: at(this.before, origin), beforeIndex: origin };
      pairs.push({ ...old, after: item, afterIndex: index, moved: origin !== undefined && !kept.has(index) });
      if (kept.has(index) && origin !== undefined) pairs.push(...(removedAfter.get(origin) ?? []));
    });
    return pairs;
  }

  /** What is gone, by the place in `before` of the last one ahead of it that stayed. */
  #removed(): ReadonlyMap<number, readonly Aligned<T>[]> {
    const kept = new Set(this.#kept().map((index) => this.#origin[index]));
    const removed = new Map<number, Aligned<T>[]>();
    let last = -1;
    this.before.forEach((item, index) => {
      if (kept.has(index)) last = index;
      if (this.#target[index] !== undefined) return;
      removed.set(last, [...(removed.get(last) ?? []), { before: item, beforeIndex: index, moved: false }]);
    });
    return removed;
  }

  /** The places in `after` of what is on both sides and kept its order. */
  #kept(): readonly number[] {
    const matched = range(0, this.after.length).filter((index) => this.#origin[index] !== undefined);
    return longestRising(matched.map((index) => this.#origin[index] ?? 0)).map((place) => matched[place] ?? 0);
  }

  /** What has no match yet, by the stretches between two that have one and kept their order. */
  #stretches(): readonly Stretch[] {
    const stretches: Stretch[] = [];
    let [start, origin] = [0, 0];
    for (const anchor of [...this.#kept(), this.after.length]) {
      const end = this.#origin[anchor] ?? this.before.length;
      const now = range(start, anchor).filter((index) => this.#origin[index] === undefined);
      const old = range(origin, end).filter((index) => this.#target[index] === undefined);
      if (now.length > 0 && old.length > 0) stretches.push({ old, now });
      [start, origin] = [anchor + 1, end + 1];
    }
    return stretches;
  }

  /** The digests of what has no match yet, by place. An empty one is none. */
  #keys(
    items: readonly T[],
    matches: readonly (number | undefined)[],
    digest: (item: T) => string,
  ): ReadonlyMap<number, string> {
    const keyed = free(matches).map((index) => [index, digest(at(items, index))] as const);
    return new Map(keyed.filter(([, key]) => key !== ''));
  }

  #matchStretch(olds: readonly number[], news: readonly number[]): boolean {
    if (olds.length * news.length > MOST_COMPARED) {
      for (let index = 0; index < Math.min(olds.length, news.length); index += 1)
        this.#match(at(olds, index), at(news, index));
      return true;
    }
    const [only, other] = [at(olds, 0), at(news, 0)];
    if (olds.length === 1 && news.length === 1) {
      if (this.options.alone(at(this.before, only), at(this.after, other))) this.#match(only, other);
      return false;
    }
    const score = olds.map((old) =>
      news.map((now) => (this.#likeness(old, now) < this.options.nearby ? 0 : 1 + this.#preference(old, now))),
    );
    for (const [old, now] of bestChain(score, 1)) this.#match(at(olds, old), at(news, now));
    return false;
  }

  #likeness(old: number, now: number): number {
    return this.options.likeness(at(this.before, old), at(this.after, now));
  }

  #preference(old: number, now: number): number {
    const { preference, likeness } = this.options;
    return (preference ?? likeness)(at(this.before, old), at(this.after, now));
  }

  #match(old: number, now: number): void {
    this.#target[old] = now;
    this.#origin[now] = old;
  }
}

/** Places without a match, between two that have one. */
interface Stretch {
  readonly old: readonly number[];
  readonly now: readonly number[];
}

function placesByKey(keys: ReadonlyMap<number, string>): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const [index, key] of keys) {
    const known = places.get(key);
    if (known === undefined) places.set(key, [index]);
    else known.push(index);
  }
  return places;
}

/** Milliseconds for the longest common order; the rest counts as moved. */
const TIMEOUT_MS = 500;

/** The most pairs of places with equal keys that are in the same order on both sides (Myers, 1986). */
function commonOrder(
  olds: ReadonlyMap<number, string>,
  news: ReadonlyMap<number, string>,
): readonly (readonly [number, number])[] {
  const numbers = new Map([...new Set(olds.values())].map((key, number) => [key, number] as const));
  const shared = new Set(news.values());
  const old = [...olds].filter(([, key]) => shared.has(key));
  const now = [...news].filter(([, key]) => numbers.has(key));
  const number = ([, key]: readonly [number, string]): number => numbers.get(key) ?? -1;
  const chunks = diffArrays(old.map(number), now.map(number), { timeout: TIMEOUT_MS }) ?? [];
  let [from, to] = [0, 0];
  return chunks.flatMap(({ added, removed, value }) => {
    const pairs = value.map((_, step) => [old[from + step]?.[0] ?? 0, now[to + step]?.[0] ?? 0] as const);
    if (!added) from += value.length;
    if (!removed) to += value.length;
    return added || removed ? [] : pairs;
  });
}

/** Of several with the same key between the same neighbours, those that are as far from the one ahead on both sides. */
function settled(
  pairs: readonly (readonly [number, number])[],
  keys: ReadonlyMap<number, string>,
  oldPlaces: ReadonlyMap<string, readonly number[]>,
  newPlaces: ReadonlyMap<string, readonly number[]>,
): readonly (readonly [number, number])[] {
  let [before, after] = [-1, -1];
  return pairs.map(([from, to], index) => {
    const key = keys.get(from) ?? '';
    const [nextFrom, nextTo] = pairs[index + 1] ?? [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    const old = (oldPlaces.get(key) ?? []).filter((place) => place > before && place < nextFrom);
    const now = (newPlaces.get(key) ?? []).filter((place) => place > after && place < nextTo);
    const choices =
      old.length * now.length > MOST_WEIGHED ? [] : old.flatMap((one) => now.map((other) => [one, other] as const));
    const offset = ([one, other]: readonly [number, number]) => Math.abs(one - before - (other - after));
    const best = choices.reduce((nearest, choice) => (offset(choice) < offset(nearest) ? choice : nearest), [
      from,
      to,
    ] as const);
    [before, after] = best;
    return best;
  });
}

function isEqualKey(left: string | undefined, right: string | undefined): boolean {
  return left !== undefined && left === right;
}

/** The pairs, in order on both sides, whose scores add up to most; none of them has less than `least`. */
function bestChain(scores: readonly (readonly number[])[], least: number): readonly (readonly [number, number])[] {
  const width = scores[0]?.length ?? 0;
  const best = Array.from({ length: scores.length + 1 }, () => new Array<number>(width + 1).fill(0));
  const sum = (row: number, column: number): number => best[row]?.[column] ?? 0;
  const score = (row: number, column: number): number => scores[row]?.[column] ?? 0;
  for (let row = scores.length - 1; row >= 0; row -= 1)
    for (let column = width - 1; column >= 0; column -= 1) {
      const paired = score(row, column) >= least ? score(row, column) + sum(row + 1, column + 1) : 0;
      const line = best[row];
      if (line !== undefined) line[column] = Math.max(paired, sum(row + 1, column), sum(row, column + 1));
    }
  const chain: [number, number][] = [];
  let [row, column] = [0, 0];
  while (row < scores.length && column < width) {
    const total = sum(row, column);
    if (score(row, column) >= least && total === score(row, column) + sum(row + 1, column + 1)) {
      chain.push([row, column]);
      row += 1;
      column += 1;
    } else if (total === sum(row + 1, column)) row += 1;
    else column += 1;
  }
  return chain;
}

function free(matches: readonly (number | undefined)[]): readonly number[] {
  return range(0, matches.length).filter((index) => matches[index] === undefined);
}

function range(start: number, end: number): number[] {
  return Array.from({ length: Math.max(0, end - start) }, (_, offset) => start + offset);
}

function at<T>(items: readonly T[], index: number): T {
  const item = items[index];
  if (item === undefined) throw new RangeError(`there is no item ${index}`);
  return item;
}
