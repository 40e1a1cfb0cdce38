import { diffArrays } from 'diff';
import type { Splice } from '../text/splice';

/** Milliseconds; two texts too different to compare in that are one hunk. */
const TIMEOUT_MS = 1500;
const TOKEN = /\\u[0-9a-fA-F]{4}|\\.|[\p{L}\p{N}_]+|[^\S\n]+|./gsu;

/**
 * What to replace in a text to make another of it, in pieces as small as can be told apart: first by lines, then inside
 * changed lines by words, with escapes left whole.
 */
export function textHunks(before: string, after: string): readonly Splice[] {
  return diffPieces(linesOf(before), linesOf(after)).flatMap(({ start, end, text }) => {
    const old = before.slice(start, end);
    const inner = diffPieces(tokensOf(old), tokensOf(text));
    return inner.map((splice) => ({ start: start + splice.start, end: start + splice.end, text: splice.text }));
  });
}

function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function tokensOf(text: string): readonly string[] {
  return text.match(TOKEN) ?? [];
}

function diffPieces(before: readonly string[], after: readonly string[]): readonly Splice[] {
  const chunks = diffArrays([...before], [...after], { timeout: TIMEOUT_MS }) ?? [
    { removed: true, added: false, value: before },
    { removed: false, added: true, value: after },
  ];
  const splices: Splice[] = [];
  let at = 0;
  let open: { start: number; end: number; text: string } | undefined;
  for (const { added, removed, value } of chunks) {
    const text = value.join('');
    if (!added && !removed) {
      if (open !== undefined) splices.push(open);
      open = undefined;
      at += text.length;
      continue;
    }
    open ??= { start: at, end: at, text: '' };
    if (removed) at += text.length;
    open = { start: open.start, end: at, text: added ? open.text + text : open.text };
  }
  return open === undefined ? splices : [...splices, open];
}
