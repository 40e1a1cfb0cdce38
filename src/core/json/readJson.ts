import { memoiseLast } from '../text/memo';
import type { ParseResult } from '../text/source';
import { type TextParts, wholeText } from '../text/textParts';
import { compactJson, type Json, type JsonRecord } from './json';
import { type JsonNode, LazyArrayNode, LazyObjectNode, nodeOfToken } from './jsonNode';
import { scanJson } from './scanJson';
import { TolerantJsonReader, trailingProblem } from './tolerantJsonReader';
import { mayHaveOddNumbers, rememberNumber } from './writtenNumbers';

/** Reads a JSON text. After a syntax error, the tree has everything before it, and the error is a problem. */
export const readJson = memoiseLast((text: TextParts): ParseResult<JsonNode> => {
  const tokens = scanJson(text);
  if (tokens === undefined) return new TolerantJsonReader(wholeText(text)).document();
  const rest = afterSpace(text, tokens.end(tokens.root));
  const problems = rest < text.length ? [trailingProblem(text, rest)] : [];
  return { value: nodeOfToken(tokens, tokens.root), problems };
});

function afterSpace(text: TextParts, start: number): number {
  for (let at = start; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char !== 0x20 && char !== 0x0a && char !== 0x0d && char !== 0x09) return at;
  }
  return text.length;
}

/** The member of an object node; the last one of repeated keys, as in every JSON reader. */
export function member(node: JsonNode | undefined, key: string): JsonNode | undefined {
  if (node?.type !== 'object') return undefined;
  if (node instanceof LazyObjectNode) return node.find(key);
  return node.members.findLast((candidate) => candidate.key === key)?.value;
}

/** The value of a node. Integers beyond 2^53 become `bigint`. Keys are own properties, even `__proto__`. */
export function jsonValue(node: JsonNode): Json {
  const parsed = node instanceof LazyObjectNode || node instanceof LazyArrayNode ? node.parsed() : undefined;
  return parsed ?? readValue(node);
}

function readValue(node: JsonNode): Json {
  switch (node.type) {
    case 'string':
    case 'literal':
      return node.value;
    case 'number':
      return numberValue(node.lexeme);
    case 'array':
      return node.items.map(readValue);
    case 'object':
      return Object.fromEntries(node.members.map(({ key, value }) => [key, readValue(value)]));
  }
}

function numberValue(lexeme: string): number | bigint {
  const value = Number(lexeme);
  return Number.isSafeInteger(value) || !/^-?\d+$/.test(lexeme) ? value : BigInt(lexeme);
}

/** The value of a node, whose lists and objects remember how their numbers are written. */
export function exactValue(node: JsonNode): Json {
  const parsed = node instanceof LazyObjectNode || node instanceof LazyArrayNode ? node.parsed(true) : undefined;
  if (parsed !== undefined) return parsed;
  if (node.type === 'array') {
    const items = node.items.map(exactValue);
    for (const [at, item] of node.items.entries()) remember(items, at, item);
    return items;
  }
  if (node.type !== 'object') return readValue(node);
  const record = Object.fromEntries(node.members.map(({ key, value }) => [key, exactValue(value)]));
  // Of repeated keys, the last one counts.
  for (const [key, value] of new Map(node.members.map(({ key, value }) => [key, value]))) remember(record, key, value);
  return record;
}

function remember(holder: object, key: string | number, node: JsonNode): void {
  if (node.type === 'number' && node.lexeme !== String(numberValue(node.lexeme)))
    rememberNumber(holder, key, node.lexeme);
}

/** A node as JSON on one line, with its numbers as they are written. */
export function exactText(node: JsonNode): string {
  return node.type === 'number' ? node.lexeme : compactJson(exactValue(node));
}

/** The same of a text; undefined if it is not JSON or nested too deeply. */
export function parseExactJson(text: string): Json | undefined {
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null || !mayHaveOddNumbers(text)) return value;
  const { value: root } = readJson(text);
  return root && exactValue(root);
}

/** The limit of the tree reader, beyond which recursion over a value is not safe. */
const MAX_DEPTH = 500;

/**
 * The value of a JSON text, like `jsonValue(readJson(text))`, including `bigint` for big integers. Undefined if the
 * text is not JSON or nested too deeply. Several times faster than the tree reader, which keeps positions.
 */
export function parseJson(text: string): Json | undefined {
  if (!mayBeJson(text)) return undefined;
  if (text.length > LARGE && scanJson(text) === undefined) return readExactly(text);
  try {
    const value = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text) as Json;
    return isExact(value, MAX_DEPTH) ? value : readExactly(text);
  } catch {
    return undefined;
  }
}

/** From this length on, the number of values is counted first: parsed, empty lists take ten times their text. */
const LARGE = 4_000_000;

/** The value of a broken or truncated JSON text, up to the first syntax error. */
export function salvageJson(text: string): Json | undefined {
  const { value } = readJson(text);
  return value && jsonValue(value);
}

/** Avoids the cost of an exception for every line of prose. */
function mayBeJson(text: string): boolean {
  return /^[\uFEFF\s]*["{[\dtfn-]/.test(text.slice(0, 4096));
}

function readExactly(text: string): Json | undefined {
  const { value, problems } = readJson(text);
  return value === undefined || problems.length > 0 ? undefined : jsonValue(value);
}

/** Whether a parsed value is exact and not too deep. Integers beyond 2^53 may have been rounded. */
function isExact(value: Json, levels: number): boolean {
  if (typeof value === 'number') return !(Math.abs(value) > Number.MAX_SAFE_INTEGER);
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  if (Array.isArray(value)) return value.every((item) => isExact(item, levels - 1));
  for (const key in value) if (!isExact((value as JsonRecord)[key] ?? null, levels - 1)) return false;
  return true;
}
