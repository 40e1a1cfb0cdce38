import { concatBytes } from '../../bytes/concatBytes';

/** A field of a message as it goes over the network. https://protobuf.dev/programming-guides/encoding */
export interface WireField {
  readonly number: number;
  readonly value: WireValue;
}

export type WireValue =
  | { readonly type: 'varint'; readonly value: bigint }
  | { readonly type: 'fixed64' | 'fixed32' | 'bytes'; readonly bytes: Uint8Array };

const WIRE_TYPES = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;
const LARGEST_FIELD = 2 ** 29 - 1;

/** The fields of a message in their order; undefined if the bytes are none. Groups, which no API uses any more, are none. */
export function readFields(bytes: Uint8Array): readonly WireField[] | undefined {
  const fields: WireField[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = readVarint(bytes, at);
    if (tag === undefined) return undefined;
    const number = Number(tag.value >> 3n);
    if (number === 0 || number > LARGEST_FIELD) return undefined;
    const read = readValue(bytes, tag.end, Number(tag.value & 7n));
    if (read === undefined) return undefined;
    fields.push({ number, value: read.value });
    at = read.end;
  }
  return fields;
}

/** The bytes of a message. */
export function writeFields(fields: readonly WireField[]): Uint8Array {
  const pieces = fields.flatMap(({ number, value }) => {
    const tag = writeVarint((BigInt(number) << 3n) | BigInt(WIRE_TYPES[value.type]));
    if (value.type === 'varint') return [tag, writeVarint(value.value)];
    return value.type === 'bytes' ? [tag, writeVarint(BigInt(value.bytes.length)), value.bytes] : [tag, value.bytes];
  });
  return concatBytes(pieces);
}

/** The varints of a packed list; undefined if the bytes are none. */
export function readPacked(bytes: Uint8Array): readonly bigint[] | undefined {
  const values: bigint[] = [];
  for (let at = 0; at < bytes.length; ) {
    const read = readVarint(bytes, at);
    if (read === undefined) return undefined;
    values.push(read.value);
    at = read.end;
  }
  return values;
}

/** `value`: as 64 bits without a sign. */
export function writeVarint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let left = BigInt.asUintN(64, value);
  for (; left > 0x7fn; left >>= 7n) bytes.push(Number(left & 0x7fn) | 0x80);
  return Uint8Array.from([...bytes, Number(left)]);
}

interface Read<T> {
  readonly value: T;
  readonly end: number;
}

function readValue(bytes: Uint8Array, at: number, wireType: number): Read<WireValue> | undefined {
  if (wireType === WIRE_TYPES.varint) {
    const read = readVarint(bytes, at);
    return read && { value: { type: 'varint', value: read.value }, end: read.end };
  }
  if (wireType === WIRE_TYPES.fixed64) return taken(bytes, 'fixed64', at, 8);
  if (wireType === WIRE_TYPES.fixed32) return taken(bytes, 'fixed32', at, 4);
  const length = wireType === WIRE_TYPES.bytes ? readVarint(bytes, at) : undefined;
  return length && taken(bytes, 'bytes', length.end, Number(length.value));
}

function taken(
  bytes: Uint8Array,
  type: 'fixed64' | 'fixed32' | 'bytes',
  start: number,
  length: number,
): Read<WireValue> | undefined {
  const end = start + length;
  return end > bytes.length ? undefined : { value: { type, bytes: bytes.subarray(start, end) }, end };
}

const LONGEST_VARINT = 10;

function readVarint(bytes: Uint8Array, start: number): Read<bigint> | undefined {
  // Most are short, and fit into a number.
  let value = 0;
  for (let at = start; at < start + 4; at += 1) {
    const byte = bytes[at];
    if (byte === undefined) return undefined;
    value |= (byte & 0x7f) << (7 * (at - start));
    if (byte < 0x80) return { value: BigInt(value), end: at + 1 };
  }
  let large = BigInt(value);
  for (let at = start + 4; at < start + LONGEST_VARINT; at += 1) {
    const byte = bytes[at];
    if (byte === undefined) return undefined;
    large |= BigInt(byte & 0x7f) << BigInt(7 * (at - start));
    if (byte < 0x80) return { value: BigInt.asUintN(64, large), end: at + 1 };
  }
  return undefined;
}
