/** Quotes a text for a POSIX shell. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * A text as one word of a POSIX shell, quoted only where it must be, as in a command that a message proposes. It is on one line:
 * control characters are written as bash, zsh, and ksh read them.
 */
export function shellWord(text: string): string {
  if (/\p{Cc}/u.test(text)) return `$'${text.replace(/['\\]/g, '\\$&').replace(/\p{Cc}/gu, octal)}'`;
  return /^[\w@%+=:,./#-]*[\w@%+=:,./-]$/.test(text) && !text.startsWith('#') ? text : quoteForShell(text);
}

/** The bytes of a character, as `$'…'` has them. */
function octal(char: string): string {
  return Array.from(new TextEncoder().encode(char), (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}
