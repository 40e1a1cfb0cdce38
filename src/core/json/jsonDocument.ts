import { lastAnswer } from '../text/lastAnswer';
import type { Reading, Span } from '../text/source';
import type { Json } from './json';
import { ArrayNode, nodeOf, ObjectNode } from './jsonNodes';
import { JsonReader } from './jsonReader';
import { scanJson } from './jsonScan';

/**
 * A JSON text as a tree that remembers where everything stands. Numbers keep their lexeme, because `1.0` and
 * 18446744073709551615 do not survive a double. Grammar: RFC 8259.
 */
export type JsonNode = JsonObjectNode | JsonArrayNode | JsonStringNode | JsonNumberNode | JsonLiteralNode;
export interface JsonObjectNode extends Span {
  readonly type: 'object';
  readonly members: readonly JsonMember[];
}
export interface JsonArrayNode extends Span {
  readonly type: 'array';
  readonly items: readonly JsonNode[];
}
export interface JsonStringNode extends Span {
  readonly type: 'string';
  readonly value: string;
  /** In YAML: the text is base64, by its tag. */
  readonly binary?: true;
}
export interface JsonNumberNode extends Span {
  readonly type: 'number';
  readonly lexeme: string;
}
export interface JsonLiteralNode extends Span {
  readonly type: 'literal';
  readonly value: boolean | null;
}
export interface JsonMember {
  readonly key: string;
  readonly keySpan: Span;
  readonly value: JsonNode;
}

/** Reads one JSON text. On a syntax error the tree ends there: what was read before it is returned, with the problem. */
export const readJson = lastAnswer((text): Reading<JsonNode> => {
  const tokens = scanJson(text);
  return tokens !== undefined && isBlank(text, tokens.end(tokens.root))
    ? { value: nodeOf(tokens, tokens.root), problems: [] }
    : new JsonReader(text, tokens).document();
});

function isBlank(text: string, start: number): boolean {
  for (let at = start; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char !== 0x20 && char !== 0x0a && char !== 0x0d && char !== 0x09) return false;
  }
  return true;
}

/** The member of an object node; the last one when the key is repeated, as every JSON reader does. */
export function member(node: JsonNode | undefined, key: string): JsonNode | undefined {
  if (node?.type !== 'object') return undefined;
  if (node instanceof ObjectNode) return node.find(key);
  return node.members.findLast((candidate) => candidate.key === key)?.value;
}

/** The plain value of a node. Integers beyond 2^53 become `bigint`; own keys only, so `__proto__` is just a key. */
export function jsonValue(node: JsonNode): Json {
  const parsed = node instanceof ObjectNode || node instanceof ArrayNode ? node.parsed() : undefined;
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
