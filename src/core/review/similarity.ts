/** More words than these say no more about what a text is. */
const MOST_WORDS = 2000;
const WORD = /[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu;

/** The words of a text, each with how often it is there. */
export type Words = ReadonlyMap<string, number>;

export function wordsOf(text: string): Words {
  const words = new Map<string, number>();
  let count = 0;
  for (const [word] of text.matchAll(WORD)) {
    words.set(word, (words.get(word) ?? 0) + 1);
    count += 1;
    if (count === MOST_WORDS) break;
  }
  return words;
}

/** How alike two texts are by their words, from 0 to 1 (Dice's coefficient of the multisets). Two empty texts are alike. */
export function similarity(left: Words, right: Words): number {
  const total = size(left) + size(right);
  if (total === 0) return 1;
  let shared = 0;
  for (const [word, count] of left) shared += Math.min(count, right.get(word) ?? 0);
  return (2 * shared) / total;
}

function size(words: Words): number {
  let sum = 0;
  for (const count of words.values()) sum += count;
  return sum;
}
