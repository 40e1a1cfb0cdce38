import {
  alignRepeats,
  bestOrderedPairs,
  commonSubsequence,
  isEqualKey,
  longestIncreasingSubsequence,
  pickKeys,
  positionsByKey,
} from './orderedPairs';

/** One place in two aligned sequences. On one side only: added or removed. */
export interface AlignedPair<T> {
  readonly before?: T;
  readonly after?: T;
  readonly beforeIndex?: number;
  readonly afterIndex?: number;
  /** It is on both sides, and not in the same order among the others. */
  readonly moved: boolean;
}

export interface SequenceAlignment<T> {
  /** By the order of `after`; what was removed stands after what it followed in `before`. */
  readonly pairs: readonly AlignedPair<T>[];
  /** A stretch was too long to look for what resembles what: it was paired by position. */
  readonly coarse: boolean;
}

export interface AlignOptions<T> {
  /** Quick, for what both sequences begin and end with. */
  readonly same?: (before: T, after: T) => boolean;
  /** Quick, too: what is the same to the last character, and there only once, is looked at no further. */
  readonly exact?: (item: T) => string;
  /** From the strictest to the loosest: what has the same digest is the same thing, wherever it is. Empty: no digest. */
  readonly digests: readonly ((item: T) => string)[];
  /** What has the same of these is the same thing, edited, if its neighbours are the same. */
  readonly sameKind?: readonly ((item: T) => string)[];
  /** From 0 to 1, of two that have no digest in common. */
  similarity(before: T, after: T): number;
  /** Among several that may be meant, the higher the better; from 0 to 1. Without it, similarity decides. */
  readonly preference?: (before: T, after: T) => number;
  /** Are these the same thing, edited, where there is but one on each side between two that stayed? */
  isEditedAlone(before: T, after: T): boolean;
  /** Where there are more, they are from this similarity on … */
  readonly minSimilarity: number;
  /** … and, if they have moved, when this says so. */
  isEditedElsewhere(before: T, after: T): boolean;
}

/** With more pairs than this left, only neighbours are looked at. */
const MAX_WEIGHED = 400;
/** Of two that are equally alike, the one that is nearer. */
const DISTANCE_PENALTY = 1e-6;
/** A stretch with more pairs than this is not searched for similarity. */
const MAX_COMPARED = 4_000;

/**
 * Aligns two sequences: first what is equal by a digest, then, between what stayed in its order, what resembles each
 * other most (Needleman and Wunsch, 1970), then what resembles each other elsewhere.
 * What is on both sides but outside the longest common order has moved.
 */
export function alignSequences<T>(
  before: readonly T[],
  after: readonly T[],
  options: AlignOptions<T>,
): SequenceAlignment<T> {
  const matching = new Matching(before, after, options);
  matching.matchEnds();
  if (options.exact !== undefined) matching.matchExact(options.exact);
  for (const digest of options.digests) matching.matchEqual(digest);
  matching.matchAnywhere();
  for (const digest of options.sameKind ?? []) matching.matchSameKind(digest);
  const coarse = matching.matchNearby();
  return { pairs: matching.pairs(), coarse };
}

/** The same from the end: of several that are equal, the last are paired rather than the first. */
export function alignFromEnd<T>(
  before: readonly T[],
  after: readonly T[],
  options: AlignOptions<T>,
): SequenceAlignment<T> {
  const { pairs, coarse } = alignSequences([...before].reverse(), [...after].reverse(), options);
  const turned = (index: number | undefined, length: number) => (index === undefined ? index : length - 1 - index);
  const origins = new Map(
    pairs.map((pair) => [turned(pair.afterIndex, after.length), turned(pair.beforeIndex, before.length)]),
  );
  return { pairs: new Matching(before, after, options, origins).pairs(), coarse };
}

class Matching<T> {
  /** The place in `before` for each place in `after`, and the other way round. */
  readonly #origin: (number | undefined)[];
  readonly #target: (number | undefined)[];

  constructor(
    private readonly before: readonly T[],
    private readonly after: readonly T[],
    private readonly options: AlignOptions<T>,
    /** What is known already: for a place in `after` that in `before`. */
    origins: ReadonlyMap<number | undefined, number | undefined> = new Map(),
  ) {
    this.#origin = new Array<number | undefined>(after.length).fill(undefined);
    this.#target = new Array<number | undefined>(before.length).fill(undefined);
    for (const [now, old] of origins) if (old !== undefined && now !== undefined) this.#match(old, now);
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

  /** What there is only once on each side, and is in order. */
  matchExact(digest: (item: T) => string): void {
    const olds = this.#keys(this.before, this.#target, digest);
    const news = this.#keys(this.after, this.#origin, digest);
    const [oldPlaces, newPlaces] = [positionsByKey(olds), positionsByKey(news)];
    const isOne = (key: string) => oldPlaces.get(key)?.length === 1 && newPlaces.get(key)?.length === 1;
    const once = (keys: ReadonlyMap<number, string>) => new Map([...keys].filter(([, key]) => isOne(key)));
    for (const [from, to] of commonSubsequence(once(olds), once(news))) this.#match(from, to);
  }

  /** What is equal by a digest: as much of it as there is in order, then, for what has moved, the first with the first. */
  matchEqual(digest: (item: T) => string): void {
    const olds = this.#keys(this.before, this.#target, digest);
    const news = this.#keys(this.after, this.#origin, digest);
    const [oldPlaces, newPlaces] = [positionsByKey(olds), positionsByKey(news)];
    for (const [from, to] of alignRepeats(commonSubsequence(olds, news), olds, oldPlaces, newPlaces))
      this.#match(from, to);
    for (const [key, places] of newPlaces) {
      const origins = (oldPlaces.get(key) ?? []).filter((index) => this.#target[index] === undefined);
      const open = places.filter((index) => this.#origin[index] === undefined);
      for (const [count, index] of open.slice(0, origins.length).entries()) this.#match(origins[count] ?? 0, index);
    }
  }

  /** What is equal by a looser digest, only between two that kept their order: if several are, what is most alike. */
  matchSameKind(digest: (item: T) => string): void {
    const olds = this.#keys(this.before, this.#target, digest);
    const news = this.#keys(this.after, this.#origin, digest);
    for (const { old, now } of this.#stretches())
      if (old.length * now.length > MAX_COMPARED) {
        const [left, right] = [pickKeys(olds, old), pickKeys(news, now)];
        for (const [from, to] of commonSubsequence(left, right)) this.#match(from, to);
      } else this.#matchAlike(old, now, (from, to) => isEqualKey(olds.get(from), news.get(to)));
  }

  /** In order, what may be matched, and of that what is most alike. */
  #matchAlike(old: readonly number[], now: readonly number[], may: (from: number, to: number) => boolean): void {
    const scores = old.map((from, row) =>
      now.map((to, column) =>
        may(from, to) ? 1 + this.#preference(from, to) - DISTANCE_PENALTY * Math.abs(row - column) : 0,
      ),
    );
    for (const [from, to] of bestOrderedPairs(scores, 0.5)) this.#match(at(old, from), at(now, to));
  }

  /** In each stretch between two that kept their order. True where one was too long. */
  matchNearby(): boolean {
    let coarse = false;
    for (const { old, now } of this.#stretches()) coarse = this.#matchStretch(old, now) || coarse;
    return coarse;
  }

  /** What was edited so little that there is no doubt, even if it has moved. */
  matchAnywhere(): void {
    const [olds, news] = [unmatched(this.#target), unmatched(this.#origin)];
    if (olds.length * news.length > MAX_WEIGHED) return;
    const pairs = olds.flatMap((old) => news.map((now) => ({ old, now })));
    const likely = pairs
      .filter(({ old, now }) => this.#similarity(old, now) >= this.options.minSimilarity)
      .map(({ old, now }) => ({
        old,
        now,
        score: this.#preference(old, now) - DISTANCE_PENALTY * Math.abs(old - now),
      }));
    for (const { old, now } of likely.sort((left, right) => right.score - left.score)) {
      if (this.#target[old] !== undefined || this.#origin[now] !== undefined) continue;
      if (this.options.isEditedElsewhere(at(this.before, old), at(this.after, now))) this.#match(old, now);
    }
  }

  pairs(): readonly AlignedPair<T>[] {
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
  #removed(): ReadonlyMap<number, readonly AlignedPair<T>[]> {
    const kept = new Set(this.#kept().map((index) => this.#origin[index]));
    const removed = new Map<number, AlignedPair<T>[]>();
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
    return longestIncreasingSubsequence(matched.map((index) => this.#origin[index] ?? 0)).map(
      (place) => matched[place] ?? 0,
    );
  }

  /** What has no match yet, by the stretches between two that have one and kept their order. */
  #stretches(): readonly Gap[] {
    const stretches: Gap[] = [];
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
    const keyed = unmatched(matches).map((index) => [index, digest(at(items, index))] as const);
    return new Map(keyed.filter(([, key]) => key !== ''));
  }

  #matchStretch(olds: readonly number[], news: readonly number[]): boolean {
    if (olds.length * news.length > MAX_COMPARED) {
      for (let index = 0; index < Math.min(olds.length, news.length); index += 1)
        this.#match(at(olds, index), at(news, index));
      return true;
    }
    const [only, other] = [at(olds, 0), at(news, 0)];
    if (olds.length === 1 && news.length === 1) {
      if (this.options.isEditedAlone(at(this.before, only), at(this.after, other))) this.#match(only, other);
      return false;
    }
    const score = olds.map((old) =>
      news.map((now) => (this.#similarity(old, now) < this.options.minSimilarity ? 0 : 1 + this.#preference(old, now))),
    );
    for (const [old, now] of bestOrderedPairs(score, 1)) this.#match(at(olds, old), at(news, now));
    return false;
  }

  #similarity(old: number, now: number): number {
    return this.options.similarity(at(this.before, old), at(this.after, now));
  }

  #preference(old: number, now: number): number {
    const { preference, similarity } = this.options;
    return (preference ?? similarity)(at(this.before, old), at(this.after, now));
  }

  #match(old: number, now: number): void {
    this.#target[old] = now;
    this.#origin[now] = old;
  }
}

/** Places without a match, between two that have one. */
interface Gap {
  readonly old: readonly number[];
  readonly now: readonly number[];
}

function unmatched(matches: readonly (number | undefined)[]): readonly number[] {
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
