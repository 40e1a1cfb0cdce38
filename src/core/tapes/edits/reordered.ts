import type { Interaction } from '../tape';
import type { ListEdit, RecordedInteraction } from '../tapeFormat';
import { emptyInteraction } from './emptyInteraction';

/** The interactions as they are after a change of their list. */
export function reordered(interactions: readonly Interaction[], edit: ListEdit): RecordedInteraction[] {
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
