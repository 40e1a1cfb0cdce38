import { textChanges } from '../text/pieces';
import type { Span } from '../text/source';
import type { Splice } from '../text/splice';
import { writeJsonString } from './jsonScalar';

/**
 * What to replace inside a JSON string to make it another one. What stays keeps its escapes, what is new gets those of
 * its writer: a long body in a string changes only where it has to.
 */
export function jsonStringSplices(source: string, token: Span & { readonly value: string }, value: string): Splice[] {
  const style = source.slice(token.start, token.end);
  let unit = 0;
  let at = token.start + 1;
  /** Every escape stands for one UTF-16 unit. */
  const offsetOf = (wanted: number): number => {
    for (; unit < wanted; unit += 1) at += source[at] !== '\\' ? 1 : source[at + 1] === 'u' ? 6 : 2;
    return at;
  };
  return textChanges(token.value, value).map(({ start, end, text }) => {
    const from = offsetOf(start);
    return { start: from, end: offsetOf(end), text: escaped(text, style) };
  });
}

function escaped(text: string, style: string): string {
  const written = writeJsonString(text, style).slice(1, -1);
  // .NET escapes what is beyond the BMP even where it leaves other characters, with capital digits.
  const astral = /\\ud[89ab]/i.test(style) ? written.replace(/[\ud800-\udfff]/g, unicodeEscape) : written;
  if (!/\\u[0-9a-f]*[A-F]/.test(style)) return astral;
  return astral.replace(/\\(?:u([0-9a-f]{4})|.)/g, (found, digits?: string) =>
    digits ? `\\u${digits.toUpperCase()}` : found,
  );
}

/** `\uXXXX` for one UTF-16 unit. */
export function unicodeEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
