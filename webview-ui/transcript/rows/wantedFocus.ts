import { focusEntry, onUserScroll } from './scrolling';

/** The interaction that an edit leads to, until the user acts. The changed tape may come long after the edit. */
let wanted: number | undefined;

/** Focuses the first message of an interaction, and again where a change of the tape removes it before the user acts. */
export function focusInteraction(interaction: number): void {
  wanted = interaction;
  requestAnimationFrame(() => {
    const article = wanted === interaction ? wantedArticle() : null;
    const active = document.activeElement;
    const isFree = active === null || active === document.body || active.matches('article.entry');
    if (isFree && article !== null && !article.contains(active)) focusEntry(article);
  });
}

/** When the last interaction was deleted, the one before it is left. */
export function wantedArticle(): HTMLElement | null {
  return wanted === undefined ? null : (articleOf(wanted) ?? articleOf(wanted - 1));
}

function articleOf(interaction: number): HTMLElement | null {
  return document.querySelector<HTMLElement>(`article[data-interaction="${interaction}"]`);
}

/** Returns the unsubscriber. */
export function forgetWhenUserActs(): () => void {
  return onUserScroll(() => {
    wanted = undefined;
  });
}
