import { hasWrittenNumbers, writtenNumber } from './writtenNumbers';

/** Any JSON value. Integers that a double cannot hold are `bigint`. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonRecord;
export interface JsonRecord {
  readonly [key: string]: Json;
}

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * JSON with two spaces per level, like serde's `to_string_pretty` and `JSON.stringify(value, null, 2)`, with `bigint`
 * as an integer (MoFA's checksums are u64), and numbers as they were written. Undefined members are omitted.
 */
export function prettyJson(value: unknown, indent = ''): string {
  if (hasWrittenNumbers(value)) return prettyExactly(value, indent);
  try {
    const text = JSON.stringify(value, null, 2) ?? 'null';
    return indent === '' ? text : text.replaceAll('\n', `\n${indent}`);
  } catch (error) {
    // As below: a bigint.
    if (error instanceof TypeError) return prettyExactly(value, indent);
    throw error;
  }
}

function prettyExactly(value: unknown, indent: string): string {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value))
    return indentedBlock(
      '[',
      ']',
      value.map((item, at) => writtenNumber(value, at) ?? prettyExactly(item ?? null, `${indent}  `)),
      indent,
    );
  if (isRecord(value)) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    const lines = members.map(
      ([key, member]) => `${JSON.stringify(key)}: ${writtenNumber(value, key) ?? prettyExactly(member, `${indent}  `)}`,
    );
    return indentedBlock('{', '}', lines, indent);
  }
  return JSON.stringify(value) ?? 'null';
}

function indentedBlock(open: string, close: string, lines: readonly string[], indent: string): string {
  if (lines.length === 0) return open + close;
  return `${open}\n${lines.map((line) => `${indent}  ${line}`).join(',\n')}\n${indent}${close}`;
}

/** Whether JSON values are equal, regardless of key order. */
export function jsonEqual(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true;
  // 1e20 is a number before it is written and a bigint once it is read back, so numbers are compared as text.
  if (isNumeric(left) && isNumeric(right)) return left === right || String(left) === String(right);
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => jsonEqual(item, right[index]));
  }
  if (!isRecord(left) || !isRecord(right)) return left === right;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && jsonEqual(left[key], right[key]))
  );
}

function isNumeric(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** JSON on one line, like `JSON.stringify`, with `bigint` as an integer, and numbers as they were written. */
export function compactJson(value: Json): string {
  if (hasWrittenNumbers(value)) return compactExactly(value);
  try {
    return JSON.stringify(value);
  } catch (error) {
    // The built-in writer is many times faster, but throws on a bigint.
    if (error instanceof TypeError) return compactExactly(value);
    throw error;
  }
}

function compactExactly(value: Json): string {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value))
    return `[${value.map((item, at) => writtenNumber(value, at) ?? compactExactly(item ?? null)).join(',')}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const members = Object.entries(value).flatMap(([key, member]) =>
    member === undefined ? [] : [`${JSON.stringify(key)}:${writtenNumber(value, key) ?? compactExactly(member)}`],
  );
  return `{${members.join(',')}}`;
}
