import { isRecord, type Json, type JsonRecord } from './json';
import type { JsonNode } from './jsonNode';
import { member } from './readJson';
import { copyWrittenNumbers } from './writtenNumbers';

/** The keys and indices that lead to a value inside a JSON value. */
export type JsonPath = readonly (string | number)[];

/** The node at a path, which may be written as keys with dots between them. */
export function nodeAt(node: JsonNode | undefined, path: JsonPath | string): JsonNode | undefined {
  let found = node;
  for (const key of typeof path === 'string' ? keysOf(path) : path) {
    if (typeof key === 'string') found = member(found, key);
    else found = found?.type === 'array' ? found.items[key] : undefined;
    if (found === undefined) return undefined;
  }
  return found;
}

/** The keys of a path such as `response.status.code`; none of `''`. */
export function keysOf(path: string): readonly string[] {
  const known = splitPaths.get(path);
  if (known !== undefined) return known;
  const keys = path === '' ? [] : path.split('.');
  splitPaths.set(path, keys);
  return keys;
}

/** The code has a few such paths, and reads many values at each. */
const splitPaths = new Map<string, readonly string[]>();

/** The value at a path. */
export function valueAt(json: Json | undefined, path: JsonPath): Json | undefined {
  return path.reduce<Json | undefined>((value, key) => {
    if (typeof key === 'number') return Array.isArray(value) ? value[key] : undefined;
    return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }, json);
}

/** A copy of a value with the value at a path replaced. The path must exist. */
export function withValueAt(json: Json, path: JsonPath, value: Json): Json {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (typeof json !== 'object' || json === null) return json;
  const copy = copyWith(json, key, (item) => withValueAt(item, rest, value));
  copyWrittenNumbers(json, copy, key);
  return copy;
}

function copyWith(
  json: readonly Json[] | JsonRecord,
  key: string | number,
  change: (item: Json) => Json,
): Json & object {
  if (!isRecord(json)) return json.map((item, index) => (index === key ? change(item) : item));
  return Object.fromEntries(Object.entries(json).map(([name, item]) => [name, name === key ? change(item) : item]));
}

/** A path as text, such as `request.messages[2].content`. */
export function formatJsonPath(path: JsonPath): string {
  return path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : text === '' ? key : `${text}.${key}`),
    '',
  );
}
