import { closestWord } from '../../text/closestWord';
import type { Pattern } from '../../text/compilePattern';
import { t } from '../../text/l10n';
import { isRecord, type Json, type JsonRecord } from '../json';
import { OLD_DRAFT, type Schema, SchemaError, SchemaReferences } from './schemaReferences';
import {
  type CheckContext,
  displayJson,
  listOf,
  missingDependency,
  numberOf,
  recordOf,
  schemaPattern,
  VALUE_KEYWORDS,
} from './valueKeywords';

/** A schema and a value of strangers must not take long: a step is a schema applied to a value. */
const MAX_STEPS = 1_000_000;
const MAX_DEPTH = 400;

/**
 * Describes the first mismatch between a value and a JSON schema, of drafts 4 to 2020-12; undefined if the value is valid.
 * A schema that cannot be applied is a mismatch too. References lead within the schema, and nothing is fetched; patterns are
 * matched in linear time, and depth and work are limited. Published validators do neither: they compile patterns with
 * `RegExp`, and follow what doubles with every reference for as long as it takes.
 */
export function findSchemaMismatch(schema: Schema, value: Json): string | undefined {
  if (typeof schema === 'boolean') return schema ? undefined : t('$ is not allowed');
  try {
    return new Validation(schema).check(schema, value, '$', undefined);
  } catch (error) {
    if (error instanceof SchemaError) return error.message;
    throw error;
  }
}

/** The members and items of one value that a schema has looked at, for `unevaluatedProperties` and `unevaluatedItems`. */
interface Seen {
  readonly keys: Set<string>;
  readonly items: Set<number>;
}

/** One application of a schema to a value. */
interface Place {
  readonly schema: JsonRecord;
  readonly value: Json;
  readonly path: string;
  readonly seen: Seen | undefined;
}

const TYPED_BY_OTHERS = ['example', 'nullable', 'discriminator', 'xml', 'externalDocs', 'deprecated', 'readOnly'];
const ANNOTATIONS = ['$schema', '$id', 'id', '$comment', '$vocabulary', 'title', 'description', 'default', 'examples'];
const WITHIN = ['$anchor', '$dynamicAnchor', '$recursiveAnchor', '$defs', 'definitions', 'format', 'writeOnly'];
const OF_SIBLINGS = ['then', 'else', 'additionalItems', 'minContains', 'maxContains'];
const CONTENT = ['contentEncoding', 'contentMediaType', 'contentSchema'];

class Validation implements CheckContext {
  readonly #references: SchemaReferences;
  readonly #patterns = new Map<string, Pattern>();
  readonly #refersAlone: boolean;
  /** The addresses of the schemas that are being applied, from the outermost on. */
  readonly #scope: string[] = [];
  #steps = 0;
  #depth = 0;

  constructor(root: JsonRecord) {
    this.#references = new SchemaReferences(root);
    this.#refersAlone = OLD_DRAFT.test(String(root.$schema ?? ''));
  }

  spend(steps: number): void {
    this.#steps += steps;
    if (this.#steps > MAX_STEPS) throw new SchemaError(t('the schema takes too long to apply to this value'));
  }

  pattern(source: string): Pattern {
    const pattern = this.#patterns.get(source) ?? schemaPattern(source);
    this.#patterns.set(source, pattern);
    return pattern;
  }

  check(schema: Json, value: Json, path: string, outer: Seen | undefined): string | undefined {
    this.spend(1);
    if (typeof schema === 'boolean') return schema ? undefined : t('{0} is not allowed', path);
    if (!isRecord(schema)) throw new SchemaError(t('a schema must be an object, not {0}', displayJson(schema)));
    if (this.#depth >= MAX_DEPTH)
      throw new SchemaError(t('the schema refers to itself endlessly, or is nested too deep'));
    const needsSeen = Object.hasOwn(schema, 'unevaluatedProperties') || Object.hasOwn(schema, 'unevaluatedItems');
    const seen = outer ?? (needsSeen ? { keys: new Set<string>(), items: new Set<number>() } : undefined);
    this.#depth += 1;
    this.#scope.push(this.#references.baseOf(schema));
    const mismatch = this.#checkKeywords({ schema, value, path, seen });
    this.#scope.pop();
    this.#depth -= 1;
    return mismatch;
  }

  #checkKeywords(place: Place): string | undefined {
    const { schema, value, path } = place;
    if (this.#refersAlone && typeof schema.$ref === 'string') return this.#apply.$ref?.(schema.$ref, place);
    // What is left over is known when everything else was applied.
    const keywords = Object.keys(schema).sort((left, right) => orderOf(left) - orderOf(right));
    for (const keyword of keywords) {
      const expected = schema[keyword] ?? null;
      const check = Object.hasOwn(VALUE_KEYWORDS, keyword) ? VALUE_KEYWORDS[keyword] : undefined;
      const apply = Object.hasOwn(this.#apply, keyword) ? this.#apply[keyword] : undefined;
      if (check === undefined && apply === undefined) requireKnown(keyword, Object.keys(this.#apply));
      const mismatch = check?.(expected, value, path, schema, this) ?? apply?.(expected, place);
      if (mismatch !== undefined) return mismatch;
    }
    return undefined;
  }

  /** The keywords that apply other schemas, to the same value or to its parts. */
  readonly #apply: Readonly<Record<string, (expected: Json, place: Place) => string | undefined>> = {
    $ref: (reference, place) => this.#same(this.#references.resolve(String(reference), place.schema), place),
    $dynamicRef: (reference, place) =>
      this.#same(this.#references.dynamic(String(reference), place.schema, this.#scope), place),
    $recursiveRef: (_, place) => this.#same(this.#references.recursive(place.schema, this.#scope), place),
    allOf: (schemas, place) => first(listOf(schemas, 'allOf'), (schema) => this.#same(schema, place)),
    anyOf: (schemas, place) => {
      const mismatches = this.#alternatives(schemas, 'anyOf', place);
      if (mismatches.includes(undefined)) return undefined;
      return t('{0} matches none of the schemas in anyOf: {1}', place.path, reasons(mismatches));
    },
    oneOf: (schemas, place) => {
      const mismatches = this.#alternatives(schemas, 'oneOf', place);
      const matching = mismatches.filter((mismatch) => mismatch === undefined).length;
      if (matching === 1) return undefined;
      const why = matching === 0 ? `: ${reasons(mismatches)}` : '';
      return t('{0} matches {1} schemas in oneOf instead of 1{2}', place.path, matching, why);
    },
    not: (schema, { value, path }) =>
      this.check(schema, value, path, undefined) === undefined
        ? t('{0} matches a schema that it must not match', path)
        : undefined,
    if: (schema, place) => {
      const branch = this.#same(schema, place) === undefined ? place.schema.then : place.schema.else;
      return branch === undefined ? undefined : this.#same(branch, place);
    },
    dependentSchemas: (schemas, place) => this.#dependent(schemas, place),
    dependencies: (expected, place) =>
      missingDependency(expected, place.value, place.path) ?? this.#dependent(expected, place),
    properties: (schemas, { value, path, seen }) =>
      first(Object.entries(recordOf(schemas, 'properties')), ([key, schema]) =>
        isRecord(value) && Object.hasOwn(value, key) ? this.#member(schema, value, key, path, seen) : undefined,
      ),
    patternProperties: (schemas, { value, path, seen }) =>
      first(Object.entries(recordOf(schemas, 'patternProperties')), ([source, schema]) =>
        first(this.#keysLike(source, value), (key) => this.#member(schema, value, key, path, seen)),
      ),
    additionalProperties: (schema, place) =>
      first(this.#otherKeys(place), (key) => this.#member(schema, place.value, key, place.path, place.seen)),
    propertyNames: (schema, { value, path }) =>
      first(keysOf(value), (key) => {
        const mismatch = this.check(schema, key, t('the name {0}', JSON.stringify(key)), undefined);
        return mismatch && `${path}: ${mismatch}`;
      }),
    unevaluatedProperties: (schema, { value, path, seen }) =>
      first(
        keysOf(value).filter((key) => !seen?.keys.has(key)),
        (key) => this.#member(schema, value, key, path, seen),
      ),
    prefixItems: (schemas, place) =>
      first([...listOf(schemas, 'prefixItems').entries()], ([at, schema]) => this.#item(schema, at, place)),
    items: (schemas, place) => {
      if (Array.isArray(schemas)) return this.#tuple(schemas, place);
      const { prefixItems } = place.schema;
      return this.#itemsFrom(Array.isArray(prefixItems) ? prefixItems.length : 0, schemas, place);
    },
    contains: (schema, place) => this.#contains(schema, place),
    unevaluatedItems: (schema, place) =>
      first(indexesOf(place.value), (at) => (place.seen?.items.has(at) ? undefined : this.#item(schema, at, place))),
  };

  /** Applies another schema to the same value. What it has looked at counts when it matches. */
  #same(schema: Json, { value, path, seen }: Place): string | undefined {
    if (seen === undefined) return this.check(schema, value, path, undefined);
    const inner: Seen = { keys: new Set(), items: new Set() };
    const mismatch = this.check(schema, value, path, inner);
    if (mismatch !== undefined) return mismatch;
    for (const key of inner.keys) seen.keys.add(key);
    for (const at of inner.items) seen.items.add(at);
    return undefined;
  }

  #alternatives(schemas: Json, keyword: string, place: Place): readonly (string | undefined)[] {
    return listOf(schemas, keyword).map((schema) => this.#same(schema, place));
  }

  #dependent(schemas: Json, place: Place): string | undefined {
    const { value } = place;
    return first(Object.entries(recordOf(schemas, 'dependentSchemas')), ([key, schema]) =>
      isRecord(value) && Object.hasOwn(value, key) && !Array.isArray(schema) ? this.#same(schema, place) : undefined,
    );
  }

  #member(schema: Json, value: Json, key: string, path: string, seen: Seen | undefined): string | undefined {
    if (!isRecord(value)) return undefined;
    seen?.keys.add(key);
    const name = /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
    return this.check(schema, value[key] ?? null, path + name, undefined);
  }

  #keysLike(source: string, value: Json): readonly string[] {
    const pattern = this.pattern(source);
    return keysOf(value).filter((key) => {
      this.spend(1 + key.length / 4);
      return pattern.test(key);
    });
  }

  #otherKeys({ schema: { properties, patternProperties }, value }: Place): readonly string[] {
    const sources = isRecord(patternProperties) ? Object.keys(patternProperties) : [];
    const matched = new Set(sources.flatMap((source) => this.#keysLike(source, value)));
    const isDeclared = (key: string): boolean => isRecord(properties) && Object.hasOwn(properties, key);
    return keysOf(value).filter((key) => !isDeclared(key) && !matched.has(key));
  }

  #item(schema: Json, at: number, { value, path, seen }: Place): string | undefined {
    if (!Array.isArray(value) || at >= value.length) return undefined;
    seen?.items.add(at);
    return this.check(schema, value[at] ?? null, `${path}[${at}]`, undefined);
  }

  #itemsFrom(from: number, schema: Json, place: Place): string | undefined {
    return first(indexesOf(place.value).slice(from), (at) => this.#item(schema, at, place));
  }

  /** Before 2020-12, `items` may be a list, and `additionalItems` is for the rest. */
  #tuple(schemas: readonly Json[], place: Place): string | undefined {
    const { additionalItems } = place.schema;
    const mismatch = first([...schemas.entries()], ([at, schema]) => this.#item(schema, at, place));
    if (mismatch !== undefined || additionalItems === undefined) return mismatch;
    return this.#itemsFrom(schemas.length, additionalItems, place);
  }

  #contains(schema: Json, { schema: { minContains = 1, maxContains }, value, path, seen }: Place): string | undefined {
    if (!Array.isArray(value)) return undefined;
    const matching = indexesOf(value).filter(
      (at) => this.check(schema, value[at] ?? null, `${path}[${at}]`, undefined) === undefined,
    );
    for (const at of matching) seen?.items.add(at);
    if (matching.length < numberOf(minContains, 'minContains'))
      return t('{0} contains {1} matching items, fewer than {2}', path, matching.length, String(minContains));
    if (maxContains !== undefined && matching.length > numberOf(maxContains, 'maxContains'))
      return t('{0} contains {1} matching items, more than {2}', path, matching.length, String(maxContains));
    return undefined;
  }
}

/** Unknown keywords are annotations, but a misspelt one would let everything pass. */
function requireKnown(keyword: string, applied: readonly string[]): void {
  const known = [...ANNOTATIONS, ...WITHIN, ...OF_SIBLINGS, ...CONTENT, ...TYPED_BY_OTHERS];
  if (known.includes(keyword) || /^x-/i.test(keyword)) return;
  const close = closestWord(keyword, [...Object.keys(VALUE_KEYWORDS), ...applied, ...OF_SIBLINGS]);
  const isLike = close !== undefined && keyword.length > 4 && Math.abs(close.length - keyword.length) < 2;
  if (isLike) throw new SchemaError(t('the schema uses `{0}`: did you mean `{1}`?', keyword, close));
}

function orderOf(keyword: string): number {
  return keyword.startsWith('unevaluated') ? 1 : 0;
}

const MOST_REASONS = 3;

function reasons(mismatches: readonly (string | undefined)[]): string {
  const shown = mismatches.slice(0, MOST_REASONS).join('; ');
  return mismatches.length > MOST_REASONS ? `${shown}; …` : shown;
}

function keysOf(value: Json): readonly string[] {
  return isRecord(value) ? Object.keys(value) : [];
}

function indexesOf(value: Json): readonly number[] {
  return Array.isArray(value) ? [...value.keys()] : [];
}

function first<T>(items: readonly T[], check: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const mismatch = check(item);
    if (mismatch !== undefined) return mismatch;
  }
  return undefined;
}
