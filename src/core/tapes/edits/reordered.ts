import type { Interaction } from '../tape';
import type { ListEdit } from '../tapeFormat';

/** The interactions as they are after a change of their list. */
export function reordered(interactions: readonly Interaction[], edit: ListEdit): Interaction[] {
  const own = interactions[edit.interaction];
  const order = [...interactions];
  if (own === undefined) return order;
  if (edit.type === 'duplicate') order.splice(edit.interaction, 0, own);
  else order.splice(edit.interaction, 1);
  if (edit.type === 'move') order.splice(edit.interaction + edit.by, 0, own);
  return order;
}
