import { asRecord } from '../../../../json/fields';
import type { JsonRecord } from '../../../../json/json';
import { itemsOf, type JsonNode } from '../../../../json/jsonNode';
import { exactValue, member, parseExactJson } from '../../../../json/readJson';
import type { Problem, Span } from '../../../../text/source';
import type { TextParts } from '../../../../text/textParts';
import { visitDocuments } from './documents';

/** An object of an export, with its place. Its value is read again on demand. */
interface PlacedRecord {
  readonly place: Span;
  readonly value: JsonRecord;
}

/** Visits the objects of an export: those of a list, of lists in these members (nested ones, and those in objects, too), or one after the other. */
export function visitRecords(
  text: TextParts,
  lists: readonly string[],
  visit: (record: PlacedRecord) => void,
): readonly Problem[] {
  const visitNode = (node: JsonNode, offset: number, depth: number): void => {
    if (depth > MAX_DEPTH) return;
    if (node.type === 'array') for (const item of itemsOf(node)) visitNode(item, offset, depth + 1);
    if (node.type !== 'object') return;
    const nested = lists.flatMap((name) => member(node, name) ?? []).filter(holds);
    const place = { start: offset + node.start, end: offset + node.end };
    // Nested objects are visited separately.
    const value = nested.length === 0 ? asRecord(exactValue(node)) : ownFields(node, lists);
    visit({ place, value });
    for (const list of nested) visitNode(list, offset, depth + 1);
  };
  return visitDocuments(text, ({ root, offset }) => visitNode(root, offset, 0));
}

/** A list of spans, or an object that holds one. */
function holds({ type }: JsonNode): boolean {
  return type === 'array' || type === 'object';
}

/** Deeper than runs are nested. */
const MAX_DEPTH = 64;

function ownFields(node: JsonNode & { readonly type: 'object' }, lists: readonly string[]): JsonRecord {
  const own = node.members.filter(({ key }) => !lists.includes(key));
  return Object.fromEntries(own.map(({ key, value }) => [key, exactValue(value)]));
}

/** The value at a place. */
export function recordAt(text: TextParts, { start, end }: Span): JsonRecord {
  return asRecord(parseExactJson(text.slice(start, end)));
}
