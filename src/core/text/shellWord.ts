/** Quotes a text for a POSIX shell. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A text as one word of a POSIX shell, quoted only where it must be, as in a command that a message proposes. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./#-]*[\w@%+=:,./-]$/.test(text) && !text.startsWith('#') ? text : quoteForShell(text);
}
