/** What the method is called in results: Flakestorm compares embeddings of a model that it downloads. */
export const SIMILARITY_METHOD = 'local method: cosine of word and letter-trigram counts';

/**
 * How alike two texts are, 0 to 1: the mean of the cosines of their counts of words and of letter trigrams. It runs
 * offline and gives the same number everywhere; it sees words, not meanings.
 */
export function similarity(left: string, right: string): number {
  const [a, b] = [normal(left), normal(right)];
  if (a === b) return 1;
  return (cosine(counts(a.split(' ')), counts(b.split(' '))) + cosine(counts(trigrams(a)), counts(trigrams(b)))) / 2;
}

function normal(text: string): string {
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
