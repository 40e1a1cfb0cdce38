import { compactJson, isRecord, type Json } from './json';

/** What equal values have in common: one line of JSON with the keys of every object sorted. */
export function canonicalJson(value: Json): string {
  return compactJson(withSortedKeys(value));
}

function withSortedKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  // JSON has no such numbers, but a reader of `1e400` has: without this it would be as good as null.
  if (typeof value === 'number' && !Number.isFinite(value)) return `${value}`;
  if (!isRecord(value)) return value;
  const keys = Object.keys(value);
  if (keys.length > 1) keys.sort();
  return Object.fromEntries(keys.map((key) => [key, withSortedKeys(value[key] ?? null)]));
}
