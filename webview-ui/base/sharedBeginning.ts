/** How many items two lists have in common, the very same objects, from their beginnings on. */
export function sharedBeginning<T>(left: readonly T[], right: readonly T[]): number {
  const shorter = Math.min(left.length, right.length);
  for (let at = 0; at < shorter; at += 1) if (left[at] !== right[at]) return at;
  return shorter;
}
