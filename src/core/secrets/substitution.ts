import { unicodeEscape } from '../json/editJson';
import type { Splice } from '../text/splice';

/** What stands for a value from now on. */
export interface Substitute {
  readonly value: string;
  readonly placeholder: string;
}

/** Something shorter is found in base64 by chance. */
const MIN_DISTINCT_LENGTH = 16;

/** Replaces values, however they are spelled, each by its placeholder. Of two that begin at a place the longer counts. */
export class Substitution {
  readonly #placeholders = new Map<string, string>();
  readonly #pattern: RegExp;
  /** Only what is too long to be there by chance. */
  readonly #telling: RegExp;

  constructor(substitutes: readonly Substitute[]) {
    for (const { value, placeholder } of substitutes)
      for (const form of spellings(value)) if (form !== '') this.#placeholders.set(form, placeholder);
    const forms = [...this.#placeholders.keys()].sort((left, right) => right.length - left.length);
    this.#pattern = anyOf(forms);
    this.#telling = anyOf(forms.filter(({ length }) => length >= MIN_DISTINCT_LENGTH));
  }

  isValue(text: string): boolean {
    return this.#placeholders.has(text);
  }

  /** In `opaque` text, such as a picture in base64, only what cannot be there by chance. */
  replace(text: string, opaque = false): string {
    return text.replace(opaque ? this.#telling : this.#pattern, (form) => this.#placeholders.get(form) ?? form);
  }

  /** The same, as splices of a text that has this one at an offset. */
  splices(text: string, offset: number, opaque = false): Splice[] {
    return Array.from(text.matchAll(opaque ? this.#telling : this.#pattern), ({ 0: form, index }) => ({
      start: offset + index,
      end: offset + index + form.length,
      text: this.#placeholders.get(form) ?? form,
    }));
  }
}

function anyOf(forms: readonly string[]): RegExp {
  const escaped = forms.map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  return new RegExp(escaped.length === 0 ? '(?!)' : escaped.join('|'), 'g');
}

/** JSON inside of strings of JSON, three times over: a tool's arguments in an answer in a tape. */
const NESTED = 3;

/** How the text of a JSON string may be written: as JavaScript does, all in ASCII, with `/` escaped, and as .NET does. */
const WRITERS: readonly ((text: string) => string)[] = [
  (text) => quoted(text),
  (text) => quoted(text).replace(/[^\0-\x7f]/g, unicodeEscape),
  (text) => quoted(text).replaceAll('/', '\\/'),
  (text) =>
    quoted(text)
      .replaceAll('\\"', '\\u0022')
      .replace(/[^\0-\x7f]|[&'+<>`]/g, (unit) => unicodeEscape(unit).toUpperCase().replace('\\U', '\\u')),
];

/** All ways in which a value is spelled in a file: as it is, in JSON, in JSON inside of strings, in addresses. */
export function spellings(value: string): readonly string[] {
  const forms = new Set([value, ...inAddress(value)]);
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

/** Half of a surrogate pair cannot be in an address. */
function inAddress(value: string): string[] {
  return /[\ud800-\udfff]/u.test(value) ? [] : [encodeURIComponent(value)];
}
