/**
 * The same text in one piece. What was put together from pieces is kept by V8 as a tree of them until somebody looks
 * inside: a text that a parser has added up character by character takes more than 30 bytes for each.
 */
export function flat(text: string): string {
  return Number.isNaN(text.charCodeAt(0)) ? '' : text;
}
