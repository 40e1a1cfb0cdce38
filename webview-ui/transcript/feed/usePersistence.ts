import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { pageState, vscodeApi } from '../../base/vscodeApi';
import type { Row } from '../rows/rows';
import type { ScrollTarget } from '../rows/useVirtualRows';
import { parseViewState, type ViewState } from '../state/viewState';
import { type Anchor, parseAnchor, useScrollMemory } from './useScrollMemory';

/** What an earlier page of this tape left behind. */
export function rememberedView(): ViewState {
  // Written by our own host.
  const chosen: unknown = JSON.parse(document.getElementById('root')?.dataset.begin || '{}');
  return parseViewState(vscodeApi.getState(), chosen);
}

/** Keeps what the reader set up and where they are, for when VS Code shows the page again, and goes there. */
export function usePersistence(
  feed: RefObject<HTMLElement | null>,
  rows: readonly Row[],
  go: (goal: ScrollTarget) => void,
  view: ViewState,
): void {
  const [remembered] = useState(rememberedAnchor);
  const [anchor, setAnchor] = useState<Anchor | undefined>(remembered);
  useScrollMemory(feed, rows, go, remembered, setAnchor);
  // Before the next frame: a page can be hidden at any time.
  useLayoutEffect(() => pageState.merge({ ...view, anchor }), [view, anchor]);
}

function rememberedAnchor(): Anchor | undefined {
  const state = vscodeApi.getState();
  return typeof state === 'object' && state !== null && 'anchor' in state ? parseAnchor(state.anchor) : undefined;
}
