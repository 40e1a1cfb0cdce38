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

const ENTITY = /&(?:#(?:x0{0,4}([2-7][\da-f])|0{0,4}(3[2-9]|[4-9]\d|1[01]\d|12[0-6]))|(quot|apos|amp|lt|gt));/gi;
/** What a text has in which more than ampersands are written as entities. */
const HAS_ENTITY = /&(?:#|quot;|apos;|lt;|gt;)/i;
const NAMED_ENTITIES: Readonly<Record<string, string>> = { quot: '"', apos: "'", amp: '&', lt: '<', gt: '>' };

/** Decodes ASCII that is written as entities of HTML and XML; undefined if there is none. */
export function decodeEntities(text: string): DecodedText | undefined {
  if (!text.includes('&') || !HAS_ENTITY.test(text)) return undefined;
  const builder = new DecodedTextBuilder(text);
  for (const { 0: written, 1: hex, 2: number, 3: name, index } of text.matchAll(ENTITY)) {
    const code = hex === undefined ? Number(number) : Number.parseInt(hex, 16);
    const decoded = name === undefined ? String.fromCharCode(code) : (NAMED_ENTITIES[name.toLowerCase()] ?? '');
    builder.replace(index, index + written.length, decoded);
  }
  return builder.isSame ? undefined : builder.build();
}

const PERCENT = /%([2-7][\da-f]|0[9ad])/gi;
const PERCENT_OR_PLUS = /%([2-7][\da-f]|0[9ad])|\+/gi;

/**
 * Decodes percent-encoded ASCII and white space. A plus sign stands for itself in a path, and for a space in what a form or
 * `URLSearchParams` writes, which does not show: a text with both is decoded in both ways. Empty if nothing is encoded.
 */
export function decodeUrlEncoded(text: string): DecodedText[] {
  const patterns = text.includes('+') ? [PERCENT, PERCENT_OR_PLUS] : [PERCENT];
  return patterns.flatMap((pattern) => decodePattern(text, pattern) ?? []);
}

function decodePattern(text: string, pattern: RegExp): DecodedText | undefined {
  const builder = new DecodedTextBuilder(text);
  for (const { 0: written, 1: hex, index } of text.matchAll(pattern)) {
    const decoded = hex === undefined ? ' ' : String.fromCharCode(Number.parseInt(hex, 16));
    builder.replace(index, index + written.length, decoded);
  }
  return builder.isSame ? undefined : builder.build();
}

/** The longest percent-encoded text that is searched on each side of an escape: a URL is hardly longer. */
const LONGEST_WORD = 4096;
const BETWEEN_WORDS = /[\s"'<>\\]/;

/** An escape, or a plus sign in the value of a form: a word has one of them if it is encoded. */
const ENCODED = /%(?:[2-7][\da-f]|0[9ad])|=[^\s"'<>\\&=+%]{0,400}\+/gi;

/** The words of a text that are encoded as parts of URLs and forms are. A word ends at white space, quotes and backslashes. */
export function urlEncodedWords(text: string): Span[] {
  if (!text.includes('%') && !text.includes('+')) return [];
  const words: Span[] = [];
  ENCODED.lastIndex = 0;
  for (let match = ENCODED.exec(text); match !== null; match = ENCODED.exec(text)) {
    const at = match.index;
    const before = words.at(-1)?.end ?? 0;
    let start = at;
    while (start > before && at - start < LONGEST_WORD && !BETWEEN_WORDS.test(text.charAt(start - 1))) start -= 1;
    let end = at + match[0].length;
    for (let last = at; end < text.length && end - last < LONGEST_WORD; end += 1) {
      const char = text.charAt(end);
      if (BETWEEN_WORDS.test(char)) break;
      if (char === '%' || char === '+') last = end;
    }
    words.push({ start, end });
    ENCODED.lastIndex = end;
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
