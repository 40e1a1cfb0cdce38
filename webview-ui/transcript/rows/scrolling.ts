/** The element of an entry, while it is on the page. */
export function entryOf(feed: Element, key: string): HTMLElement | undefined {
  return feed.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`) ?? undefined;
}

/** The first entry that is at least partly in view, below the bar at the top of the page. */
export function topEntry(feed: HTMLElement): HTMLElement | undefined {
  return entryBelow(feed, barBottom() + 1);
}

/** The entry that is being read: the focused one, or else the one at the top, unless only its end is in view. */
export function readEntry(feed: HTMLElement): HTMLElement | undefined {
  const focused = focusedEntry(feed);
  return focused !== undefined && isInView(focused) ? focused : entryBelow(feed, barBottom() + END_OF_ENTRY);
}

/** Pixels of an entry below the bar that are only its end. */
const END_OF_ENTRY = 64;

/** The first entry of which a part is below `top`, in pixels of the window. */
function entryBelow(feed: HTMLElement, top: number): HTMLElement | undefined {
  const entries = [...feed.querySelectorAll<HTMLElement>('[data-key]')];
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle]?.getBoundingClientRect().bottom ?? 0) > top) high = middle;
    else low = middle + 1;
  }
  return entries[low];
}

/** The message that has the focus, or else had it last if that is in view, or else the one at the top. */
export function currentEntry(feed: HTMLElement): HTMLElement | undefined {
  const focused = focusedEntry(feed);
  if (focused !== undefined) return focused;
  const last = feed.querySelector<HTMLElement>('[data-key][tabindex="0"]');
  return last !== null && isInView(last) ? last : topEntry(feed);
}

function focusedEntry(feed: HTMLElement): HTMLElement | undefined {
  const { activeElement } = document;
  return (feed.contains(activeElement) ? activeElement?.closest<HTMLElement>('[data-key]') : undefined) ?? undefined;
}

function isInView(entry: HTMLElement): boolean {
  const { top, bottom } = entry.getBoundingClientRect();
  return bottom > barBottom() && top < innerHeight;
}

/** Scrolls an entry into view, as little as needed; of an entry taller than the window, to its beginning. */
export function showEntry(entry: HTMLElement): void {
  const { top, bottom, height } = entry.getBoundingClientRect();
  const room = innerHeight - barBottom();
  if (top >= barBottom() && bottom <= innerHeight) return;
  entry.scrollIntoView({ block: height > room || top < barBottom() ? 'start' : 'nearest' });
}

export function focusEntry(entry: HTMLElement): void {
  entry.focus({ preventScroll: true });
}

/** Scrolls a text to the upper third of the window, unless it is in view. */
export function showRange(range: Range): void {
  const { top, bottom } = range.getBoundingClientRect();
  if (top >= barBottom() && bottom <= innerHeight && bottom > top) return;
  scrollBy({ top: top - barBottom() - (innerHeight - barBottom()) / 3 });
}

/** Whether the entry continues below the window. */
export function continuesBelow(entry: HTMLElement): boolean {
  return entry.getBoundingClientRect().bottom > innerHeight + 1;
}

/** Whether the entry continues above the window. */
export function continuesAbove(entry: HTMLElement): boolean {
  return entry.getBoundingClientRect().top < barBottom() - 1;
}

/** The lower edge of the bar that covers the top of the window, in pixels. */
export function barBottom(): number {
  return document.querySelector('.top-bar')?.getBoundingClientRect().bottom ?? 0;
}

const SCROLL_EVENTS = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/** Calls the listener when the user scrolls, points or types. Returns the unsubscriber. */
export function onUserScroll(listener: () => void): () => void {
  for (const event of SCROLL_EVENTS) addEventListener(event, listener, { capture: true, passive: true });
  return () => {
    for (const event of SCROLL_EVENTS) removeEventListener(event, listener, { capture: true });
  };
}
