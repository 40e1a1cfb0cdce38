import { isRecord, type Json } from '../json/json';

/** One-line JSON as `JSON.stringify` writes it, with `bigint` as an integer. */
export function compactJson(value: Json): string {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return `[${value.map(compactJson).join(',')}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}:${compactJson(member)}`);
  return `{${members.join(',')}}`;
}
