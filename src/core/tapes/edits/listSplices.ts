import type { Span } from '../../text/source';
import type { Splice } from '../../text/splice';
import type { ListEdit } from '../tapeFormat';
import type { InteractionList } from './interactionList';

/** What an edit does with the items of a list; undefined for a move beyond its end. */
export function listSplices(text: string, list: InteractionList, item: number, edit: ListEdit): Splice[] | undefined {
  switch (edit.type) {
    case 'delete':
      return remove(list, item);
    case 'duplicate':
      return duplicate(text, list, item);
    case 'move':
      return swap(text, list.blocks[item], list.blocks[item + edit.by]);
  }
}

function remove({ blocks, emptied }: InteractionList, item: number): Splice[] | undefined {
  const [before, own, after] = [blocks[item - 1], blocks[item], blocks[item + 1]];
  if (own === undefined) return undefined;
  if (after !== undefined) return [{ start: own.start, end: after.start, text: '' }];
  if (before !== undefined) return [{ start: before.end, end: own.end, text: '' }];
  return [{ ...emptied.span, text: emptied.text }];
}

/** Behind the original, with what separates that from its neighbour. */
function duplicate(text: string, { blocks, separator }: InteractionList, item: number): Splice[] | undefined {
  const own = blocks[item];
  if (own === undefined) return undefined;
  const gap = gapAfter(text, blocks, item) ?? gapAfter(text, blocks, item - 1) ?? separator;
  return [{ start: own.end, end: own.end, text: gap + text.slice(own.start, own.end) }];
}

function gapAfter(text: string, blocks: readonly Span[], item: number): string | undefined {
  const [own, next] = [blocks[item], blocks[item + 1]];
  return own && next && text.slice(own.end, next.start);
}

function swap(text: string, own: Span | undefined, other: Span | undefined): Splice[] | undefined {
  if (own === undefined || other === undefined) return undefined;
  return [
    { start: own.start, end: own.end, text: text.slice(other.start, other.end) },
    { start: other.start, end: other.end, text: text.slice(own.start, own.end) },
  ];
}
