import { isRecord, type Json } from '../json/json';
import { nearest } from '../text/nearest';
import type { Problem } from '../text/source';
import type { TomlDocument, TomlPath } from '../toml/tomlDocument';
import { CASE_SCHEMA, type CaseSchema } from './writing/caseSchema';

/** The keys that nobody reads. MoFA ignores them, so they are no error; most of them are misspelt all the same. */
export function unknownKeys(document: TomlDocument): readonly Problem[] {
  return unknownIn(document, document.root, CASE_SCHEMA, []);
}

function unknownIn(
  document: TomlDocument,
  value: Json | undefined,
  { properties, items }: CaseSchema,
  path: TomlPath,
): readonly Problem[] {
  if (items !== undefined && Array.isArray(value))
    return value.flatMap((item, index) => unknownIn(document, item, items, [...path, index]));
  // Without properties, the keys of a table are the writer's own.
  if (properties === undefined || !isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const place = [...path, key];
    const schema = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (schema !== undefined) return unknownIn(document, member, schema, place);
    const close = nearest(key, Object.keys(properties));
    const fix = close === undefined ? 'Correct it, or take it out.' : `Perhaps you meant \`${close}\`.`;
    return [
      { severity: 'info', message: `${named(key, path)} does nothing`, fix, span: document.span(place) } as const,
    ];
  });
}

function named(key: string, path: TomlPath): string {
  const table = path.filter((part) => typeof part === 'string').join('.');
  return table === '' ? `unknown key \`${key}\`` : `unknown key \`${key}\` under [${table}]`;
}
