import type { FrameLocator, Page } from 'playwright-core';

/** What the window shows of reviews, read from its own elements. */

/** What is decided about the last run of a case, or about a file, as one surface shows it. */
export interface ShownReview {
  /** The name of the case, or of the file. */
  readonly name: string;
  readonly kind: 'run' | 'file';
  readonly isPending: boolean;
  readonly accepted: number;
  readonly rejected: number;
}

/** The Review view. */
export interface ShownReviews {
  readonly listed: readonly ShownReview[];
  /** Whether all that is pending is in sight. */
  readonly isComplete: boolean;
}

/** The page of a review. */
export interface ShownPage extends ShownReview {
  readonly pending: number;
}

/** How the words of a row begin that has nothing pending. */
const OVER = /^\d+ (?:accepted|rejected|ignored)\b/;

/** Needs the Tapedeck view to be open; undefined while its Review view is closed. */
export async function readReviews(page: Page): Promise<ShownReviews | undefined> {
  const pane = page.locator('.pane').filter({ has: page.locator('.pane-header[aria-label^="Review"]') });
  if ((await pane.locator('.pane-header.expanded').count()) === 0) return undefined;
  const rows = await pane.locator('.monaco-list-row').evaluateAll((elements) =>
    elements.map((element) => ({
      label: element.getAttribute('aria-label') ?? '',
      index: Number(element.getAttribute('data-index')),
    })),
  );
  const sorted = rows.sort((one, other) => one.index - other.index);
  const listed: ShownReview[] = [];
  for (const { label } of sorted) {
    const [, name, kind, words = ''] = /^(.*), (last run|tape|baseline), (.*)$/.exec(label) ?? [];
    if (name === undefined) continue;
    const isPending = !OVER.test(words);
    listed.push({ name, kind: kind === 'last run' ? 'run' : 'file', isPending, ...decisionsIn(words) });
  }
  // A list that is scrolled has neither all of its rows nor their heading in the page.
  const isAtTop = sorted[0] === undefined || sorted[0].index === 0;
  const total = Number(/^Pending\D*(\d+)/.exec(sorted[0]?.label ?? '')?.[1] ?? 0);
  return { listed, isComplete: isAtTop && listed.filter((one) => one.isPending).length === total };
}

/** The page of a review that is in sight, once it shows one. */
export async function readReviewPage(page: Page): Promise<ShownPage | undefined> {
  const webviews = page.locator('iframe.webview:visible');
  for (let index = 0; index < (await webviews.count()); index += 1) {
    const shown = await readSummary(webviews.nth(index).contentFrame().locator('#active-frame').contentFrame());
    if (shown !== undefined) return shown;
  }
  return undefined;
}

async function readSummary(frame: FrameLocator): Promise<ShownPage | undefined> {
  const summary = frame.locator('main.review .summary-words');
  if ((await summary.count()) === 0) return undefined;
  const [title = '', words = ''] = await summary.locator('h1, h1 + p').allInnerTexts();
  const [, count, counted] = /^(\d+) changes? in (.*)$/.exec(title) ?? [];
  const first = /^First run of (.*)$/.exec(title)?.[1];
  const pending = first === undefined ? Number(count ?? 0) : 1;
  const kind = /\bbaseline\b/.test(words) ? 'run' : 'file';
  return { name: counted ?? first ?? title, kind, pending, isPending: pending > 0, ...decisionsIn(words) };
}

function decisionsIn(words: string): Pick<ShownReview, 'accepted' | 'rejected'> {
  const count = (verdict: string) => Number(new RegExp(`(\\d+) ${verdict}`).exec(words)?.[1] ?? 0);
  return { accepted: count('accepted'), rejected: count('rejected') };
}
