/**
 * A text without upper and lower case, so that two texts which a pattern with the flag `i` takes for the same become the
 * same. First lower, then upper: `ẞ` becomes `ß` and then `SS`, and both forms of a final sigma become one.
 */
export function foldCase(text: string): string {
  return isAscii(text) ? text.toUpperCase() : text.toLowerCase().toUpperCase();
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 127) return false;
  return true;
}
