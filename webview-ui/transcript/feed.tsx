import type { RefObject, VNode } from 'preact';
import { EntryArticle } from './entryArticle';
import type { Row } from './rows';
import type { ViewState } from './viewState';

interface FeedProps {
  readonly feed: RefObject<HTMLDivElement | null>;
  readonly rows: readonly Row[];
  readonly view: ViewState;
  /** Where the page is about to scroll to. What is around it is rendered first, so that nothing moves it off again. */
  readonly goal: string | undefined;
  onCurrent(key: string): void;
}

/** Entries to either side of the goal; together they are taller than a window. */
const AROUND = 12;

/** All messages, one column. Exactly one of them is in the tab order: the one the keyboard was at last. */
export function Feed({ feed, rows, view, goal, onCurrent }: FeedProps): VNode {
  const current = rows.some((row) => row.view.key === view.current) ? view.current : rows[0]?.view.key;
  const goalIndex = Math.max(
    0,
    rows.findIndex((row) => row.view.key === goal),
  );
  const onFocusIn = ({ target }: FocusEvent): void => {
    const key = target instanceof Element && target.closest<HTMLElement>('[data-key]')?.dataset.key;
    if (key) onCurrent(key);
  };
  return (
    <div ref={feed} class="feed" role="feed" aria-label="Transcript" onFocusIn={onFocusIn}>
      {rows.map(({ view: entry, head, raw }, index) => (
        <EntryArticle
          key={entry.key}
          view={entry}
          head={head}
          raw={raw}
          mode={view.mode}
          opened={view.opened[entry.key]}
          isCurrent={entry.key === current}
          position={index + 1}
          count={rows.length}
          eager={Math.abs(index - goalIndex) <= AROUND}
        />
      ))}
    </div>
  );
}
