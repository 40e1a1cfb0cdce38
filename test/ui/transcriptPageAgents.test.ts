import * as assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { violationsAtAnyZoom } from '../harness/axe';
import { THEMES, usePages } from '../harness/pages/transcriptPages';
import { agentsTape, manyCallsTape } from './agentsTape';

describe('the agents of a transcript', () => {
  const open = usePages();

  const lines = (page: Page) => page.locator('[role="treeitem"]');
  const focused = (page: Page, label: RegExp) => page.locator('[role="treeitem"]:focus', { hasText: label }).waitFor();

  it('are a tree, which is walked by keys and leads to the messages', async () => {
    const { page } = await open(agentsTape());
    await page.locator('article .message-body').first().waitFor();
    await page.getByRole('button', { name: '4 agents or conversations' }).waitFor();
    assert.equal(await lines(page).count(), 0, 'not before it is opened');
    await page.keyboard.press('n');
    await page.keyboard.press('b');
    await focused(page, /planner/);
    assert.deepEqual(await lines(page).evaluateAll((all) => all.map((one) => `${one.ariaLevel} ${one.ariaLabel}`)), [
      '1 planner, 6 interactions, 3.3 s, 1 failed',
      '2 #1 Plan a trip to Lisbon, 250 ms',
      '2 flight researcher, 2 interactions, 1.3 s',
      '2 hotel researcher, 2 interactions, 1.3 s, 1 failed',
      '2 #6 Choose one of each, 250 ms',
      '1 writer, 1 interaction, 250 ms',
    ]);
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowDown'])
      await page.keyboard.press(key);
    await focused(page, /Check the prices/);
    await page.keyboard.press('ArrowLeft');
    await focused(page, /hotel researcher/);
    await page.keyboard.press('ArrowLeft');
    assert.equal(await page.getByRole('treeitem', { name: 'Check the prices' }).count(), 0, 'closed');
    await page.keyboard.press('End');
    await focused(page, /writer/);
    await page.keyboard.press('Enter');
    await page.locator('article[data-interaction="6"]:focus').first().waitFor();
    await page.keyboard.press('b');
    await lines(page).first().waitFor({ state: 'detached' });
  });

  it('are drawn by time: what ran side by side is side by side', async () => {
    const { page } = await open(agentsTape());
    await page.getByRole('button', { name: '4 agents or conversations' }).click();
    await focused(page, /planner/);
    const places = await page
      .locator('[role="treeitem"]', { hasText: 'researcher' })
      .locator('.agent-bar')
      .evaluateAll((bars) => bars.map((bar) => Math.round(bar.getBoundingClientRect().left)));
    assert.equal(places.length, 4);
    assert.deepEqual(places.slice(0, 2), places.slice(2));
    assert.ok((places[1] ?? 0) > (places[0] ?? 0));
    assert.equal(await page.locator('.agent-bar-failed').count(), 1);
  });

  it('are on the page as far as they are in view, of thousands', async () => {
    const { page } = await open(manyCallsTape(2000));
    await page.getByRole('button', { name: '2 agents or conversations' }).click();
    await focused(page, /worker/);
    await page.keyboard.press('ArrowRight');
    await page.getByRole('treeitem', { name: '#1 Step 1,' }).waitFor();
    assert.ok((await lines(page).count()) < 60);
    await page.keyboard.press('End');
    await focused(page, /judge/);
    assert.ok((await lines(page).count()) < 60);
    await page.keyboard.press('ArrowUp');
    await focused(page, /Step 2000/);
  });

  for (const theme of THEMES) {
    it(`satisfy axe in ${theme}`, async () => {
      const fixture = await open(agentsTape(), { theme });
      const { page } = fixture;
      await page.getByRole('button', { name: '4 agents or conversations' }).click();
      await focused(page, /planner/);
      await fixture.shoot(`transcript-agents-${theme}`);
      assert.deepEqual(await violationsAtAnyZoom(page), []);
    });
  }
});
