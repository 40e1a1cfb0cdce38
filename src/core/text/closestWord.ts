/** The candidate that `word` is most likely a misspelling of, if there is one. */
export function closestWord(word: string, candidates: readonly string[]): string | undefined {
  const tolerance = Math.min(word.length - 1, Math.max(2, Math.floor(word.length / 3)));
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: candidate.startsWith(word) ? 0 : editDistance(word, candidate) }))
    .sort((left, right) => left.distance - right.distance);
  const [best] = ranked;
  return best !== undefined && best.distance <= tolerance ? best.candidate : undefined;
}

/** The Levenshtein distance. */
function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [leftIndex, char] of [...left].entries()) {
    const next = [leftIndex + 1];
    for (let index = 0; index < right.length; index += 1) {
      const replaced = (row[index] ?? 0) + (char === right[index] ? 0 : 1);
      next.push(Math.min(replaced, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
