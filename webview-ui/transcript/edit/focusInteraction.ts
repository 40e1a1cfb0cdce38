/** Patience with a page that shows the changed tape a moment later, in milliseconds. */
const PATIENCE = 400;

/** Gives the focus to the first message of an interaction, now and, if it goes away with a change of the tape, again. */
export function focusInteraction(interaction: number): void {
  const end = performance.now() + PATIENCE;
  const focus = (): void => {
    // Of the last interaction, when it was deleted, the one before is what is left.
    const article = articleOf(interaction) ?? articleOf(interaction - 1);
    const active = document.activeElement;
    const isFree = active === null || active === document.body || active.matches('article.entry');
    if (isFree && article !== null && !article.contains(active)) article.focus({ preventScroll: true });
    if (performance.now() < end) requestAnimationFrame(focus);
  };
  requestAnimationFrame(focus);
}

function articleOf(interaction: number): HTMLElement | null {
  return document.querySelector<HTMLElement>(`article[data-interaction="${interaction}"]`);
}
