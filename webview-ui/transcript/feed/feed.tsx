import type { RefObject, VNode } from 'preact';
import { t } from '../../../src/core/text/l10n';
import type { Row } from '../rows/rows';
import type { VirtualRows } from '../rows/useVirtualRows';
import type { ViewState } from '../state/viewState';
import { EntryArticle } from './entryArticle';

interface FeedProps {
  readonly feed: RefObject<HTMLDivElement | null>;
  readonly rows: readonly Row[];
  readonly virtual: VirtualRows;
  readonly view: ViewState;
  onCurrent(key: string): void;
}

/** The messages near the window. Exactly one of them is in the tab order: the one that had the focus last. */
export function Feed({ feed, rows, virtual, view, onCurrent }: FeedProps): VNode {
  const { start, end } = virtual.range;
  const shown = rows.slice(start, end);
  const current = shown.some((row) => row.view.key === view.current) ? view.current : shown[0]?.view.key;
  const onFocusIn = ({ target }: FocusEvent): void => {
    const key = target instanceof Element && target.closest<HTMLElement>('[data-key]')?.dataset.key;
    if (key) onCurrent(key);
  };
  const isHeard = document.body.classList.contains('vscode-using-screen-reader');
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles have a label; a feed must have articles.
    <div
      ref={feed}
      class="feed"
      role={shown.length === 0 ? 'group' : 'feed'}
      tabIndex={-1}
      aria-label={isHeard ? t('Transcript. Press Alt+F1 for help, Alt+F2 for all of it as text.') : t('Transcript')}
      onFocusIn={onFocusIn}
    >
      <div class="feed-room" style={{ height: `${virtual.above}px` }} />
      {shown.map(({ view: entry, head, isSource, aside }, index) => (
        <EntryArticle
          key={entry.key}
          view={entry}
          head={head}
          isSource={isSource}
          aside={aside}
          mode={view.mode}
          opened={view.opened[entry.key]}
          isCurrent={entry.key === current}
          position={start + index + 1}
          count={rows.length}
          heightOf={virtual.heightOf}
        />
      ))}
      <div class="feed-room" style={{ height: `${virtual.below}px` }} />
    </div>
  );
}
