import * as assert from 'node:assert/strict';
import { THEMES, usePages } from '../harness/pages/transcriptPages';
import { sampleDrift } from './sampleDrift';
import { longTape, ordersTape } from './transcriptPageTapes';

describe('a transcript of which a replay has drifted', () => {
  const open = usePages();

  it('tells it where it happened, as the run does, with its diff and what can be done', async () => {
    const fixture = await open(ordersTape());
    const { page } = fixture;
    fixture.drift([sampleDrift(1)]);
    const card = page.locator('article[data-interaction="1"]').getByRole('region', { name: 'Drift of order_status' });
    await card.waitFor();
    assert.equal(await page.locator('.drift').count(), 1);
    assert.equal(await card.locator('.drift-line').textContent(), sampleDrift(1).line);
    assert.deepEqual(await card.locator('del').allTextContents(), ['removed: 1042']);
    assert.deepEqual(await card.locator('ins').allTextContents(), ['added: <b>', 'added: </b>', 'added: 1043']);
    const decoration = (selector: string) =>
      card
        .locator(selector)
        .first()
        .evaluate((element) => getComputedStyle(element).textDecorationLine);
    assert.deepEqual([await decoration('del'), await decoration('ins')], ['line-through', 'underline']);
    for (const name of sampleDrift(1).fixes) await card.getByRole('button', { name }).click();
    assert.deepEqual(
      fixture.calls,
      [0, 1, 2].map((fix) => ['fixDrift', { drift: 0, fix }]),
    );
    fixture.drift([]);
    await card.waitFor({ state: 'detached' });
    assert.equal(await page.locator('.drift-strip p').count(), 0);
  });

  it('explains it where there are no two requests to compare', async () => {
    const fixture = await open(ordersTape());
    fixture.drift([{ ...sampleDrift(1), diff: [] }]);
    await fixture.page.getByText('Show explanation').click();
    assert.equal(await fixture.page.locator('.drift-message').textContent(), sampleDrift(1).message);
  });

  it('leads there from the top of a long tape', async () => {
    const fixture = await open(longTape(200));
    const { page } = fixture;
    fixture.drift([sampleDrift(150)]);
    // A key reaches a disabled button too, and does nothing: it is enabled once its row is there.
    await page.getByRole('button', { name: '#151', exact: true, disabled: false }).press('Enter');
    await page.locator('article[data-interaction="150"]:focus .drift').waitFor();
  });

  for (const theme of THEMES)
    it(`looks at home in ${theme}`, async () => {
      const fixture = await open(ordersTape(), { theme, height: 1300 });
      fixture.drift([sampleDrift(1)]);
      await fixture.shoot(`transcript-drift-${theme}`);
    });
});
