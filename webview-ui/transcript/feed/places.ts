import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { accepts } from '../../../src/core/schema/accepts';
import { number, shape, text, type Value } from '../../../src/core/schema/schema';
import { pageState, vscodeApi } from '../../base/vscodeApi';
import { useScrollToEditor } from '../edit/responseForm';
import type { Row } from '../rows/rows';
import { barBottom, currentEntry, onUserScroll, topEntry } from '../rows/scrolling';
import type { TranscriptView } from '../rows/useTranscriptView';
import type { ScrollTarget } from '../rows/useVirtualRows';
import { forgetWhenUserActs, wantedArticle } from '../rows/wantedFocus';
import { parseViewState, VIEW_STATE_PARTS, type ViewState } from '../state/viewState';
import { type FocusRequest, useFocusRequestTarget } from './useFocusRequest';

/** The parts of the page's state that this file owns. */
const VIEW_PARTS = [...VIEW_STATE_PARTS, 'anchor'];

/** The view as an earlier page of this tape stored it. */
export function restoreView(): ViewState {
  // Written by our own host.
  const chosen: unknown = JSON.parse(document.getElementById('root')?.dataset.begin || '{}');
  return parseViewState(vscodeApi.getState(), chosen);
}

/** Moves the page to where the user was, or to where the host or an editor needs it, and keeps it there. */
export function usePlaces(
  { feed, rows, virtual }: TranscriptView,
  view: ViewState,
  request: FocusRequest | undefined,
): void {
  usePersistence(feed, rows, virtual.go, view);
  useSteadyPlace(feed, virtual.go, view.mode);
  useFocusRequestTarget(rows, virtual.go, request);
  useKeptFocus(feed, rows);
  useScrollToEditor(virtual.go);
}

/** The entry at the top of the window, and the distance between their tops in pixels. */
const ANCHOR = shape({ key: text(), offset: number() });

type Anchor = Value<typeof ANCHOR>;

/** Milliseconds without scrolling after which the place is stored. */
const SETTLE_MS = 80;

/** Stores the view and the place in it, and goes back to that place when VS Code shows the page again. */
function usePersistence(
  feed: RefObject<HTMLElement | null>,
  rows: readonly Row[],
  go: (target: ScrollTarget) => void,
  view: ViewState,
): void {
  const [stored] = useState(storedAnchor);
  const [anchor, setAnchor] = useState<Anchor | undefined>(stored);
  useScrollMemory(feed, rows, go, stored, setAnchor);
  // Before the next frame: a page can be hidden at any time.
  useLayoutEffect(() => pageState.replace(VIEW_PARTS, { ...view, anchor }), [view, anchor]);
}

const STORED = shape({ anchor: ANCHOR });

function storedAnchor(): Anchor | undefined {
  const state = vscodeApi.getState();
  return accepts(STORED, state) ? state.anchor : undefined;
}

/**
 * Keeps the focus on the page when the focused element is removed. Where an edit leads gets it, or else the current message;
 * where the message was only scrolled out of view, the feed gets it, so that the keyboard stays at that message.
 */
function useKeptFocus(feed: RefObject<HTMLElement | null>, rows: readonly Row[]): void {
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

/**
 * Goes back to a stored place once its interaction has been read, unless the user has moved on, and reports every place
 * after it to `onPlace`, which has to be the same function throughout.
 */
function useScrollMemory(
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
function useSteadyPlace(feed: RefObject<HTMLElement | null>, go: (target: ScrollTarget) => void, mode: string): void {
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
