/** Quotes a text for a POSIX shell. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * A text as one word of a command that a message proposes, quoted only where it must be, so that it can be pasted into a POSIX shell,
 * `cmd`, and PowerShell alike: they agree on double quotes around whatever is special to none of them there. What is, is quoted for a POSIX
 * shell. It is on one line: control characters are written as bash, zsh, and ksh read them.
 */
export function shellWord(text: string): string {
  if (/\p{Cc}/u.test(text)) return `$'${text.replace(/['\\]/g, '\\$&').replace(/\p{Cc}/gu, octal)}'`;
  if (/^[\w%+=:./#-]*[\w%+=:./-]$/.test(text) && !text.startsWith('#')) return text;
  return /["$`\\!%\u201c-\u201f]/.test(text) ? quoteForShell(text) : `"${text}"`;
}

/** The bytes of a character, as `$'…'` has them. */
function octal(char: string): string {
  return Array.from(new TextEncoder().encode(char), (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}
