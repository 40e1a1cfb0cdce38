import { compactJson, isRecord, type Json } from './json';

/** One line of JSON with sorted keys, which is the same for equal values. */
export function canonicalJson(value: Json): string {
  return compactJson(withSortedKeys(value));
}

function withSortedKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  // `1e400` is read as infinity, which JSON.stringify would write as null.
  if (typeof value === 'number' && !Number.isFinite(value)) return `${value}`;
  if (!isRecord(value)) return value;
  const keys = Object.keys(value);
  if (keys.length > 1) keys.sort();
  return Object.fromEntries(keys.map((key) => [key, withSortedKeys(value[key] ?? null)]));
}
