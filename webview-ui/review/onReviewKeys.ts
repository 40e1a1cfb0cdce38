import { actionOf, type ReviewAction } from './keys';

/**
 * Calls `act` for the keys of the review, wherever the focus is but where text can be typed. It comes before Monaco,
 * whose editors are read-only here and would otherwise take F7. Returns the unsubscriber.
 */
export function onReviewKeys(act: (action: ReviewAction) => void): () => void {
  const listener = (event: KeyboardEvent): void => {
    const action = isTypedInto(event.target) ? undefined : actionOf(event);
    const behindDialog = action !== 'help' && document.querySelector('dialog[open]') !== null;
    if (action === undefined || behindDialog) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    act(action);
  };
  window.addEventListener('keydown', listener, { capture: true });
  return () => window.removeEventListener('keydown', listener, { capture: true });
}

function isTypedInto(target: EventTarget | null): boolean {
  if (!(target instanceof Element) || target.closest('.monaco-editor')) return false;
  return target.closest('input, textarea, select, [contenteditable]') !== null;
}
