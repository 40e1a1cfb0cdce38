import { isRecord, type Json } from '../json/json';
import type { Schema } from './schema';

/** Whether a value is what a schema asks for: the guard of a call's argument, or of a document. */
export function accepts<T>(schema: Schema<T>, value: unknown): value is T {
  return isOfType(schema, value) && hasContent(schema, value) && isUnrefused(schema, value);
}

/** `accepts` as a function of the value, such as for `filter`. */
export function guard<T>(schema: Schema<T>): (value: unknown) => value is T {
  return (value): value is T => accepts(schema, value);
}

/** The members of an object that a schema allows, of a file whose others are ignored. */
export function acceptedMembers<T>(
  members: Schema<T>,
  value: Readonly<Record<string, unknown>>,
): Readonly<Record<string, T>> {
  const isAccepted = (entry: [string, unknown]): entry is [string, T] => accepts(members, entry[1]);
  return Object.fromEntries(Object.entries(value).filter(isAccepted));
}

/** The first member of an object, in the order of the schema, that is not what the schema asks for. */
export function refusedMember(
  { properties = {}, required = [] }: Schema,
  members: Readonly<Record<string, unknown>>,
): string | undefined {
  const isRight = ([key, member]: [string, Schema]): boolean =>
    members[key] === undefined ? !required.includes(key) : accepts(member, members[key]);
  return Object.entries(properties).find((entry) => !isRight(entry))?.[0];
}

function hasContent(schema: Schema, value: unknown): boolean {
  const { properties, additionalProperties: others, items, prefixItems, anyOf } = schema;
  if (anyOf !== undefined) return anyOf.some((one) => accepts(one, value));
  if (items !== undefined) return (value as readonly unknown[]).every((item) => accepts(items, item));
  if (prefixItems !== undefined)
    return prefixItems.every((item, at) => accepts(item, (value as readonly unknown[])[at]));
  const members = value as Readonly<Record<string, unknown>>;
  if (properties !== undefined) return refusedMember(schema, members) === undefined;
  return others === undefined || Object.values(members).every((member) => accepts(others, member));
}

function isUnrefused({ check }: Schema, value: unknown): boolean {
  const refused = check?.(value as never) ?? [];
  return !('message' in refused) && refused.length === 0;
}

/** Whether a value is of the type of a schema, and in its bounds; what it contains is not looked at. */
export function isOfType(schema: Schema, value: unknown): boolean {
  const { type, minimum, enum: choices, const: only, prefixItems, anyOf } = schema;
  if (only !== undefined) return value === only;
  switch (type) {
    case undefined:
      return anyOf === undefined || anyOf.some((one) => isOfType(one, value));
    case 'null':
      return value === null || value === undefined;
    case 'array':
      return Array.isArray(value) && (prefixItems === undefined || value.length === prefixItems.length);
    case 'object':
      return isRecord(value as Json);
    case 'string':
      return typeof value === 'string' && (choices === undefined || choices.includes(value));
    case 'boolean':
      return typeof value === 'boolean';
    default:
      return (
        typeof value === 'number' &&
        (type === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value)) &&
        (minimum === undefined || value >= minimum)
      );
  }
}
