import type { JsonArrayNode, JsonNode } from '../../json/jsonNode';
import { readJson } from '../../json/readJson';
import type { Tape } from '../../model/tape';
import type { Span } from '../../text/source';
import { readYaml } from '../../yaml/readYaml';
import type { TapeFormat } from '../format';

/** A list in a file of which the interactions are items. */
export interface InteractionList {
  /** What its items are: values of JSON, items of YAML, documents of YAML, lines, or records of bytes. */
  readonly layout: 'json' | 'yaml' | 'documents' | 'lines' | 'records';
  /** Each item with all of its text; what is between two of them separates them. */
  readonly blocks: readonly Span[];
  /** What separates two items where the file has only one. */
  readonly separator: string;
  /** What the list becomes without its only item. */
  readonly emptied: { readonly span: Span; readonly text: string };
  /** The values of the items, where the file is a tree. */
  readonly nodes: readonly JsonNode[];
}

/** The list that an interaction stands in; undefined where it is no item of one. */
export function interactionList(
  text: string,
  tape: Tape,
  interaction: number,
  { syntax }: Pick<TapeFormat, 'syntax'>,
): InteractionList | undefined {
  const source = tape.interactions[interaction]?.source;
  if (source === undefined || source.end <= source.start) return undefined;
  if (/^\s*[[{]/.test(text.slice(0, 1024))) {
    const { value, problems } = readJson(text);
    const list = problems.length > 0 ? undefined : jsonList(text, value && arrayWith(value, source));
    if (list !== undefined) return list;
  }
  const sources = tape.interactions.map((one) => one.source);
  if (syntax === 'records') return recordList(text, sources);
  return lineList(text, sources) ?? yamlList(text, source);
}

/** The innermost list of which something stands exactly here. */
function arrayWith(node: JsonNode, source: Span): JsonArrayNode | undefined {
  if (node.start > source.start || node.end < source.end) return undefined;
  if (node.type === 'array') {
    if (node.items.some(({ start, end }) => start === source.start && end === source.end)) return node;
    return firstResult(node.items, (item) => arrayWith(item, source));
  }
  if (node.type !== 'object') return undefined;
  return firstResult(node.members, ({ value }) => arrayWith(value, source));
}

function firstResult<T>(items: readonly T[], find: (item: T) => JsonArrayNode | undefined): JsonArrayNode | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function jsonList(text: string, array: JsonArrayNode | undefined): InteractionList | undefined {
  const first = array?.items[0];
  if (array === undefined || first === undefined) return undefined;
  return {
    layout: 'json',
    blocks: array.items.map(({ start, end }) => ({ start, end })),
    nodes: array.items,
    separator: `,${text.slice(array.start + 1, first.start)}`,
    emptied: { span: { start: array.start + 1, end: array.end - 1 }, text: '' },
  };
}

/** Each interaction is a line. */
function lineList(text: string, sources: readonly Span[]): InteractionList | undefined {
  const isLine = ({ start, end }: Span): boolean =>
    (start === 0 || text[start - 1] === '\n') && /^\r?(?:\n|$)/.test(text.slice(end, end + 2)) && text[start] === '{';
  if (!sources.every(isLine)) return undefined;
  const [first] = sources;
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const emptied = first && { span: lineOf(text, first), text: '' };
  return emptied && { layout: 'lines', blocks: sources, nodes: [], separator: lineEnd, emptied };
}

/** With its line end. */
function lineOf(text: string, { start, end }: Span): Span {
  const next = text.indexOf('\n', end);
  return { start, end: next === -1 ? text.length : next + 1 };
}

/** The interactions follow each other without anything between them, up to the end of the file. */
function recordList(text: string, sources: readonly Span[]): InteractionList | undefined {
  const [first] = sources;
  if (first === undefined || sources.at(-1)?.end !== text.length) return undefined;
  const adjoins = sources.every(({ end }, index) => index === sources.length - 1 || sources[index + 1]?.start === end);
  if (!adjoins) return undefined;
  return { layout: 'records', blocks: sources, nodes: [], separator: '', emptied: { span: first, text: '' } };
}

function yamlList(text: string, source: Span): InteractionList | undefined {
  const { value: roots = [], problems } = readYaml(text);
  if (problems.some(({ severity }) => severity === 'error')) return undefined;
  const array = firstResult(roots, (root) => arrayWith(root, source));
  return array === undefined ? documentList(text, roots, source) : yamlBlockList(text, array);
}

/** Each interaction is a document of its own. */
function documentList(text: string, roots: readonly JsonNode[], source: Span): InteractionList | undefined {
  const nodes = roots.filter(({ type }) => type === 'object');
  const isDocument = ({ start }: Span): boolean => start === 0 || text[start - 1] === '\n';
  if (!nodes.some(({ start }) => start === source.start) || !nodes.every(isDocument)) return undefined;
  const blocks = nodes.map(({ start, end }) => ({ start, end: withoutLineEnd(text, end) }));
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const [first] = blocks;
  const separator = `${lineEnd}---${lineEnd}`;
  return first && { layout: 'documents', blocks, nodes, separator, emptied: { span: first, text: '' } };
}

/** The items of a list in block style, from the beginning of the line with their dash; undefined for any other list. */
export function yamlBlockList(text: string, { items, start }: JsonArrayNode): InteractionList | undefined {
  const lines = items.map((item) => text.lastIndexOf('\n', item.start - 1) + 1);
  const isItem = items.every((item, index) => /^ *- +$/.test(text.slice(lines[index], item.start)));
  if (!isItem) return undefined;
  const blocks = items.map((item, index): Span => {
    const end = lines[index + 1] ?? item.end;
    return { start: lines[index] ?? item.start, end: withoutLineEnd(text, Math.min(item.end, end)) };
  });
  const [first] = blocks;
  const last = blocks.at(-1);
  if (first === undefined || last === undefined) return undefined;
  // The list takes the place of its only item, in the line of its key.
  const before = text.slice(0, Math.min(start, first.start)).trimEnd().length;
  return {
    layout: 'yaml',
    blocks,
    nodes: items,
    separator: text.includes('\r\n') ? '\r\n' : '\n',
    emptied: { span: { start: before, end: last.end }, text: before === 0 ? '[]' : ' []' },
  };
}

/** The offset before the line end that a block ends with; blank lines before it may belong to its last text. */
export function withoutLineEnd(text: string, end: number): number {
  const lineEnd = /[ \t]*\r?\n[ \t]*$/.exec(text.slice(Math.max(0, end - 200), end))?.[0] ?? '';
  return end - lineEnd.length;
}
