import { asList, asRecord, asString } from '../../../json/fields';
import { isRecord, type Json, type JsonRecord } from '../../../json/json';
import { parseExactJson, salvageJson } from '../../../json/readJson';
import { lazy } from '../../../text/memo';

/** Names and indices of an attribute beyond this depth are not read. */
const MAX_DEPTH = 24;

/**
 * The attributes of a span: of OTLP, a list of `{key, value}` with typed values; of a console, a plain object; of Phoenix, an object of
 * objects. Names with dots are found in each.
 */
export class SpanAttributes {
  readonly values: JsonRecord;
  readonly #tree: () => AttributeTree;
  /** The names of attributes whose JSON was cut off. */
  readonly #cut = new Set<string>();

  constructor(attributes: Json | undefined) {
    this.values = Array.isArray(attributes) ? fromKeyValues(attributes) : asRecord(attributes);
    this.#tree = lazy(() => treeOf(this.values));
  }

  get cutNames(): ReadonlySet<string> {
    return this.#cut;
  }

  get(...names: readonly string[]): Json | undefined {
    for (const name of names) {
      const value = Object.hasOwn(this.values, name) ? this.values[name] : nested(this.values, name);
      if (value !== undefined && value !== null) return value;
    }
    return undefined;
  }

  text(...names: readonly string[]): string | undefined {
    return asString(this.get(...names));
  }

  number(...names: readonly string[]): number | undefined {
    const value = this.get(...names);
    const number = typeof value === 'string' && value !== '' ? Number(value) : value;
    return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
  }

  /** The value of the first attribute of these names, where a text of JSON is what it stands for. What was cut off is read up to there. */
  json(...names: readonly string[]): Json | undefined {
    for (const name of names) {
      const value = this.get(name);
      if (value !== undefined) return typeof value === 'string' ? this.#parsed(name, value) : value;
    }
    return undefined;
  }

  /** What the attributes below a name make: lists, where their names have numbers. */
  below(name: string): Json | undefined {
    const value = this.get(name);
    if (typeof value === 'object') return value ?? undefined;
    let tree: AttributeTree | undefined = this.#tree();
    for (const part of name.split('.')) tree = tree?.children.get(part);
    return tree === undefined || tree.children.size === 0 ? undefined : assembled(tree);
  }

  #parsed(name: string, text: string): Json {
    if (!/^\s*["[{]/.test(text.slice(0, 64))) return text;
    const whole = parseExactJson(text);
    if (whole !== undefined) return whole;
    const salvaged = /^\s*[[{]\s*["{[\]}]/.test(text.slice(0, 256)) ? salvageJson(text) : undefined;
    if (salvaged === undefined) return text;
    this.#cut.add(name);
    return salvaged;
  }
}

function nested(values: JsonRecord, name: string): Json | undefined {
  if (!name.includes('.')) return undefined;
  let value: Json | undefined = values;
  for (const part of name.split('.')) value = isRecord(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  return value;
}

/** The values of OTLP's list of attributes. */
function fromKeyValues(list: readonly Json[]): JsonRecord {
  return Object.fromEntries(
    list.flatMap((item) =>
      isRecord(item) && typeof item.key === 'string' ? [[item.key, plainValue(item.value)]] : [],
    ),
  );
}

/** A value of OTLP, which names its type. Whole numbers are strings, in JSON of protobuf. */
export function plainValue(value: Json | undefined): Json {
  if (!isRecord(value)) return value ?? null;
  if (value.stringValue !== undefined) return value.stringValue;
  if (value.intValue !== undefined) return wholeNumber(value.intValue);
  if (isRecord(value.arrayValue)) return asList(value.arrayValue.values).map(plainValue);
  if (isRecord(value.kvlistValue)) return fromKeyValues(asList(value.kvlistValue.values));
  return value.doubleValue ?? value.boolValue ?? value.bytesValue ?? null;
}

function wholeNumber(value: Json): Json {
  if (typeof value !== 'string' || !/^-?\d{1,19}$/.test(value)) return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : BigInt(value);
}

interface AttributeTree {
  readonly children: Map<string, AttributeTree>;
  value?: Json;
}

function treeOf(values: JsonRecord): AttributeTree {
  const root: AttributeTree = { children: new Map() };
  for (const [name, value] of Object.entries(values)) {
    let tree = root;
    for (const part of name.split('.', MAX_DEPTH)) {
      const child: AttributeTree = tree.children.get(part) ?? { children: new Map() };
      tree.children.set(part, child);
      tree = child;
    }
    tree.value = value;
  }
  return root;
}

function assembled({ children, value }: AttributeTree): Json {
  if (children.size === 0) return value ?? null;
  const entries = [...children].map(([name, child]) => [name, assembled(child)] as const);
  if (!entries.every(([name]) => /^\d{1,9}$/.test(name))) return Object.fromEntries(entries);
  return entries.sort(([left], [right]) => Number(left) - Number(right)).map(([, item]) => item);
}
