import type { Json, JsonRecord } from '../json/json';

/**
 * What a value that comes from outside must be, said once: a key of a TOML file, the argument of a call, a document. Its type,
 * the reader that reports what is wrong and where, the guard, completion, hover, and JSON Schema derive from it. Members that JSON
 * Schema (draft 7) has too are named as there.
 */
export interface Schema<T = unknown> {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'null';
  /** In English, as a key of the translations; empty where nobody is shown it. */
  readonly description: string;
  readonly properties?: Members;
  /** The schema of members with any other name. */
  readonly additionalProperties?: Schema;
  readonly required?: readonly string[];
  readonly items?: Schema;
  /** A single item may stand for a list of one. */
  readonly mayBeOne?: true;
  /** The schema of each item of a list that has just these. */
  readonly prefixItems?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly string[];
  /** The only value. */
  readonly const?: string | number | boolean;
  /** What the reader fills in. */
  readonly default?: string | number | boolean;
  /** What holds without a value, where whoever uses it decides that. */
  readonly otherwise?: string | number | boolean;
  readonly minimum?: number;
  /** Whether it is Tapedeck's addition to a format of others. */
  readonly isOwn?: true;
  /** What a text is the name of: for completion, renaming, and checks. */
  readonly names?: Named;
  /** What is said of a text that is not one of `enum`, as a key of the translations; `{0}` is the text. */
  readonly refusal?: string;
  /** What is wrong with a value of the right type, as it was read. */
  readonly check?: (value: never) => Refused;
  readonly isNeeded?: boolean;
  /** Whether others need it in a format of theirs, while we read without it: a table is completed with it. */
  readonly othersNeed?: true;
  /** Of a value of any type, the one that a person mostly writes, for completion. */
  readonly mostly?: 'object';
  readonly [VALUE]?: T;
}

type Members = Readonly<Record<string, Schema>>;

export type Named = 'case' | 'tape' | 'file' | 'tool' | 'model' | 'mask' | 'format';

/** Why a value is wrong, and how to correct it. */
export interface Refusal {
  readonly message: string;
  readonly fix: string;
  /** Of the value that it is about, from the one that is checked. */
  readonly at?: Path;
  /** Identifies a problem that has quick fixes. */
  readonly code?: string;
}

type Refused = Refusal | readonly Refusal[] | undefined;

declare const VALUE: unique symbol;

/** The type of the values that a schema allows. */
export type Value<S> = S extends Schema<infer T> ? T : never;

/** Schemas whose value is always there. */
type Needed = { readonly isNeeded: true } | { readonly default: string | number | boolean };
/** Schemas of a call or document whose value may be absent. */
type Optional = { readonly isNeeded: false };
type KeysOf<M, P> = { [K in keyof M]: M[K] extends P ? K : never }[keyof M];
type Table<M, Present extends keyof M> = {
  readonly [K in keyof M as K extends Present ? K : never]: Value<M[K]>;
} & { readonly [K in keyof M as K extends Present ? never : K]?: Value<M[K]> | undefined };

interface Checked<T> {
  readonly check?: (value: T) => Refused;
}
interface More<T> extends Checked<T> {
  readonly names?: Named;
  readonly otherwise?: T;
}

type Choices<C extends string> = { readonly enum: readonly C[]; readonly refusal?: string; readonly otherwise?: C };

export function text<const C extends string, const D extends C>(
  description: string,
  more: Choices<C> & { readonly default: D },
): Schema<C> & { readonly default: D };
export function text<const C extends string>(description: string, more: Choices<C>): Schema<C>;
export function text(
  description: string,
  more: More<string> & { readonly default: string },
): Schema<string> & { readonly default: string };
export function text(description?: string, more?: More<string>): Schema<string>;
export function text(description = '', more: object = {}): Schema {
  return { type: 'string', description, ...more };
}

/** A whole number. */
export function count(
  description: string,
  minimum: number,
  more: { readonly default: number },
): Schema<number> & { readonly default: number };
export function count(description?: string, minimum?: number, more?: More<number>): Schema<number>;
export function count(description = '', minimum = 0, more: object = {}): Schema {
  return { type: 'integer', description, minimum, ...more };
}

/** Any number. */
export function number(description = ''): Schema<number> {
  return { type: 'number', description };
}

/** A number that is not negative. */
export function amount(description = '', more: More<number> = {}): Schema<number> {
  return { type: 'number', description, minimum: 0, ...more };
}

export function flag(
  description: string,
  more: { readonly default: boolean },
): Schema<boolean> & { readonly default: boolean };
export function flag(description?: string): Schema<boolean>;
export function flag(description = '', more: object = {}): Schema {
  return { type: 'boolean', description, ...more };
}

export function list<T>(
  items: Schema<T>,
  more: Checked<readonly T[]> & Pick<Schema, 'mayBeOne'> = {},
): Schema<readonly T[]> {
  return { type: 'array', description: items.description, items, ...more };
}

/** A list of just these, in this order. */
export function tuple<const S extends readonly Schema[]>(
  ...prefixItems: S
): Schema<{ readonly [At in keyof S]: Value<S[At]> }> {
  return { type: 'array', description: '', prefixItems };
}

/** This value only: the version of a document, or the member that tells shapes apart. */
export function constant<const T extends string | number | boolean>(value: T): Schema<T> {
  return { type: typeof value as 'string' | 'number' | 'boolean', description: '', const: value };
}

/** A table of a file. Its members may be absent, but for those that are `needed` and those with a default. */
export function table<const M extends Members>(
  description: string,
  properties: M,
  more: Checked<Table<M, KeysOf<M, Needed>>> = {},
): Schema<Table<M, KeysOf<M, Needed>>> {
  return { type: 'object', description, properties, ...requiredOf(properties, true), ...more };
}

/** An object of a call or a document. Its members are there, but for those that are `optional`. Others are not looked at. */
export function shape<const M extends Members>(
  properties: M,
  description = '',
): Schema<Table<M, Exclude<keyof M, KeysOf<M, Optional>>>> {
  return { type: 'object', description, properties, ...requiredOf(properties, undefined) };
}

function requiredOf(properties: Members, isNeeded: true | undefined): Pick<Schema, 'required'> {
  const required = Object.keys(properties).filter((key) => properties[key]?.isNeeded === isNeeded);
  return required.length > 0 ? { required } : {};
}

export function needed<S extends Schema>(schema: S): S & { readonly isNeeded: true } {
  return { ...schema, isNeeded: true };
}

export function optional<S extends Schema>(schema: S): S & { readonly isNeeded: false } {
  return { ...schema, isNeeded: false };
}

/** An object whose members have names of the author's own. */
export function named<T>(description: string, members: Schema<T>): Schema<Readonly<Record<string, T>>> {
  return { type: 'object', description, additionalProperties: members };
}

/** An object with any members. */
export function object(description = ''): Schema<JsonRecord> {
  return { type: 'object', description };
}

/** A value of any type. */
export function anything(description = '', more: Pick<Schema, 'mostly'> = {}): Schema<Json> {
  return { description, ...more };
}

/** Nothing: absent, or null, as which it is sent. */
export const nothing: Schema<undefined> = { type: 'null', description: '' };

/** A value that one of these schemas allows, of different types. */
export function either<const S extends readonly Schema[]>(...anyOf: S): Schema<Value<S[number]>> {
  return { description: '', anyOf };
}

/** Null where there is no value. */
export function nullable<T>(schema: Schema<T>): Schema<T | null> {
  return { description: '', anyOf: [schema, nothing] };
}

/** The values of a schema for which `is` holds. For those that a person wrote, give a `check`, which says what is wrong. */
export function where<T, U extends T>(schema: Schema<T>, is: (value: T) => value is U): Schema<U>;
export function where<T>(schema: Schema<T>, is: (value: T) => boolean): Schema<T>;
export function where<T>(schema: Schema<T>, is: (value: T) => boolean): Schema<T> {
  return { ...schema, check: (value: T) => (is(value) ? undefined : NOT_SO) };
}

const NOT_SO: Refusal = { message: '', fix: '' };

/** What our own build sends: only that much of it is looked at. */
export function trusted<T>(looked: Schema<unknown> = anything()): Schema<T> {
  return looked as Schema<T>;
}

/** Marks what a format of others does not have. */
export function own<S extends Schema>(schema: S): S {
  return { ...schema, isOwn: true };
}

/** Marks what a format of others must have, while we read without it. */
export function neededByOthers<S extends Schema>(schema: S): S {
  return { ...schema, othersNeed: true };
}

/** A schema without the remarks on what is Tapedeck's own, for files that are all its own. */
export function withoutOwn<S extends Schema>(schema: S): S {
  const { isOwn: _, properties, items, ...rest } = schema;
  const members = properties && Object.entries(properties).map(([key, member]) => [key, withoutOwn(member)] as const);
  return {
    ...rest,
    ...(items && { items: withoutOwn(items) }),
    ...(members && { properties: Object.fromEntries(members) }),
  } as S;
}

export type Path = readonly (string | number)[];

/** The names in a path, without the indexes of lists. */
export function namesOf(path: Path): readonly string[] {
  return path.filter((part) => typeof part === 'string');
}

/** The schema at `path`; for a list of tables, the schema of the list. Undefined if there is none. */
export function schemaAt(schema: Schema, path: Path): Schema | undefined {
  return namesOf(path).reduce<Schema | undefined>((at, key) => at && memberOf(at, key), schema);
}

/** The members that an object, or each object of a list, may have by name. */
export function propertiesOf(schema: Schema | undefined): Members {
  return (schema?.items ?? schema)?.properties ?? {};
}

export function memberOf(schema: Schema, key: string): Schema | undefined {
  const properties = propertiesOf(schema);
  return Object.hasOwn(properties, key) ? properties[key] : (schema.items ?? schema).additionalProperties;
}

/** Whether the members of an object, or of each object of a list, are known. */
export function isTable(schema: Schema): boolean {
  const { properties, additionalProperties } = schema.items ?? schema;
  return properties !== undefined || additionalProperties !== undefined;
}
