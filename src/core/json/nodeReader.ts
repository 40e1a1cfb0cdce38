import { message, t } from '../text/l10n';
import type { Problem, Severity } from '../text/source';
import type { Json } from './json';
import type { JsonNode, JsonObjectNode } from './jsonNode';
import { exactValue, member } from './readJson';

/** The required type of a member. */
export interface ValueType<T> {
  readonly expected: string;
  /** Undefined if the node has another type. */
  read(node: JsonNode): T | undefined;
}

export const OBJECT: ValueType<JsonObjectNode> = {
  expected: message('an object'),
  read: (node) => (node.type === 'object' ? node : undefined),
};
export const ARRAY: ValueType<readonly JsonNode[]> = {
  expected: message('a list'),
  read: (node) => (node.type === 'array' ? node.items : undefined),
};
export const STRING: ValueType<string> = {
  expected: message('a string'),
  read: (node) => (node.type === 'string' ? node.value : undefined),
};
export const NUMBER: ValueType<Json> = {
  expected: message('a number'),
  read: (node) => (node.type === 'number' ? exactValue(node) : undefined),
};
export const BOOLEAN: ValueType<boolean> = {
  expected: message('true or false'),
  read: (node) => (node.type === 'literal' && node.value !== null ? node.value : undefined),
};
export const ANY_JSON: ValueType<Json> = { expected: message('a JSON value'), read: exactValue };
/** Rust's u32. */
export const UINT32: ValueType<number> = {
  expected: message('a whole number'),
  read: (node) =>
    node.type === 'number' && /^\d+$/.test(node.lexeme) && Number(node.lexeme) <= 0xffff_ffff
      ? Number(node.lexeme)
      : undefined,
};

/** Reads a tree member by member. A wrong type is reported as a problem, and reading continues. */
export class NodeReader {
  readonly problems: Problem[] = [];

  /** Reads a required member. */
  required<T>(node: JsonNode, key: string, kind: ValueType<T>, fix: string): T | undefined {
    const found = member(node, key);
    if (found !== undefined) return this.read(found, key, kind, fix);
    this.report(node, t('missing field `{0}`', key), fix);
    return undefined;
  }

  /** Reads a member that may be absent or null: an `Option` in Rust, an `Optional` in Python. */
  nullable<T>(node: JsonNode, key: string, kind: ValueType<T>, fix = t('Correct it, or use null.')): T | undefined {
    const found = member(node, key);
    return found === undefined || isNull(found) ? undefined : this.read(found, key, kind, fix);
  }

  /** Reads a member that may be absent, but not null. */
  optional<T>(node: JsonNode, key: string, kind: ValueType<T>, fix = t('Correct it, or leave it out.')): T | undefined {
    const found = member(node, key);
    return found === undefined ? undefined : this.read(found, key, kind, fix);
  }

  /** Reads a list of objects that may be absent. Other items are reported. */
  records(node: JsonNode, key: string, what: string, fix?: string): JsonObjectNode[] {
    const records: JsonObjectNode[] = [];
    for (const item of this.optional(node, key, ARRAY, fix) ?? []) {
      const record = this.record(item, what);
      if (record !== undefined) records.push(record);
    }
    return records;
  }

  /** Reads a list of strings that may be absent. Other items are reported. */
  texts(node: JsonNode, key: string, what: string): string[] {
    const items = this.optional(node, key, ARRAY) ?? [];
    return items.flatMap((item) => this.expect(item, STRING, what) ?? []);
  }

  record(node: JsonNode, what: string): JsonObjectNode | undefined {
    return this.expect(node, OBJECT, what);
  }

  /** Reads a value that is not a member, such as an item of a list. */
  expect<T>(node: JsonNode, { expected, read }: ValueType<T>, what: string): T | undefined {
    const value = read(node);
    if (value === undefined) this.report(node, t('{0} must be {1}', what, t(expected)), t('Correct it, or remove it.'));
    return value;
  }

  read<T>(node: JsonNode, key: string, { expected, read }: ValueType<T>, fix: string): T | undefined {
    const value = read(node);
    if (value === undefined) this.report(node, t('`{0}` must be {1}', key, t(expected)), fix);
    return value;
  }

  /** A problem of a list or object marks its bracket only, so that problems inside it stay visible. */
  report(node: JsonNode, message: string, fix: string, severity: Severity = 'error'): void {
    const end = node.type === 'object' || node.type === 'array' ? Math.min(node.start + 1, node.end) : node.end;
    this.problems.push({ severity, message, fix, span: { start: node.start, end } });
  }
}

export function isNull(node: JsonNode): boolean {
  return node.type === 'literal' && node.value === null;
}
