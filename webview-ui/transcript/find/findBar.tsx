import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../../src/core/text/l10n';
import { Icon } from '../../base/icon';
import { formatCount } from '../../base/numbers';
import { MAX_MATCHES } from './matches';
import type { Find } from './useFind';

/** The search field. Enter and Shift+Enter step through the matches; Escape closes it. */
export function FindBar({ find }: { readonly find: Find }): VNode {
  const input = useRef<HTMLInputElement>(null);
  const { request, query, count } = find;
  // At once on every request: the next key may be the first of the query.
  useLayoutEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, [request]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.isComposing) return;
    event.preventDefault();
    find.step(event.shiftKey ? -1 : 1);
  };
  return (
    <search class="find-bar">
      <input
        ref={input}
        type="text"
        aria-label={t('Find in transcript')}
        placeholder={t('Find')}
        spellcheck={false}
        value={query}
        onInput={({ currentTarget }) => find.setQuery(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <output class="find-count">{countText(find)}</output>
      <FindButton icon="arrow-up" label={t('Previous Match')} disabled={count === 0} onClick={() => find.step(-1)} />
      <FindButton icon="arrow-down" label={t('Next Match')} disabled={count === 0} onClick={() => find.step(1)} />
      <FindButton icon="close" label={t('Close')} disabled={false} onClick={find.close} />
    </search>
  );
}

interface FindButtonProps {
  readonly icon: 'arrow-up' | 'arrow-down' | 'close';
  readonly label: string;
  readonly disabled: boolean;
  onClick(): void;
}

function FindButton({ icon, label, disabled, onClick }: FindButtonProps): VNode {
  return (
    <button type="button" class="button-quiet" aria-label={label} title={label} disabled={disabled} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}

function countText({ query, count, index, isSearching }: Find): string {
  if (query.trim() === '') return '';
  if (count === 0) return isSearching ? t('Searching…') : t('No results');
  const isMore = isSearching || count === MAX_MATCHES;
  return t('{0} of {1}', formatCount(index + 1), formatCount(count) + (isMore ? '+' : ''));
}
