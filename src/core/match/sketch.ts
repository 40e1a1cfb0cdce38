/** As many words as tell one text from another. */
const SIZE = 16;

/**
 * The words of a text with the smallest hashes: texts with many words in common have many of these in common (a
 * bottom-k sketch, Broder 1997). Sorted.
 */
export function sketch(text: string): readonly number[] {
  const smallest: number[] = [];
  let hash = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const code = at < text.length ? text.charCodeAt(at) : 0;
    if (isWordPart(code)) hash = Math.imul(hash ^ code, 16777619) + 0x9e3779b9;
    else if (hash !== 0) {
      insert(smallest, Math.imul(hash ^ (hash >>> 15), 2246822507) >>> 0);
      hash = 0;
    }
  }
  return smallest;
}

function isWordPart(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code > 127;
}

function insert(smallest: number[], hash: number): void {
  if (smallest.length === SIZE && hash >= (smallest[SIZE - 1] ?? 0)) return;
  let at = smallest.length;
  while (at > 0 && (smallest[at - 1] ?? 0) > hash) at -= 1;
  if (at > 0 && smallest[at - 1] === hash) return;
  smallest.splice(at, 0, hash);
  if (smallest.length > SIZE) smallest.pop();
}

/** How much two texts have in common, from 0 to 1. */
export function likeness(left: readonly number[], right: readonly number[]): number {
  if (left.length === 0 || right.length === 0) return left.length === right.length ? 1 : 0;
  let shared = 0;
  for (let i = 0, j = 0; i < left.length && j < right.length; ) {
    const difference = (left[i] ?? 0) - (right[j] ?? 0);
    if (difference === 0) shared += 1;
    if (difference <= 0) i += 1;
    if (difference >= 0) j += 1;
  }
  return shared / Math.max(left.length, right.length);
}
