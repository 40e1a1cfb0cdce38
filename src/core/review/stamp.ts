import type { NormaliseRules } from './compare/normaliser';

/** Both sides of a review, as bytes; a side without a file is absent. */
export interface ReviewSides {
  readonly before?: Uint8Array;
  readonly after?: Uint8Array;
}

/**
 * Identifies what a review shows: both sides and the rules by which they were compared. A decision carries the stamp of
 * what was seen, and is refused when that has changed. `digest` is SHA-256 in hex: engine and editor have different ones.
 */
export function reviewStamp(
  { before, after }: ReviewSides,
  rules: NormaliseRules,
  digest: (content: Uint8Array | string) => string,
): string {
  const digests = [before, after].map((side) => (side === undefined ? '-' : digest(side)));
  return [...digests, digest(JSON.stringify(rules))].join('.');
}
