/** More words than these say no more about what a text is. */
const MAX_WORDS = 2000;
const WORD_PATTERN = /[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu;

/** The words of a text, each with how often it is there. */
export type WordCounts = ReadonlyMap<string, number>;

export function countWords(text: string): WordCounts {
  const words = new Map<string, number>();
  let count = 0;
  for (const [word] of text.matchAll(WORD_PATTERN)) {
    words.set(word, (words.get(word) ?? 0) + 1);
    count += 1;
    if (count === MAX_WORDS) break;
  }
  return words;
}

/** How alike two texts are by their words, from 0 to 1 (Dice's coefficient of the multisets). Two empty texts are alike. */
export function diceSimilarity(left: WordCounts, right: WordCounts): number {
  const total = countOf(left) + countOf(right);
  if (total === 0) return 1;
  let shared = 0;
  for (const [word, count] of left) shared += Math.min(count, right.get(word) ?? 0);
  return (2 * shared) / total;
}

function countOf(words: WordCounts): number {
  let sum = 0;
  for (const count of words.values()) sum += count;
  return sum;
}

/** As many words as tell one text from another. */
const SKETCH_SIZE = 16;

/**
 * The words of a text with the smallest hashes: texts with many words in common have many of these in common (a
 * bottom-k sketch, Broder 1997). Sorted.
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

/** How much two texts have in common, from 0 to 1. */
export function sketchSimilarity(left: readonly number[], right: readonly number[]): number {
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

/**
 * How alike two texts are, 0 to 1: the mean of the cosines of their counts of words and of letter trigrams. It runs
 * offline and gives the same number everywhere; it sees words, not meanings.
 */
export function cosineSimilarity(left: string, right: string): number {
  const [a, b] = [normalised(left), normalised(right)];
  if (a === b) return 1;
  return (cosine(counts(a.split(' ')), counts(b.split(' '))) + cosine(counts(trigrams(a)), counts(trigrams(b)))) / 2;
}

function normalised(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function trigrams(text: string): string[] {
  const padded = ` ${text} `;
  return Array.from({ length: Math.max(0, padded.length - 2) }, (_, at) => padded.slice(at, at + 3));
}

function counts(items: readonly string[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const item of items) if (item !== '') found.set(item, (found.get(item) ?? 0) + 1);
  return found;
}

function cosine(left: Map<string, number>, right: Map<string, number>): number {
  const dot = [...left].reduce((sum, [item, count]) => sum + count * (right.get(item) ?? 0), 0);
  const length = (of: Map<string, number>): number => Math.sqrt([...of.values()].reduce((sum, n) => sum + n * n, 0));
  const lengths = length(left) * length(right);
  return lengths === 0 ? 0 : dot / lengths;
}

export function jaccardSimilarity(left: string, right: string): number {
  const words = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
  const [a, b] = [words(left), words(right)];
  const common = [...a].filter((word) => b.has(word)).length;
  const all = new Set([...a, ...b]).size;
  return all === 0 ? 1 : common / all;
}
