/** The words of a command line; quotes keep words together. */
export function wordsOf(line: string): readonly string[] {
  return Array.from(
    line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g),
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );
}

/** The line that `wordsOf` takes apart into these words. */
export function lineOf(words: readonly string[]): string {
  return words
    .map((word) => (/^[^\s"']+$/.test(word) ? word : word.includes('"') ? `'${word}'` : `"${word}"`))
    .join(' ');
}
