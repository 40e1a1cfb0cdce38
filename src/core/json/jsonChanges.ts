import type { Splice } from '../text/splice';
import { isRecord, type Json } from './json';
import { type JsonNode, type JsonStringNode, jsonValue } from './jsonDocument';

/** How a file is written: its strings in place of others, and values that change as a whole. */
export interface NodeWriter {
  string(node: JsonStringNode, value: string): Iterable<Splice>;
  /** The token for a value in the place of another one. */
  value(node: JsonNode, value: Json): string;
}

/** What to replace to make a node have another value: what differs, and no more. Numbers that stay equal keep their digits. */
export function* jsonChanges(node: JsonNode, next: Json, writer: NodeWriter): Generator<Splice> {
  if (node.type === 'string' && typeof next === 'string') {
    if (node.value !== next) yield* writer.string(node, next);
  } else if (node.type === 'array' && Array.isArray(next) && next.length === node.items.length) {
    for (const [index, item] of node.items.entries()) yield* jsonChanges(item, next[index] ?? null, writer);
  } else if (node.type === 'object' && isRecord(next) && hasSameKeys(node.members, next)) {
    // Of a repeated key only the last counts.
    const last = new Map(node.members.map(({ key, value }) => [key, value]));
    for (const [key, value] of last) yield* jsonChanges(value, next[key] ?? null, writer);
  } else if (node.type === 'array' || node.type === 'object' || jsonValue(node) !== next) {
    yield { start: node.start, end: node.end, text: writer.value(node, next) };
  }
}

function hasSameKeys(members: readonly { readonly key: string }[], next: Json & object): boolean {
  const keys = new Set(members.map(({ key }) => key));
  const wanted = Object.keys(next);
  return wanted.length === keys.size && wanted.every((key) => keys.has(key));
}
