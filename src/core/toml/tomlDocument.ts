import { parse, TomlError } from 'smol-toml';
import { type AST, parseTOML } from 'toml-eslint-parser';
import type { Json } from '../json/json';
import { LineIndex, type Problem, type Reading, type Span } from '../text/source';

export type TomlPath = readonly (string | number)[];

/** A parsed TOML text: its values, and where each of them stands. */
export interface TomlDocument {
  readonly root: Readonly<Record<string, Json>>;
  /** The place of the value at `path`, of its nearest ancestor that is written, or of the whole text. */
  span(path: TomlPath): Span;
}

/**
 * Reads TOML 1.0. Values come from smol-toml, the fast strict parser; places from toml-eslint-parser, and only when
 * one is asked for, because a correct file that just runs never asks.
 */
export function readToml(text: string): Reading<TomlDocument> {
  try {
    const table = parse(text, { integersAsBigInt: 'asNeeded', unsafeKeyBehaviour: 'throw' });
    let spans: Map<string, Span> | undefined;
    const span = (path: TomlPath): Span => {
      spans ??= locateValues(text);
      for (let length = path.length; length > 0; length -= 1) {
        const found = spans.get(pathKey(path.slice(0, length)));
        if (found) return found;
      }
      return { start: 0, end: text.length };
    };
    return { value: { root: toJson(table) as Record<string, Json>, span }, problems: [] };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return { value: undefined, problems: [syntaxProblem(text, error)] };
  }
}

function syntaxProblem(text: string, error: TomlError): Problem {
  const start = new LineIndex(text).offset(error);
  const [headline = error.message] = error.message.split('\n');
  return {
    severity: 'error',
    message: `failed to parse TOML DSL: ${headline.replace('Invalid TOML document: ', '')}`,
    fix: 'Correct the TOML at this place.',
    span: { start, end: Math.min(start + 1, text.length) },
  };
}

/** Dates become the text they print as: JSON, which tool results are, has none. */
function toJson(value: unknown): Json {
  if (Array.isArray(value)) return value.map(toJson);
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, toJson(member)]));
  }
  return value as Json;
}

const pathKey = (path: TomlPath): string => JSON.stringify(path);

/** Every key and table of the text by its path. Where both a table and its header exist, the header line is the place. */
function locateValues(text: string): Map<string, Span> {
  const spans = new Map<string, Span>();
  const put = (path: TomlPath, [start, end]: AST.TOMLNode['range']): void => {
    if (!spans.has(pathKey(path))) spans.set(pathKey(path), { start, end });
  };
  const visitContent = (path: TomlPath, node: AST.TOMLContentNode): void => {
    put(path, node.range);
    if (node.type === 'TOMLArray')
      for (const [index, item] of node.elements.entries()) visitContent([...path, index], item);
    if (node.type === 'TOMLInlineTable') for (const entry of node.body) visitEntry(path, entry);
  };
  const visitEntry = (base: TomlPath, entry: AST.TOMLKeyValue): void => {
    const path = [...base, ...entry.key.keys.map(keyName)];
    visitContent(path, entry.value);
  };
  for (const node of parseTOML(text).body[0].body) {
    if (node.type === 'TOMLKeyValue') visitEntry([], node);
    else {
      put(node.resolvedKey, node.key.range);
      for (const entry of node.body) visitEntry(node.resolvedKey, entry);
    }
  }
  return spans;
}

function keyName(key: AST.TOMLBare | AST.TOMLQuoted): string {
  return key.type === 'TOMLBare' ? key.name : key.value;
}
