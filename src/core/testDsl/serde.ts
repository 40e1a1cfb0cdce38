import type { Json } from '../json/json';
import type { JsonNode } from '../json/jsonNode';
import { jsonValue } from '../json/readJson';
import { rememberNumber } from '../json/writtenNumbers';
import type { Span } from '../text/source';
import { rustFloat } from './rustFloat';

/** Why serde refuses a document, and where. */
export class SerdeError extends Error {
  constructor(
    message: string,
    readonly span: Span,
  ) {
    super(message);
    this.name = 'SerdeError';
  }
}

/** Reads a value as serde's derived readers do. Throws a `SerdeError` at the first thing that they refuse. */
export type Reader<T> = (node: JsonNode) => T;

/** A member of a struct; one without `absent` must be there. */
interface Field<T> {
  readonly read: Reader<T>;
  readonly absent?: T;
}

export const required = <T>(read: Reader<T>): Field<T> => ({ read });

/** Rust's `Option`: absent, null, or a value. */
export const optional = <T>(read: Reader<T>): Field<T | null> => ({
  read: (node) => (node.type === 'literal' && node.value === null ? null : read(node)),
  absent: null,
});

/** A list that may be left out, though not be null. */
export const defaultList = <T>(read: Reader<T>): Field<readonly T[]> => ({ read: list(read), absent: [] });

export const text: Reader<string> = (node) => {
  if (node.type === 'string') return node.value;
  throw wrongType(node, 'a string');
};

export const flag: Reader<boolean> = (node) => {
  if (node.type === 'literal' && typeof node.value === 'boolean') return node.value;
  throw wrongType(node, 'a boolean');
};

/** Any number; Rust's floats take integers as well. */
export const float: Reader<number> = (node) => {
  if (node.type === 'number') return Number(node.lexeme);
  throw wrongType(node, 'f32');
};

/** Any value. Lists and objects remember how Rust writes their floats, which JavaScript writes as integers. */
export const anything: Reader<Json> = (node) => {
  if (node.type === 'array') {
    const items = node.items.map(anything);
    for (const [at, item] of node.items.entries()) rememberFloat(items, at, item);
    return items;
  }
  if (node.type === 'object') {
    const value = Object.fromEntries(node.members.map((member) => [member.key, anything(member.value)]));
    for (const { key, value: item } of node.members) rememberFloat(value, key, item);
    return value;
  }
  // An integer that no integer of Rust holds is a float.
  return node.type === 'number' && isFloat(node.lexeme) ? Number(node.lexeme) : jsonValue(node);
};

function rememberFloat(holder: object, key: string | number, node: JsonNode): void {
  if (node.type === 'number' && isFloat(node.lexeme)) rememberNumber(holder, key, rustFloat(Number(node.lexeme)));
}

function isFloat(lexeme: string): boolean {
  if (lexeme === '-0' || !/^-?\d+$/.test(lexeme)) return true;
  const value = BigInt(lexeme);
  return value >= 2n ** 64n || value < -(2n ** 63n);
}

/** A whole number from 0, without a decimal point. */
export function unsigned(bits: 32 | 64): Reader<number> {
  const limit = 2n ** BigInt(bits);
  return (node) => {
    if (node.type !== 'number' || !/^-?\d+$/.test(node.lexeme)) throw wrongType(node, `u${bits}`);
    const value = BigInt(node.lexeme);
    if (value < 0n || value >= limit || node.lexeme.startsWith('-'))
      throw new SerdeError(`invalid value: integer \`${node.lexeme}\`, expected u${bits}`, node);
    return Number(value);
  };
}

export function list<T>(read: Reader<T>): Reader<readonly T[]> {
  return (node) => {
    if (node.type === 'array') return node.items.map(read);
    throw wrongType(node, 'a sequence');
  };
}

/** One of the words of an enum. */
export function words<T extends string>(...options: readonly [T, ...T[]]): Reader<T> {
  return (node) => {
    const word = variantOf(node);
    const found = options.find((option) => option === word);
    if (found !== undefined) return found;
    const expected = options.map((option) => `\`${option}\``).join(' or ');
    throw new SerdeError(`unknown variant \`${word}\`, expected ${expected}`, node);
  };
}

/** The member in which Rust's `toml` gives a date to a reader of JSON. */
export const DATE_MEMBER = '$__toml_private_datetime';

/** The name of a variant: a text, or the only member of a map. */
function variantOf(node: JsonNode): string {
  const [member, ...more] = node.type === 'object' ? node.members : [];
  return member !== undefined && more.length === 0 && member.key !== DATE_MEMBER ? member.key : text(node);
}

type Fields<T> = { readonly [K in keyof T]: Field<T[K]> };

/** An object with these members, or a list of their values in this order. Others are passed over. */
export function struct<T extends object>(fields: Fields<T>): Reader<T> {
  const names = Object.keys(fields) as (keyof T & string)[];
  return (node) => {
    const members = node.type === 'array' ? undefined : named(node, names);
    const entries = names.map((name, at) => {
      const field = fields[name];
      return [name, members ? fieldValue(field, members.get(name), name, node) : itemValue(field, at, node)];
    });
    const value = Object.fromEntries(entries) as T;
    for (const [name, member] of members ?? []) rememberFloat(value, name, member);
    return value;
  };
}

function itemValue<T>({ read }: Field<T>, at: number, node: JsonNode): T {
  const items = node.type === 'array' ? node.items : [];
  const item = items[at];
  if (item !== undefined) return read(item);
  throw new SerdeError(`invalid length ${items.length}, expected more elements`, node);
}

function fieldValue<T>({ read, absent }: Field<T>, node: JsonNode | undefined, name: string, parent: Span): T {
  if (node !== undefined) return read(node);
  if (absent !== undefined) return absent;
  throw new SerdeError(`missing field \`${name}\``, parent);
}

function named(node: JsonNode, names: readonly string[]): ReadonlyMap<string, JsonNode> {
  if (node.type !== 'object') throw wrongType(node, 'a table');
  const members = new Map<string, JsonNode>();
  for (const { key, value } of node.members) {
    if (!names.includes(key)) continue;
    if (members.has(key)) throw new SerdeError(`duplicate field \`${key}\``, value);
    members.set(key, value);
  }
  return members;
}

const KINDS = { string: 'string', number: 'number', array: 'sequence', object: 'map' } as const;

function wrongType(node: JsonNode, expected: string): SerdeError {
  const found = node.type === 'literal' ? (node.value === null ? 'null' : 'boolean') : KINDS[node.type];
  return new SerdeError(`invalid type: ${found}, expected ${expected}`, node);
}
