import assert from 'node:assert/strict';
import { readMessages } from '../../build/l10n.mjs';
import { overviewPage } from '../../src/contracts/pages/overviewPage';
import { summaryPage } from '../../src/contracts/pages/runSummary';
import { stabilityPage } from '../../src/contracts/pages/stabilityPage';
import { trialPage } from '../../src/contracts/pages/trialPage';
import { ENGLISH, useTranslation } from '../../src/core/text/l10n';
import { ensureChineseFont } from '../harness/chromium.mjs';
import { useReportPages } from '../harness/pages/reportPages';
import { useReviewPages } from '../harness/pages/reviewPageRig';
import { usePages } from '../harness/pages/transcriptPages';
import { HELD } from './heldRequest';
import { shownOverview } from './overviewPageStates';
import { tapeReview } from './reviewPageTapes';
import { sampleDrift } from './sampleDrift';
import { REPORT } from './stabilityPageStates';
import { SUMMARY } from './summaryPageStates';
import { EARLIER, ordersTape } from './transcriptPageTapes';
import { shown as shownTrial, trialOf } from './trialPageStates';
import { wireTape } from './wireTape';

/** Pictures to be looked at, in test/screenshots/actual, which git ignores: taken only with `TAPEDECK_PICTURES`. */
const LOOKS = process.env.TAPEDECK_PICTURES ? (['dark', 'light'] as const) : [];

describe('pages in Chinese', () => {
  before(async () => {
    await ensureChineseFont();
    useTranslation({ language: 'zh-cn', messages: readMessages('l10n/bundle.l10n.zh-cn.json') });
  });
  after(() => useTranslation(ENGLISH));

  describe('a transcript', () => {
    const open = usePages();
    for (const theme of LOOKS.length === 0 ? (['dark'] as const) : LOOKS)
      it(`has its language, its words and its numbers, in ${theme}`, async () => {
        const fixture = await open(ordersTape(), { theme });
        const { page } = fixture;
        assert.equal(await page.getAttribute('html', 'lang'), 'zh-cn');
        fixture.drift([sampleDrift(1)]);
        fixture.sendPreviousTotals(EARLIER);
        await page.locator('.delta').first().waitFor();
        assert.match((await page.locator('.facts').textContent()) ?? '', /输入词元[\d,]+/);
        await page.keyboard.press('3');
        await fixture.shoot(`chinese-transcript-${theme}`);
        await page.keyboard.press('?');
        await page.getByRole('dialog').waitFor();
        await fixture.shoot(`chinese-keys-${theme}`);
      });

    it('says what is held, and what can be done', async () => {
      const fixture = await open(wireTape());
      fixture.hold({ breakpoints: [1], held: [HELD] });
      await fixture.page.locator('.hold').waitFor();
      await fixture.shoot('chinese-held');
      const words = await fixture.page.locator('.hold-actions').textContent();
      assert.doesNotMatch(words ?? '', /[a-z]/i);
    });
  });

  describe('a review', () => {
    const open = useReviewPages();
    for (const theme of LOOKS)
      it(`has its words, in ${theme}`, async () => {
        const { page, diffColoured } = await open(tapeReview(), { theme });
        await diffColoured();
        await page.screenshot({ path: `test/screenshots/actual/chinese-review-${theme}.png` });
        assert.match((await page.locator('.decision-buttons').textContent()) ?? '', /^拒绝接受$/);
      });
  });

  describe('a report', () => {
    const summary = useReportPages('summary', summaryPage);
    const stability = useReportPages('stability', stabilityPage);
    const trial = useReportPages('trial', trialPage);
    const overview = useReportPages('overview', overviewPage);
    for (const theme of LOOKS)
      it(`has its words, in ${theme}`, async () => {
        for (const [name, open] of Object.entries({
          summary: () => summary(SUMMARY, { theme }),
          stability: () => stability(REPORT, { theme }),
          trial: () => trial(shownTrial(trialOf(6, 3, 5)), { theme }),
          overview: () => overview(shownOverview(), { theme }),
        })) {
          const { page, shoot } = await open();
          assert.match((await page.locator('button').first().textContent()) ?? '', /\p{Script=Han}|^cases\//u);
          await shoot(`chinese-${name}-${theme}`);
        }
      });
  });
});
