import type { Splice } from '../text/splice';
import { spellings } from './spellings';

/** What stands for a value from now on. */
export interface Substitute {
  readonly value: string;
  readonly placeholder: string;
}

/** Something shorter is found in base64 by chance. */
const TELLING = 16;

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
    this.#telling = anyOf(forms.filter(({ length }) => length >= TELLING));
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
