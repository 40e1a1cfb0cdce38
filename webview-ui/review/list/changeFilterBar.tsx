import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ReviewedChange } from '../../../src/protocol/review';
import { type ChangeFilter, countGroups } from '../session/changeFilter';

export interface ChangeFilterBarProps {
  readonly changes: readonly ReviewedChange[];
  readonly shown: number;
  readonly filter: ChangeFilter;
  /** Grows with every request to find, each of which leads into the field. */
  readonly findRequest: number;
  onFilter(filter: ChangeFilter): void;
}

/** Finds changes by what they say, and by what they are about. */
export function ChangeFilterBar({ changes, shown, filter, findRequest, onFilter }: ChangeFilterBarProps): VNode {
  const input = useRef<HTMLInputElement>(null);
  const groups = countGroups(changes);
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
        aria-label="Find in the changes"
        aria-keyshortcuts="/"
        placeholder="Find"
        spellcheck={false}
        value={filter.text}
        onInput={({ currentTarget }) => onFilter({ ...filter, text: currentTarget.value })}
        onKeyDown={onKeyDown}
      />
      {shown < changes.length && (
        <output class="quiet">
          {shown} of {changes.length}
        </output>
      )}
      {groups.length > 1 && (
        <div class="groups">
          {groups.map(([group, number]) => (
            <button
              key={group}
              type="button"
              class="chip"
              aria-pressed={filter.group === group}
              onClick={() => onFilter({ ...filter, group: filter.group === group ? undefined : group })}
            >
              {group} <span class="quiet">{number}</span>
            </button>
          ))}
        </div>
      )}
    </search>
  );
}
