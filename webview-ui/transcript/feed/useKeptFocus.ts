import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Row } from '../rows/rows';
import { currentEntry, focusEntry, onUserScroll } from '../rows/scrolling';

/** The interaction that an edit leads to, until the user acts. The changed tape may come long after the edit. */
let wanted: number | undefined;

/** Focuses the first message of an interaction, and again where a change of the tape removes it before the user acts. */
export function focusInteraction(interaction: number): void {
  wanted = interaction;
  requestAnimationFrame(() => {
    const article = wanted === interaction ? wantedArticle() : null;
    const active = document.activeElement;
    const isFree = active === null || active === document.body || active.matches('article.entry');
    if (isFree && article !== null && !article.contains(active)) focusEntry(article);
  });
}

/** When the last interaction was deleted, the one before it is left. */
function wantedArticle(): HTMLElement | null {
  return wanted === undefined ? null : (articleOf(wanted) ?? articleOf(wanted - 1));
}

function articleOf(interaction: number): HTMLElement | null {
  return document.querySelector<HTMLElement>(`article[data-interaction="${interaction}"]`);
}

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
    const stopListening = onUserScroll(() => {
      wanted = undefined;
    });
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
