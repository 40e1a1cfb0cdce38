import type { Span } from '../text/source';
import { entropy, isPlaceholder, isRandom, mixesCharacterClasses } from './randomness';
import type { SearchedText } from './searchedText';
import { HIDDEN_KEY, PLACEHOLDER } from './secretHit';

/** Where a key begins or ends: a marker, or without one the place where its first line begins. */
export interface KeyMark extends Span {
  readonly type: 'head' | 'foot' | 'beginning';
}

/** A line of a private key, where it stands in a text. */
interface KeyLine extends Span {
  /** Only white space stands between it and what is before: another line, or the marker at the beginning. */
  readonly isNext: boolean;
}

/** What was read of a key. */
export interface KeyText {
  readonly lines: readonly [KeyLine, ...KeyLine[]];
  /** The end of the last line, or of white space before the marker at the end. */
  readonly end: number;
  /** Its characters of base64, however they are written. */
  readonly length: number;
}

/** A line with what separates it from what is before, by which it is recognised: see `separatorOf`. */
interface SeparatedLine extends KeyLine {
  readonly separator: string;
}

/** The end of a key: what is before its marker, with the last line if that is a short one. */
interface Rest {
  readonly separator: string;
  readonly short: readonly KeyLine[];
}

/** The shortest line that is told from a word of the separator. The last line of a key may be shorter. */
const SHORTEST_LINE = 16;
/** From this length on, base64 need not look random: keys contain rows of zeros. */
const USUAL_LINE = 40;
/** Base64 of this length with all kinds of letters is no word, if it is beside a marker. */
const LONG_LINE = 32;
/** Room for the members of an object around each line, as in a log. */
const LONGEST_SEPARATOR = 240;
/** The beginning of a key up to here says its kind, and hardly more. */
const LONGEST_HARMLESS = 64;

/**
 * Reads the lines of private keys: base64 with something between. That is white space, punctuation, and numbers, as in lists,
 * quotations, and comments; or words, if they also stand before or after the next line, as in programs and logs.
 */
export class KeyLineReader {
  readonly #text: string;
  readonly #bytes: Uint8Array;

  constructor({ text, bytes }: SearchedText) {
    this.#text = text;
    this.#bytes = bytes;
  }

  /** The lines after the beginning of a key, before the next marker, which may be its end; undefined if there is no key. */
  after(head: Span, next: KeyMark | undefined): KeyText | undefined {
    const until = next?.start ?? this.#text.length;
    const lines: SeparatedLine[] = [];
    let at = head.end;
    for (let word = this.#wordAfter(at, until); word !== undefined; word = this.#wordAfter(at, until)) {
      lines.push(this.#separated(at, word));
      at = word.end;
    }
    const [first, last] = [lines[0], lines.at(-1)];
    if (first === undefined || last === undefined) return undefined;
    const hasFoot = next?.type === 'foot' && until - last.end <= LONGEST_SEPARATOR;
    const rest = hasFoot ? this.#rest(last.end, until, last.separator) : undefined;
    const separators = [...lines, ...(rest === undefined ? [] : [rest])].map(({ separator }) => separator);
    const count = countJoined(separators);
    const isWhole = rest !== undefined && count > lines.length;
    const kept = isWhole ? lines : withoutLonger(lines.slice(0, count));
    if (!this.#isKey(kept, first.separator, isWhole)) return undefined;
    return isWhole
      ? this.#closed([...kept, ...rest.short], until)
      : this.#closed([...kept, ...this.#cutOffAfter(kept)]);
  }

  /** The lines before the end of a key whose beginning is missing, back to `from`; undefined if there is no key. */
  before(foot: Span, from: number): KeyText | undefined {
    const words: Span[] = [];
    let at = foot.start;
    for (let word = this.#wordBefore(at, from); word !== undefined; word = this.#wordBefore(at, from)) {
      words.push(word);
      at = word.start;
    }
    const [last] = words;
    if (last === undefined) return undefined;
    const backwards = words.map((word, index) => this.#separated(words[index + 1]?.end ?? word.start, word));
    const rest = this.#rest(last.end, foot.start, words.length > 1 ? backwards[0]?.separator : undefined);
    const separators = [rest, ...backwards.slice(0, -1)].map(({ separator }) => separator);
    const joined = backwards.slice(0, countJoined(separators));
    const kept = ofOneLength(joined, rest.short.length > 0).reverse();
    return this.#isKey(kept, rest.separator, false) ? this.#closed([...kept, ...rest.short], foot.start) : undefined;
  }

  /** The lines of a key, with what is invisible before its end. */
  #closed([first, ...others]: readonly KeyLine[], end?: number): KeyText | undefined {
    if (first === undefined) return undefined;
    const last = others.at(-1) ?? first;
    const isClosed = end !== undefined && last.isNext && ENDING.test(this.#text.slice(last.end, end));
    const length = [first, ...others].reduce((sum, line) => sum + this.#textOf(line).replaceAll('\\', '').length, 0);
    return { lines: [first, ...others], end: isClosed ? end : last.end, length };
  }

  #separated(from: number, line: Span): SeparatedLine {
    const between = this.#text.slice(from, line.start);
    return { ...line, separator: separatorOf(between), isNext: INVISIBLE.test(between) };
  }

  /** What is left between the last long line and the end of a key: a separator, or two with a short line between them. */
  #rest(from: number, to: number, separator: string | undefined): Rest {
    const left = this.#text.slice(from, to).replace(CHECKSUM, '');
    const whole = separatorOf(left);
    if (whole === separator || INVISIBLE.test(left)) return { separator: whole, short: [] };
    for (const { 0: written, 1: word, index } of left.matchAll(SHORT_WORD)) {
      if (word === undefined || /^\d+$/.test(word)) continue;
      const end = index + written.length;
      const before = separatorOf(left.slice(0, index));
      const isSeparator = separator === undefined ? !LETTER.test(before) : before === separator;
      if (!isSeparator || before !== separatorOf(left.slice(end))) continue;
      const isNext = INVISIBLE.test(left.slice(0, index));
      return { separator: before, short: [{ start: from + index, end: from + end, isNext }] };
    }
    return { separator: whole, short: [] };
  }

  /** The first characters of a line at which a key was cut off. */
  #cutOffAfter(lines: readonly KeyLine[]): KeyLine[] {
    const last = lines.at(-1);
    if (last === undefined || !last.isNext) return [];
    CUT_OFF.lastIndex = last.end;
    const [found, word = ''] = CUT_OFF.exec(this.#text) ?? [''];
    return mixesCharacterClasses(word) ? [{ start: last.end, end: last.end + found.length, isNext: true }] : [];
  }

  /** Whether these are lines of a key rather than words. The less there is around them, the more they have to look like it. */
  #isKey(lines: readonly Span[], separator: string, isWhole: boolean): boolean {
    const texts = lines.map((line) => this.#textOf(line));
    const [first, last] = [lines[0], lines.at(-1)];
    if (first === undefined || last === undefined) return false;
    const length = texts.reduce((sum, text) => sum + text.length, 0);
    if (length < LONGEST_HARMLESS && ELLIPSIS.test(this.#text.slice(first.start, last.end + 8))) return false;
    const random = texts.filter((text) => entropy(text) >= LEAST_ENTROPY && !isPlaceholder(text));
    if (separator === '') return random.length > 0;
    return random.some((text) => isRandom(text) && (isWhole || (text.length >= LONG_LINE && mixesAllClasses(text))));
  }

  #textOf({ start, end }: Span): string {
    return this.#text.slice(start, end);
  }

  /** The next line of base64, unless too much stands before it, or a marker. */
  #wordAfter(from: number, until: number): Span | undefined {
    const bytes = this.#bytes;
    const limit = Math.min(until, from + LONGEST_SEPARATOR);
    for (let start = from; start < limit; ) {
      if (isMarker(bytes, start)) return undefined;
      const after = endOfEscape(bytes, start);
      if (after > start || IS_BASE64[bytes[start] ?? 0] === 0) {
        start = Math.max(after, start + 1);
        continue;
      }
      let end = endOfWord(bytes, start, until);
      for (let padding = 0; padding < 2 && end < until && bytes[end] === PADDING; padding += 1) end += 1;
      if (this.#isLine(start, end)) return { start, end };
      start = end;
    }
    return undefined;
  }

  /** The line of base64 before `to`, unless too much stands after it, a marker, or lines that are hidden already. */
  #wordBefore(to: number, from: number): Span | undefined {
    const bytes = this.#bytes;
    const limit = Math.max(from, to - LONGEST_SEPARATOR);
    for (let end = to; end > limit; ) {
      if (isMarker(bytes, end - MARKER_DASHES) || this.#text.endsWith(HIDDEN_KEY, end)) return undefined;
      let start = end;
      for (let padding = 0; padding < 2 && start > from && bytes[start - 1] === PADDING; padding += 1) start -= 1;
      start = startOfWord(bytes, start, from);
      const first = start < end ? this.#afterEscapeBefore(start) : start;
      if (this.#isLine(first, end)) return { start: first, end };
      end = Math.min(start, end - 1);
    }
    return undefined;
  }

  #isLine(start: number, end: number): boolean {
    if (end - start < SHORTEST_LINE) return false;
    const text = this.#text.slice(start, end);
    const isVector =
      VECTOR.test(text) && BEFORE_VECTOR.test(this.#text.slice(Math.max(0, start - LONGEST_VECTOR), start));
    if (isVector) return false;
    return text.length < USUAL_LINE ? isRandom(text) : mixesCharacterClasses(text);
  }

  /** Where a word begins whose first characters may belong to an escape, such as the `n` of `\n`. */
  #afterEscapeBefore(start: number): number {
    const [written] = ESCAPE_AT.exec(this.#text.slice(Math.max(0, start - 1), start + 5)) ?? [];
    return written === undefined ? start : start - 1 + written.length;
  }
}

const LEAST_ENTROPY = 3;
const [BACKSLASH, DASH, PADDING, PERCENT, SLASH] = [0x5c, 0x2d, 0x3d, 0x25, 0x2f];
/** As many dashes are the beginning of a marker. */
const MARKER_DASHES = 4;

const IS_BASE64 = new Uint8Array(256);
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')
  IS_BASE64[char.charCodeAt(0)] = 1;

/** Nothing that can be seen, in a text or in a string within it. */
const INVISIBLE = /^(?:\s|\\+[nr])*\\*$/;
const ELLIPSIS = /\.{2,}|…|\*{2,}/;
const LETTER = /\p{L}/u;
/** Of an escape, whose letters are no base64. */
const ESCAPE_AT = /^(?:\\(?:u[\da-f]{4}|x[\da-f]{2}|[nrtbf])|%[\da-f]{2})/i;
const SHORT_WORD = /\\+(?:u[\da-fA-F]{4}|x[\da-fA-F]{2}|[nrtbf])|%[\da-fA-F]{2}|((?:[A-Za-z0-9+/]|\\+\/)+={0,2})/g;
/** The initialisation vector of an encrypted key, in a header before its lines. */
const VECTOR = /^[\dA-F]{16,32}$/;
const BEFORE_VECTOR = /DEK-Info:[ +]?[\w-]{3,24},$/;
const LONGEST_VECTOR = 40;
/** The checksum of PGP, with what is after it. */
const CHECKSUM = /(?<=[^A-Za-z0-9+/=]|\\[nrt]|%0[AaDd])=[A-Za-z0-9+/]{4}(?![A-Za-z0-9+/=]).*$/s;
const ENDING = /^(?:\s|\\+[nr])*(?:=[A-Za-z0-9+/]{4}(?:\s|\\+[nr])*)?$/;
const CUT_OFF = /[ \t]{0,40}(?:\r?\n|(?:\\+r)?\\+n)[ \t]{0,40}([A-Za-z0-9+/]{4,15}={0,2})(?![\w+/=-])/y;

/** What a separator may contain without being another one: lines that are hidden already, headers of a key, colours, escapes, line breaks of HTML. */
const PASSED_OVER = [
  PLACEHOLDER,
  /(?:Version|Comment|Hash|Charset|Proc-Type|DEK-Info|Subject): ?(?:\\*"[^"\n\r\\]{0,120}\\*"|[^\n\r\\"'<&]{0,120})/g,
  /(?:\p{Cc}|\\+(?:u001b|x1b|033|e))\[[\d;]{0,12}[A-Za-z]/giu,
  /\\+(?:u[\da-f]{4}|x[\da-f]{2}|[nrtbf])|%[\da-f]{2}|&#x?[\da-f]{1,6};|<br ?\/?>/gi,
  /[\s\d+/\\]+/g,
];

/** What stands between two lines, without what differs from line to line, and what base64 also contains. */
function separatorOf(between: string): string {
  return PASSED_OVER.reduce((left, passed) => left.replace(passed, ''), between);
}

/** How many of these separators follow each other in one key: those with letters only beside the same one. */
function countJoined(separators: readonly string[]): number {
  const other = separators.findIndex((separator, index) => {
    const [before, after = ''] = [separators[index - 1], separators[index + 1]];
    if (!LETTER.test(separator) || separator === before) return false;
    // There may be an empty line after the marker, or one with a header.
    return after === '' || separator.replaceAll(after, '') !== '';
  });
  return other === -1 ? separators.length : other;
}

/** The first of these lines, up to one that is longer than the one before: all but the last are of one length. */
function withoutLonger(lines: readonly SeparatedLine[]): readonly SeparatedLine[] {
  const other = lines.findIndex(
    (line, index) => index > 0 && line.separator !== '' && lengthOf(line) > lengthOf(lines[index - 1] ?? line),
  );
  return other === -1 ? lines : lines.slice(0, other);
}

/** The first of these lines, which are in reverse order, that are of one length; the last line of a key may be shorter. */
function ofOneLength(backwards: readonly SeparatedLine[], hasShortLine: boolean): SeparatedLine[] {
  const [last, beforeLast = last] = backwards;
  if (last === undefined || beforeLast === undefined) return [];
  const length = hasShortLine ? lengthOf(last) : Math.max(lengthOf(last), lengthOf(beforeLast));
  const other = backwards.findIndex((line, index) => lengthOf(line) !== length && (index > 0 || hasShortLine));
  return other === -1 ? [...backwards] : backwards.slice(0, other);
}

function lengthOf({ start, end }: Span): number {
  return end - start;
}

function mixesAllClasses(text: string): boolean {
  return /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text);
}

function isMarker(bytes: Uint8Array, at: number): boolean {
  for (let dash = 0; dash < MARKER_DASHES; dash += 1) if (bytes[at + dash] !== DASH) return false;
  return true;
}

/** The end of a word of base64, whose slashes may be escaped. */
function endOfWord(bytes: Uint8Array, start: number, until: number): number {
  let end = start;
  for (let at = start; at < until; at += 1) {
    if (IS_BASE64[bytes[at] ?? 0] === 1) end = at + 1;
    else if (bytes[at] !== BACKSLASH) break;
    else if (bytes[at + 1] !== SLASH && bytes[at + 1] !== BACKSLASH) break;
  }
  return end;
}

function startOfWord(bytes: Uint8Array, end: number, from: number): number {
  let start = end;
  for (let at = end - 1; at >= from; at -= 1) {
    if (IS_BASE64[bytes[at] ?? 0] === 1) start = at;
    else if (bytes[at] !== BACKSLASH) break;
    else if (bytes[at + 1] !== SLASH && bytes[at + 1] !== BACKSLASH) break;
  }
  return start;
}

/** The end of the escape that begins at an offset; the offset itself if none does. */
function endOfEscape(bytes: Uint8Array, at: number): number {
  if (bytes[at] === PERCENT) return isHexadecimal(bytes[at + 1]) && isHexadecimal(bytes[at + 2]) ? at + 3 : at;
  let end = at;
  while (bytes[end] === BACKSLASH) end += 1;
  return end === at ? at : end + (ESCAPES.get(bytes[end] ?? 0) ?? 0);
}

/** The letters of escapes after a backslash, with the characters that belong to them. */
const ESCAPES: ReadonlyMap<number, number> = new Map(
  Object.entries({ n: 1, r: 1, t: 1, b: 1, f: 1, x: 3, u: 5 }).map(([letter, length]) => [
    letter.charCodeAt(0),
    length,
  ]),
);

function isHexadecimal(byte = 0): boolean {
  return (byte >= 0x30 && byte <= 0x39) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);
}
