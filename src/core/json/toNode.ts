import { isRecord, type Json } from './json';
import type { JsonNode } from './jsonDocument';

/** A value as a node that stands nowhere, for what reads or writes nodes. Members that are undefined are left out. */
export function toNode(value: Json | undefined): JsonNode {
  const nowhere = { start: 0, end: 0 };
  if (typeof value === 'string') return { type: 'string', value, ...nowhere };
  if (typeof value === 'number' || typeof value === 'bigint') {
    return Number.isNaN(value) ? toNode(null) : { type: 'number', lexeme: String(value), ...nowhere };
  }
  if (isRecord(value)) {
    const members = Object.entries(value).filter(([, item]) => item !== undefined);
    const nodes = members.map(([key, item]) => ({ key, keySpan: nowhere, value: toNode(item) }));
    return { type: 'object', members: nodes, ...nowhere };
  }
  if (typeof value === 'object' && value !== null) return { type: 'array', items: value.map(toNode), ...nowhere };
  return { type: 'literal', value: value ?? null, ...nowhere };
}
