/**
 * A regular expression composed of constants of this program and of escaped text. A pattern from a file goes through
 * `compilePattern`.
 */
export function composePattern(source: string, flags = ''): RegExp {
  return new RegExp(source, flags);
}

/** Escapes every character with a meaning in a pattern, so that the text matches itself. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** A pattern that matches any of the texts literally, preferring earlier ones; without texts, it matches nothing. */
export function literalPattern(texts: readonly string[], flags = ''): RegExp {
  return new RegExp(texts.length === 0 ? NEVER : texts.map(escapePattern).join('|'), flags);
}

const NEVER = '(?!)';
