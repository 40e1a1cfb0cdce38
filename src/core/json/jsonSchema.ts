import { compilePattern } from '../text/compilePattern';
import { isRecord, type Json, type JsonRecord, jsonEqual } from './json';

/**
 * Describes the first mismatch between a value and a JSON schema; undefined if the value is valid. Supports the keywords of
 * draft 7 that schemas of responses use: types, members, items, choices, limits, patterns and combinations. An unsupported
 * keyword is a mismatch.
 */
export function findSchemaMismatch(schema: JsonRecord | boolean, value: Json, path = '$'): string | undefined {
  if (typeof schema === 'boolean') return schema ? undefined : `${path} is not allowed`;
  for (const [keyword, wanted] of Object.entries(schema)) {
    const check = Object.hasOwn(CHECKS, keyword) ? CHECKS[keyword] : undefined;
    if (check === undefined) {
      if (ANNOTATIONS.has(keyword)) continue;
      return `the schema uses \`${keyword}\`, which is not supported`;
    }
    const mismatch = check(wanted, value, path, schema);
    if (mismatch !== undefined) return mismatch;
  }
  return undefined;
}

type Check = (wanted: Json, value: Json, path: string, schema: JsonRecord) => string | undefined;

const ANNOTATIONS = new Set(['$schema', '$id', '$comment', 'title', 'description', 'default', 'examples', 'format']);

const when = (fails: boolean, message: string): string | undefined => (fails ? message : undefined);
const schemaOf = (value: Json): JsonRecord | boolean => (isRecord(value) ? value : value !== false);
const listOf = (value: Json): readonly Json[] => (Array.isArray(value) ? value : [value]);
const shown = (value: Json): string =>
  JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? Number(item) : item));

const CHECKS: Readonly<Record<string, Check>> = {
  type: (wanted, value, path) =>
    when(
      !listOf(wanted).some((type) => isOfType(value, String(type))),
      `${path} is not of type ${listOf(wanted).join(' or ')}: ${shown(value)}`,
    ),
  const: (wanted, value, path) => when(!jsonEqual(wanted, value), `${path} is not ${shown(wanted)}: ${shown(value)}`),
  enum: (wanted, value, path) =>
    when(
      !listOf(wanted).some((one) => jsonEqual(one, value)),
      `${path} is not one of ${shown(wanted)}: ${shown(value)}`,
    ),
  required: (wanted, value, path) => {
    const missing = isRecord(value) ? listOf(wanted).find((key) => !Object.hasOwn(value, String(key))) : undefined;
    return when(missing !== undefined, `${path} has no ${String(missing)}`);
  },
  properties: (wanted, value, path) =>
    isRecord(value) && isRecord(wanted)
      ? first(Object.entries(wanted), ([key, schema]) =>
          Object.hasOwn(value, key)
            ? findSchemaMismatch(schemaOf(schema), value[key] ?? null, `${path}.${key}`)
            : undefined,
        )
      : undefined,
  additionalProperties: (wanted, value, path, { properties }) => {
    if (!isRecord(value)) return undefined;
    const known = isRecord(properties) ? Object.keys(properties) : [];
    return first(Object.entries(value), ([key, item]) =>
      known.includes(key) ? undefined : findSchemaMismatch(schemaOf(wanted), item, `${path}.${key}`),
    );
  },
  items: (wanted, value, path) =>
    Array.isArray(value)
      ? first([...value.entries()], ([index, item]) => findSchemaMismatch(schemaOf(wanted), item, `${path}[${index}]`))
      : undefined,
  minItems: (wanted, value, path) =>
    limit(Array.isArray(value) && value.length < Number(wanted), path, `fewer than ${wanted} items`),
  maxItems: (wanted, value, path) =>
    limit(Array.isArray(value) && value.length > Number(wanted), path, `more than ${wanted} items`),
  minLength: (wanted, value, path) =>
    limit(typeof value === 'string' && [...value].length < Number(wanted), path, `fewer than ${wanted} characters`),
  maxLength: (wanted, value, path) =>
    limit(typeof value === 'string' && [...value].length > Number(wanted), path, `more than ${wanted} characters`),
  pattern: (wanted, value, path) => {
    if (typeof value !== 'string') return undefined;
    const pattern = compilePattern(String(wanted), 'javascript', 'u');
    if (!(pattern instanceof RegExp)) return `the schema has an invalid pattern: ${pattern.reason}`;
    return when(!pattern.test(value), `${path} does not match /${wanted}/: ${shown(value)}`);
  },
  minimum: (wanted, value, path) =>
    when(isNumber(value) && Number(value) < Number(wanted), `${path} is less than ${wanted}: ${value}`),
  maximum: (wanted, value, path) =>
    when(isNumber(value) && Number(value) > Number(wanted), `${path} is more than ${wanted}: ${value}`),
  exclusiveMinimum: (wanted, value, path) =>
    when(isNumber(value) && Number(value) <= Number(wanted), `${path} is not more than ${wanted}: ${value}`),
  exclusiveMaximum: (wanted, value, path) =>
    when(isNumber(value) && Number(value) >= Number(wanted), `${path} is not less than ${wanted}: ${value}`),
  allOf: (wanted, value, path) => first(listOf(wanted), (schema) => findSchemaMismatch(schemaOf(schema), value, path)),
  anyOf: (wanted, value, path) =>
    when(countMatches(wanted, value, path) === 0, `${path} matches none of anyOf: ${shown(value)}`),
  oneOf: (wanted, value, path) =>
    when(
      countMatches(wanted, value, path) !== 1,
      `${path} matches ${countMatches(wanted, value, path)} schemas of oneOf`,
    ),
  not: (wanted, value, path) =>
    when(
      findSchemaMismatch(schemaOf(wanted), value, path) === undefined,
      `${path} matches a schema that it must not match`,
    ),
};

function countMatches(schemas: Json, value: Json, path: string): number {
  return listOf(schemas).filter((schema) => findSchemaMismatch(schemaOf(schema), value, path) === undefined).length;
}

function limit(isOver: boolean, path: string, what: string): string | undefined {
  return when(isOver, `${path} has ${what}`);
}

function first<T>(items: readonly T[], check: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const mismatch = check(item);
    if (mismatch !== undefined) return mismatch;
  }
  return undefined;
}

function isNumber(value: Json): boolean {
  return typeof value === 'number' || typeof value === 'bigint';
}

function isOfType(value: Json, type: string): boolean {
  switch (type) {
    case 'object':
      return isRecord(value);
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return typeof value === 'bigint' || Number.isInteger(value);
    case 'number':
      return isNumber(value);
    case 'null':
      return value === null;
    default:
      return typeof value === type;
  }
}
