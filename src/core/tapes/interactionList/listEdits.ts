import type { Interaction, RecordedInteraction } from '../../model/interaction';
import type { Span } from '../../text/source';
import type { Splice } from '../../text/splice';
import type { ListEdit } from '../format';
import { emptyInteraction } from './emptyInteraction';
import type { InteractionList } from './interactionList';

/**
 * The splices of an edit of a list; undefined for a move beyond its end. @param added The text of the item that is
 * added.
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
      return removeItem(list, item);
    case 'duplicate':
      return own && insertItems(text, list, item, [text.slice(own.start, own.end)]);
    case 'add':
      return insertItems(text, list, item, [added]);
    case 'move':
      return swapItems(text, own, list.blocks[item + edit.by]);
  }
}

function removeItem({ blocks, emptied }: InteractionList, item: number): Splice[] | undefined {
  const [before, own, after] = [blocks[item - 1], blocks[item], blocks[item + 1]];
  if (own === undefined) return undefined;
  if (after !== undefined) return [{ start: own.start, end: after.start, text: '' }];
  if (before !== undefined) return [{ start: before.end, end: own.end, text: '' }];
  return [{ ...emptied.span, text: emptied.text }];
}

/** Inserts after an item, with the separator that its neighbours have. */
export function insertItems(
  text: string,
  { blocks, separator }: InteractionList,
  item: number,
  inserted: readonly string[],
): Splice[] | undefined {
  const own = blocks[item];
  if (own === undefined) return undefined;
  const gap = gapAfter(text, blocks, item) ?? gapAfter(text, blocks, item - 1) ?? separator;
  return [{ start: own.end, end: own.end, text: inserted.map((one) => gap + one).join('') }];
}

/** The text between two items, unless it has a comment, which belongs to one of them. */
function gapAfter(text: string, blocks: readonly Span[], item: number): string | undefined {
  const own = blocks[item];
  const next = blocks[item + 1];
  const gap = own && next && text.slice(own.end, next.start);
  return gap !== undefined && /^[\s,]*(?:---\s*)?$/.test(gap) ? gap : undefined;
}

function swapItems(text: string, own: Span | undefined, other: Span | undefined): Splice[] | undefined {
  if (own === undefined || other === undefined) return undefined;
  return [
    { start: own.start, end: own.end, text: text.slice(other.start, other.end) },
    { start: other.start, end: other.end, text: text.slice(own.start, own.end) },
  ];
}

/** The interactions as they are after an edit of their list. */
export function reorderInteractions(interactions: readonly Interaction[], edit: ListEdit): RecordedInteraction[] {
  const own = interactions[edit.interaction];
  const order: RecordedInteraction[] = [...interactions];
  if (own === undefined) return order;
  const empty = edit.type === 'add' ? emptyInteraction(own) : undefined;
  if (empty !== undefined) order.splice(edit.interaction + 1, 0, empty);
  if (edit.type === 'duplicate') order.splice(edit.interaction, 0, own);
  if (edit.type === 'delete' || edit.type === 'move') order.splice(edit.interaction, 1);
  if (edit.type === 'move') order.splice(edit.interaction + edit.by, 0, own);
  return order;
}
