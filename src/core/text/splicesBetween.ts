import type { Splice } from './splice';

/**
 * The splices that turn one text into another. If both have the same number of lines, they are compared line by line,
 * so that edits in many events of a stream do not replace everything between the first and the last.
 */
export function splicesBetween(before: string, after: string): readonly Splice[] {
  const lines = before.split('\n');
  const changed = after.split('\n');
  if (lines.length !== changed.length) return middleSplice(before, after, 0);
  const changes: Splice[] = [];
  let at = 0;
  lines.forEach((line, index) => {
    changes.push(...middleSplice(line, changed[index] ?? '', at));
    at += line.length + 1;
  });
  return changes;
}

/** Replaces everything between the common prefix and the common suffix. */
function middleSplice(before: string, after: string, at: number): Splice[] {
  if (before === after) return [];
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  if (splitsSurrogatePair(before, start) || splitsSurrogatePair(after, start)) start -= 1;
  let tail = 0;
  while (
    tail < shorter - start &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  )
    tail += 1;
  if (splitsSurrogatePair(before, before.length - tail) || splitsSurrogatePair(after, after.length - tail)) tail -= 1;
  return [{ start: at + start, end: at + before.length - tail, text: after.slice(start, after.length - tail) }];
}

/** Whether an offset is inside a surrogate pair. */
export function splitsSurrogatePair(text: string, offset: number): boolean {
  return /^[\ud800-\udbff]$/.test(text.charAt(offset - 1)) && /^[\udc00-\udfff]$/.test(text.charAt(offset));
}

/**
 * Distributes an edited text over the pieces of the original. Unchanged text stays in its piece; new text goes into the
 * piece in which its change begins. There must be at least one piece.
 */
export function rewritePieces(pieces: readonly string[], changed: string): string[] {
  const before = pieces.join('');
  const changes = splicesBetween(before, changed);
  const last = pieces.findLastIndex((piece) => piece !== '');
  const owner = last === -1 ? pieces.length - 1 : last;
  let start = 0;
  let next = 0;
  let at = 0;
  return pieces.map((piece, index) => {
    const end = start + piece.length;
    const parts: string[] = [];
    for (let change = changes[next]; change !== undefined; change = changes[next]) {
      if (change.start >= end && !(index === owner && change.start === end)) break;
      parts.push(before.slice(at, change.start), change.text);
      at = change.end;
      next += 1;
    }
    parts.push(before.slice(at, Math.max(at, end)));
    at = Math.max(at, end);
    start = end;
    return parts.join('');
  });
}
