import { encodeBase64 } from '../bytes/base64';
import { decodeLatin1 } from '../bytes/latin1';
import { message, t } from '../text/l10n';
import type { LiteralMatch, Literals } from '../text/literalFinder';
import { MASK, type SecretHit } from './secretHit';
import { spellings } from './substitution';

/** Shorter values may be ordinary words. */
export const SHORTEST_VALUE = 8;
/** The shortest beginning of a value that counts at the end of a text, which may have been cut off. */
const SHORTEST_BEGINNING = 8;
const VALUE_RANK = 2000;
/** A value in the middle of other data in base64; where the whole can be decoded, that is done instead. */
export const INSIDE_BASE64_RANK = 4000;

type Form = { readonly rank: number } | { readonly beginningOf: string };

/** Values that are known to be secrets, such as keys in the environment, wherever and however they are written. */
export class KnownValues {
  /** Whether a value is found in binary data only where that is searched as a whole, because it is not ASCII. */
  readonly hasWide: boolean;
  readonly #forms = new Map<string, Form[]>();

  constructor(values: readonly string[]) {
    this.hasWide = values.some((value) => /[^\0-\x7f]/.test(value));
    for (const value of new Set(values)) {
      if (value.length < SHORTEST_VALUE) continue;
      for (const form of spellings(value)) this.#add(form, { rank: VALUE_RANK });
      // UTF-8 in text that is read as Latin-1.
      this.#add(decodeLatin1(new TextEncoder().encode(value)), { rank: VALUE_RANK });
      for (const form of hexForms(value)) this.#add(form, { rank: VALUE_RANK });
      for (const form of base64Forms(value)) this.#add(form, { rank: INSIDE_BASE64_RANK });
      this.#add(value.slice(0, SHORTEST_BEGINNING), { beginningOf: value });
    }
  }

  /** How the values may be written. */
  get literals(): Literals {
    return { literals: this.#forms.keys() };
  }

  /** The secrets in a text, where these literals were found in it. */
  find(text: string, found: readonly LiteralMatch[]): SecretHit[] {
    return found.flatMap(({ index, literal }) =>
      (this.#forms.get(literal) ?? []).flatMap((form) => {
        if (!('beginningOf' in form)) return [hit(index, index + literal.length, form.rank)];
        const end = cutOffEnd(text, index, form.beginningOf);
        return end === undefined ? [] : [hit(index, end, VALUE_RANK)];
      }),
    );
  }

  #add(form: string, meaning: Form): void {
    this.#forms.set(form, [...(this.#forms.get(form) ?? []), meaning]);
  }
}

function hit(start: number, end: number, rank: number): SecretHit {
  const excerpt = t('… ({0} characters)', end - start);
  return {
    rule: 'known-value',
    what: message('a secret of your environment'),
    excerpt,
    start,
    end,
    placeholder: MASK,
    rank,
  };
}

/** What keys of a kind have in common, which is not secret. */
const COMMON_START = /^[A-Za-z]{2,6}[-_](?:[A-Za-z\d]{2,8}[-_])?/;

/** The end of a value that is cut off by the end of the text, or of a string in it. */
function cutOffEnd(text: string, start: number, value: string): number | undefined {
  let length = SHORTEST_BEGINNING;
  while (length < value.length && text[start + length] === value[length] && start + length < text.length) length += 1;
  const end = start + length;
  const least = SHORTEST_BEGINNING + (COMMON_START.exec(value)?.[0].length ?? 0);
  if (length === value.length || length < least) return undefined;
  return end === text.length || text[end] === '"' ? end : undefined;
}

function hexForms(value: string): string[] {
  const hex = Array.from(new TextEncoder().encode(value), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex, hex.toUpperCase()];
}

/** What base64 of any data contains if the data contains the value, whose first byte may be at one of three places. */
function base64Forms(value: string): string[] {
  const bytes = new TextEncoder().encode(value);
  return [0, 1, 2].flatMap((offset) => {
    const padded = new Uint8Array(offset + bytes.length);
    padded.set(bytes, offset);
    // The first and last characters also depend on the bytes before and after.
    const first = Math.ceil((offset * 8) / 6);
    const last = Math.floor((padded.length * 8) / 6);
    const form = encodeBase64(padded).slice(first, last);
    const inUrls = form.replaceAll('+', '-').replaceAll('/', '_');
    return form === inUrls ? [form] : [form, inUrls];
  });
}
