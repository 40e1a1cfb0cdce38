import { isRecord, type Json, type JsonRecord } from '../json/json';
import { copyWrittenNumber } from '../json/writtenNumbers';
import { t } from '../text/l10n';
import type { Problem, Span } from '../text/source';
import type { TomlDocument, TomlPath } from './readToml';

/** Reads a TOML table with types. A value of the wrong type is reported and then treated as absent. */
export class TableReader {
  readonly #document: TomlDocument;
  readonly #problems: Problem[];
  readonly #path: TomlPath;
  readonly #table: Readonly<Record<string, Json>>;

  constructor(document: TomlDocument, problems: Problem[], path: TomlPath = [], table = document.root) {
    this.#document = document;
    this.#problems = problems;
    this.#path = path;
    this.#table = table;
  }

  keys(): readonly string[] {
    return Object.keys(this.#table);
  }

  has(key: string): boolean {
    return Object.hasOwn(this.#table, key);
  }

  json(key: string): Json | undefined {
    return this.has(key) ? this.#table[key] : undefined;
  }

  /** Lets `to` remember how a number of this table is written. */
  copyWrittenNumber(key: string, to: object, newKey: string): void {
    copyWrittenNumber(this.#table, key, to, newKey);
  }

  text(key: string): string | undefined {
    return this.#typed(key, t('a string'), (value) => (typeof value === 'string' ? value : undefined));
  }

  requiredText(key: string): string {
    this.#require(key);
    return this.text(key) ?? '';
  }

  /** Reads one of `options`. Any other text is reported as `refusal: text`. */
  requiredChoice<T extends string>(key: string, options: readonly T[], refusal: string): T | undefined {
    this.#require(key);
    const text = this.text(key);
    const choice = options.find((option) => option === text);
    if (text !== undefined && choice === undefined) {
      this.report(`${refusal}: ${text}`, t('Use one of: {0}.', options.join(', ')), key, `choice:${options.join(',')}`);
    }
    return choice;
  }

  flag(key: string): boolean | undefined {
    return this.#typed(key, t('true or false'), (value) => (typeof value === 'boolean' ? value : undefined));
  }

  /** Reads a whole number of at least `minimum`. */
  count(key: string, minimum: number): number | undefined {
    const expected = t('a whole number of at least {0}', minimum);
    const check = (value: Json) =>
      typeof value === 'number' && Number.isInteger(value) && value >= minimum ? value : undefined;
    return this.#typed(key, expected, check);
  }

  /** Reads a number that is not negative. */
  amount(key: string): number | undefined {
    return this.#typed(key, t('a non-negative number'), (value) =>
      typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined,
    );
  }

  /** Reads a table with arbitrary keys. */
  object(key: string): JsonRecord | undefined {
    return this.#typed(key, t('a table'), (value) => (isRecord(value) ? value : undefined));
  }

  texts(key: string): readonly string[] {
    const check = (value: Json) =>
      Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined;
    return this.#typed<string[]>(key, t('a list of strings'), check) ?? [];
  }

  /** Reads all members of this table as strings. */
  textMembers(): Readonly<Record<string, string>> {
    return Object.fromEntries(
      Object.keys(this.#table).flatMap((key) => {
        const text = this.text(key);
        return text === undefined ? [] : [[key, text] as const];
      }),
    );
  }

  table(key: string): TableReader | undefined {
    const table = this.#typed(key, t('a table'), (value) => (isRecord(value) ? value : undefined));
    return table && new TableReader(this.#document, this.#problems, [...this.#path, key], table);
  }

  tables(key: string): readonly TableReader[] {
    const check = (value: Json) => (Array.isArray(value) && value.every(isRecord) ? value : undefined);
    const tables = this.#typed(key, t('a list of tables'), check) ?? [];
    return tables.map(
      (table, index) => new TableReader(this.#document, this.#problems, [...this.#path, key, index], table),
    );
  }

  span(...keys: TomlPath): Span {
    return this.#document.span([...this.#path, ...keys]);
  }

  /** Reports a problem with this table, or with its value at `key`. A `code` identifies problems with quick fixes. */
  report(message: string, fix: string, key?: string, code?: string): void {
    const span = key === undefined ? this.#heading() : this.span(key);
    this.#problems.push({ severity: 'error', message, fix, ...(code !== undefined && { code }), span });
  }

  /** A problem of the whole file marks its start only. */
  #heading(): Span {
    return this.#path.length === 0 ? { start: 0, end: 0 } : this.#document.span(this.#path);
  }

  #require(key: string): void {
    if (!this.has(key))
      this.report(t('missing field `{0}`', key), t('Add {0} = "…".', key), undefined, `missing:${key}`);
  }

  #typed<T>(key: string, expected: string, check: (value: Json) => T | undefined): T | undefined {
    const value = this.json(key);
    if (value === undefined) return undefined;
    const typed = check(value);
    if (typed === undefined)
      this.report(t('`{0}` must be {1}', key, expected), t('Change the value of {0}.', key), key);
    return typed;
  }
}
