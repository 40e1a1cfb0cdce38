/**
 * Changes a text that is stored in pieces, so that as few of them as possible change: what the old and the new text have
 * in common at both ends stays where it is. New text goes to the piece in which it begins.
 */
export function distributeText(pieces: readonly string[], text: string): string[] {
  const old = pieces.join('');
  const [from, to] = changedRange(old, text);
  const inserted = text.slice(from, text.length - (old.length - to));
  const target = pieceFor(pieces, from, from === to);
  let at = 0;
  return pieces.map((piece, index) => {
    const start = Math.max(0, Math.min(from - at, piece.length));
    const end = Math.max(start, Math.min(to - at, piece.length));
    at += piece.length;
    return piece.slice(0, start) + (index === target ? inserted : '') + piece.slice(end);
  });
}

/** The range of the old text that the new one replaces. It does not cut through a surrogate pair. */
function changedRange(old: string, text: string): readonly [from: number, to: number] {
  const shorter = Math.min(old.length, text.length);
  let from = 0;
  while (from < shorter && old[from] === text[from]) from += 1;
  if (/[\ud800-\udbff]/.test(old[from - 1] ?? '')) from -= 1;
  let same = 0;
  while (same < shorter - from && old[old.length - 1 - same] === text[text.length - 1 - same]) same += 1;
  if (same > 0 && /[\udc00-\udfff]/.test(old[old.length - same] ?? '')) same -= 1;
  return [from, old.length - same];
}

/** Where text is only added, the piece before it goes on; empty pieces, such as the first of a stream, stay empty. */
function pieceFor(pieces: readonly string[], offset: number, onlyAdded: boolean): number {
  let at = 0;
  for (const [index, { length }] of pieces.entries()) {
    at += length;
    if (length > 0 && (at > offset || (onlyAdded && at === offset))) return index;
  }
  return Math.max(
    0,
    pieces.findLastIndex(({ length }) => length > 0),
  );
}
