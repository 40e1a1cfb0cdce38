/** The name of the script that is run, or else of the program, without its extension. */
export function programName(words: readonly string[]): string {
  const script = words.find((word, at) => at > 0 && /^[^-\s][^\s]*\.\w+$/.test(word));
  const base = (script ?? words[0] ?? '').replace(/^.*[/\\]/, '').replace(/\.\w+$/, '');
  return base.replace(/[^\p{L}\p{N}._-]+/gu, '_') || 'agent';
}
