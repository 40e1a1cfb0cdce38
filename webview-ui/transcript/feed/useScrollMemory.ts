import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Row } from '../rows/rows';
import { barBottom, onUserScroll, topEntry } from '../rows/scrolling';
import type { ScrollTarget } from '../rows/useVirtualRows';

/** The entry at the top of the window, and how far its own top is from there, in pixels. */
export interface Anchor {
  readonly key: string;
  readonly offset: number;
}

const SETTLE_MS = 80;

/** Puts the reader back where they were, once that has been read and unless they went on meanwhile; keeps note of where they are. */
export function useScrollMemory(
  feed: RefObject<HTMLElement | null>,
  rows: readonly Row[],
  go: (goal: ScrollTarget) => void,
  remembered: Anchor | undefined,
  remember: (anchor: Anchor | undefined) => void,
): void {
  const due = useRef(remembered);
  useLayoutEffect(() => {
    const anchor = due.current;
    if (anchor === undefined || !rows.some(({ view }) => view.key === anchor.key)) return;
    due.current = undefined;
    go(anchor);
  }, [rows]);
  useEffect(
    () =>
      onUserScroll(() => {
        due.current = undefined;
      }),
    [],
  );
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

/** Keeps what the reader looks at where it is while another `mode` changes the size of everything. */
export function useSteadyPlace(
  feed: RefObject<HTMLElement | null>,
  go: (goal: ScrollTarget) => void,
  mode: string,
): void {
  const last = useRef(mode);
  // While this renders, the page is still the old one.
  const anchor = last.current !== mode && feed.current !== null ? steadyAnchor(feed.current) : undefined;
  useLayoutEffect(() => {
    last.current = mode;
    if (anchor !== undefined) go(anchor);
  });
}

/** At the very top there is nothing to come back to. */
function anchorOf(feed: HTMLElement): Anchor | undefined {
  return scrollY === 0 ? undefined : anchorAt(topEntry(feed));
}

/** The focused entry, or else the first that begins in the window: one that began above it may grow downwards. */
function steadyAnchor(feed: HTMLElement): Anchor | undefined {
  const top = topEntry(feed);
  const next = top?.nextElementSibling;
  const focused = feed.querySelector<HTMLElement>('[data-key]:focus-within');
  if (focused === null && scrollY === 0) return undefined;
  const candidates = [focused, top, next instanceof HTMLElement ? next : undefined];
  return anchorAt(candidates.find((entry) => entry && beginsInSight(entry)) ?? top);
}

function beginsInSight(entry: HTMLElement): boolean {
  const { top } = entry.getBoundingClientRect();
  return top >= barBottom() && top < innerHeight;
}

function anchorAt(entry: HTMLElement | undefined): Anchor | undefined {
  if (entry?.dataset.key === undefined) return undefined;
  return { key: entry.dataset.key, offset: Math.round(entry.getBoundingClientRect().top - barBottom()) };
}

export function parseAnchor(value: unknown): Anchor | undefined {
  if (typeof value !== 'object' || value === null || !('key' in value) || !('offset' in value)) return undefined;
  const { key, offset } = value;
  return typeof key === 'string' && typeof offset === 'number' ? { key, offset } : undefined;
}
