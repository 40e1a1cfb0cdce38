import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { ReviewState } from '../../src/protocol/reviewPanel';
import { SEES_ALL, violationsAtAnyZoom } from '../harness/axe';
import { useReviewPages } from '../harness/pages/reviewPageRig';
import type { PageTheme } from '../harness/pages/reviewPages';
import themes from '../harness/pages/reviewPageThemes.json';
import { FIRST_RUN } from './reviewPageChanges';
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

/** Reviews without a diff, and those with more around it; in all themes only with `TAPEDECK_AXE=all`. */
const WHOLE: Readonly<Record<string, Partial<ReviewState>>> = {
  'nothing left to review': { changes: tapeReview().changes.map((one) => ({ ...one, decision: 'accepted' })) },
  'nothing changed': { changes: [], hidden: [] },
  'only ignored differences': { changes: [] },
  'a first run': { kind: 'run', against: 'baseline', hasBaseline: false, changes: [FIRST_RUN] },
  'notices, without the right to decide': {
    canDecide: false,
    notices: ['Their interactions are compared by position.'],
  },
  'nothing to show': { changes: [], notice: 'refund_question has not run yet. Replay it to see its changes here.' },
};

describe('the review page, looked over by axe', function () {
  this.timeout(60_000);
  const open = useReviewPages();
  for (const theme of SEES_ALL ? (Object.keys(themes) as PageTheme[]) : (['light'] as const))
    for (const [state, part] of Object.entries(WHOLE))
      it(`finds nothing in ${theme}: ${state}`, async () => {
        const { page } = await open(tapeReview(part), { theme });
        await page.locator('h1, h2').first().waitFor();
        assert.deepEqual(await violationsAtAnyZoom(page), []);
      });

  for (const theme of Object.keys(themes) as PageTheme[])
    for (const [state, reach] of Object.entries(STATES))
      it(`finds nothing in ${theme}: ${state}`, async () => {
        const { page, diffShown, diffColoured } = await open(tapeReview(), { theme });
        await diffShown();
        await reach(page);
        await diffColoured();
        assert.deepEqual(await violationsAtAnyZoom(page), []);
      });
});
