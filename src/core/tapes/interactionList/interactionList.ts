import type { JsonArrayNode, JsonNode } from '../../json/jsonNode';
import { readJson } from '../../json/readJson';
import type { Tape } from '../../model/tape';
import type { Span } from '../../text/source';
import { readYaml } from '../../yaml/readYaml';
import type { TapeFormat } from '../format';

/** A list in a file whose items are the interactions. */
export interface InteractionList {
  /** The kind of its items: JSON values, YAML items, YAML documents, lines, or records of bytes. */
  readonly layout: 'json' | 'yaml' | 'documents' | 'lines' | 'records';
  /** Each item with all of its text. The text between two blocks separates them. */
  readonly blocks: readonly Span[];
  /** The separator to use where the file has only one item. */
  readonly separator: string;
  /** The text that replaces the list when its only item is deleted. */
  readonly emptied: { readonly span: Span; readonly text: string };
  /** The values of the items, in JSON and YAML. */
  readonly nodes: readonly JsonNode[];
}

/** The list that an interaction is an item of; undefined if there is none. */
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

/** The innermost list with an item at exactly this span. */
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

/** A list in which each interaction is a line. */
function lineList(text: string, sources: readonly Span[]): InteractionList | undefined {
  const isLine = ({ start, end }: Span): boolean =>
    (start === 0 || text[start - 1] === '\n') && /^\r?(?:\n|$)/.test(text.slice(end, end + 2)) && text[start] === '{';
  if (!sources.every(isLine)) return undefined;
  const [first] = sources;
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const emptied = first && { span: lineOf(text, first), text: '' };
  return emptied && { layout: 'lines', blocks: sources, nodes: [], separator: lineEnd, emptied };
}

/** The span of a line including its line end. */
function lineOf(text: string, { start, end }: Span): Span {
  const next = text.indexOf('\n', end);
  return { start, end: next === -1 ? text.length : next + 1 };
}

/** A list in which the interactions follow each other without a separator, up to the end of the file. */
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

/** A list in which each interaction is a document. */
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

/** The items of a list in block style, each from the start of the line with its dash; undefined for any other list. */
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
  // An empty list replaces the only item, on the line of its key.
  const before = text.slice(0, Math.min(start, first.start)).trimEnd().length;
  return {
    layout: 'yaml',
    blocks,
    nodes: items,
    separator: text.includes('\r\n') ? '\r\n' : '\n',
    emptied: { span: { start: before, end: last.end }, text: before === 0 ? '[]' : ' []' },
  };
}

/** The offset before the line end of a block. Blank lines before it may belong to its last text. */
function withoutLineEnd(text: string, end: number): number {
  const lineEnd = /[ \t]*\r?\n[ \t]*$/.exec(text.slice(Math.max(0, end - 200), end))?.[0] ?? '';
  return end - lineEnd.length;
}
