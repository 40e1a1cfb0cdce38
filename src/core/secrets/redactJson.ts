import { compactJson, isRecord, type Json, type JsonRecord } from '../json/json';
import { visitStrings } from '../json/jsonNode';
import { readJson } from '../json/readJson';
import { copyWrittenNumbers } from '../json/writtenNumbers';
import { applySplices } from '../text/splice';
import { MASK } from './secretHit';
import { nameKind } from './secretNames';
import type { SpellingSearch } from './spellingSearch';

/** A text that may hold what only its decoded strings show, such as compressed data with one character per byte. */
const ODD_CHARACTERS = /\\u001f/;

/**
 * A JSON value without secrets: its strings and names are searched as they are, and members whose name says that every
 * value is a secret are hidden whole. The same object if there are none.
 */
export function redactJson<T>(value: T, search: SpellingSearch): T {
  const text = compactJson(value as Json) ?? '';
  if (!search.dependsOnWholeText && !ODD_CHARACTERS.test(text) && search.replacements(text).length === 0) return value;
  const clean = new JsonRedaction(search).value(value as Json);
  return acrossStrings(clean, search) as T;
}

/** Hides what only several strings tell, such as a private key in a list of its lines. */
function acrossStrings(value: Json, search: SpellingSearch): Json {
  const text = compactJson(value) ?? '';
  const replacements = search.replacements(text);
  if (replacements.length === 0) return value;
  const [strings, hidden] = [stringsOf(text), stringsOf(applySplices(text, replacements))];
  if (strings.length !== hidden.length) return value;
  return new JsonRedaction(search, new Map(strings.map((string, at) => [string, hidden[at] ?? string]))).value(value);
}

function stringsOf(json: string): string[] {
  const { value, problems } = readJson(json);
  const strings: string[] = [];
  if (value !== undefined && problems.length === 0) visitStrings(value, (string) => strings.push(string.value));
  return strings;
}

class JsonRedaction {
  readonly #hidden: Map<string, string>;

  constructor(
    private readonly search: SpellingSearch,
    hidden: ReadonlyMap<string, string> = new Map(),
  ) {
    this.#hidden = new Map(hidden);
  }

  value(value: Json): Json {
    if (typeof value === 'string') return this.#string(value);
    if (Array.isArray(value)) {
      const items = value.map((item) => this.value(item));
      if (items.every((item, index) => item === value[index])) return value;
      copyWrittenNumbers(value, items);
      return items;
    }
    return isRecord(value) && isPlain(value) ? this.#record(value) : value;
  }

  #record(record: JsonRecord): JsonRecord {
    let isSame = true;
    const members = Object.entries(record).map(([name, member]): [string, Json] => {
      const isPaired = name.toLowerCase() === 'value' && nameKind(String(record.name ?? record.key ?? '')) === 'secret';
      const hidden = isPaired || nameKind(name) === 'secret' ? hideWhole(member) : undefined;
      const next: [string, Json] = [this.#string(name), hidden ?? this.#member(name, member)];
      isSame &&= next[0] === name && next[1] === member;
      return next;
    });
    if (isSame) return record;
    const redacted = Object.fromEntries(members);
    copyWrittenNumbers(record, redacted);
    return redacted;
  }

  /** A random value is recognised by the name before it. */
  #member(name: string, member: Json): Json {
    if (typeof member !== 'string' || nameKind(name) !== 'likely') return this.value(member);
    const text = `"${name}": ${JSON.stringify(member)}`;
    const hidden = this.search.hide(text);
    if (hidden === text) return this.value(member);
    try {
      return (JSON.parse(`{${hidden}}`) as JsonRecord)[name] ?? MASK;
    } catch {
      return MASK;
    }
  }

  #string(text: string): string {
    let hidden = this.#hidden.get(text);
    if (hidden === undefined) {
      hidden = this.search.hide(text);
      this.#hidden.set(text, hidden);
    }
    return hidden;
  }
}

/** Whether an object consists of members alone, unlike bytes and instances of classes. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** A placeholder for a string, or for the strings of a list; undefined for other values. */
function hideWhole(value: Json): Json | undefined {
  if (typeof value === 'string') return value === '' || value === MASK ? value : MASK;
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) return undefined;
  return value.every((item) => item === '' || item === MASK) ? value : value.map((item) => (item === '' ? '' : MASK));
}
