import { aboutOf, defaultOf } from '../schema/describe';
import { namedAt } from '../schema/named';
import { isTable, type Named, namesOf, type Path, propertiesOf, type Schema, schemaAt } from '../schema/schema';
import type { Span } from '../text/source';
import { tomlString } from './editToml';
import { scanToml, type TomlScan } from './scanToml';

/** A completion at a place of a TOML file. */
export interface TomlCompletion {
  readonly label: string;
  readonly kind: 'key' | 'table' | 'value' | 'case';
  /** In snippet syntax, with `$1` for the first placeholder. */
  readonly insert: string;
  readonly about: string;
  /** A few words beside the label. */
  readonly detail?: string;
  readonly replaces: Span;
}

/** A value or a key that is known from elsewhere than the schema. */
export interface Offer {
  readonly text: string;
  readonly about?: string;
  readonly detail?: string;
  /** What a key gets as its value, in snippet syntax. */
  readonly value?: string;
}

/** What a file may say besides what its schema says. Each gets the path with the indexes of lists. */
export interface Offers {
  /** `names` is what the text is the name of. */
  values(path: Path, scan: TomlScan, names: Named | undefined): readonly Offer[];
  keys(path: Path, scan: TomlScan): readonly Offer[];
}

/** The completions at `offset` of a file with this schema. */
export function completeToml(schema: Schema, text: string, offset: number, offers: Offers): readonly TomlCompletion[] {
  const scan = scanToml(text, offset);
  const { place } = scan;
  if (place === undefined) return [];
  if (place.in === 'header') return headers(schema, place.isList, place.word, scan);
  if (place.in === 'key') {
    const tables = place.isLineStart ? headers(schema, false, place.word, scan) : [];
    return [...keys(schema, place.path, scan, place.word, offers), ...tables];
  }
  const { path, isItem, word } = place;
  return values(schemaAt(schema, path), isItem, offers.values(path, scan, namedAt(schema, path)), word);
}

function keys(schema: Schema, path: Path, scan: TomlScan, word: Span, offers: Offers): readonly TomlCompletion[] {
  const taken = new Set(keysIn(scan, path, word));
  const declared = Object.entries(propertiesOf(schemaAt(schema, path)))
    .filter(([, member]) => !isTable(member))
    .map(([text, member]): Offer => ({ text, about: aboutOf(member), value: placeholder(member) }));
  return [...declared, ...offers.keys(path, scan)]
    .filter(({ text }) => !taken.has(text))
    .map(({ text, about = '', detail, value = '$1' }) => ({
      label: text,
      kind: 'key',
      insert: `${/^[\w-]+$/.test(text) ? text : escapeSnippet(tomlString(text))} = ${value}`,
      about,
      detail,
      replaces: word,
    }));
}

/** The keys of the table at `path` but for the one that is being written. */
function keysIn({ entries }: TomlScan, path: Path, { start }: Span): readonly string[] {
  const depth = path.length;
  return entries.flatMap((entry) => {
    const name = entry.path[depth];
    const isHere = path.every((part, index) => entry.path[index] === part) && entry.keySpan?.start !== start;
    return isHere && typeof name === 'string' ? [name] : [];
  });
}

function headers(schema: Schema, isList: boolean, word: Span, scan: TomlScan): readonly TomlCompletion[] {
  const others = scan.headers.filter(({ span }) => span.start !== word.start);
  const taken = new Set(others.map(({ path }) => namesOf(path).join('.')));
  const above = (list: string): boolean => others.some(({ path, span }) => path[0] === list && span.start < word.start);
  return tablesBelow(schema, []).flatMap(({ path, list, member }) => {
    const name = path.join('.');
    if (list !== undefined && !above(list)) return [];
    if (member.items === undefined && (isList || taken.has(name))) return [];
    const header = member.items === undefined ? `[${name}]` : `[[${name}]]`;
    const needed = Object.entries(propertiesOf(member)).filter(
      ([, { isNeeded, othersNeed }]) => isNeeded || othersNeed,
    );
    const lines = needed.map(([key, value], index) => `${key} = ${placeholder(value, index + 1)}`);
    const insert = [header, ...lines, '$0'].join('\n');
    return [{ label: header, kind: 'table' as const, insert, about: aboutOf(member), replaces: word }];
  });
}

interface TableBelow {
  readonly path: readonly string[];
  /** The list of tables that it is in: it belongs to the last item before it. */
  readonly list?: string;
  readonly member: Schema;
}

function tablesBelow(schema: Schema, path: readonly string[], list?: string): readonly TableBelow[] {
  return Object.entries(propertiesOf(schema)).flatMap(([key, member]) => {
    if (!isTable(member)) return [];
    const within = member.items === undefined ? list : key;
    const below = tablesBelow(member, [...path, key], within);
    return [{ path: [...path, key], list, member }, ...below];
  });
}

function values(
  schema: Schema | undefined,
  isItem: boolean,
  offered: readonly Offer[],
  replaces: Span,
): readonly TomlCompletion[] {
  const one = schema?.type === 'array' ? schema.items : schema;
  const inList = (written: string): string => (schema?.type === 'array' && !isItem ? `[${written}]` : written);
  const value = (
    written: string,
    { about = schema === undefined ? '' : aboutOf(schema), detail }: Partial<Offer> = {},
  ) => ({
    label: written,
    kind: 'value' as const,
    insert: escapeSnippet(inList(written)),
    about,
    ...(detail !== undefined && { detail }),
    replaces,
  });
  if (one?.type === 'boolean') return ['true', 'false'].map((written) => value(written));
  if (offered.length > 0) return offered.map((offer) => value(tomlString(offer.text), offer));
  return (one?.enum ?? []).map((text) => value(tomlString(text)));
}

/** A value to be filled in, in snippet syntax. A flag is begun as what does not hold without it. */
function placeholder(schema: Schema, stop = 1): string {
  const { mostly, type = mostly, enum: choices, minimum = 0 } = schema;
  const { default: value } = defaultOf(schema);
  if (choices !== undefined) return choice(stop, choices);
  if (type === 'string') return snippetText(stop, typeof value === 'string' ? value : '');
  if (type === 'array') return `["$${stop}"]`;
  return type === 'object' ? `{ $${stop} }` : `\${${stop}:${type === 'boolean' ? value !== true : (value ?? minimum)}}`;
}

/** One of some texts, in snippet syntax. */
export function choice(stop: number, choices: readonly string[]): string {
  return `"\${${stop}|${choices.map((text) => text.replace(/[\\,|]/g, '\\$&')).join(',')}|}"`;
}

/** A text to be replaced, in snippet syntax. */
export function snippetText(stop: number, value: string): string {
  return `"\${${stop}:${escapeSnippet(tomlString(value).slice(1, -1))}}"`;
}

function escapeSnippet(text: string): string {
  return text.replace(/[\\$}]/g, '\\$&');
}

export interface KeyDescription {
  readonly title: string;
  readonly about: string;
  /** The allowed values, if there is a fixed set of them. */
  readonly choices: readonly string[];
  readonly default?: string;
  readonly span: Span;
}

/** Describes the key or table at `offset`; undefined if there is no known one. */
export function describeKey(schema: Schema, text: string, offset: number): KeyDescription | undefined {
  const named = nameAt(scanToml(text), offset);
  const found = named && schemaAt(schema, named.path);
  const names = named === undefined ? [] : namesOf(named.path);
  const { default: value } = found === undefined ? {} : defaultOf(found);
  if (named === undefined || found === undefined || names.length === 0) return undefined;
  return {
    title: names.join('.'),
    about: aboutOf(found),
    choices: (found.items ?? found).enum ?? [],
    ...(value !== undefined && { default: String(value) }),
    span: named.span,
  };
}

function nameAt({ headers, entries }: TomlScan, offset: number) {
  const isHere = ({ start, end }: Span): boolean => start <= offset && offset <= end;
  const header = headers.find(({ nameSpan }) => isHere(nameSpan));
  if (header !== undefined) return { path: header.path, span: header.nameSpan };
  const entry = entries.find(({ keySpan }) => keySpan !== undefined && isHere(keySpan));
  return entry?.keySpan && { path: entry.path, span: entry.keySpan };
}

/** The entry whose value is at `offset`, the innermost. */
export function valueAt({ entries }: TomlScan, offset: number): TomlScan['entries'][number] | undefined {
  return entries
    .filter(({ valueSpan }) => valueSpan.start <= offset && offset <= valueSpan.end)
    .reduce<TomlScan['entries'][number] | undefined>((best, entry) => {
      return best && best.valueSpan.start >= entry.valueSpan.start ? best : entry;
    }, undefined);
}
