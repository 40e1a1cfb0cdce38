import { isRecord, type Json } from '../json/json';
import { type Named, type Path, propertiesOf, type Schema, schemaAt } from './schema';

/** What the text at `path` is the name of, or each text of the list there. */
export function namedAt(schema: Schema, path: Path): Named | undefined {
  const found = schemaAt(schema, path);
  return (found?.items ?? found)?.names;
}

/** A text that is the name of something. */
export interface NamedValue {
  readonly text: string;
  readonly path: Path;
}

/** The texts of a value that are names of `thing`, in the order of the schema. */
export function namedValues(
  schema: Schema,
  value: Json | undefined,
  thing: Named,
  path: Path = [],
): readonly NamedValue[] {
  const { items, names } = schema;
  if (names === thing && typeof value === 'string') return [{ text: value, path }];
  if (items !== undefined && Array.isArray(value))
    return value.flatMap((item, index) => namedValues(items, item, thing, [...path, index]));
  if (!isRecord(value)) return [];
  return Object.entries(propertiesOf(schema)).flatMap(([key, member]) =>
    namedValues(member, value[key], thing, [...path, key]),
  );
}
