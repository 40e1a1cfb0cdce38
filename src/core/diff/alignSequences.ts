import { commonEnds, type Gap, gapsBetween, type IndexPair, longestIncreasingSubsequence, range } from './commonOrder';
import { alignRepeats, commonKeys, isEqualKey, type KeysByPlace, pickKeys, placesByKey } from './keyedPlaces';
import { KeyedQueues } from './keyedQueues';
import { bestOrderedPairs } from './orderedPairs';

/** One place in two aligned sequences. An item on one side only was added or removed. */
export interface AlignedPair<T> {
  readonly before?: T;
  readonly after?: T;
  readonly beforeIndex?: number;
  readonly afterIndex?: number;
  /** The item is on both sides, in another order among the others. */
  readonly moved: boolean;
}

export interface SequenceAlignment<T> {
  /** In the order of `after`; a removed item stands after the item that it followed in `before`. */
  readonly pairs: readonly AlignedPair<T>[];
  /** A gap was too long to search for similar items, which were paired by position. */
  readonly coarse: boolean;
}

export interface AlignOptions<T> {
  /** A fast comparison, for the common start and end. */
  readonly same?: (before: T, after: T) => boolean;
  /** A fast key, equal for identical items. Items whose key occurs once on each side are paired first. */
  readonly exact?: (item: T) => string;
  /** From the strictest to the loosest: items with equal digests are the same item, wherever they are. '': no digest. */
  readonly digests: readonly ((item: T) => string)[];
  /** Items with equal kinds between the same neighbours are the same item, edited. */
  readonly sameKind?: readonly ((item: T) => string)[];
  /** From 0 to 1, for items without a common digest. */
  similarity(before: T, after: T): number;
  /** Ranks several candidates, from 0 to 1, higher is better. By default the similarity. */
  readonly preference?: (before: T, after: T) => number;
  /** Whether two items are the same one, edited, where they are alone between two pairs. */
  isEditedAlone(before: T, after: T): boolean;
  /** The least similarity of edited items where there are several. */
  readonly minSimilarity: number;
  /** Whether two similar items are the same one, edited and possibly moved. */
  isEditedElsewhere(before: T, after: T): boolean;
}

/** With more combinations of unpaired items than this, moved and edited items are not looked for. */
const MAX_WEIGHED = 400;
/** Of two equally good candidates, the nearer one is taken. */
const DISTANCE_PENALTY = 1e-6;
/** A gap with more combinations than this is not searched for similar items. */
const MAX_COMPARED = 4_000;

/**
 * Aligns two sequences: pairs equal items, then similar items between pairs that kept their order, and similar items
 * elsewhere. Paired items outside the longest common order have moved.
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

/** Aligns from the end: of several equal items, the last ones are paired rather than the first. */
export function alignFromEnd<T>(
  before: readonly T[],
  after: readonly T[],
  options: AlignOptions<T>,
): SequenceAlignment<T> {
  const { pairs, coarse } = alignSequences([...before].reverse(), [...after].reverse(), options);
  const matching = new Matching(before, after, options);
  for (const { beforeIndex, afterIndex } of pairs)
    if (beforeIndex !== undefined && afterIndex !== undefined)
      matching.match(before.length - 1 - beforeIndex, after.length - 1 - afterIndex);
  return { pairs: matching.pairs(), coarse };
}

class Matching<T> {
  readonly #before: readonly T[];
  readonly #after: readonly T[];
  readonly #options: AlignOptions<T>;
  /** The counterpart in `before` of each place in `after`. */
  readonly #origins: (number | undefined)[];
  /** The counterpart in `after` of each place in `before`. */
  readonly #targets: (number | undefined)[];

  constructor(before: readonly T[], after: readonly T[], options: AlignOptions<T>) {
    this.#before = before;
    this.#after = after;
    this.#options = options;
    this.#origins = new Array<number | undefined>(after.length).fill(undefined);
    this.#targets = new Array<number | undefined>(before.length).fill(undefined);
  }

  match(old: number, now: number): void {
    this.#targets[old] = now;
    this.#origins[now] = old;
  }

  matchEnds(): void {
    const { same } = this.#options;
    if (same === undefined) return;
    const { length: oldLength } = this.#before;
    const { length: newLength } = this.#after;
    const { start, end } = commonEnds(oldLength, newLength, (old, now) =>
      same(at(this.#before, old), at(this.#after, now)),
    );
    for (let place = 0; place < start; place += 1) this.match(place, place);
    for (let place = 1; place <= end; place += 1) this.match(oldLength - place, newLength - place);
  }

  /** Pairs the items whose key occurs once on each side, as far as they are in order. */
  matchExact(digest: (item: T) => string): void {
    const olds = this.#oldKeys(digest);
    const news = this.#newKeys(digest);
    const oldPlaces = placesByKey(olds);
    const newPlaces = placesByKey(news);
    const isUnique = (key: string): boolean => oldPlaces.get(key)?.length === 1 && newPlaces.get(key)?.length === 1;
    const unique = (keys: KeysByPlace): KeysByPlace => new Map([...keys].filter(([, key]) => isUnique(key)));
    this.#matchAll(commonKeys(unique(olds), unique(news)));
  }

  /** Pairs items with equal digests: as many as are in order, then, of those that have moved, the first with the first. */
  matchEqual(digest: (item: T) => string): void {
    const olds = this.#oldKeys(digest);
    const news = this.#newKeys(digest);
    this.#matchAll(alignRepeats(commonKeys(olds, news), olds, news));
    const isUnmatched = ([old]: readonly [number, string]): boolean => this.#targets[old] === undefined;
    const moved = new KeyedQueues([...olds].filter(isUnmatched).map(([old, key]) => [key, old] as const));
    for (const [now, key] of news) {
      const old = this.#origins[now] === undefined ? moved.take(key) : undefined;
      if (old !== undefined) this.match(old, now);
    }
  }

  /** Pairs items of equal kind between two pairs that kept their order; among several, the most similar ones. */
  matchSameKind(digest: (item: T) => string): void {
    const olds = this.#oldKeys(digest);
    const news = this.#newKeys(digest);
    for (const gap of this.#gaps())
      if (isLarge(gap)) this.#matchAll(commonKeys(pickKeys(olds, gap.before), pickKeys(news, gap.after)));
      else
        this.#matchBest(gap, 0.5, (old, now, distance) =>
          isEqualKey(olds.get(old), news.get(now)) ? 1 + this.#preference(old, now) - DISTANCE_PENALTY * distance : 0,
        );
  }

  /** Pairs items that were edited so little that there is no doubt, even where they have moved. */
  matchAnywhere(): void {
    const olds = unmatched(this.#targets);
    const news = unmatched(this.#origins);
    if (olds.length * news.length > MAX_WEIGHED) return;
    const combinations = olds.flatMap((old) => news.map((now) => ({ old, now })));
    const likely = combinations
      .filter(({ old, now }) => this.#similarity(old, now) >= this.#options.minSimilarity)
      .map(({ old, now }) => ({
        old,
        now,
        score: this.#preference(old, now) - DISTANCE_PENALTY * Math.abs(old - now),
      }));
    for (const { old, now } of likely.sort((left, right) => right.score - left.score)) {
      if (this.#targets[old] !== undefined || this.#origins[now] !== undefined) continue;
      if (this.#options.isEditedElsewhere(at(this.#before, old), at(this.#after, now))) this.match(old, now);
    }
  }

  /** Pairs similar items in each gap between two pairs that kept their order. True if a gap was too long for that. */
  matchNearby(): boolean {
    const gaps = this.#gaps();
    for (const gap of gaps) this.#matchGap(gap);
    return gaps.some(isLarge);
  }

  pairs(): readonly AlignedPair<T>[] {
    const kept = new Set(this.#kept());
    const removedAfter = this.#removed();
    const pairs = [...(removedAfter.get(-1) ?? [])];
    this.#after.forEach((item, index) => {
      const origin = this.#origins[index];
      const old = origin === undefined ? {} : { before: at(this.#before, origin), beforeIndex: origin };
      pairs.push({ ...old, after: item, afterIndex: index, moved: origin !== undefined && !kept.has(index) });
      if (kept.has(index) && origin !== undefined) pairs.push(...(removedAfter.get(origin) ?? []));
    });
    return pairs;
  }

  /** The removed items, by the place in `before` of the nearest item ahead of them that kept its order. */
  #removed(): ReadonlyMap<number, readonly AlignedPair<T>[]> {
    const kept = new Set(this.#kept().map((index) => this.#origins[index]));
    const removed = new Map<number, AlignedPair<T>[]>();
    let last = -1;
    this.#before.forEach((item, index) => {
      if (kept.has(index)) last = index;
      if (this.#targets[index] !== undefined) return;
      removed.set(last, [...(removed.get(last) ?? []), { before: item, beforeIndex: index, moved: false }]);
    });
    return removed;
  }

  /** The places in `after` of the paired items that kept their order. */
  #kept(): readonly number[] {
    const matched = range(0, this.#after.length).filter((index) => this.#origins[index] !== undefined);
    return longestIncreasingSubsequence(matched.map((index) => this.#origins[index] ?? 0)).map(
      (place) => matched[place] ?? 0,
    );
  }

  /** The unpaired items between two pairs that kept their order, where there are some on both sides. */
  #gaps(): readonly Gap[] {
    const anchors = this.#kept().map((now): IndexPair => [this.#origins[now] ?? 0, now]);
    return gapsBetween(anchors, this.#before.length, this.#after.length)
      .map(({ before, after }) => ({
        before: before.filter((index) => this.#targets[index] === undefined),
        after: after.filter((index) => this.#origins[index] === undefined),
      }))
      .filter(({ before, after }) => before.length > 0 && after.length > 0);
  }

  #oldKeys(digest: (item: T) => string): KeysByPlace {
    return keysOf(this.#before, unmatched(this.#targets), digest);
  }

  #newKeys(digest: (item: T) => string): KeysByPlace {
    return keysOf(this.#after, unmatched(this.#origins), digest);
  }

  #matchGap(gap: Gap): void {
    const { before, after } = gap;
    if (isLarge(gap)) {
      for (const [index, old] of before.slice(0, after.length).entries()) this.match(old, at(after, index));
      return;
    }
    const old = at(before, 0);
    const now = at(after, 0);
    if (before.length === 1 && after.length === 1) {
      if (this.#options.isEditedAlone(at(this.#before, old), at(this.#after, now))) this.match(old, now);
      return;
    }
    this.#matchBest(gap, 1, (from, to) =>
      this.#similarity(from, to) < this.#options.minSimilarity ? 0 : 1 + this.#preference(from, to),
    );
  }

  /** Pairs items of a gap in order, with the highest total score; `distance` is between their places in the gap. */
  #matchBest(
    { before, after }: Gap,
    minScore: number,
    score: (old: number, now: number, distance: number) => number,
  ): void {
    const pairs = bestOrderedPairs(
      before.length,
      after.length,
      (row, column) => score(at(before, row), at(after, column), Math.abs(row - column)),
      minScore,
    );
    this.#matchAll(pairs.map(([row, column]) => [at(before, row), at(after, column)]));
  }

  #matchAll(pairs: readonly IndexPair[]): void {
    for (const [old, now] of pairs) this.match(old, now);
  }

  #similarity(old: number, now: number): number {
    return this.#options.similarity(at(this.#before, old), at(this.#after, now));
  }

  #preference(old: number, now: number): number {
    const { preference, similarity } = this.#options;
    return (preference ?? similarity)(at(this.#before, old), at(this.#after, now));
  }
}

/** The digests at some places; an empty digest is left out. */
function keysOf<T>(items: readonly T[], places: readonly number[], digest: (item: T) => string): KeysByPlace {
  const keyed = places.map((index) => [index, digest(at(items, index))] as const);
  return new Map(keyed.filter(([, key]) => key !== ''));
}

function isLarge({ before, after }: Gap): boolean {
  return before.length * after.length > MAX_COMPARED;
}

function unmatched(matches: readonly (number | undefined)[]): readonly number[] {
  return range(0, matches.length).filter((index) => matches[index] === undefined);
}

function at<T>(items: readonly T[], index: number): T {
  const item = items[index];
  if (item === undefined) throw new RangeError(`there is no item ${index}`);
  return item;
}
