import type { RefObject, VNode } from 'preact';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import { Icon } from '../../base/icon';
import { formatCount } from '../../base/numbers';
import { suggestFilters } from '../rows/filter';
import type { Row } from '../rows/rows';
import { useActions } from '../state/actions';
import type { InteractionView } from '../state/viewModel';

interface TranscriptFilterBarProps {
  readonly input: RefObject<HTMLInputElement | null>;
  readonly text: string;
  readonly interactions: readonly InteractionView[];
  /** What passes. */
  readonly rows: readonly Row[];
}

/** The filter: what is typed, and what is worth a click on this tape. Escape takes it away. */
export function TranscriptFilterBar({ input, text, interactions, rows }: TranscriptFilterBarProps): VNode {
  const { change } = useActions();
  const suggestions = useMemo(() => suggestFilters(interactions), [interactions]);
  const passed = useMemo(() => rows.filter(({ head }) => head !== undefined).length, [rows]);
  const set = (next: string | undefined): void => change({ type: 'filter', text: next });
  // At once: the next key may be the first of the filter.
  useLayoutEffect(() => input.current?.focus(), []);
  const toggle = (term: string): void => {
    const terms = text.split(/\s+/).filter((word) => word !== '');
    set((terms.includes(term) ? terms.filter((word) => word !== term) : [...terms, term]).join(' '));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    set(undefined);
  };
  return (
    <search class="filter-bar" aria-label="Filter">
      <div class="filter-line">
        <Icon name="filter" />
        <input
          ref={input}
          type="text"
          aria-label="Filter the transcript"
          placeholder="role:user  tool:name  model:name  is:error  is:changed  -is:http  words"
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => set(currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <output class="quiet">{`${formatCount(passed)} of ${formatCount(interactions.length)}`}</output>
        <button type="button" class="button-quiet" aria-label="Remove the filter" onClick={() => set(undefined)}>
          <Icon name="close" />
        </button>
      </div>
      {suggestions.length > 0 && (
        <p class="filter-suggestions">
          {suggestions.map(({ text: term, count }) => (
            <button
              key={term}
              type="button"
              class="chip"
              aria-pressed={text.split(/\s+/).includes(term)}
              onClick={() => toggle(term)}
            >
              {term} <span class="quiet">{formatCount(count)}</span>
            </button>
          ))}
        </p>
      )}
    </search>
  );
}
