import { asciiBytes } from '../text/asciiBytes';
import type { Span } from '../text/source';

const [BACKSLASH, DOT, PADDING] = [0x5c, 0x2e, 0x3d];

/** A shorter word of base64 may be any word. */
export const SHORTEST_WORD = 16;

/** A text with what several searches have to know about it. */
export class SearchedText {
  readonly bytes: Uint8Array;
  #starts: readonly number[] | undefined;

  constructor(readonly text: string) {
    this.bytes = asciiBytes(text);
  }

  /** The words of characters of base64, with their padding, that are long enough to be encoded. */
  *words(): Generator<Span> {
    this.#starts ??= startsOfWords(this.bytes);
    for (const start of this.#starts) yield { start, end: endOfPadding(this.bytes, endOfWord(this.bytes, start)) };
  }

  /** Whether one of these words stands before a dot, six characters, and another dot, as in a token of Discord. */
  get hasDottedWord(): boolean {
    if (!hasDotsOfToken(this.text)) return false;
    for (const { end } of this.words()) if (this.bytes[end] === DOT && this.bytes[end + 7] === DOT) return true;
    return false;
  }
}

/** Whether there are two dots with six characters between them, for which the words need not be found. */
function hasDotsOfToken(text: string): boolean {
  for (let at = text.indexOf('.'); at !== -1; at = text.indexOf('.', at + 1)) if (text[at + 7] === '.') return true;
  return false;
}

const BASE64_CHARACTERS = new Uint8Array(256);
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-')
  BASE64_CHARACTERS[char.charCodeAt(0)] = 1;

function startsOfWords(bytes: Uint8Array): number[] {
  const isWord = BASE64_CHARACTERS;
  const starts: number[] = [];
  // Looks at every sixteenth character, and back from there: a word that is long enough has one of them.
  for (let from = 0, at = SHORTEST_WORD - 1; at < bytes.length; at = from + SHORTEST_WORD - 1) {
    let first = at + 1;
    while (first > from && isWord[bytes[first - 1] ?? 0] === 1) first -= 1;
    const isWhole = first === from;
    from = first;
    if (!isWhole) continue;
    const start = isEscape(bytes, first) ? first + 1 : first;
    from = endOfWord(bytes, at);
    if (from - start >= SHORTEST_WORD) starts.push(start);
  }
  return starts;
}

const ESCAPES = new Set(Array.from('nrtbf', (char) => char.charCodeAt(0)));

/** Whether the letter of an escape such as `\n` is at an offset: it is not part of the word. */
function isEscape(bytes: Uint8Array, at: number): boolean {
  return bytes[at - 1] === BACKSLASH && ESCAPES.has(bytes[at] ?? 0);
}

function endOfWord(bytes: Uint8Array, start: number): number {
  let end = start;
  while (BASE64_CHARACTERS[bytes[end] ?? 0] === 1) end += 1;
  return end;
}

function endOfPadding(bytes: Uint8Array, start: number): number {
  let end = start;
  while (end < start + 2 && bytes[end] === PADDING) end += 1;
  return end;
}
