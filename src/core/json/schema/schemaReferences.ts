import { t } from '../../text/l10n';
import { isRecord, type Json, type JsonRecord } from '../json';

export type Schema = JsonRecord | boolean;

/** A schema that cannot be applied: the message says why. */
export class SchemaError extends Error {}

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const ONE = [
  'additionalItems',
  'unevaluatedItems',
  'items',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
];
const ALSO_ONE = ['propertyNames', 'not', 'if', 'then', 'else', 'contentSchema'];
const SCHEMA = new Set([...ONE, ...ALSO_ONE]);
const SCHEMAS = new Set(['prefixItems', 'items', 'allOf', 'anyOf', 'oneOf']);
const SCHEMAS_BY_NAME = new Set([
  '$defs',
  'definitions',
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
]);

/** In draft 7 and before, a reference stands alone: what is beside it does not count. */
export const OLD_DRAFT = /draft-0[3-7]/;

/** The address of a schema without `$id`. Nothing is ever fetched. */
const ROOT = 'schema:/';
const MAX_DEPTH = 500;

/** The places within a schema that its references lead to. */
export class SchemaReferences {
  readonly #resources = new Map<string, JsonRecord>();
  readonly #anchors = new Map<string, JsonRecord>();
  readonly #dynamic = new Map<string, JsonRecord>();
  readonly #bases = new Map<JsonRecord, string>();

  readonly #isOld: boolean;

  constructor(root: JsonRecord) {
    this.#isOld = typeof root.$schema === 'string' && OLD_DRAFT.test(root.$schema);
    this.#resources.set(ROOT, root);
    this.#collect(root, ROOT, 0);
  }

  /** The address that the references of a schema are relative to. */
  baseOf(schema: JsonRecord): string {
    return this.#bases.get(schema) ?? ROOT;
  }

  /** Throws a `SchemaError` for what is not part of the schema. */
  resolve(reference: string, from: JsonRecord): Schema {
    const address = addressOf(reference, this.baseOf(from));
    const [resource = '', fragment = ''] = address.split('#');
    const root = this.#resources.get(resource);
    const found = fragment === '' || fragment.startsWith('/') ? root && this.#follow(root, fragment) : undefined;
    const target = found ?? this.#anchors.get(address);
    if (target !== undefined) return target;
    const why = root === undefined ? t('is not part of it, and nothing is fetched') : t('does not exist');
    throw new SchemaError(t('the schema refers to `{0}`, which {1}', reference, why));
  }

  /** The schema that `$dynamicRef` means, where one of the schemas being applied, from the outermost on, has that anchor. */
  dynamic(reference: string, from: JsonRecord, scope: readonly string[]): Schema {
    const target = this.resolve(reference, from);
    const name = reference.slice(reference.indexOf('#') + 1);
    if (!isRecord(target) || target.$dynamicAnchor !== name) return target;
    return firstOf(scope, (base) => this.#dynamic.get(`${base}#${name}`)) ?? target;
  }

  /** The same for `$recursiveRef`, which always means a whole schema. */
  recursive(from: JsonRecord, scope: readonly string[]): Schema {
    const target = this.resolve('#', from);
    if (!isRecord(target) || target.$recursiveAnchor !== true) return target;
    const isRecursive = (base: string): JsonRecord | undefined => {
      const root = this.#resources.get(base);
      return root?.$recursiveAnchor === true ? root : undefined;
    };
    return firstOf(scope, isRecursive) ?? target;
  }

  #collect(schema: Json, outer: string, depth: number): void {
    if (!isRecord(schema) || this.#bases.has(schema)) return;
    if (depth > MAX_DEPTH) throw new SchemaError(t('the schema is nested too deep'));
    const base = this.#register(schema, outer);
    for (const [keyword, value] of Object.entries(schema)) {
      if (SCHEMA.has(keyword)) this.#collect(value, base, depth + 1);
      if (SCHEMAS.has(keyword) && Array.isArray(value)) for (const item of value) this.#collect(item, base, depth + 1);
      if (SCHEMAS_BY_NAME.has(keyword) && isRecord(value))
        for (const item of Object.values(value)) this.#collect(item, base, depth + 1);
    }
  }

  #register(schema: JsonRecord, outer: string): string {
    const isAlone = this.#isOld && typeof schema.$ref === 'string';
    const id = isAlone ? undefined : typeof schema.$id === 'string' ? schema.$id : schema.id;
    let base = outer;
    if (typeof id === 'string' && id.startsWith('#')) this.#anchors.set(outer + id, schema);
    else if (typeof id === 'string') {
      base = addressOf(id, outer).split('#')[0] ?? outer;
      this.#resources.set(base, schema);
    }
    if (typeof schema.$anchor === 'string') this.#anchors.set(`${base}#${schema.$anchor}`, schema);
    if (typeof schema.$dynamicAnchor === 'string') {
      this.#anchors.set(`${base}#${schema.$dynamicAnchor}`, schema);
      this.#dynamic.set(`${base}#${schema.$dynamicAnchor}`, schema);
    }
    this.#bases.set(schema, base);
    return base;
  }

  /** Follows a JSON pointer, from schema to schema or through a keyword that is not known. */
  #follow(root: JsonRecord, pointer: string): Schema | undefined {
    let at: Json | undefined = root;
    let base = this.baseOf(root);
    for (const token of pointer.split('/').slice(1)) {
      const key = decoded(token).replaceAll('~1', '/').replaceAll('~0', '~');
      if (Array.isArray(at)) at = at[Number(key)];
      else at = isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined;
      if (isRecord(at)) base = this.#bases.get(at) ?? base;
    }
    if (isRecord(at)) this.#collect(at, base, 0);
    return isRecord(at) || typeof at === 'boolean' ? at : undefined;
  }
}

function addressOf(reference: string, base: string): string {
  const fragment = reference.startsWith('#') ? reference : undefined;
  if (fragment !== undefined) return base + (fragment === '#' ? '' : decoded(fragment));
  if (!URL.canParse(reference, base)) throw new SchemaError(t('the schema has an invalid address: `{0}`', reference));
  return decoded(new URL(reference, base).href);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function firstOf<T, R>(items: readonly T[], find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
