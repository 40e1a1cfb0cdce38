import * as assert from 'node:assert/strict';
import { THEMES, usePages } from '../harness/pages/transcriptPages';
import { longTape, ordersTape } from './transcriptPageTapes';

describe('a transcript while a run goes on', () => {
  const open = usePages();

  it('marks what is played, and moves neither the focus nor the scroll position', async () => {
    const fixture = await open(longTape(40));
    const { page } = fixture;
    await page.locator('article').nth(4).focus();
    const place = (): Promise<unknown> =>
      page.evaluate(() => [scrollY, document.activeElement?.getAttribute('data-key')]);
    const before = await place();
    for (const interaction of [0, 1, 2, 30]) {
      fixture.play({ mode: 'replay', interaction, summary: 'text' });
      await page.getByText(`Replaying interaction ${interaction + 1}`).waitFor();
      const marked = page.locator('article', { has: page.getByText('Now playing') });
      if (interaction < 3) assert.equal(await marked.getAttribute('data-interaction'), `${interaction}`);
      assert.deepEqual(await place(), before);
    }
    fixture.play(null);
    await page.getByText('Replaying interaction').waitFor({ state: 'detached' });
    assert.equal(await page.getByText('Now playing').count(), 0);
  });

  it('shows all of a tape whose beginning and end arrive while the page is busy', async () => {
    const fixture = await open(longTape(40));
    const { page } = fixture;
    await page.locator('article').first().waitFor();
    const busy = page.evaluate(() => {
      for (const end = performance.now() + 1500; performance.now() < end; );
    });
    fixture.change(longTape(300));
    await busy;
    await page.locator('article').first().focus();
    await page.keyboard.press('End');
    await page.locator('article[data-interaction="299"]').first().waitFor();
    await page.locator('.loading').waitFor({ state: 'detached' });
  });

  it('shows the new take when the tape is replaced, at the same place', async () => {
    const fixture = await open(longTape(40));
    const { page } = fixture;
    await page.locator('article').nth(4).focus();
    fixture.play({ mode: 'record', interaction: 2, summary: 'calls lookup_order' });
    await page.getByText('Recording interaction 3').waitFor();
    assert.equal(await page.getByText('Now playing').count(), 0);
    const focused = (): Promise<unknown> => page.evaluate(() => document.activeElement?.getAttribute('data-key'));
    const before = await focused();
    fixture.change(longTape(41));
    fixture.play(null);
    await page.getByText('Recording interaction').waitFor({ state: 'detached' });
    await page.locator('.facts').getByText('41').waitFor();
    assert.equal(await focused(), before);
  });

  it('stays at the end of a long tape that is recorded on, while that is read again from its beginning', async () => {
    const fixture = await open(longTape(3000));
    const { page } = fixture;
    const last = page.locator('article[data-key="2999.response"]');
    await page.locator('article .message-body').first().waitFor();
    await page.locator('.loading').waitFor({ state: 'detached' });
    await page.keyboard.press('End');
    await last.locator('.message-body').waitFor();
    await last.focus();
    for (const count of [3001, 3002]) {
      fixture.change(longTape(count));
      await page.locator('.facts').getByText(count.toLocaleString('en-US')).waitFor();
    }
    await page.locator('article[data-key="3001.response"]').waitFor();
    assert.ok(await last.evaluate((entry) => entry === document.activeElement), 'it was gone for a while');
  });

  for (const theme of THEMES) {
    it(`looks at home in ${theme}`, async () => {
      const fixture = await open(ordersTape(), { theme });
      fixture.play({ mode: 'replay', interaction: 1, summary: 'Hello Mara, your order' });
      await fixture.page.getByText('Now playing').waitFor();
      await fixture.shoot(`transcript-live-${theme}`);
    });
  }
});
