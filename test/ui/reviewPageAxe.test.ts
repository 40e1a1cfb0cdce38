import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { violations } from '../harness/axe';
import { useReviewPages } from '../harness/pages/reviewPageRig';
import type { PageTheme } from '../harness/pages/reviewPages';
import themes from '../harness/pages/reviewPageThemes.json';
import { tapeReview } from './reviewPageTapes';

/** The states of the page, and the steps that lead to each. */
const STATES: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  'a change': async () => undefined,
  'numbers in JSON': (page) => page.getByText('Arguments of refund').click(),
  'what is hidden': (page) => page.keyboard.press('h'),
  'a search': async (page) => {
    await page.keyboard.press('/');
    await page.keyboard.type('refund');
    await page.locator('.filter-bar output', { hasText: '2 of 5' }).waitFor();
  },
  'a decision with its reason': (page) => page.locator('.change.rejected').click(),
  'where it is narrow': async (page) => {
    await page.setViewportSize({ width: 900, height: 700 });
    await page.locator('.toolbar :disabled').waitFor();
  },
  'the keys': (page) => page.keyboard.press('?'),
};

describe('the review page, looked over by axe', function () {
  this.timeout(60_000);
  const open = useReviewPages();
  for (const theme of Object.keys(themes) as PageTheme[])
    for (const [state, reach] of Object.entries(STATES))
      it(`finds nothing in ${theme}: ${state}`, async () => {
        const { page, diffShown, diffColoured } = await open(tapeReview(), { theme });
        await diffShown();
        await reach(page);
        await diffColoured();
        assert.deepEqual(await violations(page), []);
      });
});
