import type { Guard } from './rpc';

/** Building blocks for the guards of a contract. */
export const isNothing: Guard<undefined> = (value): value is undefined => value === undefined || value === null;
export const isAnything: Guard<unknown> = (_): _ is unknown => true;
export const isText: Guard<string> = (value): value is string => typeof value === 'string';
export const isNumber: Guard<number> = (value): value is number => typeof value === 'number';
export const isTrue: Guard<true> = (value): value is true => value === true;
export const isIndex: Guard<number> = (value): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

export function isOneOf<T extends string>(...options: readonly T[]): Guard<T> {
  return (value): value is T => options.some((option) => option === value);
}

export function isListOf<T>(item: Guard<T>): Guard<readonly T[]> {
  return (value): value is readonly T[] => Array.isArray(value) && value.every(item);
}

export function isMapOf<T>(item: Guard<T>): Guard<Readonly<Record<string, T>>> {
  return (value): value is Readonly<Record<string, T>> => isObject(value) && Object.values(value).every(item);
}

export function isMaybe<T>(item: Guard<T>): Guard<T | undefined> {
  return (value): value is T | undefined => value === undefined || item(value);
}

/** An object whose named members pass their guards; other members are not looked at. */
export function isShape<T extends object>(shape: { readonly [K in keyof Required<T>]: Guard<T[K]> }): Guard<T> {
  const members = Object.entries(shape) as [string, Guard<unknown>][];
  return (value): value is T => isObject(value) && members.every(([key, guard]) => guard(value[key]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const EXTERNAL_SCHEMES: readonly string[] = ['http:', 'https:', 'mailto:'];

/** A link of recorded content that may be opened, once the user agrees: absolute, and of the web or a mail address. */
export const isExternalLink: Guard<string> = (value): value is string => {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  return EXTERNAL_SCHEMES.includes(new URL(value).protocol);
};
