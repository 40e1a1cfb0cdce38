import { parse, TomlError } from 'smol-toml';
import { type AST, ParseError, parseTOML } from 'toml-eslint-parser';
import type { Json } from '../json/json';
import { LineIndex, type Problem, type Reading, type Span } from '../text/source';

export type TomlPath = readonly (string | number)[];

/** A parsed TOML text: its values, and where each of them stands. */
export interface TomlDocument {
  readonly root: Readonly<Record<string, Json>>;
  /** The place of the value at `path`, of its nearest ancestor that is written, or of the whole text. */
  span(path: TomlPath): Span;
}

/** Reads TOML. Values and messages come from smol-toml, places and impossible dates from toml-eslint-parser. */
export function readToml(source: string): Reading<TomlDocument> {
  // A space in place of the byte order mark keeps every offset: toml-eslint-parser does not know the mark.
  const text = source.replace(/^\uFEFF/, ' ');
  try {
    const root = toJson(parse(text, { integersAsBigInt: 'asNeeded' })) as Record<string, Json>;
    const places = new Places(parseTOML(text));
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
function toJson(value: unknown): Json {
  if (Array.isArray(value)) return value.map(toJson);
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, toJson(member)]));
  }
  return value as Json;
}

const pathKey = (path: TomlPath): string => JSON.stringify(path);

/**
 * Where the values and tables of a text stand. The place of a table is its header; one that has none, because
 * `[a.b]` or `a.b = 1` made it in passing, stands where it is first mentioned.
 */
class Places {
  readonly #written = new Map<string, Span>();
  readonly #mentioned = new Map<string, Span>();

  constructor(program: AST.TOMLProgram) {
    for (const node of program.body[0].body) {
      if (node.type === 'TOMLKeyValue') this.#entry([], node);
      else {
        this.#put(node.resolvedKey, node.key.range, node.key.range);
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
    this.#put(path, key.range, value.range);
    this.#content(path, value);
  }

  #content(path: TomlPath, node: AST.TOMLContentNode): void {
    if (node.type === 'TOMLInlineTable') for (const entry of node.body) this.#entry(path, entry);
    if (node.type !== 'TOMLArray') return;
    for (const [index, item] of node.elements.entries()) {
      this.#put([...path, index], item.range, item.range);
      this.#content([...path, index], item);
    }
  }

  #put(path: TomlPath, mention: AST.TOMLNode['range'], [start, end]: AST.TOMLNode['range']): void {
    this.#written.set(pathKey(path), { start, end });
    for (let length = 1; length < path.length; length += 1) {
      const key = pathKey(path.slice(0, length));
      if (!this.#mentioned.has(key)) this.#mentioned.set(key, { start: mention[0], end: mention[1] });
    }
  }
}

function keyName(key: AST.TOMLBare | AST.TOMLQuoted): string {
  return key.type === 'TOMLBare' ? key.name : key.value;
}
