import { decodeLatin1, encodeLatin1 } from '../bytes/latin1';
import type { Span } from '../text/source';
import { applySplices } from '../text/splice';

/** Shorter texts in binary data occur by chance. */
const ASCII = /[\t\n\r\x20-\x7e]{8,}/g;
/** The same with the bytes of other characters. */
const LATIN1 = /[\t\n\r\x20-\x7e\x80-\xff]{8,}/g;
/** UTF-16 of ASCII, in either byte order: with a zero byte at its beginning and none at its end, the higher byte comes first. */
const WIDE = /\0?(?:[\t\n\r\x20-\x7e]\0){7,}[\t\n\r\x20-\x7e]?/g;

/** UTF-16 in a text of single bytes: what it says, and how something else is written in its place. */
interface WideRun extends Span {
  readonly content: { readonly text: string; repack(text: string): string };
}

export function* wideRuns(text: string): Generator<WideRun> {
  if (!text.includes('\0')) return;
  for (const { 0: units, index } of text.matchAll(WIDE)) {
    const [startsHigh, endsLow] = [units.startsWith('\0'), !units.endsWith('\0')];
    const isHighFirst = startsHigh && endsLow;
    const start = index + (startsHigh && !isHighFirst ? 1 : 0);
    const end = index + units.length - (endsLow && !isHighFirst ? 1 : 0);
    const repack = (other: string) => Array.from(other, (char) => (isHighFirst ? `\0${char}` : `${char}\0`)).join('');
    yield { start, end, content: { text: text.slice(start, end).replaceAll('\0', ''), repack } };
  }
}

/** The texts of binary data, as far as they are ASCII. */
export function textsInBinary(bytes: Uint8Array): string[] {
  const text = decodeLatin1(bytes);
  return [...(text.match(ASCII) ?? []), ...Array.from(wideRuns(text), ({ content }) => content.text)];
}

/** Hides secrets in the texts of binary data, of ASCII alone unless `isWide`; the same object if there are none. */
export function hideInBinary(bytes: Uint8Array, hide: (text: string) => string, isWide: boolean): Uint8Array {
  const original = decodeLatin1(bytes);
  const narrow = original.replace(isWide ? LATIN1 : ASCII, (ascii) => hide(ascii));
  const hidden = Array.from(wideRuns(narrow), ({ start, end, content }) => {
    const text = hide(content.text);
    return text === content.text ? [] : [{ start, end, text: content.repack(text) }];
  }).flat();
  const text = applySplices(narrow, hidden);
  return text === original ? bytes : encodeLatin1(text);
}
