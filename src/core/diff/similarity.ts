/** Items of a text, such as words, each with the number of its occurrences. */
export type ItemCounts = ReadonlyMap<string, number>;

/** Words beyond this number are not counted; so many are enough to compare texts by. */
const MAX_WORDS = 2000;
/** Words, and every other visible character by itself; upper and lower case differ. */
const WORD_OR_SIGN = /[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu;
/** Letters and digits only. */
const WORD = /[\p{L}\p{N}]+/gu;

export function countWords(text: string): ItemCounts {
  return countItems(firstWords(text));
}

function* firstWords(text: string): Iterable<string> {
  let count = 0;
  for (const [word] of text.matchAll(WORD_OR_SIGN)) {
    yield word;
    count += 1;
    if (count === MAX_WORDS) return;
  }
}

/** Pairs of neighbouring characters, for short texts. */
export function countPairs(text: string): ItemCounts {
  const chars = [...text.toLowerCase()];
  return countItems(chars.slice(1).map((char, index) => `${chars[index]}${char}`));
}

/** The similarity of two texts by their words, from 0 to 1: Dice's coefficient of multisets. Two empty texts are alike. */
export function diceSimilarity(left: ItemCounts, right: ItemCounts): number {
  const total = countOf(left) + countOf(right);
  return total === 0 ? 1 : (2 * sharedCount(left, right)) / total;
}

/**
 * The similarity of two texts, from 0 to 1: the mean of the cosines of their counts of words and of letter trigrams. It
 * needs no model and gives the same number everywhere; it compares words, not meanings.
 */
export function cosineSimilarity(left: string, right: string): number {
  const before = normalised(left);
  const after = normalised(right);
  if (before === after) return 1;
  const byWords = cosine(countItems(wordsOf(before)), countItems(wordsOf(after)));
  return (byWords + cosine(countItems(trigrams(before)), countItems(trigrams(after)))) / 2;
}

/** The words that two texts have in common, as a share of all their words, from 0 to 1; case and number do not count. */
export function jaccardSimilarity(left: string, right: string): number {
  const before = countItems(new Set(wordsOf(left.toLowerCase())));
  const after = countItems(new Set(wordsOf(right.toLowerCase())));
  const shared = sharedCount(before, after);
  const all = before.size + after.size - shared;
  return all === 0 ? 1 : shared / all;
}

function wordsOf(text: string): readonly string[] {
  return text.match(WORD) ?? [];
}

function normalised(text: string): string {
  return wordsOf(text.normalize('NFKC').toLowerCase()).join(' ');
}

function trigrams(text: string): string[] {
  const padded = ` ${text} `;
  return Array.from({ length: Math.max(0, padded.length - 2) }, (_, at) => padded.slice(at, at + 3));
}

function countItems(items: Iterable<string>): ItemCounts {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

function countOf(counts: ItemCounts): number {
  let sum = 0;
  for (const count of counts.values()) sum += count;
  return sum;
}

/** The size of the intersection of two multisets. */
function sharedCount(left: ItemCounts, right: ItemCounts): number {
  let shared = 0;
  for (const [item, count] of left) shared += Math.min(count, right.get(item) ?? 0);
  return shared;
}

function cosine(left: ItemCounts, right: ItemCounts): number {
  const dot = [...left].reduce((sum, [item, count]) => sum + count * (right.get(item) ?? 0), 0);
  const length = (of: ItemCounts): number => Math.sqrt([...of.values()].reduce((sum, n) => sum + n * n, 0));
  const lengths = length(left) * length(right);
  return lengths === 0 ? 0 : dot / lengths;
}

/** Hashes kept of a text: enough to compare texts by. */
const SKETCH_SIZE = 16;

/**
 * The smallest hashes of a text's words, sorted (a bottom-k sketch, Broder 1997). The more words two texts have in common,
 * the more hashes their sketches share. Case counts; words are ASCII letters, digits, and everything beyond ASCII.
 */
export function sketchText(text: string): readonly number[] {
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
  if (smallest.length === SKETCH_SIZE && hash >= (smallest[SKETCH_SIZE - 1] ?? 0)) return;
  let at = smallest.length;
  while (at > 0 && (smallest[at - 1] ?? 0) > hash) at -= 1;
  if (at > 0 && smallest[at - 1] === hash) return;
  smallest.splice(at, 0, hash);
  if (smallest.length > SKETCH_SIZE) smallest.pop();
}

/**
 * The share of hashes that two sketches have in common, from 0 to 1. Two empty sketches are alike. The right one may be a part of a
 * list of many.
 */
export function sketchSimilarity(
  left: readonly number[],
  right: ArrayLike<number>,
  start = 0,
  end = right.length,
): number {
  const length = end - start;
  if (left.length === 0 || length === 0) return left.length === length ? 1 : 0;
  let shared = 0;
  for (let i = 0, j = start; i < left.length && j < end; ) {
    const difference = (left[i] ?? 0) - (right[j] ?? 0);
    if (difference === 0) shared += 1;
    if (difference <= 0) i += 1;
    if (difference >= 0) j += 1;
  }
  return shared / Math.max(left.length, length);
}
