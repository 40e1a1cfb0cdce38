/** Where the reader is, in pixels of the window. The bar at the top covers what is under it. */

export function entryOf(feed: Element, key: string): HTMLElement | undefined {
  return feed.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`) ?? undefined;
}

/** The first entry that is, at least in part, under the bar. */
export function topEntry(feed: HTMLElement): HTMLElement | undefined {
  const entries = [...feed.querySelectorAll<HTMLElement>('[data-key]')];
  let low = 0;
  let high = entries.length;
  const top = barBottom() + 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle]?.getBoundingClientRect().bottom ?? 0) > top) high = middle;
    else low = middle + 1;
  }
  return entries[low];
}

/** The message that has the focus; else the one that had it last, while it is in sight; else the one at the top. */
export function currentEntry(feed: HTMLElement): HTMLElement | undefined {
  const focused = feed.contains(document.activeElement)
    ? document.activeElement?.closest<HTMLElement>('[data-key]')
    : undefined;
  if (focused) return focused;
  const last = feed.querySelector<HTMLElement>('[data-key][tabindex="0"]');
  return last !== null && isInSight(last) ? last : topEntry(feed);
}

function isInSight(entry: HTMLElement): boolean {
  const { top, bottom } = entry.getBoundingClientRect();
  return bottom > barBottom() && top < innerHeight;
}

/** Scrolls as little as needed; of what is taller than the window, the beginning is shown. */
export function showEntry(entry: HTMLElement): void {
  const { top, bottom, height } = entry.getBoundingClientRect();
  const room = innerHeight - barBottom();
  if (top >= barBottom() && bottom <= innerHeight) return;
  entry.scrollIntoView({ block: height > room || top < barBottom() ? 'start' : 'nearest' });
}

/** Scrolls a found text to the upper third, unless it is in plain sight. */
export function showRange(range: Range): void {
  const { top, bottom } = range.getBoundingClientRect();
  if (top >= barBottom() && bottom <= innerHeight && bottom > top) return;
  scrollBy({ top: top - barBottom() - (innerHeight - barBottom()) / 3 });
}

/** Is there more of the entry below the window? */
export function continuesBelow(entry: HTMLElement): boolean {
  return entry.getBoundingClientRect().bottom > innerHeight + 1;
}

/** Is there more of the entry above? */
export function continuesAbove(entry: HTMLElement): boolean {
  return entry.getBoundingClientRect().top < barBottom() - 1;
}

export function barBottom(): number {
  return document.querySelector('.top-bar')?.getBoundingClientRect().bottom ?? 0;
}

const SCROLL_EVENTS = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/** Calls the listener when readers go somewhere themselves. Returns what ends that. */
export function onUserScroll(listener: () => void): () => void {
  for (const event of SCROLL_EVENTS) addEventListener(event, listener, { capture: true, passive: true });
  return () => {
    for (const event of SCROLL_EVENTS) removeEventListener(event, listener, { capture: true });
  };
}
