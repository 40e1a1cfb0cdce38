import type { VNode } from 'preact';
import { message, t } from '../../../src/core/text/l10n';
import { Icon } from '../../base/icon';
import type { Order, Shown } from './order';

interface ModelHeaderProps {
  readonly model: string;
  /** The tapes were recorded with it. */
  readonly isCurrent: boolean;
  readonly order: Order | undefined;
  readonly shown: Shown;
  onSort(): void;
  /** Absent if there is nothing to adopt. */
  onAdopt?(): void;
}

/** The name of a model, which sorts the rows, and what makes its recordings the tapes. */
export function ModelHeader({ model, isCurrent, order, shown, onSort, onAdopt }: ModelHeaderProps): VNode {
  return (
    <th scope="col" aria-sort={sortOf(order, model)}>
      <SortButton label={model} title={t(SORT_TITLES[shown])} model={model} order={order} onSort={onSort} />
      {isCurrent && <span class="quiet">{t('the tapes’ model')}</span>}
      <button
        type="button"
        class="button-secondary adopt"
        aria-label={t('Adopt {0}…', model)}
        title={t('Make the recordings of {0} the tapes of the cases', model)}
        disabled={onAdopt === undefined}
        onClick={onAdopt}
      >
        {t('Adopt…')}
      </button>
    </th>
  );
}

interface SortButtonProps {
  readonly label: string;
  readonly title: string;
  readonly model?: string;
  readonly order: Order | undefined;
  onSort(): void;
}

export function SortButton({ label, title, model, order, onSort }: SortButtonProps): VNode {
  const sort = sortOf(order, model);
  return (
    <button type="button" class="sort" title={title} onClick={onSort}>
      <span>{label}</span>
      {sort !== 'none' && <Icon name={sort === 'ascending' ? 'arrow-up' : 'arrow-down'} />}
    </button>
  );
}

export function sortOf(order: Order | undefined, model: string | undefined): 'ascending' | 'descending' | 'none' {
  if (order === undefined || order.model !== model) return 'none';
  return order.isDescending ? 'descending' : 'ascending';
}

const SORT_TITLES: Readonly<Record<Shown, string>> = {
  all: message('Sort by pass rate'),
  changes: message('Sort by changes'),
  tokens: message('Sort by tokens'),
  dollars: message('Sort by cost'),
  durationMs: message('Sort by latency'),
};
