import * as assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { usePages } from '../harness/pages/transcriptPages';
import { longTape, tape } from './transcriptPageTapes';
import { wireTape } from './wireTape';

const style = (page: Page, selector: string, property: string): Promise<string> =>
  page
    .locator(selector)
    .first()
    .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);

describe('the transcript page as its reader needs it', () => {
  const open = usePages();

  it('moves nothing, and plays nothing, for those who asked for that', async () => {
    const fixture = await open(wireTape(), { alone: true });
    const { page } = fixture;
    await page.locator('.play').first().waitFor();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.reload();
    await page.locator('article .message-body').first().waitFor();
    fixture.focus(1);
    await page.locator('article[data-interaction="1"]:focus').waitFor();
    fixture.play({ mode: 'replay', interaction: 1, summary: 'text' });
    await page.getByText('Now playing').waitFor();
    const moving = await page.evaluate(
      () =>
        document
          .getAnimations()
          .filter(({ playState, effect }) => playState === 'running' && Number(effect?.getTiming().duration) > 0)
          .length,
    );
    assert.equal(moving, 0);
    assert.equal(await page.locator('.play').count(), 0);
  });

  it('tells by lines what forced colours take away', async () => {
    const { page } = await open(wireTape(), { alone: true });
    await page.emulateMedia({ forcedColors: 'active' });
    await page.locator('article .message-body').first().waitFor();
    const canvas = await style(page, 'body', 'background-color');
    for (const bar of ['.bar span', '.bar-failed span'])
      assert.notEqual(await style(page, bar, 'background-color'), canvas, bar);
    assert.notEqual(
      await style(page, '.bar span', 'background-color'),
      await style(page, '.bar-failed span', 'background-color'),
    );
    assert.equal(await style(page, '.mode-switch input:checked + span', 'outline-style'), 'solid');
    assert.equal(await style(page, '.mode-switch input:not(:checked) + span', 'outline-style'), 'none');
    assert.equal(await style(page, '.role-user > .message', 'border-top-style'), 'solid');
    await page.keyboard.press('j');
    assert.equal(await style(page, 'article:focus > .message', 'outline-style'), 'solid');
    await page.keyboard.press('x');
    await page.locator('.source').waitFor();
    assert.equal(await style(page, '.button-quiet[aria-pressed="true"]', 'outline-style'), 'solid');
    await page.keyboard.press('f');
    await page.locator('.chip').first().click();
    assert.equal(await style(page, '.chip[aria-pressed="true"]', 'outline-style'), 'solid');
  });

  it('is a feed to a screen reader: each message an article with its place among all, also of those not on the page', async () => {
    const { page } = await open(longTape(300));
    await page.getByRole('feed', { name: 'Transcript' }).waitFor();
    const places = (): Promise<(string | null)[][]> =>
      page
        .getByRole('article')
        .evaluateAll((articles) =>
          articles.map((one) => [one.getAttribute('aria-posinset'), one.getAttribute('aria-setsize')]),
        );
    const first = await places();
    assert.ok(first.length < 100);
    assert.deepEqual(
      first,
      first.map((_, index) => [`${index + 1}`, '600']),
    );
    await page.keyboard.press('j');
    await page.keyboard.press('End');
    await page.locator('article[data-interaction="299"]:focus').waitFor();
    assert.deepEqual((await places()).at(-1), ['600', '600']);
    assert.match((await page.locator('article:focus').getAttribute('aria-label')) ?? '', /^Assistant, interaction 300/);
  });

  it('begins with the mode that was chosen last, for a tape that was not looked at before', async () => {
    const { page } = await open(wireTape());
    await page.locator('.mode-switch input:checked + span', { hasText: 'Normal' }).waitFor();
    await page.keyboard.press('1');
    await page.locator('.mode-switch input:checked + span', { hasText: 'Summary' }).waitFor();
    await page.evaluate(() => sessionStorage.clear());
    await page.goto('https://tapedeck.test/');
    await page.locator('.mode-switch input:checked + span', { hasText: 'Summary' }).waitFor();
  });

  it('plays at the speed that was chosen last, and nothing to those who want nothing to move', async () => {
    const { page } = await open(wireTape(), { alone: true });
    const speed = page.getByLabel('Playback speed');
    await speed.selectOption('5');
    await page.getByText('Playback speed: 5').waitFor();
    await page.evaluate(() => sessionStorage.clear());
    await page.goto('https://tapedeck.test/');
    await speed.waitFor();
    assert.equal(await speed.inputValue(), '5');
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.reload();
    await page.getByText('Your order left on Tuesday').waitFor();
    assert.equal(await page.locator('.play, .playback').count(), 0);
  });

  it('is after hiding and loading anew as it was left', async () => {
    const { page } = await open(wireTape(), { height: 600 });
    await page.locator('article .message-body').first().waitFor();
    await page.keyboard.press('3');
    await page.keyboard.press('o');
    await page.keyboard.press('Escape');
    await page.keyboard.press('o');
    await page.locator('.outline-line').first().waitFor();
    await page.keyboard.press('f');
    await page.keyboard.type('-is:http');
    await page.locator('.filter-bar output').getByText('4 of 5').waitFor();
    await page.locator('article[data-interaction="1"]').first().focus();
    await page.keyboard.press('x');
    await page.locator('.source').waitFor();
    await page.locator('article[data-interaction="0"] .tool-call-head').click();
    await page.locator('article[data-interaction="0"] .tool-call.closed').waitFor();
    await page.locator('article[data-interaction="4"]').first().focus();
    await page.waitForTimeout(300);
    const seen = (): Promise<unknown> =>
      page.evaluate(() => ({
        mode: document.querySelector('.mode-switch :checked + span')?.textContent,
        filter: document.querySelector<HTMLInputElement>('.filter-bar input')?.value,
        outline: document.querySelectorAll('.outline').length,
        sources: [...document.querySelectorAll('.source')].map((one) => one.closest('article')?.dataset.interaction),
        calls: document.querySelectorAll('.tool-call.closed').length,
        current: document.querySelector('article[tabindex="0"]')?.getAttribute('data-key'),
        listed: document.querySelector('article')?.getAttribute('aria-setsize'),
      }));
    const before = await seen();
    await page.reload();
    await page.locator('.source').waitFor();
    await page.locator('.tool-call.closed').waitFor();
    await page.waitForTimeout(300);
    assert.deepEqual(await seen(), before);
  });

  it('reads what is written from right to left in its direction, and lets it reorder nothing else', async () => {
    const hebrew = 'שלום עולם, 12 הזמנות';
    const { page } = await open(
      tape(`${hebrew} 7`, [
        {
          messages: [{ role: 'user', content: `${hebrew}\n\n- ${hebrew}\n\n\`\`\`\n${hebrew} = 1;\n\`\`\`` }],
          response: 'In English.',
          tool_calls: [{ id: 'c', name: 'find', arguments: { שם: hebrew, next: 12 } }],
          model: `${hebrew} 7`,
          usage: [5, 7],
        },
      ]),
    );
    const directionOf = (selector: string): Promise<string> =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => getComputedStyle(element).direction);
    await page.locator('.markdown li').first().waitFor();
    const places = ['h1', '.markdown p', '.markdown li', '.markdown pre', '.role-assistant .markdown p', 'pre.code'];
    const directions = await Promise.all(places.map(directionOf));
    assert.deepEqual(directions, ['rtl', 'rtl', 'rtl', 'ltr', 'ltr', 'ltr']);
    // Whatever the model's name is, the numbers stay behind it; and a member stays behind the one before it.
    const left = async (selector: string): Promise<number> =>
      (await page.locator(selector).first().boundingBox())?.x ?? 0;
    assert.ok((await left('.interaction-head .model')) < (await left('.interaction-head .badge')));
    assert.ok((await left('.json-string')) < (await left('.json-number')));
  });

  it('has no filter after loading anew when it was removed', async () => {
    const { page } = await open(wireTape());
    await page.keyboard.press('f');
    await page.keyboard.type('model:nobody');
    await page.getByText('No messages match').waitFor();
    await page.getByText('Remove Filter').click();
    const all = page.locator('article[data-interaction="4"]');
    await all.first().waitFor();
    await page.reload();
    await all.first().waitFor();
    assert.equal(await page.locator('.filter-bar').count(), 0);
  });
});
