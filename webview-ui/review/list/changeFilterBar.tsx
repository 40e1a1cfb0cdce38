import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ReviewedChange } from '../../../src/contracts/engine/review';
import { grouped } from '../../../src/core/text/counts';
import { t } from '../../../src/core/text/l10n';
import { type ChangeFilter, type ChangeGroup, countGroups } from '../session/changeFilter';

interface ChangeFilterBarProps {
  readonly changes: readonly ReviewedChange[];
  readonly shown: number;
  readonly filter: ChangeFilter;
  /** Counts the requests to find; each moves the focus into the field. */
  readonly findRequest: number;
  onFilter(filter: ChangeFilter): void;
}

/** Filters the changes by their texts and by their groups. */
export function ChangeFilterBar({ changes, shown, filter, findRequest, onFilter }: ChangeFilterBarProps): VNode {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (findRequest > 0) input.current?.select();
  }, [findRequest]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') onFilter({ ...filter, text: '' });
    if (event.key === 'Escape' || event.key === 'Enter') input.current?.blur();
  };
  return (
    <search class="filter-bar">
      <input
        ref={input}
        type="text"
        aria-label={t('Find in changes')}
        aria-keyshortcuts="/"
        placeholder={t('Find')}
        spellcheck={false}
        value={filter.text}
        onInput={({ currentTarget }) => onFilter({ ...filter, text: currentTarget.value })}
        onKeyDown={onKeyDown}
      />
      {shown < changes.length && (
        <output class="quiet">{t('{0} of {1}', grouped(shown), grouped(changes.length))}</output>
      )}
      <Groups changes={changes} selected={filter.group} onSelect={(group) => onFilter({ ...filter, group })} />
    </search>
  );
}

interface GroupsProps {
  readonly changes: readonly ReviewedChange[];
  readonly selected: ChangeGroup | undefined;
  onSelect(group: ChangeGroup | undefined): void;
}

/** A button for each group; the selected one, pressed again, selects none. */
function Groups({ changes, selected, onSelect }: GroupsProps): VNode | null {
  const groups = countGroups(changes);
  if (groups.length < 2) return null;
  return (
    <div class="groups">
      {groups.map(([group, count]) => (
        <button
          key={group}
          type="button"
          class="chip"
          aria-pressed={selected === group}
          onClick={() => onSelect(selected === group ? undefined : group)}
        >
          {t(group)} <span class="quiet">{grouped(count)}</span>
        </button>
      ))}
    </div>
  );
}
