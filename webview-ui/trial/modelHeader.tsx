import type { VNode } from 'preact';
import { Icon } from '../base/icon';
import { MEASURES } from './measures';
import type { Order, Shown } from './order';

interface ModelHeaderProps {
  readonly model: string;
  /** The tapes were recorded with it. */
  readonly isCurrent: boolean;
  readonly order: Order | undefined;
  readonly shown: Shown;
  onSort(): void;
  /** Absent where there is nothing to adopt. */
  onAdopt?(): void;
}

/** The name of a model, which sorts the rows, and what makes its recordings the tapes. */
export function ModelHeader({ model, isCurrent, order, shown, onSort, onAdopt }: ModelHeaderProps): VNode {
  return (
    <th scope="col" aria-sort={sortOf(order, model)}>
      <SortButton label={model} by={wordsOf(shown)} model={model} order={order} onSort={onSort} />
      {isCurrent && <span class="quiet">the tapes’ model</span>}
      <button
        type="button"
        class="button-secondary adopt"
        aria-label={`Adopt ${model}…`}
        title={`Make the recordings of ${model} the tapes of the cases`}
        disabled={onAdopt === undefined}
        onClick={onAdopt}
      >
        Adopt…
      </button>
    </th>
  );
}

interface SortButtonProps {
  readonly label: string;
  readonly by: string;
  readonly model?: string;
  readonly order: Order | undefined;
  onSort(): void;
}

export function SortButton({ label, by, model, order, onSort }: SortButtonProps): VNode {
  const sort = sortOf(order, model);
  return (
    <button type="button" class="sort" title={`Sort by ${by}`} onClick={onSort}>
      <span>{label}</span>
      {sort !== 'none' && <Icon name={sort === 'ascending' ? 'arrow-up' : 'arrow-down'} />}
    </button>
  );
}

export function sortOf(order: Order | undefined, model: string | undefined): 'ascending' | 'descending' | 'none' {
  if (order === undefined || order.model !== model) return 'none';
  return order.isDescending ? 'descending' : 'ascending';
}

function wordsOf(shown: Shown): string {
  return MEASURES.find(({ name }) => name === shown)?.label.toLowerCase() ?? 'pass rate';
}
