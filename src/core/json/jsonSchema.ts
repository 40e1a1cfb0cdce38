import { compilePattern, isRefused, type RefusedPattern } from '../text/compilePattern';
import { isRecord, type Json, type JsonRecord, jsonEqual } from './json';

/**
 * Describes the first mismatch between a value and a JSON schema; undefined if the value is valid. Supports the
 * keywords of draft 7 that schemas of responses use: types, members, items, choices, limits, patterns and combinations.
 * An unsupported keyword is a mismatch.
 */
export function findSchemaMismatch(schema: JsonRecord | boolean, value: Json, path = '$'): string | undefined {
  if (typeof schema === 'boolean') return schema ? undefined : `${path} is not allowed`;
  for (const [keyword, expected] of Object.entries(schema)) {
    const check = Object.hasOwn(CHECKS, keyword) ? CHECKS[keyword] : undefined;
    if (check === undefined) {
      if (ANNOTATIONS.has(keyword)) continue;
      return `the schema uses \`${keyword}\`, which is not supported`;
    }
    const mismatch = check(expected, value, path, schema);
    if (mismatch !== undefined) return mismatch;
  }
  return undefined;
}

type Check = (expected: Json, value: Json, path: string, schema: JsonRecord) => string | undefined;

const ANNOTATIONS = new Set(['$schema', '$id', '$comment', 'title', 'description', 'default', 'examples', 'format']);

const when = (fails: boolean, message: string): string | undefined => (fails ? message : undefined);
const schemaOf = (value: Json): JsonRecord | boolean => (isRecord(value) ? value : value !== false);
const listOf = (value: Json): readonly Json[] => (Array.isArray(value) ? value : [value]);
const display = (value: Json): string =>
  JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? Number(item) : item));

const CHECKS: Readonly<Record<string, Check>> = {
  type: (expected, value, path) =>
    when(
      !listOf(expected).some((type) => isOfType(value, String(type))),
      `${path} is not of type ${listOf(expected).join(' or ')}: ${display(value)}`,
    ),
  const: (expected, value, path) =>
    when(!jsonEqual(expected, value), `${path} is not ${display(expected)}: ${display(value)}`),
  enum: (expected, value, path) =>
    when(
      !listOf(expected).some((one) => jsonEqual(one, value)),
      `${path} is not one of ${display(expected)}: ${display(value)}`,
    ),
  required: (expected, value, path) => {
    const missing = isRecord(value) ? listOf(expected).find((key) => !Object.hasOwn(value, String(key))) : undefined;
    return when(missing !== undefined, `${path} has no ${String(missing)}`);
  },
  properties: (expected, value, path) =>
    isRecord(value) && isRecord(expected)
      ? first(Object.entries(expected), ([key, schema]) =>
          Object.hasOwn(value, key)
            ? findSchemaMismatch(schemaOf(schema), value[key] ?? null, `${path}.${key}`)
            : undefined,
        )
      : undefined,
  additionalProperties: (expected, value, path, { properties }) => {
    if (!isRecord(value)) return undefined;
    const declared = isRecord(properties) ? Object.keys(properties) : [];
    return first(Object.entries(value), ([key, item]) =>
      declared.includes(key) ? undefined : findSchemaMismatch(schemaOf(expected), item, `${path}.${key}`),
    );
  },
  items: (expected, value, path) =>
    Array.isArray(value)
      ? first([...value.entries()], ([index, item]) =>
          findSchemaMismatch(schemaOf(expected), item, `${path}[${index}]`),
        )
      : undefined,
  minItems: (expected, value, path) =>
    limit(Array.isArray(value) && value.length < Number(expected), path, `fewer than ${expected} items`),
  maxItems: (expected, value, path) =>
    limit(Array.isArray(value) && value.length > Number(expected), path, `more than ${expected} items`),
  minLength: (expected, value, path) =>
    limit(typeof value === 'string' && [...value].length < Number(expected), path, `fewer than ${expected} characters`),
  maxLength: (expected, value, path) =>
    limit(typeof value === 'string' && [...value].length > Number(expected), path, `more than ${expected} characters`),
  pattern: (expected, value, path) => {
    if (typeof value !== 'string') return undefined;
    const pattern = compilePattern(String(expected), 'javascript');
    if (isRefused(pattern)) return refusedPattern(pattern);
    return when(!pattern.test(value), `${path} does not match /${expected}/: ${display(value)}`);
  },
  minimum: (expected, value, path) =>
    when(isNumber(value) && Number(value) < Number(expected), `${path} is less than ${expected}: ${value}`),
  maximum: (expected, value, path) =>
    when(isNumber(value) && Number(value) > Number(expected), `${path} is more than ${expected}: ${value}`),
  exclusiveMinimum: (expected, value, path) =>
    when(isNumber(value) && Number(value) <= Number(expected), `${path} is not more than ${expected}: ${value}`),
  exclusiveMaximum: (expected, value, path) =>
    when(isNumber(value) && Number(value) >= Number(expected), `${path} is not less than ${expected}: ${value}`),
  allOf: (expected, value, path) =>
    first(listOf(expected), (schema) => findSchemaMismatch(schemaOf(schema), value, path)),
  anyOf: (expected, value, path) =>
    when(countMatches(expected, value, path) === 0, `${path} matches none of the schemas in anyOf: ${display(value)}`),
  oneOf: (expected, value, path) =>
    when(
      countMatches(expected, value, path) !== 1,
      `${path} matches ${countMatches(expected, value, path)} schemas in oneOf instead of 1`,
    ),
  not: (expected, value, path) =>
    when(
      findSchemaMismatch(schemaOf(expected), value, path) === undefined,
      `${path} matches a schema that it must not match`,
    ),
};

function countMatches(schemas: Json, value: Json, path: string): number {
  return listOf(schemas).filter((schema) => findSchemaMismatch(schemaOf(schema), value, path) === undefined).length;
}

function refusedPattern({ reason, isUnsupported }: RefusedPattern): string {
  return isUnsupported ? `the schema has a pattern with ${reason}` : `the schema has an invalid pattern: ${reason}`;
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
