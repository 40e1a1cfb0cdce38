import { isRecord, type Json } from '../json/json';
import type { Schema } from './schema';

/** Whether a value is what a schema asks for: the guard of a call's argument, or of a document. */
export function accepts<T>(schema: Schema<T>, value: unknown): value is T {
  const { properties, additionalProperties, required = [], items } = schema;
  if (!isOfType(schema, value)) return false;
  if (items !== undefined) return (value as readonly unknown[]).every((item) => accepts(items, item));
  if (properties === undefined && additionalProperties === undefined) return true;
  const members = value as Readonly<Record<string, unknown>>;
  if (properties === undefined)
    return Object.values(members).every((member) => accepts(additionalProperties ?? ANY, member));
  return (
    required.every((key) => members[key] !== undefined) &&
    Object.entries(properties).every(([key, member]) => members[key] === undefined || accepts(member, members[key]))
  );
}

const ANY: Schema = { description: '' };

/** Whether a value is of the type of a schema, and in its bounds; what it contains is not looked at. */
export function isOfType({ type, minimum, enum: choices }: Schema, value: unknown): boolean {
  switch (type) {
    case undefined:
      return true;
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
