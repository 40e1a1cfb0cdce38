/** A text of which parts are read: a string, or a file that need not be in memory. */
export type TextParts = Pick<string, 'length' | 'slice' | 'charCodeAt' | 'startsWith' | 'indexOf' | 'includes'>;

/** All of a text, for who cannot do with parts. */
export function wholeText(text: TextParts): string {
  return typeof text === 'string' ? text : text.slice();
}
