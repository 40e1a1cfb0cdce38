import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { number, shape, text, type Value } from '../../../src/core/schema/schema';
import type { Row } from '../rows/rows';
import { barBottom, onUserScroll, topEntry } from '../rows/scrolling';
import type { ScrollTarget } from '../rows/useVirtualRows';

/** The entry at the top of the window, and the distance between their tops in pixels. */
export const ANCHOR = shape({ key: text(), offset: number() });
export type Anchor = Value<typeof ANCHOR>;

/** Milliseconds without scrolling after which the place is stored. */
const SETTLE_MS = 80;

/**
 * Goes back to a stored place once its interaction has been read, unless the user has moved on, and reports every place
 * after it to `onPlace`, which has to be the same function throughout.
 */
export function useScrollMemory(
  feed: RefObject<HTMLElement | null>,
  rows: readonly Row[],
  go: (target: ScrollTarget) => void,
  stored: Anchor | undefined,
  onPlace: (anchor: Anchor | undefined) => void,
): void {
  const due = useRef(stored);
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
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onScroll = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => onPlace(feed.current === null ? undefined : anchorOf(feed.current)), SETTLE_MS);
    };
    addEventListener('scroll', onScroll, { passive: true });
    return () => {
      clearTimeout(timer);
      removeEventListener('scroll', onScroll);
    };
  }, []);
}

/** Keeps the visible entry in place when another `mode` changes the height of all entries. */
export function useSteadyPlace(
  feed: RefObject<HTMLElement | null>,
  go: (target: ScrollTarget) => void,
  mode: string,
): void {
  const last = useRef(mode);
  // During this render, the page still shows the old mode.
  const anchor = last.current !== mode && feed.current !== null ? steadyAnchor(feed.current) : undefined;
  useLayoutEffect(() => {
    last.current = mode;
    if (anchor !== undefined) go(anchor);
  });
}

/** Undefined at the very top, where a page begins anyway. */
function anchorOf(feed: HTMLElement): Anchor | undefined {
  return scrollY === 0 ? undefined : anchorAt(topEntry(feed));
}

/** The focused entry, or else the first whose top is in view: one that begins above the window may grow downwards. */
function steadyAnchor(feed: HTMLElement): Anchor | undefined {
  const top = topEntry(feed);
  const next = top?.nextElementSibling;
  const focused = feed.querySelector<HTMLElement>('[data-key]:focus-within');
  if (focused === null && scrollY === 0) return undefined;
  const candidates = [focused, top, next instanceof HTMLElement ? next : undefined];
  return anchorAt(candidates.find((entry) => entry && beginsInView(entry)) ?? top);
}

function beginsInView(entry: HTMLElement): boolean {
  const { top } = entry.getBoundingClientRect();
  return top >= barBottom() && top < innerHeight;
}

function anchorAt(entry: HTMLElement | undefined): Anchor | undefined {
  if (entry?.dataset.key === undefined) return undefined;
  return { key: entry.dataset.key, offset: Math.round(entry.getBoundingClientRect().top - barBottom()) };
}
