import type { ReviewedChange } from '../../../src/contracts/engine/review';
import type { ChangePlace } from '../../../src/core/model/change';
import { t } from '../../../src/core/text/l10n';
import { changesOfInteraction } from '../session/reviewView';

/** A row of the list: a change, or the heading above the changes of an interaction. */
export type ListRow =
  | { readonly type: 'change'; readonly key: string; readonly change: ReviewedChange }
  | { readonly type: 'interaction'; readonly key: string; readonly title: string; readonly ids: readonly string[] };

/** Pixels; changeList.css repeats them. */
export const ROW_HEIGHTS: Readonly<Record<ListRow['type'], number>> = { change: 48, interaction: 28 };

/** The rows of a list. Changes outside of interactions, as those of runs, have no heading, but where they are decided with a tape. */
export function changeRows(changes: readonly ReviewedChange[]): readonly ListRow[] {
  const rows: ListRow[] = [];
  let last = '';
  changes.forEach((change, index) => {
    const title = change.isOfResult ? t('Result of the run') : interactionTitle(change.place);
    if (title !== '' && title !== last)
      rows.push({
        type: 'interaction',
        key: `${title} ${index}`,
        title,
        ids: changesOfInteraction(changes.slice(index), change),
      });
    last = title;
    rows.push({ type: 'change', key: change.id, change });
  });
  return rows;
}

/** Interactions are counted from 1 where people read them; an empty text for a change outside of interactions. */
function interactionTitle({ before, after }: ChangePlace): string {
  if (before === undefined && after === undefined) return '';
  if (after === undefined) return t('Was interaction {0}', (before ?? 0) + 1);
  if (before === undefined || before === after) return t('Interaction {0}', after + 1);
  return t('Interaction {0} (was {1})', after + 1, before + 1);
}

/** The offsets of rows from the top of their list, in pixels, with the height of the list at the end. */
export function offsetsOf(count: number, heightOf: (index: number) => number): Float64Array {
  const offsets = new Float64Array(count + 1);
  for (let index = 0; index < count; index += 1) offsets[index + 1] = (offsets[index] ?? 0) + heightOf(index);
  return offsets;
}

/** A half-open range of rows. */
export interface ListRange {
  readonly start: number;
  readonly end: number;
}

/** The rows that are at least partly between two offsets. */
export function rowsBetween(offsets: Float64Array, top: number, bottom: number): ListRange {
  const count = offsets.length - 1;
  const start = Math.min(rowAt(offsets, top), Math.max(0, count - 1));
  return { start, end: Math.min(count, rowAt(offsets, bottom) + 1) };
}

/** The row at an offset, or the nearest one. */
function rowAt(offsets: Float64Array, place: number): number {
  let low = 0;
  let high = offsets.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((offsets[middle + 1] ?? Number.POSITIVE_INFINITY) > place) high = middle;
    else low = middle + 1;
  }
  return low;
}
