import type { Span } from '../text/source';

/** A text with its escapes decoded, which knows where its characters stand in the original. */
export interface DecodedText {
  readonly text: string;
  /** The part of the original that a part of the decoded text was read from. */
  source(span: Span): Span;
}

/**
 * Escapes of characters that a secret may consist of, as JSON, YAML and programming languages write them: `\u0073`,
 * `\x73`, `\U00000073`, and `\/`; and the zero bytes of UTF-16.
 */
const ESCAPED = /\\(?:u00(?:00|[2-7][\da-f])|x[2-7][\da-f]|U000000[2-7][\da-f]|\/)/i;
const ESCAPE = /\\(?:u([\da-fA-F]{4})|x([\da-fA-F]{2})|U0000([\da-fA-F]{4})|(["'\\/bfnrt]))/g;
const CONTROLS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** Decodes backslash escapes, one level of them; undefined if none of them could hide a secret. */
export function decodeEscapes(text: string): DecodedText | undefined {
  if (!text.includes('\\') || !ESCAPED.test(text)) return undefined;
  const builder = new DecodedTextBuilder(text);
  for (const { 0: written, 1: four, 2: two, 3: eight, 4: char = '', index } of text.matchAll(ESCAPE)) {
    const hex = four ?? two ?? eight;
    const decoded = hex === undefined ? (CONTROLS[char] ?? char) : String.fromCharCode(Number.parseInt(hex, 16));
    builder.replace(index, index + written.length, decoded);
  }
  return builder.build();
}

const ENTITY = /&#(?:x0{0,4}([2-7][\da-f])|0{0,4}(3[2-9]|[4-9]\d|1[01]\d|12[0-6]));/gi;

/** Decodes ASCII that is written as numeric entities of HTML and XML; undefined if there is none. */
export function decodeEntities(text: string): DecodedText | undefined {
  if (!text.includes('&#')) return undefined;
  const builder = new DecodedTextBuilder(text);
  for (const { 0: written, 1: hex, 2: number, index } of text.matchAll(ENTITY)) {
    const code = hex === undefined ? Number(number) : Number.parseInt(hex, 16);
    builder.replace(index, index + written.length, String.fromCharCode(code));
  }
  return builder.isSame ? undefined : builder.build();
}

const PERCENT = /%([2-7][\da-f]|0[9ad])/gi;

/** Decodes percent-encoded ASCII and white space; undefined if there is none. */
export function decodePercents(text: string): DecodedText | undefined {
  const builder = new DecodedTextBuilder(text);
  for (const { 0: written, 1: hex = '', index } of text.matchAll(PERCENT))
    builder.replace(index, index + written.length, String.fromCharCode(Number.parseInt(hex, 16)));
  return builder.isSame ? undefined : builder.build();
}

/** The longest percent-encoded text that is searched on each side of an escape: a URL is hardly longer. */
const LONGEST_WORD = 4096;
const BETWEEN_WORDS = /[\s"'<>\\]/;

/** The words of a text that contain percent-encoded ASCII. A word ends at white space, quotes and backslashes. */
export function percentEncodedWords(text: string): Span[] {
  const words: Span[] = [];
  for (let at = text.indexOf('%'); at !== -1; at = text.indexOf('%', at + 1)) {
    if (!/^%(?:[2-7][\da-f]|0[9ad])/i.test(text.slice(at, at + 3))) continue;
    const before = words.at(-1)?.end ?? 0;
    let start = at;
    while (start > before && at - start < LONGEST_WORD && !BETWEEN_WORDS.test(text.charAt(start - 1))) start -= 1;
    let end = at + 3;
    for (let last = at; end < text.length && end - last < LONGEST_WORD; end += 1) {
      const char = text.charAt(end);
      if (BETWEEN_WORDS.test(char)) break;
      if (char === '%') last = end;
    }
    words.push({ start, end });
    at = end - 1;
  }
  return words;
}

class DecodedTextBuilder {
  readonly #parts: string[] = [];
  /** Where each stretch that was copied or decoded as one begins, in the decoded text and in the original. */
  readonly #decodedAt: number[] = [];
  readonly #sourceAt: number[] = [];
  #at = 0;
  #length = 0;

  constructor(private readonly original: string) {}

  get isSame(): boolean {
    return this.#parts.length === 0;
  }

  replace(start: number, end: number, decoded: string): void {
    this.#add(this.#at, this.original.slice(this.#at, start));
    this.#add(start, decoded);
    this.#at = end;
  }

  build(): DecodedText {
    this.#add(this.#at, this.original.slice(this.#at));
    const [decodedAt, sourceAt] = [this.#decodedAt, this.#sourceAt];
    const sourceOf = (offset: number): number => {
      let low = 0;
      let high = decodedAt.length;
      while (low + 1 < high) {
        const middle = (low + high) >> 1;
        if ((decodedAt[middle] ?? 0) <= offset) low = middle;
        else high = middle;
      }
      return (sourceAt[low] ?? 0) + offset - (decodedAt[low] ?? 0);
    };
    const { length } = this.original;
    const total = this.#length;
    return {
      text: this.#parts.join(''),
      source: ({ start, end }) => ({ start: sourceOf(start), end: end === total ? length : sourceOf(end) }),
    };
  }

  #add(sourceAt: number, text: string): void {
    // An empty stretch would have the same offset as the next one.
    if (text === '') return;
    this.#decodedAt.push(this.#length);
    this.#sourceAt.push(sourceAt);
    this.#parts.push(text);
    this.#length += text.length;
  }
}
