import { parse, TomlError } from 'smol-toml';
import { type AST, ParseError, parseTOML } from 'toml-eslint-parser';
import { isRecord, type Json } from '../json/json';
import type { JsonNode } from '../json/jsonNode';
import { LineIndex, type ParseResult, type Problem, type Span } from '../text/source';

export type TomlPath = readonly (string | number)[];

/** As in JSON: no case needs more, and a recursive reader must not overflow on a hostile text. */
const MAX_DEPTH = 500;

/** A parsed TOML text: its values, and where each of them stands. */
export interface TomlDocument {
  readonly root: Readonly<Record<string, Json>>;
  /** The place of the value at `path`, of its nearest ancestor that is written, or of the whole text. */
  span(path: TomlPath): Span;
}

/** Reads TOML. Values and messages come from smol-toml, places and impossible dates from toml-eslint-parser. */
export function readToml(source: string): ParseResult<TomlDocument> {
  // A space in place of the byte order mark keeps every offset: toml-eslint-parser does not know the mark.
  const text = source.replace(/^\uFEFF/, ' ');
  try {
    const root = toJson(parse(text, { integersAsBigInt: 'asNeeded' }), text) as Record<string, Json>;
    const places = new TomlSpans(parseTOML(text));
    return { value: { root, span: (path) => places.at(path) ?? { start: 0, end: text.length } }, problems: [] };
  } catch (error) {
    return { value: undefined, problems: [syntaxProblem(text, error)] };
  }
}

function syntaxProblem(text: string, error: unknown): Problem {
  if (!(error instanceof TomlError || error instanceof ParseError)) throw error;
  const start = error instanceof TomlError ? new LineIndex(text).offset(error) : error.index;
  const [headline = error.message] = error.message.split('\n');
  return {
    severity: 'error',
    message: `failed to parse TOML DSL: ${headline.replace('Invalid TOML document: ', '')}`,
    fix: 'Correct the TOML at this place.',
    span: { start, end: Math.min(start + 1, text.length) },
  };
}

/** Dates become the text they print as: JSON, which tool results are, has none. Own keys only, so `__proto__` is just a key. */
function toJson(value: unknown, text: string, depth = 0): Json {
  if (depth > MAX_DEPTH) throw new TomlError(`nested deeper than ${MAX_DEPTH} levels`, { toml: text, ptr: 0 });
  if (Array.isArray(value)) return value.map((item) => toJson(item, text, depth + 1));
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, toJson(member, text, depth + 1)]));
  }
  return value as Json;
}

const pathKey = (path: TomlPath): string => JSON.stringify(path);

/**
 * Where the values and tables of a text stand. The place of a table is its header; one that has none, because
 * `[a.b]` or `a.b = 1` made it in passing, stands where it is first mentioned.
 */
class TomlSpans {
  readonly #written = new Map<string, Span>();
  readonly #mentioned = new Map<string, Span>();

  constructor(program: AST.TOMLProgram) {
    for (const node of program.body[0].body) {
      if (node.type === 'TOMLKeyValue') this.#entry([], node);
      else {
        this.#mention(node.resolvedKey, 0, node.key.range);
        this.#write(node.resolvedKey, node.key.range);
        for (const entry of node.body) this.#entry(node.resolvedKey, entry);
      }
    }
  }

  /** The place of `path` or of its nearest ancestor that has one. */
  at(path: TomlPath): Span | undefined {
    for (let length = path.length; length > 0; length -= 1) {
      const key = pathKey(path.slice(0, length));
      const found = this.#written.get(key) ?? this.#mentioned.get(key);
      if (found) return found;
    }
    return undefined;
  }

  #entry(base: TomlPath, { key, value }: AST.TOMLKeyValue): void {
    const path = [...base, ...key.keys.map(keyName)];
    this.#mention(path, base.length, key.range);
    this.#content(path, value);
  }

  #content(path: TomlPath, node: AST.TOMLContentNode): void {
    this.#write(path, node.range);
    if (node.type === 'TOMLArray')
      for (const [index, item] of node.elements.entries()) this.#content([...path, index], item);
    if (node.type === 'TOMLInlineTable') for (const entry of node.body) this.#entry(path, entry);
  }

  #write(path: TomlPath, [start, end]: AST.TOMLNode['range']): void {
    this.#written.set(pathKey(path), { start, end });
  }

  /** The tables between `path` and its first `known` parts are made in passing. */
  #mention(path: TomlPath, known: number, [start, end]: AST.TOMLNode['range']): void {
    for (let length = known + 1; length < path.length; length += 1) {
      const key = pathKey(path.slice(0, length));
      if (!this.#mentioned.has(key)) this.#mentioned.set(key, { start, end });
    }
  }
}

function keyName(key: AST.TOMLBare | AST.TOMLQuoted): string {
  return key.type === 'TOMLBare' ? key.name : key.value;
}

/** A TOML document as the tree that JSON and YAML are read into. A table stands where its header does. */
export function tomlToNode(document: TomlDocument): JsonNode {
  return build(document.root, []);

  function build(value: Json, path: TomlPath): JsonNode {
    const span = document.span(path);
    if (isRecord(value)) {
      const members = Object.entries(value).map(([key, item]) => ({
        key,
        keySpan: document.span([...path, key]),
        value: build(item, [...path, key]),
      }));
      return { type: 'object', members, ...span };
    }
    if (typeof value === 'string') return { type: 'string', value, ...span };
    if (typeof value === 'number' || typeof value === 'bigint') {
      return { type: 'number', lexeme: String(value), ...span };
    }
    if (typeof value === 'object' && value !== null) {
      return { type: 'array', items: value.map((item, index) => build(item, [...path, index])), ...span };
    }
    return { type: 'literal', value, ...span };
  }
}
