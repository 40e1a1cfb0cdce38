import { isRecord, type Json } from '../json/json';
import { closestWord } from '../text/closestWord';
import { memberOf, type Path, propertiesOf, type Schema } from './schema';

/** A key that nobody reads. */
export interface UnknownKey {
  readonly key: string;
  readonly table: Path;
  /** The key that it probably is a misspelling of. */
  readonly close?: string;
}

/** The keys of a value that its schema does not have. An object without declared members may have any. */
export function unknownKeys(schema: Schema, value: Json | undefined, path: Path = []): readonly UnknownKey[] {
  const { items, properties, additionalProperties } = schema;
  if (items !== undefined && Array.isArray(value))
    return value.flatMap((item, index) => unknownKeys(items, item, [...path, index]));
  if (!isRecord(value) || (properties === undefined && additionalProperties === undefined)) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const known = memberOf(schema, key);
    if (known !== undefined) return unknownKeys(known, member, [...path, key]);
    const close = closestWord(key, Object.keys(propertiesOf(schema)));
    return [{ key, table: path, close }];
  });
}
