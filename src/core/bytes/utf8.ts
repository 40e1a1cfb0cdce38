/**
 * The length of a text in UTF-8 bytes. A lone surrogate counts as the replacement character, which is written for it.
 */
export function utf8Length(text: string, start = 0, end = text.length): number {
  let bytes = 0;
  for (let at = start; at < end; at += 1) {
    const size = utf8SizeAt(text, at);
    bytes += size;
    if (size === 4) at += 1;
  }
  return bytes;
}

/**
 * The offset this many UTF-8 bytes after `start`; undefined if it is past the end of the text or inside a character.
 */
export function utf8Offset(text: string, start: number, bytes: number): number | undefined {
  let left = bytes;
  let at = start;
  while (left > 0 && at < text.length) {
    const size = utf8SizeAt(text, at);
    left -= size;
    at += size === 4 ? 2 : 1;
  }
  return left === 0 ? at : undefined;
}

function utf8SizeAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit < 0x80) return 1;
  if (unit < 0x800) return 2;
  return unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00 ? 4 : 3;
}
