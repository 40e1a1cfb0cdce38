import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { ReviewedChange } from '../../src/contracts/engine/review';
import type { ReviewState } from '../../src/contracts/pages/reviewPanel';
import { SEES_ALL, violationsAtAnyZoom } from '../harness/axe';
import { type OpenReview, useReviewPages } from '../harness/pages/reviewPageRig';
import type { PageTheme, ReviewPageOptions } from '../harness/pages/reviewPages';
import themes from '../harness/pages/reviewPageThemes.json';
import { FIRST_RUN } from './reviewPageChanges';
import { comparison, manyChanges, tapeReview } from './reviewPageTapes';

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
  'a comparison': comparison(),
  'a comparison without differences': comparison({ changes: [] }),
  'nothing to show': { changes: [], notice: 'refund_question has not run yet. Replay it to see its changes here.' },
};

const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const picture = (part: object): string => JSON.stringify({ type: 'image', mime: 'image/png', ...part });
const [FIRST, SECOND] = manyChanges(2) as [ReviewedChange, ReviewedChange];
const DECIDED = tapeReview().changes.map((one) => ({ ...one, decision: 'accepted' as const }));
const ALONE = { position: 1, total: 1, othersOpen: 0 };

interface RareState {
  readonly part?: Partial<ReviewState>;
  readonly options?: ReviewPageOptions;
  reach?(review: OpenReview): Promise<unknown>;
}

/** Looked over only with `TAPEDECK_AXE=all`. */
const RARE: Readonly<Record<string, RareState>> = {
  'texts in place of the diff editor': {
    options: { replaced: { 'editor.worker.js': undefined } },
    reach: ({ plainShown }) => plainShown(),
  },
  'texts without folds in place of the diff editor': {
    options: { replaced: { 'editor.worker.js': undefined } },
    reach: async ({ page, plainShown }) => {
      await plainShown();
      await page.keyboard.press('u');
    },
  },
  'long texts that are being fetched': {
    part: { changes: [FIRST, { ...SECOND, before: '', after: '', deferred: { preview: 'long' } }] },
    reach: async ({ page, host }) => {
      host.gate = new Promise(() => undefined);
      await page.keyboard.press('n');
      await page.getByText('Loading…').waitFor();
    },
  },
  'two pictures': {
    part: {
      changes: [{ ...FIRST, subject: 'media', before: picture({ base64: DOT }), after: picture({ base64: DOT }) }],
    },
    reach: ({ page }) => page.locator('.media-sides img').nth(1).waitFor(),
  },
  'a picture from elsewhere': {
    part: {
      changes: [
        { ...FIRST, subject: 'media', before: '', after: picture({ url: 'https://pictures.example/x.png' }) },
        { ...SECOND, subject: 'media', before: picture({ base64: DOT }), after: '' },
      ],
    },
    reach: ({ page }) => page.keyboard.press('n'),
  },
  'a change with its token counts': {
    part: {
      changes: [
        {
          ...FIRST,
          usage: {
            before: { promptTokens: 40, completionTokens: 9, totalTokens: 49 },
            after: { promptTokens: 40, completionTokens: 12, totalTokens: 52 },
          },
        },
      ],
    },
  },
  'a change that moved': { part: { changes: [{ ...FIRST, kind: 'moved' }, SECOND] } },
  'a recording that is gone': { part: { changes: [{ ...FIRST_RUN, kind: 'removed' }] } },
  'a decision that failed': {
    reach: async ({ page, host }) => {
      host.refusal = 'refund_question.baseline.json cannot be written: the disk is full.';
      await page.keyboard.press('a');
      await page.locator('.error-banner').waitFor();
    },
  },
  'a decision that is being made': {
    reach: async ({ page, host }) => {
      host.gate = new Promise(() => undefined);
      await page.keyboard.press('a');
      await page.locator('main[aria-busy="true"]').waitFor();
    },
  },
  'a search without results': {
    reach: async ({ page }) => {
      await page.keyboard.press('/');
      await page.keyboard.type('nothing like this');
      await page.getByText('No results').waitFor();
    },
  },
  'the pending changes alone': { reach: ({ page }) => page.keyboard.press('f') },
  'a note that is being written': {
    reach: async ({ page }) => {
      await page.keyboard.press('e');
      await page.keyboard.type('as the supplier asked');
    },
  },
  'one of many files at its end': { part: { changes: DECIDED, queue: { position: 2, total: 4, othersOpen: 2 } } },
  'the last of many files at its end': { part: { changes: DECIDED, queue: { position: 4, total: 4, othersOpen: 0 } } },
  'the only file at its end': { part: { changes: DECIDED, queue: ALONE } },
  'the only file, staged': {
    part: { changes: DECIDED, queue: ALONE },
    reach: async ({ page }) => {
      await page.getByRole('button', { name: 'Stage', exact: true }).click();
      await page.getByRole('button', { name: 'Stage', exact: true }).waitFor({ state: 'detached' });
    },
  },
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
    it(`finds nothing in ${theme}: the same change in many files`, async () => {
      const review = await open(tapeReview({ same: { [FIRST.id]: 3 }, changes: [FIRST, SECOND] }), { theme });
      const text = { title: 'Text of message 1', before: '2026-11-22.', after: '2026-11-23.' };
      review.host.same = ['a', 'b', 'c'].map((name) => ({ path: `tapes/${name}.tape.json`, ...text }));
      await review.page.keyboard.press('=');
      await review.page.getByRole('dialog', { name: 'in 3 files' }).getByRole('listitem').nth(2).waitFor();
      assert.deepEqual(await violationsAtAnyZoom(review.page), []);
    });

  for (const theme of SEES_ALL ? (Object.keys(themes) as PageTheme[]) : [])
    for (const [state, { part, options, reach }] of Object.entries(RARE))
      it(`finds nothing in ${theme}: ${state}`, async () => {
        const review = await open(tapeReview(part), { theme, ...options });
        await reach?.(review);
        assert.deepEqual(await violationsAtAnyZoom(review.page), []);
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
