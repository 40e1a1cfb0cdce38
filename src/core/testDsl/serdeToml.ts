import { parse, type TomlValue } from 'smol-toml';
import type { JsonNode } from '../json/jsonNode';
import { readToml, type TomlDocument, type TomlPath } from '../toml/readToml';
import { rustFloat } from './rustFloat';
import { DATE_MEMBER, type Reader, SerdeError } from './serde';

/** Reads TOML as Rust's `toml` does: floats stay floats, and a date is a map with one member. Throws a `SerdeError`. */
export function readSerdeToml<T>(text: string, read: Reader<T>): T {
  const { value: document, problems } = readToml(text);
  const [problem] = problems;
  if (document === undefined)
    throw new SerdeError(problem?.message ?? 'invalid TOML', problem?.span ?? { start: 0, end: 0 });
  const root = parse(text.replace(/^\uFEFF/, ' '), { integersAsBigInt: true });
  return read(nodeOf(root, [], document, text));
}

function nodeOf(value: TomlValue, path: TomlPath, document: TomlDocument, text: string): JsonNode {
  const span = document.span(path);
  const inside = (item: TomlValue, key: string | number) => nodeOf(item, [...path, key], document, text);
  if (typeof value === 'string') return { type: 'string', value, ...span };
  if (typeof value === 'boolean') return { type: 'literal', value, ...span };
  if (typeof value === 'bigint') return { type: 'number', lexeme: `${value}`, ...span };
  if (typeof value === 'number') return floatNode(value, span);
  if (Array.isArray(value)) return { type: 'array', items: value.map(inside), ...span };
  if (value instanceof Date) return dateNode(text.slice(span.start, span.end).toUpperCase().replace(' ', 'T'), span);
  const members = Object.entries(value).map(([key, item]) => ({ key, keySpan: span, value: inside(item, key) }));
  return { type: 'object', members, ...span };
}

type NodeSpan = Pick<JsonNode, 'start' | 'end'>;

/** A float as serde_json writes it; JSON has neither infinity nor NaN. */
function floatNode(value: number, span: NodeSpan): JsonNode {
  if (!Number.isFinite(value)) return { type: 'literal', value: null, ...span };
  return { type: 'number', lexeme: rustFloat(value), ...span };
}

function dateNode(text: string, span: NodeSpan): JsonNode {
  return {
    type: 'object',
    members: [{ key: DATE_MEMBER, keySpan: span, value: { type: 'string', value: text, ...span } }],
    ...span,
  };
}
