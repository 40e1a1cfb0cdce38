import * as assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { THEMES, usePages } from '../harness/pages/transcriptPages';
import { EARLIER, ordersTape } from './transcriptPageTapes';

/** The visible text of an interaction's heading. */
async function badges(page: Page, interaction: number): Promise<string[]> {
  const head = page.locator(`article[data-interaction="${interaction}"] .interaction-head`);
  return head.locator('.delta').evaluateAll((found) => found.map((one) => one.lastChild?.nodeValue ?? ''));
}

describe('a transcript of a tape that has changed', () => {
  const open = usePages();

  it('says beside each number how much more or less it is', async () => {
    const fixture = await open(ordersTape());
    const { page } = fixture;
    await page.locator('article').first().waitFor();
    assert.equal(await page.locator('.delta').count(), 0, 'nothing, where there is nothing to compare with');
    fixture.sendPreviousTotals(EARLIER);
    await page.locator('.delta').first().waitFor();
    assert.deepEqual(await badges(page, 0), ['\u221212 out', '\u221211%']);
    assert.deepEqual(await badges(page, 1), ['new']);
    assert.deepEqual(await badges(page, 2), []);
    const facts = await page.locator('.facts dd').allInnerTexts();
    assert.ok(
      facts.some((fact) => /^3[\s\S]*\+1$/.test(fact)),
      facts.join(),
    );
    assert.match(await page.locator('.facts').innerText(), /4,656[^%]*\+1,612/);
  });

  it('leads to the review of what has changed', async () => {
    const fixture = await open(ordersTape());
    const { page } = fixture;
    const review = page.getByRole('button', { name: 'Review', exact: true });
    await page.locator('article').first().waitFor();
    assert.equal(await review.count(), 0, 'not where nothing has');
    fixture.sendPreviousTotals(EARLIER);
    await review.press('Enter');
    await fixture.settled();
    assert.deepEqual(fixture.calls, [['review', undefined]]);
  });

  it('says nothing of another version, and nothing any more when there is nothing to compare with', async () => {
    const fixture = await open(ordersTape());
    const { page } = fixture;
    await page.locator('article').first().waitFor();
    fixture.sendPreviousTotals(EARLIER);
    await page.locator('.delta').first().waitFor();
    fixture.change(ordersTape().replace('"version": 1', '"version":  1'));
    await page.locator('.delta').first().waitFor({ state: 'detached' });
    fixture.sendPreviousTotals(EARLIER);
    await page.locator('.delta').first().waitFor();
    fixture.sendPreviousTotals(null);
    await page.locator('.delta').first().waitFor({ state: 'detached' });
  });

  for (const theme of THEMES)
    it(`looks at home in ${theme}`, async () => {
      const fixture = await open(ordersTape(), { theme });
      await fixture.page.locator('article').first().waitFor();
      fixture.sendPreviousTotals(EARLIER);
      await fixture.page.locator('.delta').first().waitFor();
      await fixture.shoot(`transcript-earlier-${theme}`);
    });
});
