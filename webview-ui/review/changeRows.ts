import type { ChangePlace } from '../../src/core/model/change';
import type { ReviewedChange } from '../../src/protocol/review';

/** A line of the list: a change, or above the first of an interaction, which one that is. */
export type ListRow =
  | { readonly type: 'change'; readonly key: string; readonly change: ReviewedChange }
  | { readonly type: 'interaction'; readonly key: string; readonly title: string; readonly ids: readonly string[] };

/** Pixels; the same as in changeList.css. */
export const ROW_HEIGHTS: Readonly<Record<ListRow['type'], number>> = { change: 48, interaction: 28 };

/** The rows of a list. What is in no interaction, as in runs, has no heading. */
export function changeRows(changes: readonly ReviewedChange[]): readonly ListRow[] {
  const rows: ListRow[] = [];
  let last = '';
  changes.forEach((change, index) => {
    const title = interactionTitle(change.place);
    if (title !== '' && title !== last)
      rows.push({ type: 'interaction', key: `${title} ${index}`, title, ids: together(changes.slice(index), change) });
    last = title;
    rows.push({ type: 'change', key: change.id, change });
  });
  return rows;
}

/** Interactions are counted from 1, as people do. */
function interactionTitle({ before, after }: ChangePlace): string {
  if (before === undefined && after === undefined) return '';
  if (after === undefined) return `Was interaction ${(before ?? 0) + 1}`;
  if (before === undefined || before === after) return `Interaction ${after + 1}`;
  return `Interaction ${after + 1} (was ${before + 1})`;
}

/** The ids of the changes of one interaction. */
export function together(changes: readonly ReviewedChange[], { id, place }: ReviewedChange): readonly string[] {
  if (place.before === undefined && place.after === undefined) return [id];
  return changes
    .filter((other) => other.place.before === place.before && other.place.after === place.after)
    .map((other) => other.id);
}
