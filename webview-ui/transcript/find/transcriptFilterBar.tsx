import type { RefObject, VNode } from 'preact';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import { t } from '../../../src/core/text/l10n';
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
  /** The rows that match the filter. */
  readonly rows: readonly Row[];
}

/** The filter with suggestions for this tape. Escape removes it. */
export function TranscriptFilterBar({ input, text, interactions, rows }: TranscriptFilterBarProps): VNode {
  const { change } = useActions();
  const matching = useMemo(() => rows.filter(({ head }) => head !== undefined).length, [rows]);
  const set = (next: string | undefined): void => change({ type: 'filter', text: next });
  // At once: the next key may be the first of the filter.
  useLayoutEffect(() => input.current?.focus(), []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    set(undefined);
  };
  return (
    <search class="filter-bar" aria-label={t('Filter')}>
      <div class="filter-line">
        <Icon name="filter" />
        <input
          ref={input}
          type="text"
          aria-label={t('Filter the transcript')}
          placeholder={t('role:user  tool:name  model:name  is:error  is:changed  -is:http  words')}
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => set(currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <output class="quiet">
          {t('{0} of {1}', formatCount(matching), formatCount(interactions.length))}
          <span class="visually-hidden"> {t('interactions')}</span>
        </output>
        <button type="button" class="button-quiet" aria-label={t('Remove Filter')} onClick={() => set(undefined)}>
          <Icon name="close" />
        </button>
      </div>
      <Suggestions text={text} interactions={interactions} onChange={set} />
    </search>
  );
}

type SuggestionsProps = Pick<TranscriptFilterBarProps, 'text' | 'interactions'> & { onChange(text: string): void };

/** Terms for this tape, each of which can be added to the filter and removed again. */
function Suggestions({ text, interactions, onChange }: SuggestionsProps): VNode | null {
  const suggestions = useMemo(() => suggestFilters(interactions), [interactions]);
  const terms = text.split(/\s+/).filter((term) => term !== '');
  const toggle = (term: string): void =>
    onChange((terms.includes(term) ? terms.filter((other) => other !== term) : [...terms, term]).join(' '));
  if (suggestions.length === 0) return null;
  return (
    <p class="filter-suggestions">
      {suggestions.map(({ text: term, count }) => (
        <button key={term} type="button" class="chip" aria-pressed={terms.includes(term)} onClick={() => toggle(term)}>
          {term} <span class="quiet">{formatCount(count)}</span>
        </button>
      ))}
    </p>
  );
}
