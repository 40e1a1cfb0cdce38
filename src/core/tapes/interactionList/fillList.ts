import { compactJson, type Json, prettyJson } from '../../json/json';
import type { JsonNode } from '../../json/jsonNode';
import { looksLikeJson } from '../../json/jsonOutline';
import { nodeAt } from '../../json/jsonPath';
import { exactValue, readJson } from '../../json/readJson';
import type { Span } from '../../text/source';
import { readYaml } from '../../yaml/readYaml';
import type { InteractionList } from './interactionList';

/**
 * A text in which the empty list of interactions is the list of a newly written one; undefined where it has no such list. Everything
 * else in it stays as it is.
 */
export function fillList(text: string, written: string, list: InteractionList): string | undefined {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const items = list.blocks.map(({ start, end }) => written.slice(start, end).replaceAll('\n', lineEnd));
  if (list.layout === 'records') return text + items.join(list.separator);
  if (list.layout === 'lines') return `${text.trimEnd()}${lineEnd}${items.join(lineEnd)}${lineEnd}`;
  const empty = emptyList(text, written, list);
  if (empty === undefined) return undefined;
  const before = text.slice(0, empty.start);
  const after = text.slice(empty.end);
  if (list.layout === 'json') return before + jsonLike(text, before, list.nodes.map(exactValue), lineEnd) + after;
  return `${before.trimEnd()}${lineEnd}${items.join(lineEnd)}${after}`;
}

/** The place of the list that stands where the written one does, and has no items. */
function emptyList(text: string, written: string, { layout, nodes }: InteractionList): Span | undefined {
  const [first] = nodes;
  const isJson = layout === 'json';
  if (first === undefined || isJson !== looksLikeJson(text) || layout === 'documents') return undefined;
  const rootOf = (one: string): JsonNode | undefined => (isJson ? readJson(one).value : readYaml(one).value?.[0]);
  const path = pathTo(rootOf(written), first);
  const found = path && nodeAt(rootOf(text), path);
  return found?.type === 'array' && found.items.length === 0 ? found : undefined;
}

/** The names of the members that lead to the list of an item. */
function pathTo(node: JsonNode | undefined, item: Span): readonly string[] | undefined {
  if (node?.type === 'array') return node.items.some(({ start }) => start === item.start) ? [] : undefined;
  for (const { key, value } of node?.type === 'object' ? node.members : []) {
    const path = value.start <= item.start && item.start < value.end ? pathTo(value, item) : undefined;
    if (path !== undefined) return [key, ...path];
  }
  return undefined;
}

/** On one line, or indented as the rest of the text. */
function jsonLike(text: string, before: string, values: readonly Json[], lineEnd: string): string {
  const step = /\n([ \t]+)\S/.exec(text)?.[1];
  if (step === undefined) return compactJson([...values]);
  const base = /(?:^|\n)([ \t]*)[^\n]*$/.exec(before)?.[1] ?? '';
  const lines = prettyJson([...values]).split('\n');
  const indented = lines.map((line, at) => {
    const depth = (line.length - line.trimStart().length) / 2;
    return at === 0 ? line : base + step.repeat(depth) + line.trimStart();
  });
  return indented.join(lineEnd);
}
