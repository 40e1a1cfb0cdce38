import type { AlignedPair, AlignOptions } from './alignment';
import { commonEnds, type Gap, gapsBetween, type IndexPair, longestIncreasingSubsequence, range } from './commonOrder';
import {
  alignRepeats,
  commonKeys,
  hasRepeats,
  isEqualKey,
  type KeysByPlace,
  pickKeys,
  placesByKey,
} from './keyedPlaces';
import { KeyedQueues } from './keyedQueues';
import { bestOrderedPairs } from './orderedPairs';

/** With more combinations of unpaired items than this, moved and edited items are not looked for. */
const MAX_WEIGHED = 400;
/** Of two equally good candidates, the nearer one is taken. */
const DISTANCE_PENALTY = 1e-6;
/** What two equal items count, where two that are alike count their similarity: no more than two of those are preferred to it. */
const EQUAL = 2;
/** In characters of the key. */
const MIN_ESSENCE = 60;
/** A gap with more combinations than this is not searched for similar items. */
const MAX_COMPARED = 4_000;

/** The pairs that two sequences have so far. Every step pairs items that have no counterpart yet. */
export class Matching<T> {
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
    this.#matchAll(commonKeys(onlyUnique(olds), onlyUnique(news)));
  }

  /** Pairs items with equal digests: as many as are in order, then, of those that have moved, the first with the first. */
  matchEqual(digest: (item: T) => string): void {
    const olds = this.#oldKeys(digest);
    const news = this.#newKeys(digest);
    for (const gap of this.#gaps())
      this.#matchAll(this.#equalPairs(gap, pickKeys(olds, gap.before), pickKeys(news, gap.after)));
    const isUnmatched = ([old]: readonly [number, string]): boolean => this.#targets[old] === undefined;
    const moved = new KeyedQueues([...olds].filter(isUnmatched).map(([old, key]) => [key, old] as const));
    for (const [now, key] of news) {
      const old = this.#origins[now] === undefined ? moved.take(key) : undefined;
      if (old !== undefined) this.match(old, now);
    }
  }

  /**
   * Pairs items of which the essential is equal: those in order, then those that have moved, if it occurs once on each side among
   * the ones that are left, and is long enough that two items hardly have it by chance.
   */
  matchEssence(essence: (item: T) => string): void {
    this.matchSameKind(essence);
    const olds = onlyUnique(this.#oldKeys(essence));
    const places = new Map([...onlyUnique(this.#newKeys(essence))].map(([now, key]) => [key, now]));
    for (const [old, key] of olds) {
      const now = places.get(key);
      if (now !== undefined && key.length >= MIN_ESSENCE) this.match(old, now);
    }
  }

  /**
   * The equal items of a gap, in order. Which of several equal ones are paired decides which others are left opposite each other, to
   * be paired as edited.
   */
  #equalPairs(gap: Gap, olds: KeysByPlace, news: KeysByPlace): readonly IndexPair[] {
    if (!hasRepeats(olds) && !hasRepeats(news)) return commonKeys(olds, news);
    if (isLarge(gap)) return alignRepeats(commonKeys(olds, news), olds, news);
    const isEqual = ([old, now]: IndexPair): boolean => isEqualKey(olds.get(old), news.get(now));
    return this.#bestPairs(gap, (old, now) => (isEqual([old, now]) ? EQUAL : this.#likeness(old, now))).filter(isEqual);
  }

  /** Pairs items of equal kind between two pairs that kept their order; among several, those that leave most others a counterpart. */
  matchSameKind(digest: (item: T) => string): void {
    const olds = this.#oldKeys(digest);
    const news = this.#newKeys(digest);
    const isEqual = ([old, now]: IndexPair): boolean => isEqualKey(olds.get(old), news.get(now));
    for (const gap of this.#gaps()) {
      const [before, after] = [pickKeys(olds, gap.before), pickKeys(news, gap.after)];
      if (isLarge(gap)) this.#matchAll(commonKeys(before, after));
      else if (hasRepeats(before) || hasRepeats(after))
        this.#matchAll(
          this.#bestPairs(gap, (old, now, distance) =>
            isEqual([old, now]) ? EQUAL + this.#ranked(old, now, distance) : this.#likeness(old, now),
          ).filter(isEqual),
        );
      else this.#matchBest(gap, (old, now) => isEqual([old, now]));
    }
  }

  /** Pairs items that were edited so little that there is no doubt, even where they have moved. */
  matchElsewhere(): void {
    if (unmatched(this.#targets).length * unmatched(this.#origins).length > MAX_WEIGHED) return;
    const isEdited = (old: number, now: number): boolean =>
      this.#likeness(old, now) > 0 && this.#options.isEditedElsewhere(at(this.#before, old), at(this.#after, now));
    for (const gap of this.#gaps()) this.#matchBest(gap, isEdited);
    const olds = unmatched(this.#targets);
    const news = unmatched(this.#origins);
    const combinations = olds.flatMap((old) => news.map((now) => ({ old, now })));
    const likely = combinations
      .filter(({ old, now }) => isEdited(old, now) && !this.#isCopyOfAnother(old, now))
      .map(({ old, now }) => ({
        old,
        now,
        score: this.#preference(old, now) - DISTANCE_PENALTY * Math.abs(old - now),
      }));
    for (const { old, now } of likely.sort((left, right) => right.score - left.score)) {
      if (this.#targets[old] !== undefined || this.#origins[now] !== undefined) continue;
      this.match(old, now);
    }
  }

  /** Whether an item that moved would be more like one that has its counterpart already: then it is a copy of that one, and new. */
  #isCopyOfAnother(old: number, now: number): boolean {
    if (this.#before.length > MAX_WEIGHED) return false;
    const similarity = this.#similarity(old, now);
    return matched(this.#targets).some((other) => this.#similarity(other, now) > similarity);
  }

  /** Pairs similar items in each gap between two pairs that kept their order. True if a gap was too long for that. */
  matchNearby(): boolean {
    const gaps = this.#gaps();
    for (const gap of gaps) this.#matchGap(gap);
    return gaps.some(isLarge);
  }

  /** Exchanges the counterparts of equal items so that they are in order, if fewer items have moved then. */
  uncross(digest: (item: T) => string): void {
    const crossed = this.#countMoved();
    if (crossed === 0) return;
    const pairs = this.#indexPairs();
    const alike = (items: readonly T[], matches: readonly (number | undefined)[]) =>
      placesByKey(keysOf(items, matched(matches), digest)).values();
    for (const olds of alike(this.#before, this.#targets)) {
      const targets = olds.map((old) => this.#targets[old] ?? 0).sort(ascending);
      this.#matchAll(olds.map((old, index) => [old, at(targets, index)]));
    }
    for (const news of alike(this.#after, this.#origins)) {
      const origins = news.map((now) => this.#origins[now] ?? 0).sort(ascending);
      this.#matchAll(news.map((now, index) => [at(origins, index), now]));
    }
    if (this.#countMoved() >= crossed) this.#matchAll(pairs);
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
    const paired = matched(this.#origins);
    return longestIncreasingSubsequence(paired.map((index) => this.#origins[index] ?? 0)).map(
      (place) => paired[place] ?? 0,
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

  #countMoved(): number {
    return this.#indexPairs().length - this.#kept().length;
  }

  #indexPairs(): readonly IndexPair[] {
    return this.#targets.flatMap((now, old) => (now === undefined ? [] : [[old, now] as const]));
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
    this.#matchBest(gap, (from, to) => this.#likeness(from, to) > 0);
  }

  /** Pairs the items of a gap that may be two versions of one: as many as are in order, and of several those that are preferred. */
  #matchBest(gap: Gap, mayBeSame: (old: number, now: number) => boolean): void {
    this.#matchAll(
      this.#bestPairs(gap, (old, now, distance) => (mayBeSame(old, now) ? 1 + this.#ranked(old, now, distance) : 0)),
    );
  }

  /** The preference; of two that are preferred as much, the nearer one. */
  #ranked(old: number, now: number, distance: number): number {
    return this.#preference(old, now) - DISTANCE_PENALTY * distance;
  }

  /** The items of a gap, in order, with the highest total score, each above 0; `distance` is between their places in the gap. */
  #bestPairs(
    { before, after }: Gap,
    score: (old: number, now: number, distance: number) => number,
  ): readonly IndexPair[] {
    const pairs = bestOrderedPairs(
      before.length,
      after.length,
      (row, column) => score(at(before, row), at(after, column), Math.abs(row - column)),
      Number.MIN_VALUE,
    );
    return pairs.map(([row, column]) => [at(before, row), at(after, column)]);
  }

  /** The similarity, or 0 where it is too small for two versions of an item. */
  #likeness(old: number, now: number): number {
    const similarity = this.#similarity(old, now);
    return similarity < this.#options.minSimilarity ? 0 : similarity;
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

/** The keys that occur once. */
function onlyUnique(keys: KeysByPlace): KeysByPlace {
  const places = placesByKey(keys);
  return new Map([...keys].filter(([, key]) => places.get(key)?.length === 1));
}

function isLarge({ before, after }: Gap): boolean {
  return before.length * after.length > MAX_COMPARED;
}

function ascending(left: number, right: number): number {
  return left - right;
}

function matched(matches: readonly (number | undefined)[]): readonly number[] {
  return range(0, matches.length).filter((index) => matches[index] !== undefined);
}

function unmatched(matches: readonly (number | undefined)[]): readonly number[] {
  return range(0, matches.length).filter((index) => matches[index] === undefined);
}

function at<T>(items: readonly T[], index: number): T {
  const item = items[index];
  if (item === undefined) throw new RangeError(`there is no item ${index}`);
  return item;
}
