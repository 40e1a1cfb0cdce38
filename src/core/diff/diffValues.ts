import { isRecord, type Json, jsonEqual } from '../json/json';
import type { JsonPath } from '../json/jsonPath';

/** The innermost values in which two values differ. Lists of different lengths differ as wholes. */
export function diffValues(before: Json, after: Json, path: JsonPath = []): ValueDifference[] {
  if (jsonEqual(before, after)) return [];
  if (isRecord(before) && isRecord(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].flatMap((key) => memberChanges(before, after, key, path));
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return before.flatMap((item, index) => diffValues(item, after[index] ?? null, [...path, index]));
  return [{ path, before, after }];
}

function memberChanges(
  before: Readonly<Record<string, Json>>,
  after: Readonly<Record<string, Json>>,
  key: string,
  path: JsonPath,
): ValueDifference[] {
  const old = ownValue(before, key);
  const now = ownValue(after, key);
  const at = [...path, key];
  if (old === undefined) return now === undefined ? [] : [{ path: at, after: now }];
  return now === undefined ? [{ path: at, before: old }] : diffValues(old, now, at);
}

function ownValue(record: Readonly<Record<string, Json>>, key: string): Json | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** A value that differs. */
export interface ValueDifference {
  /** The path from the compared values. */
  readonly path: JsonPath;
  /** Absent if it was added. */
  readonly before?: Json;
  /** Absent if it was removed. */
  readonly after?: Json;
}
