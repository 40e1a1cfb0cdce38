import { isRecord, type Json } from '../json/json';
import { closestWord } from '../text/closestWord';
import { message, t } from '../text/l10n';
import type { Problem } from '../text/source';
import type { TomlDocument, TomlPath } from './readToml';

/** The part of JSON Schema, draft 7, that editors need to help with a TOML file. */
export interface TableSchema {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  readonly description: string;
  readonly properties?: Readonly<Record<string, TableSchema>>;
  /** The schema of members with any other name. */
  readonly additionalProperties?: TableSchema;
  readonly required?: readonly string[];
  readonly items?: TableSchema;
  readonly enum?: readonly string[];
  readonly default?: string | number | boolean;
  readonly minimum?: number;
}

export const text = (description: string, more: Omit<TableSchema, 'description' | 'type'> = {}): TableSchema => ({
  type: 'string',
  description,
  ...more,
});

export const count = (description: string, minimum: number, value?: number): TableSchema => ({
  type: 'integer',
  description,
  minimum,
  ...(value === undefined ? {} : { default: value }),
});

export const amount = (description: string, value?: number): TableSchema => ({
  type: 'number',
  description,
  minimum: 0,
  ...(value === undefined ? {} : { default: value }),
});

export const flag = (description: string, value?: boolean): TableSchema => ({
  type: 'boolean',
  description,
  ...(value === undefined ? {} : { default: value }),
});

export const list = (items: TableSchema): TableSchema => ({ type: 'array', description: items.description, items });

export const table = (
  description: string,
  properties: Readonly<Record<string, TableSchema>>,
  required: readonly string[] = [],
): TableSchema => ({ type: 'object', description, properties, ...(required.length > 0 ? { required } : {}) });

/** A table whose members have names of the author's own. */
export const namedMembers = (description: string, members: TableSchema): TableSchema => ({
  type: 'object',
  description,
  additionalProperties: members,
});

const OWN = message('Tapedeck only.');

/** The description of a key that MoFA does not have. */
export const own = (description: string): string => `${description} ${OWN}`;

export function withoutOwn(description: string): string {
  return description.replace(` ${OWN}`, '');
}

/** A description as it is shown. */
export function aboutOf({ description }: TableSchema): string {
  const about = withoutOwn(description);
  return about === description ? t(about) : `${t(about)} ${t(OWN)}`;
}

/** The names in a path, without the indexes of lists. */
export function namesOf(path: TomlPath): readonly string[] {
  return path.filter((part) => typeof part === 'string');
}

/** The schema at `path`; for a list of tables, the schema of the list. Undefined if there is none. */
export function schemaAt(schema: TableSchema, path: TomlPath): TableSchema | undefined {
  return namesOf(path).reduce<TableSchema | undefined>((at, key) => at && memberOf(at, key), schema);
}

/** The members that a table, or each table of a list, may have. */
export function propertiesOf(schema: TableSchema | undefined): Readonly<Record<string, TableSchema>> {
  return (schema?.items ?? schema)?.properties ?? {};
}

function memberOf(schema: TableSchema, key: string): TableSchema | undefined {
  const properties = propertiesOf(schema);
  return Object.hasOwn(properties, key) ? properties[key] : (schema.items ?? schema).additionalProperties;
}

/** Whether a value is written under a `[header]` or `[[header]]` of its own. */
export function isTable(schema: TableSchema): boolean {
  const { properties, additionalProperties } = schema.items ?? schema;
  return properties !== undefined || additionalProperties !== undefined;
}

/** A key that nobody reads. */
export interface UnknownKey {
  readonly key: string;
  readonly table: TomlPath;
  /** The key that it probably is a misspelling of. */
  readonly close?: string;
}

/**
 * Reports keys that nobody reads, at the key. They are not errors, as other programs may read them; what looks like a
 * misspelling is a warning. `describe` words what follows from a key.
 */
export function findUnknownKeys(
  document: TomlDocument,
  schema: TableSchema,
  describe: (unknown: UnknownKey) => Pick<Problem, 'message'> & Partial<Pick<Problem, 'severity'>> = describeUnknown,
): readonly Problem[] {
  return unknownIn(document.root, schema, []).map((unknown) => {
    const { key, table, close } = unknown;
    return {
      severity: close === undefined ? 'info' : 'warning',
      fix: close === undefined ? t('Correct it, or remove it.') : t('Change it to `{0}`.', close),
      ...describe(unknown),
      ...(close !== undefined && { code: `rename:${close}` }),
      span: document.keySpan([...table, key]),
    };
  });
}

/** Says that a key is ignored, and where it is. */
export function describeUnknown({ key, table }: UnknownKey): Pick<Problem, 'message'> {
  const names = namesOf(table).join('.');
  return {
    message:
      names === '' ? t('unknown key `{0}` is ignored', key) : t('unknown key `{0}` under [{1}] is ignored', key, names),
  };
}

function unknownIn(value: Json | undefined, schema: TableSchema, path: TomlPath): readonly UnknownKey[] {
  const { items, properties, additionalProperties } = schema;
  if (items !== undefined && Array.isArray(value))
    return value.flatMap((item, index) => unknownIn(item, items, [...path, index]));
  // A table without declared properties may have any keys.
  if (!isRecord(value) || (properties === undefined && additionalProperties === undefined)) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const known = memberOf(schema, key);
    if (known !== undefined) return unknownIn(member, known, [...path, key]);
    const close = closestWord(key, Object.keys(properties ?? {}));
    return [{ key, table: path, ...(close !== undefined && { close }) }];
  });
}
