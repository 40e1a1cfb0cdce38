import { compilePattern, isRefused, type Pattern } from '../../text/compilePattern';
import { t } from '../../text/l10n';
import { canonicalJson } from '../canonicalJson';
import { isRecord, type Json, type JsonRecord, jsonEqual } from '../json';
import { SchemaError } from './schemaReferences';

/** What a check may ask of the whole validation. */
export interface CheckContext {
  /** Counts work. Throws a `SchemaError` when there was too much. */
  spend(steps: number): void;
  pattern(source: string): Pattern;
}

type Check = (
  expected: Json,
  value: Json,
  path: string,
  schema: JsonRecord,
  context: CheckContext,
) => string | undefined;

const LONGEST_SHOWN = 200;

export function displayJson(value: Json): string {
  const text = JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? Number(item) : item));
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}

/** The keywords that look at the value itself, and at no part of it. */
export const VALUE_KEYWORDS: Readonly<Record<string, Check>> = {
  type(expected, value, path) {
    const types = (Array.isArray(expected) ? expected : [expected]).map(typeName);
    return when(!types.some((type) => isOfType(value, type)), () =>
      t('{0} is not of type {1}: {2}', path, types.join(' or '), displayJson(value)),
    );
  },
  const: (expected, value, path) =>
    when(!jsonEqual(expected, value), () => t('{0} is not {1}: {2}', path, displayJson(expected), displayJson(value))),
  enum(expected, value, path, _schema, context) {
    const known = listOf(expected, 'enum');
    context.spend(known.length);
    return when(!known.some((one) => jsonEqual(one, value)), () =>
      t('{0} is not one of {1}: {2}', path, displayJson(expected), displayJson(value)),
    );
  },
  required(expected, value, path) {
    const keys = listOf(expected, 'required');
    const missing = isRecord(value) ? keys.find((key) => !Object.hasOwn(value, String(key))) : undefined;
    return when(missing !== undefined, () => t('{0} has no {1}', path, String(missing)));
  },
  dependentRequired: (expected, value, path) => missingDependency(expected, value, path),
  minProperties: (expected, value, path) =>
    when(isRecord(value) && Object.keys(value).length < numberOf(expected, 'minProperties'), () =>
      t('{0} has fewer than {1} members', path, String(expected)),
    ),
  maxProperties: (expected, value, path) =>
    when(isRecord(value) && Object.keys(value).length > numberOf(expected, 'maxProperties'), () =>
      t('{0} has more than {1} members', path, String(expected)),
    ),
  minItems: (expected, value, path) =>
    when(Array.isArray(value) && value.length < numberOf(expected, 'minItems'), () =>
      t('{0} has fewer than {1} items', path, String(expected)),
    ),
  maxItems: (expected, value, path) =>
    when(Array.isArray(value) && value.length > numberOf(expected, 'maxItems'), () =>
      t('{0} has more than {1} items', path, String(expected)),
    ),
  uniqueItems(expected, value, path, _schema, context) {
    if (expected !== true || !Array.isArray(value)) return undefined;
    const seen = new Map<string, number>();
    for (const [index, item] of value.entries()) {
      const text = canonicalJson(item);
      context.spend(1 + text.length / 16);
      const first = seen.get(text);
      if (first !== undefined) return t('{0}[{1}] and [{2}] are equal: {3}', path, first, index, displayJson(item));
      seen.set(text, index);
    }
    return undefined;
  },
  minLength: (expected, value, path) =>
    when(typeof value === 'string' && lengthOf(value) < numberOf(expected, 'minLength'), () =>
      t('{0} has fewer than {1} characters', path, String(expected)),
    ),
  maxLength: (expected, value, path) =>
    when(typeof value === 'string' && lengthOf(value) > numberOf(expected, 'maxLength'), () =>
      t('{0} has more than {1} characters', path, String(expected)),
    ),
  pattern(expected, value, path, _schema, context) {
    if (typeof value !== 'string') return undefined;
    context.spend(1 + value.length / 4);
    return when(!context.pattern(String(expected)).test(value), () =>
      t('{0} does not match /{1}/: {2}', path, String(expected), displayJson(value)),
    );
  },
  minimum: (expected, value, path, { exclusiveMinimum }) =>
    // In draft 4, `exclusiveMinimum` says how `minimum` is meant.
    when(
      isNumber(value) && (value < numberOf(expected, 'minimum') || (exclusiveMinimum === true && value === expected)),
      () => t('{0} is less than {1}: {2}', path, String(expected), String(value)),
    ),
  maximum: (expected, value, path, { exclusiveMaximum }) =>
    when(
      isNumber(value) && (value > numberOf(expected, 'maximum') || (exclusiveMaximum === true && value === expected)),
      () => t('{0} is more than {1}: {2}', path, String(expected), String(value)),
    ),
  exclusiveMinimum: (expected, value, path) =>
    when(typeof expected !== 'boolean' && isNumber(value) && value <= numberOf(expected, 'exclusiveMinimum'), () =>
      t('{0} is not more than {1}: {2}', path, String(expected), String(value)),
    ),
  exclusiveMaximum: (expected, value, path) =>
    when(typeof expected !== 'boolean' && isNumber(value) && value >= numberOf(expected, 'exclusiveMaximum'), () =>
      t('{0} is not less than {1}: {2}', path, String(expected), String(value)),
    ),
  multipleOf: (expected, value, path) =>
    when(isNumber(value) && !isMultiple(Number(value), Number(numberOf(expected, 'multipleOf'))), () =>
      t('{0} is not a multiple of {1}: {2}', path, String(expected), String(value)),
    ),
};

/** Compiles the pattern of a schema. Throws a `SchemaError` for one that is invalid, or cannot be matched in linear time. */
export function schemaPattern(source: string): Pattern {
  const pattern = compilePattern(source, 'javascript');
  if (!isRefused(pattern)) return pattern;
  const { reason, isUnsupported } = pattern;
  throw new SchemaError(
    isUnsupported
      ? t('the schema has a pattern with {0}', reason)
      : t('the schema has an invalid pattern: {0}', reason),
  );
}

/** What an object lacks because of the members that it has. */
export function missingDependency(expected: Json, value: Json, path: string): string | undefined {
  if (!isRecord(value)) return undefined;
  for (const [key, needed] of Object.entries(recordOf(expected, 'dependentRequired'))) {
    if (!Object.hasOwn(value, key) || !Array.isArray(needed)) continue;
    const missing = needed.find((other) => !Object.hasOwn(value, String(other)));
    if (missing !== undefined) return t('{0} has {1}, but no {2}', path, key, String(missing));
  }
  return undefined;
}

export function listOf(value: Json, keyword: string): readonly Json[] {
  if (Array.isArray(value)) return value;
  throw new SchemaError(t('`{0}` of the schema must be a list, not {1}', keyword, displayJson(value)));
}

export function recordOf(value: Json, keyword: string): JsonRecord {
  if (isRecord(value)) return value;
  throw new SchemaError(t('`{0}` of the schema must be an object, not {1}', keyword, displayJson(value)));
}

export function numberOf(value: Json, keyword: string): number | bigint {
  if (isNumber(value)) return value;
  throw new SchemaError(t('`{0}` of the schema must be a number, not {1}', keyword, displayJson(value)));
}

const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];

function typeName(type: Json): string {
  if (typeof type === 'string' && TYPES.includes(type)) return type;
  throw new SchemaError(
    t('`type` of the schema cannot be {0}: the types are {1}', displayJson(type), TYPES.join(', ')),
  );
}

function when(fails: boolean, message: () => string): string | undefined {
  return fails ? message() : undefined;
}

function isNumber(value: Json): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** In characters, not in the halves of which some consist. */
function lengthOf(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length - 1; at += 1) if ((text.codePointAt(at) ?? 0) > 0xffff) length -= 1;
  return length;
}

/** Exact for decimal numbers, such as 0.3 and 0.1. */
function isMultiple(value: number, divisor: number): boolean {
  if (!(divisor > 0) || !Number.isFinite(value)) return false;
  if (Number.isInteger(value) && Number.isInteger(divisor)) return value % divisor === 0;
  const quotient = value / divisor;
  return Math.abs(quotient - Math.round(quotient)) <= Math.abs(quotient) * 2 * Number.EPSILON;
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
