import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { vscodeApi } from '../base/vscodeApi';
import { type Anchor, parseAnchor, useScrollMemory } from './useScrollMemory';
import { parseViewState, type ViewState } from './viewState';

/** What an earlier page of this tape left behind. */
export function rememberedView(): ViewState {
  return parseViewState(vscodeApi.getState());
}

/**
 * Keeps what the reader set up and where they are, for when VS Code shows the page again. Returns the key of the entry
 * that the page starts at, if it was here before.
 */
export function usePersistence(feed: RefObject<HTMLElement | null>, view: ViewState): string | undefined {
  const [remembered] = useState(rememberedAnchor);
  const [anchor, setAnchor] = useState<Anchor | undefined>(remembered);
  useScrollMemory(feed, remembered, setAnchor);
  useEffect(() => vscodeApi.setState({ ...view, anchor }), [view, anchor]);
  return remembered?.key;
}

function rememberedAnchor(): Anchor | undefined {
  const state = vscodeApi.getState();
  return typeof state === 'object' && state !== null && 'anchor' in state ? parseAnchor(state.anchor) : undefined;
}
