import type { Span } from '../../text/source';
import type { Splice } from '../../text/splice';
import type { ListEdit } from '../tapeFormat';
import type { InteractionList } from './interactionList';

/**
 * What an edit does with the items of a list; undefined for a move beyond its end.
 * @param added The text of the item that is added.
 */
export function listSplices(
  text: string,
  list: InteractionList,
  item: number,
  edit: ListEdit,
  added: string,
): Splice[] | undefined {
  const own = list.blocks[item];
  switch (edit.type) {
    case 'delete':
      return remove(list, item);
    case 'duplicate':
      return own && insert(text, list, item, text.slice(own.start, own.end));
    case 'add':
      return insert(text, list, item, added);
    case 'move':
      return swap(text, own, list.blocks[item + edit.by]);
  }
}

function remove({ blocks, emptied }: InteractionList, item: number): Splice[] | undefined {
  const [before, own, after] = [blocks[item - 1], blocks[item], blocks[item + 1]];
  if (own === undefined) return undefined;
  if (after !== undefined) return [{ start: own.start, end: after.start, text: '' }];
  if (before !== undefined) return [{ start: before.end, end: own.end, text: '' }];
  return [{ ...emptied.span, text: emptied.text }];
}

/** Behind an item, with what separates that from its neighbour. */
function insert(
  text: string,
  { blocks, separator }: InteractionList,
  item: number,
  inserted: string,
): Splice[] | undefined {
  const own = blocks[item];
  if (own === undefined) return undefined;
  const gap = gapAfter(text, blocks, item) ?? gapAfter(text, blocks, item - 1) ?? separator;
  return [{ start: own.end, end: own.end, text: gap + inserted }];
}

/** A comment between two items is about one of them. */
function gapAfter(text: string, blocks: readonly Span[], item: number): string | undefined {
  const [own, next] = [blocks[item], blocks[item + 1]];
  const gap = own && next && text.slice(own.end, next.start);
  return gap !== undefined && /^[\s,]*(?:---\s*)?$/.test(gap) ? gap : undefined;
}

function swap(text: string, own: Span | undefined, other: Span | undefined): Splice[] | undefined {
  if (own === undefined || other === undefined) return undefined;
  return [
    { start: own.start, end: own.end, text: text.slice(other.start, other.end) },
    { start: other.start, end: other.end, text: text.slice(own.start, own.end) },
  ];
}
