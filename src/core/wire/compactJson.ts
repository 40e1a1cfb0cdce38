import { isRecord, type Json } from '../json/json';

/** One-line JSON as `JSON.stringify` writes it, with `bigint` as an integer. */
export function compactJson(value: Json): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // The engine's own writer is many times faster, and refuses a bigint.
    if (error instanceof TypeError) return withBigints(value);
    throw error;
  }
}

function withBigints(value: Json): string {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return `[${value.map(withBigints).join(',')}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}:${withBigints(member)}`);
  return `{${members.join(',')}}`;
}
