import { isRecord, type Json, type JsonRecord } from './json';

/** The value if it is a string. All readers in this file treat a value of another type as absent. */
export function asString(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function asRecord(value: Json | undefined): JsonRecord {
  return isRecord(value) ? value : {};
}

export function asList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** The objects in a list. */
export function asRecords(value: Json | undefined): readonly JsonRecord[] {
  return asList(value).filter(isRecord);
}

/** The value if it is a count: a whole number that is not negative. */
export function asCount(value: Json | undefined): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/**
 * The index that a value gives; a few servers send it as a string. Only numbers and strings are converted, because
 * hostile JSON such as `{"toString": 1}` makes `Number` throw.
 */
export function asIndex(value: Json | undefined, otherwise = 0): number {
  const index = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;
  return Number.isNaN(index) ? otherwise : index;
}

/** Whether a value is absent, null or empty. */
export function isBlank(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '') return true;
  return Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0;
}

/** The record without the named members. */
export function omitKeys(record: JsonRecord, ...keys: readonly string[]): JsonRecord {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)));
}

type WithoutUndefined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The object without members that are undefined. */
export function omitUndefined<const T extends object>(fields: T): WithoutUndefined<T> {
  const kept: Record<string, unknown> = {};
  for (const key of Object.keys(fields)) {
    const value = (fields as Record<string, unknown>)[key];
    if (value !== undefined) kept[key] = value;
  }
  return kept as WithoutUndefined<T>;
}
