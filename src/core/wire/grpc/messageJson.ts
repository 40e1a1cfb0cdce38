import { decodeBase64, encodeBase64 } from '../../bytes/base64';
import { isRecord, type Json, type JsonRecord } from '../../json/json';
import { utf8Text } from '../../text/utf8Text';
import type { FieldTable, TableField } from './fieldTable';
import { readFields, readPacked, type WireField, type WireValue, writeFields, writeVarint } from './protobuf';

/** The message that the bytes are, where its fields are known. */
export interface MessageType {
  readonly table: FieldTable;
  readonly name: string;
}

/** As deep as protobuf's own readers go, nearly. */
const MAX_DEPTH = 64;

/**
 * A message of protobuf as JSON: known fields by their names, all others as `field_NUMBER`, with what they are read as (`:bytes`, `:double`,
 * …) where JSON does not tell. Undefined for bytes that are no message.
 */
export function messageJson(bytes: Uint8Array, type?: MessageType, depth = 0): JsonRecord | undefined {
  const fields = depth > MAX_DEPTH ? undefined : readFields(bytes);
  if (fields === undefined) return undefined;
  const json: Record<string, Json> = {};
  for (const [number, values] of byNumber(fields)) {
    const field = type?.table.message(type.name)?.numbered(number);
    const known = field && knownValue(values, field, (type as MessageType).table, depth + 1);
    if (field !== undefined && known === undefined) return undefined;
    const read = known === undefined ? unknownValue(values, depth + 1) : { as: '', value: known };
    if (read === undefined) return undefined;
    json[field?.name ?? `field_${number}${read.as}`] = read.value;
  }
  return json;
}

/** The bytes of a message that is JSON. Throws a `RangeError` where a member is no field, or has a value that is none of it. */
export function messageBytes(json: Json, type?: MessageType): Uint8Array {
  if (!isRecord(json)) throw new RangeError('a message is an object');
  const fields = Object.entries(json).flatMap(([key, value]): WireField[] => {
    const field = type?.table.message(type.name)?.named(key);
    if (field !== undefined) return knownFields(value, field, (type as MessageType).table);
    const [, number, as] = /^field_([1-9]\d{0,8})(?::(\w+))?$/.exec(key) ?? [];
    if (number === undefined) throw new RangeError(`${key} is no field`);
    const values = Array.isArray(value) ? value : [value];
    return values.map((one) => ({ number: Number(number), value: unknownWire(one, as) }));
  });
  return writeFields(fields);
}

function byNumber(fields: readonly WireField[]): ReadonlyMap<number, readonly WireValue[]> {
  const values = new Map<number, WireValue[]>();
  for (const { number, value } of fields) {
    const found = values.get(number);
    if (found === undefined) values.set(number, [value]);
    else found.push(value);
  }
  return values;
}

// Known fields

/** Undefined where the values are none of the field's. */
function knownValue(
  values: readonly WireValue[],
  { kind, many }: TableField,
  table: FieldTable,
  depth: number,
): Json | undefined {
  if (many === 'map') return mapValue(values, kind, table, depth);
  const [first] = values;
  const isPacked = many === 'list' && values.length === 1 && first?.type === 'bytes' && isScalar(kind);
  const list = (isPacked ? unpacked(first.bytes, kind) : values)?.map((one) => single(one, kind, table, depth));
  if (list === undefined || list.includes(undefined)) return undefined;
  const [only] = list;
  return many === 'list' ? (list as Json[]) : list.length === 1 ? only : undefined;
}

function mapValue(values: readonly WireValue[], kind: string, table: FieldTable, depth: number): Json | undefined {
  const map: Record<string, Json> = {};
  for (const value of values) {
    const [key, entry, ...others] = value.type === 'bytes' ? (readFields(value.bytes) ?? []) : [];
    const name = key?.value.type === 'bytes' ? utf8Text(key.value.bytes) : undefined;
    const held = entry && single(entry.value, kind, table, depth);
    if (name === undefined || held === undefined || others.length > 0 || Object.hasOwn(map, name)) return undefined;
    // Assigning to it would do something else.
    if (name === '__proto__') return undefined;
    map[name] = held;
  }
  return map;
}

function isScalar(kind: string): boolean {
  return /^(?:[bifd]|@.*)$/.test(kind);
}

function unpacked(bytes: Uint8Array, kind: string): readonly WireValue[] | undefined {
  if (kind !== 'f' && kind !== 'd') return readPacked(bytes)?.map((value) => ({ type: 'varint', value }));
  const [type, size] = kind === 'f' ? (['fixed32', 4] as const) : (['fixed64', 8] as const);
  if (bytes.length % size !== 0) return undefined;
  return Array.from({ length: bytes.length / size }, (_, at) => {
    return { type, bytes: bytes.subarray(at * size, (at + 1) * size) };
  });
}

function single(value: WireValue, kind: string, table: FieldTable, depth: number): Json | undefined {
  switch (value.type) {
    case 'varint':
      if (kind === 'b') return value.value <= 1n ? value.value === 1n : undefined;
      if (kind === 'i') return integer(value.value);
      return kind.startsWith('@') ? enumerated(value.value, table, kind) : undefined;
    case 'fixed32':
      return kind === 'f' ? float(value.bytes) : undefined;
    case 'fixed64':
      return kind === 'd' ? double(value.bytes) : undefined;
    case 'bytes':
      if (kind === 's') return utf8Text(value.bytes);
      if (kind === 'y') return encodeBase64(value.bytes);
      return isScalar(kind) ? undefined : nested(value.bytes, { table, name: kind }, depth);
  }
}

function enumerated(value: bigint, table: FieldTable, kind: string): Json {
  const number = integer(value);
  return (typeof number === 'number' ? table.enumeration(kind).name(number) : undefined) ?? number;
}

/** Protobuf's own messages for JSON are JSON. */
function nested(bytes: Uint8Array, type: MessageType, depth: number): Json | undefined {
  if (!isJsonMessage(type.name)) return messageJson(bytes, type, depth);
  const fields = depth > MAX_DEPTH ? undefined : readFields(bytes);
  if (fields === undefined) return undefined;
  const values = fields.map(({ value }) => value);
  if (type.name === 'Struct')
    return fields.every(({ number }) => number === 1) ? mapValue(values, 'Value', type.table, depth + 1) : undefined;
  if (type.name === 'ListValue') {
    const list = fields.map(({ number, value }) =>
      number === 1 ? single(value, 'Value', type.table, depth + 1) : undefined,
    );
    return list.includes(undefined) ? undefined : (list as Json[]);
  }
  const [field, ...others] = fields;
  const kind = field && VALUE_KINDS[field.number - 1];
  if (kind === undefined || others.length > 0) return undefined;
  if (kind === 'null') return field?.value.type === 'varint' && field.value.value === 0n ? null : undefined;
  return field && single(field.value, kind, type.table, depth + 1);
}

/** Of `google.protobuf.Value`, by the number of its field. */
const VALUE_KINDS = ['null', 'd', 's', 'b', 'Struct', 'ListValue'] as const;

function isJsonMessage(name: string): boolean {
  return name === 'Struct' || name === 'Value' || name === 'ListValue';
}

function knownFields(json: Json, { kind, many, number }: TableField, table: FieldTable): WireField[] {
  const one = (value: WireValue): WireField => ({ number, value });
  if (many === 'map') return mapFields(json, kind, table).map(one);
  if (many !== 'list') return [one(singleWire(json, kind, table))];
  if (!Array.isArray(json)) throw new RangeError('a repeated field is a list');
  const values = json.map((item: Json) => singleWire(item, kind, table));
  if (!isScalar(kind)) return values.map(one);
  if (values.length === 0) return [];
  const pieces = values.map((value) => (value.type === 'varint' ? writeVarint(value.value) : value.bytes));
  return [one({ type: 'bytes', bytes: Uint8Array.from(pieces.flatMap((piece) => [...piece])) })];
}

function mapFields(json: Json, kind: string, table: FieldTable): WireValue[] {
  if (!isRecord(json)) throw new RangeError('a map is an object');
  return Object.entries(json).map(([key, value]) => {
    const fields = [
      { number: 1, value: textWire(key) },
      { number: 2, value: singleWire(value, kind, table) },
    ];
    return { type: 'bytes', bytes: writeFields(fields) };
  });
}

function singleWire(json: Json, kind: string, table: FieldTable): WireValue {
  if (kind === 's' && typeof json === 'string') return textWire(json);
  if (kind === 'y' && typeof json === 'string') return bytesWire(json);
  if (kind === 'b' && typeof json === 'boolean') return { type: 'varint', value: json ? 1n : 0n };
  if (kind === 'i' || (kind.startsWith('@') && typeof json !== 'string')) return varintWire(json);
  if (kind.startsWith('@')) return varintWire(table.enumeration(kind).number(json as string) ?? json);
  if ((kind === 'f' || kind === 'd') && typeof json === 'number') return floatWire(json, kind);
  if (kind === 'Struct') return { type: 'bytes', bytes: writeFields(mapFields(json, 'Value', table).map(first)) };
  if (kind === 'Value') return { type: 'bytes', bytes: writeFields([valueField(json, table)]) };
  if (kind === 'ListValue' && Array.isArray(json)) {
    const values = json.map((item: Json) => singleWire(item, 'Value', table));
    return { type: 'bytes', bytes: writeFields(values.map(first)) };
  }
  if (isScalar(kind) || kind === 's' || kind === 'y') throw new RangeError(`${JSON.stringify(json)} is no ${kind}`);
  return { type: 'bytes', bytes: messageBytes(json, { table, name: kind }) };
}

function first(value: WireValue): WireField {
  return { number: 1, value };
}

function valueField(json: Json, table: FieldTable): WireField {
  if (json === null) return { number: 1, value: { type: 'varint', value: 0n } };
  const kind = Array.isArray(json)
    ? 'ListValue'
    : ({ number: 'd', string: 's', boolean: 'b' } as const)[typeof json as 'number'];
  const known = kind ?? 'Struct';
  return { number: VALUE_KINDS.indexOf(known) + 1, value: singleWire(json, known, table) };
}

// Fields of which nothing but the number is known

/** What the values of one field are read as, all of them alike. */
function unknownValue(
  values: readonly WireValue[],
  depth: number,
): { readonly as: string; readonly value: Json } | undefined {
  const read = (as: string, list: readonly (Json | undefined)[]) => {
    if (list.includes(undefined)) return undefined;
    const [only = null] = list;
    return { as, value: list.length === 1 ? only : (list as Json[]) };
  };
  const bytes = values.flatMap((value) => (value.type === 'bytes' ? [value.bytes] : []));
  if (bytes.length === values.length) {
    const texts = bytes.map(plainText);
    const isText = !texts.includes(undefined);
    const messages =
      isText && bytes.every((one) => one[0] !== LINE_FEED)
        ? [undefined]
        : bytes.map((one) => messageJson(one, undefined, depth));
    return read('', messages) ?? read('', texts) ?? read(':bytes', bytes.map(encodeBase64));
  }
  const [head] = values;
  if (head === undefined || values.some(({ type }) => type !== head.type)) return undefined;
  if (head.type === 'varint')
    return read(
      '',
      values.map((one) => (one.type === 'varint' ? integer(one.value) : undefined)),
    );
  const fixed = values.flatMap((one) => (one.type === 'fixed32' || one.type === 'fixed64' ? [one.bytes] : []));
  return head.type === 'fixed32'
    ? (read(':float', fixed.map(float)) ?? read(':fixed32', fixed.map(unsigned)))
    : (read(':double', fixed.map(double)) ?? read(':fixed64', fixed.map(unsigned)));
}

/** The tag of a message's first field, if that has a length: no text begins so. */
const LINE_FEED = 10;

/** A text that people wrote. Bytes that are none are a message, if they can be one. */
function plainText(bytes: Uint8Array): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for.
  const isPlain = (text: string) => !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(text);
  const text = utf8Text(bytes);
  return text !== undefined && isPlain(text) ? text : undefined;
}

function unknownWire(json: Json, as: string | undefined): WireValue {
  switch (as) {
    case 'bytes':
      if (typeof json === 'string') return bytesWire(json);
      break;
    case 'float':
    case 'double':
      if (typeof json === 'number') return floatWire(json, as === 'float' ? 'f' : 'd');
      break;
    case 'fixed32':
    case 'fixed64':
      if (typeof json === 'number' || typeof json === 'bigint') return fixedWire(json, as);
      break;
    case undefined:
      if (typeof json === 'string') return textWire(json);
      return isRecord(json) ? { type: 'bytes', bytes: messageBytes(json) } : varintWire(json);
  }
  throw new RangeError(`${as} is not what ${JSON.stringify(String(json))} is`);
}

// Scalars

function integer(value: bigint): number | bigint {
  const signed = BigInt.asIntN(64, value);
  const number = Number(signed);
  return Number.isSafeInteger(number) ? number : signed;
}

function varintWire(json: Json): WireValue {
  if (typeof json === 'bigint' || (typeof json === 'number' && Number.isSafeInteger(json)))
    return { type: 'varint', value: BigInt.asUintN(64, BigInt(json)) };
  throw new RangeError(`${JSON.stringify(json)} is no integer`);
}

function textWire(text: string): WireValue {
  return { type: 'bytes', bytes: new TextEncoder().encode(text) };
}

/** What hides a secret is no base64, and stands there itself. */
function bytesWire(text: string): WireValue {
  const bytes = decodeBase64(text);
  return bytes === undefined ? textWire(text) : { type: 'bytes', bytes };
}

function view(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function double(bytes: Uint8Array): number | undefined {
  const value = view(bytes).getFloat64(0, true);
  return Number.isFinite(value) && !Object.is(value, -0) ? value : undefined;
}

/** With as few digits as tell it. */
function float(bytes: Uint8Array): number | undefined {
  const value = view(bytes).getFloat32(0, true);
  if (!Number.isFinite(value) || Object.is(value, -0)) return undefined;
  const short = [6, 7, 8].map((digits) => Number(value.toPrecision(digits))).find((one) => Math.fround(one) === value);
  return short ?? value;
}

function unsigned(bytes: Uint8Array): number | bigint {
  return bytes.length === 4 ? view(bytes).getUint32(0, true) : view(bytes).getBigUint64(0, true);
}

function floatWire(value: number, kind: 'f' | 'd'): WireValue {
  const bytes = new Uint8Array(kind === 'f' ? 4 : 8);
  if (kind === 'f') view(bytes).setFloat32(0, value, true);
  else view(bytes).setFloat64(0, value, true);
  return { type: kind === 'f' ? 'fixed32' : 'fixed64', bytes };
}

function fixedWire(value: number | bigint, type: 'fixed32' | 'fixed64'): WireValue {
  const bytes = new Uint8Array(type === 'fixed32' ? 4 : 8);
  if (type === 'fixed32') view(bytes).setUint32(0, Number(value), true);
  else view(bytes).setBigUint64(0, BigInt(value), true);
  return { type, bytes };
}
