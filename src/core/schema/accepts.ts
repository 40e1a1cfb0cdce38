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

function hasContent({ properties, additionalProperties: others, required = [], items, anyOf }: Schema, value: unknown) {
  if (anyOf !== undefined) return anyOf.some((one) => accepts(one, value));
  if (items !== undefined) return (value as readonly unknown[]).every((item) => accepts(items, item));
  const members = value as Readonly<Record<string, unknown>>;
  if (properties !== undefined)
    return (
      required.every((key) => members[key] !== undefined) &&
      Object.entries(properties).every(([key, member]) => members[key] === undefined || accepts(member, members[key]))
    );
  return others === undefined || Object.values(members).every((member) => accepts(others, member));
}

function isUnrefused({ check }: Schema, value: unknown): boolean {
  const refused = check?.(value as never) ?? [];
  return !('message' in refused) && refused.length === 0;
}

/** Whether a value is of the type of a schema, and in its bounds; what it contains is not looked at. */
export function isOfType({ type, minimum, enum: choices, anyOf }: Schema, value: unknown): boolean {
  switch (type) {
    case undefined:
      return anyOf === undefined || anyOf.some((one) => isOfType(one, value));
    case 'null':
      return value === null || value === undefined;
    case 'array':
      return Array.isArray(value);
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
