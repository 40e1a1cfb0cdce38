import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Row } from '../rows/rows';
import { currentEntry } from '../rows/scrolling';
import { forgetWhenUserActs, wantedArticle } from '../rows/wantedFocus';

/**
 * Keeps the focus on the page when the focused element is removed. Where an edit leads gets it, or else the current message;
 * where the message was only scrolled out of view, the feed gets it, so that the keyboard stays at that message.
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
      const isOutOfView = key !== undefined && !isOnPage(feed.current, key) && isListed(listed.current, key);
      const next = wantedArticle() ?? (isOutOfView ? feed.current : currentEntry(feed.current));
      next?.focus({ preventScroll: true });
    });
    const stopListening = forgetWhenUserActs();
    addEventListener('focusin', onFocus);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      stopListening();
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
