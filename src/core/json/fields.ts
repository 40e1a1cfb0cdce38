import { isRecord, type Json, type JsonRecord } from './json';

/** Reading JSON of which nothing is certain: a member of another type than the wanted one counts as absent. */

export function asString(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function asRecord(value: Json | undefined): JsonRecord {
  return isRecord(value) ? value : {};
}

export function asList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** The records of a list; what else is in it is passed over. */
export function asRecords(value: Json | undefined): readonly JsonRecord[] {
  return asList(value).filter(isRecord);
}

/** A number of things: whole and not negative. */
export function asCount(value: Json | undefined): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/**
 * What numbers the parts of a whole: a few servers send its digits. Hostile JSON may hold what JavaScript cannot make a
 * number or a text of, such as `{"toString": 1}`.
 */
export function asIndex(value: Json | undefined, otherwise = 0): number {
  const index = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;
  return Number.isNaN(index) ? otherwise : index;
}

/** Nothing is said: absent, null, or empty. */
export function isBlank(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '') return true;
  return Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0;
}

/** The members of a record but for those named. */
export function omitKeys(record: JsonRecord, ...keys: readonly string[]): JsonRecord {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)));
}

type WithoutUndefined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The same object without the members that are undefined. */
export function omitUndefined<const T extends object>(fields: T): WithoutUndefined<T> {
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) kept[key] = value;
  return kept as WithoutUndefined<T>;
}
