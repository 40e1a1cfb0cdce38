import { unicodeEscape } from '../json/editJson';
import { literalPattern } from '../text/pattern';
import type { Splice } from '../text/splice';

/** A value and the text that replaces it. */
export interface Substitute {
  readonly value: string;
  readonly placeholder: string;
}

/** Shorter values occur in base64 by chance. */
const MIN_DISTINCT_LENGTH = 16;

/** Replaces values, in every spelling, with their placeholders. Of two that begin at the same place the longer one counts. */
export class Substitution {
  /** Whether some values are not ASCII. */
  readonly hasWideValues: boolean;
  readonly #placeholders = new Map<string, string>();
  readonly #pattern: RegExp;
  /** Matches only values too long to occur by chance. */
  readonly #longForms: RegExp;

  constructor(substitutes: readonly Substitute[]) {
    this.hasWideValues = substitutes.some(({ value }) => /[^\0-\x7f]/.test(value));
    for (const { value, placeholder } of substitutes)
      for (const form of spellings(value)) if (form !== '') this.#placeholders.set(form, placeholder);
    const forms = [...this.#placeholders.keys()].sort((left, right) => right.length - left.length);
    this.#pattern = literalPattern(forms, 'g');
    this.#longForms = literalPattern(
      forms.filter(({ length }) => length >= MIN_DISTINCT_LENGTH),
      'g',
    );
  }

  isValue(text: string): boolean {
    return this.#placeholders.has(text);
  }

  /** In `opaque` text, such as an image in base64, only values too long to occur by chance are replaced. */
  replace(text: string, opaque = false): string {
    return text.replace(opaque ? this.#longForms : this.#pattern, (form) => this.#placeholders.get(form) ?? form);
  }

  /** The same replacements as splices of a larger text, in which `text` begins at `offset`. */
  splices(text: string, offset: number, opaque = false): Splice[] {
    return Array.from(text.matchAll(opaque ? this.#longForms : this.#pattern), ({ 0: form, index }) => ({
      start: offset + index,
      end: offset + index + form.length,
      text: this.#placeholders.get(form) ?? form,
    }));
  }
}

/** Levels of JSON within JSON strings: a tool's arguments in a response in a tape. */
const NESTED = 3;

/** The ways in which writers escape a JSON string: like JavaScript, all in ASCII, with `/` escaped, and like .NET. */
const WRITERS: readonly ((text: string) => string)[] = [
  (text) => quoted(text),
  (text) => quoted(text).replace(/[^\0-\x7f]/g, unicodeEscape),
  (text) => quoted(text).replaceAll('/', '\\/'),
  (text) =>
    quoted(text)
      .replaceAll('\\"', '\\u0022')
      .replace(/[^\0-\x7f]|[&'+<>`]/g, (unit) => unicodeEscape(unit).toUpperCase().replace('\\U', '\\u')),
];

/** All spellings of a value in a file: literally, in JSON, in JSON within strings, in URLs, and in HTML. */
export function spellings(value: string): readonly string[] {
  const forms = new Set([value, ...inAddress(value), ...inHtml(value)]);
  for (const write of WRITERS) {
    let text = value;
    for (let level = 0; level < NESTED; level += 1) {
      text = write(text);
      forms.add(text);
    }
  }
  return [...forms];
}

function quoted(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** With the characters as entities that HTML requires, and those that only some writers escape. */
function inHtml(value: string): string[] {
  if (!/[&<>"']/.test(value)) return [];
  const basic = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const quotes = basic.replaceAll('"', '&quot;');
  return [basic, quotes, ...['&#39;', '&#x27;', '&apos;'].map((entity) => quotes.replaceAll("'", entity))];
}

/** The percent-encoded spellings; a lone surrogate has none. */
function inAddress(value: string): string[] {
  if (/[\ud800-\udfff]/u.test(value)) return [];
  const encoded = encodeURIComponent(value);
  return [encoded, encoded.replace(/%[\dA-F]{2}/g, (digits) => digits.toLowerCase())];
}
