import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { ReviewDecision } from '../../../src/contracts/engine/review';
import type { ReviewState } from '../../../src/contracts/pages/reviewPanel';
import { reviewOf } from '../../ui/reviewPageChanges';
import { FakeHost, type Incidents, type ReviewPageOptions, ReviewPages } from './reviewPages';

/** A review that is open in the browser, with the helpers of its tests. */
export class OpenReview {
  constructor(
    readonly page: Page,
    readonly host: FakeHost,
    readonly incidents: Incidents,
  ) {}

  /** The title of the selected change. */
  selected = (): Promise<string> => textOf(this.page.locator('.change[aria-current="true"] .title'));
  titles = (): Promise<string[]> => this.page.locator('.change .title').allTextContents();
  diffShown = (): Promise<void> => this.page.locator('.monaco-diff-editor .char-insert').first().waitFor();
  /**
   * Waits until the diff on the page is the one of the selected change, and the JSON in it has its colours: Monaco colours
   * lines some time after it has shown them.
   */
  diffColoured = async (): Promise<void> => {
    const title = await this.selected();
    const change = this.host.state.changes.find((one) => one.title === title);
    if (change === undefined) throw new Error(`No change has the title ${title}`);
    const shown = { text: `${change.before}\n${change.after}`, isJson: change.language === 'json' };
    await this.page.evaluate(`(${waitForColours})(${JSON.stringify(shown)})`);
  };
  plainShown = (): Promise<void> => this.page.locator('.plain-diff').waitFor();

  /** Waits until this is announced to screen readers. */
  heard = (text: string): Promise<void> =>
    this.page.locator('#root [aria-live]', { hasText: text }).waitFor({ state: 'attached' });

  /** The visible text of one side of the diff. */
  textIn = async (half: 'original' | 'modified'): Promise<string> => {
    const lines = await this.page.locator(`.editor.${half} .view-line`).allTextContents();
    return lines.join('\n').replaceAll('\u00a0', ' ');
  };

  /** The decisions that reached the host. */
  decided = (): unknown[] =>
    this.host.calls
      .filter(([method]) => method === 'decide')
      .map(([, params]) => params as ReviewDecision)
      .map(({ verdict, changes }) => [verdict, changes]);
}

/** Runs in the page, and is therefore plain JavaScript. `mtk1` is Monaco's class for a token without a colour of its own. */
const waitForColours = `async ({ text, isJson }) => {
  const textOf = (line) => line.textContent.replaceAll('\\u00a0', ' ').trim();
  const isColoured = (line) => !/["\\d]/.test(line.textContent) || line.querySelector('span span:not(.mtk1)') !== null;
  const isReady = (line) => text.includes(textOf(line)) && (!isJson || isColoured(line));
  for (;;) {
    const lines = [...document.querySelectorAll('.monaco-diff-editor .view-line')];
    if (lines.some((line) => textOf(line) !== '') && lines.every(isReady)) return;
    await new Promise(requestAnimationFrame);
  }
}`;

type Open = (state?: Partial<ReviewState>, options?: ReviewPageOptions) => Promise<OpenReview>;

/** A browser for the tests of a `describe`; after each test, checks that the page broke no rule. */
export function useReviewPages(): Open {
  let pages: ReviewPages;
  let opened: OpenReview[] = [];
  before(async () => {
    pages = await ReviewPages.start();
  });
  after(() => pages.stop());
  afterEach(async () => {
    const reviews = opened;
    opened = [];
    for (const { page, incidents } of reviews) {
      await pages.close(page);
      assert.deepEqual(incidents.cspViolations, []);
      assert.deepEqual(incidents.foreignRequests, []);
    }
  });
  return async (state = {}, options) => {
    const host = new FakeHost(reviewOf(state));
    const { page, incidents } = await pages.open(host, options);
    const review = new OpenReview(page, host, incidents);
    opened.push(review);
    await page.locator('h1, h2').first().waitFor();
    return review;
  };
}

export async function textOf(locator: Locator): Promise<string> {
  return (await locator.textContent()) ?? '';
}
