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
  readonly exact?: ((item: T) => string) | undefined;
  /** From the strictest to the loosest: items with equal digests are the same item, wherever they are. '': no digest. */
  readonly digests: readonly ((item: T) => string)[];
  /** The part of an item by which it is known again, however much else of it was edited; '': none. */
  readonly essence?: (item: T) => string;
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
