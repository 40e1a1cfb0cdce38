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
  const text = quickJson(value, 2) ?? exactJson(value, '');
  return indent === '' ? text : text.replaceAll('\n', `\n${indent}`);
}

/** JSON on one line, like `JSON.stringify`, with `bigint` as an integer, and numbers as they were written. */
export function compactJson(value: Json): string {
  return quickJson(value) ?? exactJson(value);
}

/** JSON by the built-in writer, which is many times faster; undefined where it cannot write a value as it is. */
function quickJson(value: unknown, spaces?: number): string | undefined {
  if (hasWrittenNumbers(value)) return undefined;
  try {
    return JSON.stringify(value, null, spaces);
  } catch (error) {
    // It throws on a bigint.
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** On one line without an `indent`. */
function exactJson(value: unknown, indent?: string): string {
  if (typeof value === 'bigint') return value.toString();
  const deeper = indent === undefined ? undefined : `${indent}  `;
  if (Array.isArray(value)) {
    const items = value.map((item, at) => writtenNumber(value, at) ?? exactJson(item ?? null, deeper));
    return block('[', items, ']', indent);
  }
  if (!isRecord(value)) return JSON.stringify(value) ?? 'null';
  const colon = indent === undefined ? ':' : ': ';
  const members = Object.entries(value).flatMap(([key, member]) =>
    member === undefined
      ? []
      : [JSON.stringify(key) + colon + (writtenNumber(value, key) ?? exactJson(member, deeper))],
  );
  return block('{', members, '}', indent);
}

function block(open: string, lines: readonly string[], close: string, indent: string | undefined): string {
  if (indent === undefined || lines.length === 0) return open + lines.join(',') + close;
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
