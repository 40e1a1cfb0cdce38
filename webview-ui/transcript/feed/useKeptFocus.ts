import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Row } from '../rows/rows';
import { currentEntry } from '../rows/scrolling';

/**
 * Keeps the keyboard on the page when what has the focus goes away. The message that the reader is at gets it, unless a
 * message was only scrolled out of sight: then the feed holds it, and the keyboard stays at that message.
 */
export function useKeptFocus(feed: RefObject<HTMLElement | null>, rows: readonly Row[]): void {
  const listed = useRef(rows);
  listed.current = rows;
  useEffect(() => {
    let last: { readonly element: Element; readonly key: string | undefined } | undefined;
    const onFocus = ({ target }: FocusEvent): void => {
      if (!(target instanceof Element)) return;
      last = { element: target, key: target.closest<HTMLElement>('[data-key]')?.dataset.key };
    };
    const observer = new MutationObserver(() => {
      if (last === undefined || last.element.isConnected || document.activeElement !== document.body) return;
      if (feed.current === null || !document.hasFocus()) return;
      const { key } = last;
      last = undefined;
      const isOutOfSight = key !== undefined && !isOnPage(feed.current, key) && isListed(listed.current, key);
      (isOutOfSight ? feed.current : currentEntry(feed.current))?.focus({ preventScroll: true });
    });
    addEventListener('focusin', onFocus);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      removeEventListener('focusin', onFocus);
      observer.disconnect();
    };
  }, []);
}

function isOnPage(feed: HTMLElement, key: string): boolean {
  return feed.querySelector(`[data-key="${CSS.escape(key)}"]`) !== null;
}

function isListed(rows: readonly Row[], key: string): boolean {
  return rows.some(({ view }) => view.key === key);
}
