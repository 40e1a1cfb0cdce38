import type { Page } from 'playwright-core';

/** A text that a page shows or says, and the element that it belongs to. */
export interface ShownText {
  readonly text: string;
  readonly of: string;
}

/** Runs in the page, and is therefore plain JavaScript. What was recorded, keys, and Monaco's editor have no language of ours. */
const COLLECT = `(() => {
  const NOT_OURS = 'script, style, kbd, pre, code, bdi, .markdown, .preview, .monaco-editor, .monaco-aria-container';
  const SAID = ['aria-label', 'aria-description', 'aria-roledescription', 'title', 'placeholder', 'alt'];
  const nameOf = (element) => element.tagName.toLowerCase() + [...element.classList].map((one) => '.' + one).join('');
  const texts = [];
  for (const element of document.body.querySelectorAll('*')) {
    if (element.closest(NOT_OURS) !== null || !(element.checkVisibility() || element.tagName === 'OPTION')) continue;
    for (const name of SAID) {
      const text = element.getAttribute(name);
      if (text) texts.push({ text, of: nameOf(element) + '[' + name + ']' });
    }
    // A sentence may have elements in it, whose texts are looked at by themselves.
    const own = [...element.childNodes].map(({ nodeType, data }) => (nodeType === Node.TEXT_NODE ? data : '\\0')).join('');
    if (/[^\\0\\s]/.test(own)) texts.push({ text: own, of: nameOf(element) });
  }
  return texts;
})()`;

/** Everything that can be read or heard on a page. */
export async function shownTexts(page: Page): Promise<readonly ShownText[]> {
  return (await page.evaluate(COLLECT)) as readonly ShownText[];
}

/** A message of the pseudo-language, without another one in it. */
const MESSAGE = /⟦[^⟦⟧]*⟧/g;
const KEY = /\(?(?:(?:Ctrl|Alt|Shift)\+)*(?:F\d+|Esc|Enter|Delete|Tab|Home|End|Menu|\S)\)?$/;

/** The texts that are neither messages nor from `data`: what was forgotten. */
export function forgottenTexts(shown: readonly ShownText[], data: string): readonly ShownText[] {
  const known = collapsed(data);
  const isKnown = (part: string): boolean =>
    !/\p{L}{2}/u.test(part) || KEY.exec(part)?.index === 0 || known.includes(part);
  const isSaid = (text: string): boolean => {
    const parts = withoutMessages(text).split('\0').map(collapsed);
    return parts.every((part) => isKnown(part) || part.split(/ · |, |: ?/).every(isKnown));
  };
  return shown.filter(({ text }) => !isSaid(text));
}

/** What a text has beside messages. */
export function withoutMessages(text: string): string {
  for (let rest = text; ; ) {
    const shorter = rest.replace(MESSAGE, '\0');
    if (shorter === rest) return rest;
    rest = shorter;
  }
}

function collapsed(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Every text in a value, as the data of a page. */
export function textsIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .flatMap(([key, member]) => [key, textsIn(member)])
    .join('\n');
}

/**
 * Runs in the page. A text is cut where it is wider than an element that hides what overflows, or leaves the page; it may be
 * shortened with an ellipsis if a tooltip, or what opens it, has all of it.
 */
const COLLECT_CLIPPED = `(() => {
  const nameOf = (element) => element.tagName.toLowerCase() + [...element.classList].map((one) => '.' + one).join('');
  const clipped = [];
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width + 1)
    for (const element of document.body.querySelectorAll('*'))
      if (element.closest('.monaco-diff-editor') === null && element.getBoundingClientRect().right > width + 1 && element.checkVisibility()) clipped.push('wider than the page: ' + nameOf(element));
  for (const element of document.body.querySelectorAll('*')) {
    if (element.closest('.monaco-editor, .visually-hidden, svg') !== null || !element.checkVisibility()) continue;
    const { overflowX, overflowY, textOverflow } = getComputedStyle(element);
    const mayShorten = textOverflow === 'ellipsis' && element.closest('[title], button, li') !== null;
    const isSaidOnly = element.clientWidth <= 1;
    const isWider = element.scrollWidth > element.clientWidth + 1 && overflowX === 'hidden' && !mayShorten;
    const isTaller = element.scrollHeight > element.clientHeight + 1 && overflowY === 'hidden';
    const hasText = [...element.childNodes].some(({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.includes('⟦'));
    if (hasText && !isSaidOnly && (isWider || isTaller)) clipped.push(nameOf(element) + ': ' + element.textContent.trim());
  }
  return clipped;
})()`;

/** Layouts that follow the size of the window need a moment; one that does not is found after this time, in milliseconds. */
const SETTLE_MS = 10_000;

/** The messages that cannot be read whole at the page's width. */
export async function clippedTexts(page: Page): Promise<readonly string[]> {
  for (const end = Date.now() + SETTLE_MS; ; ) {
    const clipped = (await page.evaluate(COLLECT_CLIPPED)) as readonly string[];
    if (clipped.length === 0 || Date.now() > end) return clipped;
    await page.evaluate('new Promise(requestAnimationFrame)');
  }
}
