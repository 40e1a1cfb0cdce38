import type { JsonArrayNode } from '../../json/jsonDocument';
import type { Span } from '../../text/source';
import type { InteractionList } from './interactionList';

/** The items of a list in block style, from the beginning of the line with their dash; undefined for any other list. */
export function yamlBlocks(text: string, { items, start }: JsonArrayNode): InteractionList | undefined {
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
