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

/**
 * Compiles a glob like Python's `fnmatch.translate`: `*`, `?` and `[…]`, matching a whole text. An empty range such as
 * `[z-a]` matches nothing.
 */
export function globPattern(glob: string): RegExp {
  const source = glob.replace(/\[!?[^\]]+\]|[\s\S]/g, (part) => {
    if (part === '*') return '.*';
    if (part === '?') return '.';
    if (part.length > 1) return part.replace('[!', '[^').replaceAll('\\', '\\\\');
    return escapePattern(part);
  });
  try {
    return new RegExp(`^(?:${source})$`, 's');
  } catch {
    return new RegExp(NEVER);
  }
}
