import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { barBottom, entryOf, topEntry } from './scrolling';

/** The entry at the top of the window, and how far its own top is from there, in pixels. */
export interface Anchor {
  readonly key: string;
  readonly offset: number;
}

const SETTLE_MS = 80;

/** Puts the reader back where they were, and keeps note of where they are. */
export function useScrollMemory(
  feed: RefObject<HTMLElement | null>,
  remembered: Anchor | undefined,
  remember: (anchor: Anchor | undefined) => void,
): void {
  // Once, when the page is first there.
  useLayoutEffect(() => {
    if (feed.current === null || remembered === undefined) return;
    const entry = entryOf(feed.current, remembered.key);
    entry?.scrollIntoView({ block: 'start' });
    if (entry) scrollBy(0, entry.getBoundingClientRect().top - barBottom() - remembered.offset);
  }, []);
  // `remember` is the same throughout.
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onScroll = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => remember(feed.current === null ? undefined : anchorOf(feed.current)), SETTLE_MS);
    };
    addEventListener('scroll', onScroll, { passive: true });
    return () => {
      clearTimeout(timer);
      removeEventListener('scroll', onScroll);
    };
  }, []);
}

/** At the very top there is nothing to come back to. */
function anchorOf(feed: HTMLElement): Anchor | undefined {
  const entry = scrollY === 0 ? undefined : topEntry(feed);
  if (entry?.dataset.key === undefined) return undefined;
  return { key: entry.dataset.key, offset: Math.round(entry.getBoundingClientRect().top - barBottom()) };
}

export function parseAnchor(value: unknown): Anchor | undefined {
  if (typeof value !== 'object' || value === null || !('key' in value) || !('offset' in value)) return undefined;
  const { key, offset } = value;
  return typeof key === 'string' && typeof offset === 'number' ? { key, offset } : undefined;
}
