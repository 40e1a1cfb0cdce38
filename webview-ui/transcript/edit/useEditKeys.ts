import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { topEntry } from '../scrolling';
import { type Editing, useEditing } from './editing';

/** The keys that change the tape. They belong to the interaction with the focus, or else to the one at the top. */
export function useEditKeys(feed: RefObject<HTMLElement | null>): void {
  const latest = useRef<Editing>(useEditing());
  latest.current = useEditing();
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const interaction = interactionAt(feed.current);
      if (interaction === undefined || isTaken(event)) return;
      if (runKey(event, latest.current, interaction)) event.preventDefault();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}

function isTaken({ isComposing, target }: KeyboardEvent): boolean {
  if (isComposing || document.querySelector('dialog[open]') !== null) return true;
  return target instanceof Element && target.matches('input, textarea, select');
}

function runKey(
  { key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent,
  editing: Editing,
  interaction: number,
): boolean {
  if (ctrlKey || metaKey) return false;
  if (altKey) {
    if (key === 'ArrowUp' && interaction > 0) editing.act({ type: 'move', interaction, by: -1 });
    else if (key === 'ArrowDown') editing.act({ type: 'move', interaction, by: 1 });
    else return false;
    return true;
  }
  if (key === 'F2') editing.open(interaction);
  else if (key === '.' || key === 'ContextMenu' || (key === 'F10' && shiftKey)) editing.showMenu(interaction);
  else if (key === 'd') editing.act({ type: 'duplicate', interaction });
  else if (key === 'Delete') editing.act({ type: 'delete', interaction });
  else return false;
  return true;
}

function interactionAt(feed: HTMLElement | null): number | undefined {
  if (feed === null) return undefined;
  const focused = document.activeElement?.closest<HTMLElement>('[data-interaction]') ?? topEntry(feed);
  const interaction = focused?.dataset.interaction;
  return interaction === undefined ? undefined : Number(interaction);
}
