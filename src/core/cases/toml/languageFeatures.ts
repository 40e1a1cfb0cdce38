import type { Span } from '../../text/source';
import { tomlString } from '../../toml/editToml';
import { readToml } from '../../toml/readToml';
import { type TomlCursor, tomlCursor, tomlNameAt } from '../../toml/tomlCursor';
import { type CaseSchema, isTable, schemaAt } from './caseSchema';
import { looksLikeCase } from './looksLikeCase';

/** A completion at a place of a case. */
export interface CaseCompletion {
  readonly label: string;
  readonly kind: 'key' | 'table' | 'value' | 'case';
  /** In snippet syntax, with `$1` for the first placeholder. */
  readonly insert: string;
  readonly about: string;
  readonly replaces: Span;
}

/** Information about the workspace. */
export interface CaseSurroundings {
  /** The paths of the workspace's tapes, relative to the case's folder, with `/`. */
  readonly tapes: readonly string[];
  /** The tapes that other cases name, recorded or not, in the same form. */
  readonly takenTapes: readonly string[];
  /** Whether the case is in the root folder of its project, so that `..` leads out of it. */
  readonly isAtRoot: boolean;
  /** The name of a new case. */
  readonly name: string;
}

/** The completions at `offset`. Empty in TOML files other than cases. */
export function completeCase(text: string, offset: number, around: CaseSurroundings): readonly CaseCompletion[] {
  if (text.trim() === '' || /^\s*[a-z-]{1,20}\s*$/.test(text)) return [newCase(text, offset, around)];
  if (!looksLikeCase(text)) return [];
  const cursor = tomlCursor(text, offset);
  if (cursor === undefined) return [];
  if (cursor.in === 'key') return keys(cursor);
  return cursor.in === 'header' ? headers(cursor) : values(cursor, text, around);
}

function newCase(text: string, offset: number, around: CaseSurroundings): CaseCompletion {
  const lines = [
    `name = ${snippetText(1, around.name)}`,
    `prompt = ${snippetText(2, 'The prompt for the agent')}`,
    '',
    '[llm]',
    `tape = ${snippetText(3, ownTape(around))}`,
    '',
    '[llm.provider]',
    `kind = ${choice(4, ['practice', 'ollama', 'open_ai_compatible', 'vscode_lm'])}`,
    '',
    '[assert]',
    `contains = ${snippetText(5, 'a word in the response')}`,
    '$0',
  ];
  const about = 'A case with a tape, a provider to record it from, and an assertion.';
  return {
    label: 'Tapedeck case',
    kind: 'case',
    insert: lines.join('\n'),
    about,
    replaces: wordAt(text, offset),
  };
}

/** A tape that nobody else uses, because the first recording of the case replaces it: beside the tapes that there are. */
function ownTape({ name, tapes, takenTapes, isAtRoot }: CaseSurroundings): string {
  const depth = (path: string): number => path.split('/').length;
  const nearest = tapes
    .filter((path) => path.endsWith('.tape.json'))
    .reduce<string | undefined>((best, path) => (best && depth(best) <= depth(path) ? best : path), undefined);
  const folder = nearest?.replace(/[^/]*$/, '') ?? (isAtRoot ? 'tapes/' : '../tapes/');
  const taken = new Set([...tapes, ...takenTapes]);
  for (let count = 1; ; count += 1) {
    const path = `${folder}${name}${count === 1 ? '' : `-${count}`}.tape.json`;
    if (!taken.has(path)) return path;
  }
}

function wordAt(text: string, offset: number): Span {
  const before = /[\w-]*$/.exec(text.slice(0, offset))?.[0].length ?? 0;
  const after = /^[\w-]*/.exec(text.slice(offset))?.[0].length ?? 0;
  return { start: offset - before, end: offset + after };
}

function keys({ table, taken, word }: Extract<TomlCursor, { in: 'key' }>): readonly CaseCompletion[] {
  const schema = schemaAt(table);
  const properties = schema?.items?.properties ?? schema?.properties ?? {};
  return Object.entries(properties)
    .filter(([key, member]) => !isTable(member) && !taken.includes(key))
    .map(([key, member]) => ({
      label: key,
      kind: 'key',
      insert: `${key} = ${placeholder(member)}`,
      about: member.description,
      replaces: word,
    }));
}

function placeholder({ type, enum: choices, default: value }: CaseSchema, stop = 1): string {
  if (choices !== undefined) return choice(stop, choices);
  if (type === 'string') return snippetText(stop, typeof value === 'string' ? value : '');
  if (type === 'array') return `["$${stop}"]`;
  return type === 'object' ? `{ $${stop} }` : `\${${stop}:${value ?? 0}}`;
}

function choice(stop: number, choices: readonly string[]): string {
  return `"\${${stop}|${choices.join(',')}|}"`;
}

function headers({ isList, word }: Extract<TomlCursor, { in: 'header' }>): readonly CaseCompletion[] {
  return tablesBelow([]).flatMap(({ path, schema }) => {
    if (isList && schema.items === undefined) return [];
    const header = schema.items === undefined ? `[${path}]` : `[[${path}]]`;
    const required = (schema.items ?? schema).required ?? [];
    const lines = required.map((key, index) => {
      const member = schemaAt([...path.split('.'), key]);
      return `${key} = ${member === undefined ? '' : placeholder(member, index + 1)}`;
    });
    return [
      {
        label: header,
        kind: 'table' as const,
        insert: [header, ...lines, '$0'].join('\n'),
        about: schema.description,
        replaces: word,
      },
    ];
  });
}

function tablesBelow(path: readonly string[]): { readonly path: string; readonly schema: CaseSchema }[] {
  const schema = schemaAt(path);
  return Object.entries((schema?.items ?? schema)?.properties ?? {}).flatMap(([key, member]) =>
    isTable(member) ? [{ path: [...path, key].join('.'), schema: member }, ...tablesBelow([...path, key])] : [],
  );
}

function values(
  { table, key, word }: Extract<TomlCursor, { in: 'value' }>,
  text: string,
  { tapes }: CaseSurroundings,
): readonly CaseCompletion[] {
  const schema = schemaAt([...table, key]);
  if (schema === undefined) return [];
  const value = (written: string): CaseCompletion => ({
    label: written,
    kind: 'value',
    insert: written.replace(/[\\$}]/g, '\\$&'),
    about: schema.description,
    replaces: word,
  });
  if (schema.type === 'boolean') return ['true', 'false'].map(value);
  const path = [...table, key].join('.');
  if (path === 'llm.tape' || path === 'llm.record_tape') return tapes.map(tomlString).map(value);
  if (path === 'assert.tool_called' || path === 'llm.steps.tool') return toolNames(text).map(tomlString).map(value);
  return (schema.enum ?? []).map(tomlString).map(value);
}

/** The names of the declared tools. Scans the text, which may be invalid while it is being edited. */
function toolNames(text: string): readonly string[] {
  const tables = text.split(/^[ \t]*\[\[?[ \t]*/m).filter((table) => /^tools[ \t]*\]/.test(table));
  return tables.flatMap((table) => /^[ \t]*name[ \t]*=[ \t]*["']([^"'\n]+)["']/m.exec(table)?.[1] ?? []);
}

function snippetText(stop: number, value: string): string {
  const escaped = tomlString(value).slice(1, -1);
  return `"\${${stop}:${escaped.replace(/[\\$}]/g, '\\$&')}}"`;
}

export interface KeyDescription {
  readonly title: string;
  readonly about: string;
  /** The allowed values, if there is a fixed set of them. */
  readonly choices: readonly string[];
  readonly default?: string;
  readonly span: Span;
}

/** Describes the key or table at `offset`; undefined where there is no known one. */
export function describeKey(text: string, offset: number): KeyDescription | undefined {
  const named = tomlNameAt(text, offset);
  const schema = named && schemaAt(named.path);
  if (named === undefined || schema === undefined || named.path.length === 0) return undefined;
  return {
    title: named.path.join('.'),
    about: schema.description,
    choices: schema.enum ?? [],
    ...(schema.default === undefined ? {} : { default: String(schema.default) }),
    span: named.span,
  };
}

/** A reference in a case: to a tape, by its path relative to the case's folder, or the name of the case itself. */
export interface CaseReference {
  readonly names: 'tape' | 'case';
  readonly value: string;
  /** The value with its quotes. */
  readonly span: Span;
}

/** The references in a case. Empty while the text does not parse. */
export function caseReferences(text: string): readonly CaseReference[] {
  const { value: document } = readToml(text);
  if (document === undefined) return [];
  const { llm, name } = document.root;
  const tapes = typeof llm === 'object' && llm !== null && !Array.isArray(llm) ? Object.entries(llm) : [];
  const named = tapes.flatMap(([key, value]): CaseReference[] =>
    (key === 'tape' || key === 'record_tape') && typeof value === 'string'
      ? [{ names: 'tape', value, span: document.span(['llm', key]) }]
      : [],
  );
  return typeof name === 'string' ? [{ names: 'case', value: name, span: document.span(['name']) }, ...named] : named;
}
