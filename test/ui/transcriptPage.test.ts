import * as assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { type PageOptions, THEMES, type TranscriptFixture, usePages } from '../harness/pages/transcriptPages';
import { hostileTape, longTape, mcpTape, ordersTape, tape } from './transcriptPageTapes';

describe('the transcript page', () => {
  const openPage = usePages();
  let fixture: TranscriptFixture;
  let page: Page;

  async function open(text: string, options: PageOptions = {}): Promise<void> {
    fixture = await openPage(text, options);
    page = fixture.page;
  }

  const article = (name: string | RegExp): Locator => page.getByRole('article', { name });
  /** Waits until an element is between the bar and the end of the window. */
  const inSight = async (target: Locator): Promise<void> => {
    await page.waitForFunction(
      (element) => {
        const { top, bottom } = element.getBoundingClientRect();
        return top > 44 && bottom < innerHeight;
      },
      await target.elementHandle().then((handle) => handle ?? assert.fail('there is no such element')),
    );
  };
  const focusedName = (): Promise<string | null | undefined> =>
    page.evaluate(() => document.activeElement?.closest('[aria-label]')?.getAttribute('aria-label'));

  it('shows a tape as a conversation, each tool call with its result', async () => {
    await open(ordersTape());
    assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'order_status');
    const facts = await page
      .locator('.facts dd')
      .evaluateAll((found) => found.map(({ firstChild }) => firstChild?.nodeValue));
    assert.deepEqual(facts, ['MoFA tape', '3', '1', '4,656', '279', '$0.0023']);
    assert.equal(await page.getByRole('feed').getByRole('article').count(), 6);
    const call = article(/^Assistant, interaction 1/).locator('.tool-call');
    assert.match((await call.textContent()) ?? '', /lookup_order[\s\S]*"order_id": 1042[\s\S]*"carrier": "Nordpost"/);
    assert.equal(
      await article(/^Assistant, interaction 2/)
        .getByRole('table')
        .count(),
      1,
    );
    const system = article('System, interaction 1').getByRole('button', { name: /^System/ });
    assert.equal(await system.getAttribute('aria-expanded'), 'false');
    await system.click();
    await page.getByText('Greet the customer by name').waitFor();
  });

  it('has what is said to an MCP server beside the conversation in one line, which opens', async () => {
    await open(mcpTape());
    const line = page.getByRole('button', { name: /MCP\s*orders: initialize, initialized, tools\/list$/ });
    await line.waitFor();
    await article('MCP, interaction 5: orders: tools/call lookup, called in #4').waitFor();
    const call = article('Assistant, interaction 4').locator('.tool-call');
    assert.match((await call.textContent()) ?? '', /mcp__orders__lookup.*orders.*Result\{/s);
    assert.equal(await page.getByRole('article').count(), 4);
    await line.click();
    await article('MCP, interaction 3').waitFor();
    assert.equal(await page.getByRole('article').count(), 6);
    await line.click();
    await article('MCP, interaction 3').waitFor({ state: 'detached' });
    await page.locator('.timeline .bar').nth(2).click();
    await page.waitForFunction(() => document.activeElement?.getAttribute('data-interaction') === '0');
    await page.keyboard.press('Enter');
    await article('MCP, interaction 3').waitFor();
  });

  it('runs nothing and loads nothing of a hostile tape, and opens links only by asking', async () => {
    await open(hostileTape());
    await page.keyboard.press('3');
    await page.getByText('onfocus="window.pwned=3"').first().waitFor();
    for (const link of await page.getByRole('link').all()) await link.click();
    await page.mouse.move(300, 300);
    await page.keyboard.press('x');
    await page.locator('.source').waitFor();
    await page.waitForTimeout(300);
    assert.equal(await page.evaluate(() => 'pwned' in window), false);
    const forbidden =
      'script:not([nonce], #translation), iframe, img, form, link:not([href$="transcript.css"]), a, object, embed, #root style, [onload], [onclick]';
    assert.equal(await page.locator(forbidden).count(), 0);
    assert.ok(fixture.calls.length > 0);
    for (const [method, params] of fixture.calls) {
      assert.equal(method, 'openLink');
      assert.match((params as { url: string }).url, /^(https?|mailto):/);
    }
    assert.equal(page.url(), 'https://tapedeck.test/');
  });

  it('is read with the keyboard: one entry in the tab order, j and k between them, Enter to open and close', async () => {
    await open(ordersTape());
    const inTabOrder = (): Promise<(string | null)[]> =>
      page
        .locator('article[tabindex="0"]')
        .evaluateAll((found) => found.map((element) => element.getAttribute('aria-label')));
    await page.keyboard.press('j');
    assert.equal(await focusedName(), 'System, interaction 1');
    await page.keyboard.press('j');
    assert.equal(await focusedName(), 'User, interaction 1');
    assert.deepEqual(await inTabOrder(), ['User, interaction 1']);
    await page.keyboard.press('Enter');
    await article('User, interaction 1').locator('.message.closed').waitFor();
    await page.keyboard.press('Enter');
    await article('User, interaction 1').locator('.message.open').waitFor();
    await page.keyboard.press('k');
    await page.keyboard.press('k');
    assert.equal(await focusedName(), 'System, interaction 1');
    await page.keyboard.press('End');
    assert.equal(await focusedName(), 'Assistant, interaction 3, 1,864 tokens');
    await page.keyboard.press('X');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    assert.equal(await focusedName(), 'User, interaction 1');
    assert.deepEqual(fixture.calls, [['revealSource', { interaction: 2 }]]);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard Shortcuts' }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Escape');
    assert.equal(await focusedName(), 'User, interaction 1');
  });

  it('finds text that is folded away, closed or far down, and leads to it', async () => {
    await open(ordersTape());
    await page.keyboard.press('/');
    await page.keyboard.type('volume 9');
    await page.getByText('1 of 1').waitFor();
    await page.getByText('"Volume 9"').waitFor();
    await inSight(page.getByText('"Volume 9"'));
    await page.getByRole('textbox', { name: 'Find in transcript' }).fill('order');
    await page.getByText('1 of 8').waitFor();
    await page.keyboard.press('Shift+Enter');
    await page.getByText('8 of 8').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('1 of 8').waitFor();
    await page.getByText('Greet the customer by name').waitFor();
    // Messages far from the window are not on the page, and have no highlight.
    await page.waitForFunction(() => (CSS.highlights.get('find')?.size ?? 0) > 4);
    assert.equal(
      await page.evaluate(() => [...(CSS.highlights.get('find-current') ?? [])].map(String).join()),
      'order',
    );
    await page.keyboard.press('Escape');
    assert.equal(await page.evaluate(() => CSS.highlights.size), 0);
    assert.equal(await focusedName(), 'System, interaction 1');
    await page.keyboard.press('Control+f');
    await page.keyboard.type('zebra');
    await page.getByText('No results').waitFor();
  });

  it('has three views, and comes back as it was left', async () => {
    await open(ordersTape(), { height: 500 });
    await page.getByText('Summary', { exact: true }).click();
    assert.equal(await article(/^System/).count(), 0);
    await page.locator('.tool-call.closed').waitFor();
    await page.keyboard.press('3');
    await article('System, interaction 1').getByText('Greet the customer').waitFor();
    assert.equal(await page.locator('.show-all').count(), 0);
    await article('User, interaction 1').focus();
    await page.keyboard.press('Enter');
    for (let step = 0; step < 4; step += 1) {
      await page.mouse.wheel(0, 400);
      await page.waitForTimeout(100);
    }
    await article(/^Assistant, interaction 2/).waitFor();
    await page.waitForTimeout(300);
    const top = (): Promise<number> =>
      article(/^Assistant, interaction 2/).evaluate((element) => Math.round(element.getBoundingClientRect().top));
    const before = await top();
    await page.reload();
    await article('User, interaction 1').locator('.message.closed').waitFor();
    assert.ok(await page.getByRole('radio', { name: 'Verbose' }).isChecked());
    await page.waitForTimeout(300);
    assert.ok(Math.abs((await top()) - before) <= 2, `the place is the same: ${before}, now ${await top()}`);
    assert.equal(await page.locator('article[tabindex="0"]').getAttribute('aria-label'), 'User, interaction 1');
  });

  it('shows the recorded source of an interaction, and asks for a copy as markdown', async () => {
    await open(ordersTape());
    await page.getByRole('button', { name: 'Show Source' }).nth(1).click();
    const raw = (await page.locator('.source pre').textContent()) ?? '';
    assert.deepEqual(JSON.parse(raw), JSON.parse(await fixture.source.source({ interaction: 1 })));
    assert.ok(raw.startsWith('{\n  "request": {'));
    await page.keyboard.press('j');
    await page.keyboard.press('End');
    await page.getByRole('button', { name: 'Copy Interaction as Markdown' }).last().click();
    await page.getByText('Copied interaction 3').waitFor();
    await page.getByRole('button', { name: 'Open Source to the Side' }).last().click();
    assert.deepEqual(fixture.calls, [
      ['copyAs', { interaction: 2, kind: 'markdown' }],
      ['revealSource', { interaction: 2 }],
    ]);
  });

  it('follows an edit without losing the place or the focus', async () => {
    await open(ordersTape(), { height: 500 });
    await page.keyboard.press('j');
    await page.keyboard.press('End');
    const place = (): Promise<number> => page.evaluate(() => scrollY);
    await page.waitForTimeout(200);
    const before = await place();
    assert.ok(before > 0);
    fixture.change(ordersTape().replace('Could you check its number?', 'Is it **really** 9999?'));
    await page.getByText('Is it really 9999?').waitFor();
    assert.equal(await focusedName(), 'Assistant, interaction 3, 1,864 tokens');
    assert.equal(await place(), before);
    fixture.change('not json at all');
    await page.getByText('This file cannot be shown as a tape').waitFor();
    fixture.change(ordersTape());
    await article('User, interaction 3').waitFor();
  });

  it('says what is wrong with a file, where, and shows what could be read', async () => {
    await open(ordersTape().replace('"carrier', '\u0001'));
    await page.locator('.problem-error').waitFor();
    assert.match((await page.locator('.problem').textContent()) ?? '', /invalid JSON/);
    await page.getByRole('button', { name: /^Line \d+$/ }).click();
    const line = ordersTape().slice(0, ordersTape().indexOf('"carrier')).split('\n').length;
    assert.deepEqual(fixture.calls, [['revealLine', { line }]]);
    assert.ok((await page.getByRole('article').count()) > 0);
  });

  it('offers the text editor for what is no tape, and says when a tape is empty', async () => {
    await open('{}');
    await page.getByText('orders.tape.json is not in a tape format').waitFor();
    await page.getByRole('button', { name: 'Open in Text Editor' }).click();
    assert.deepEqual(fixture.calls, [['openAsText', undefined]]);
    assert.equal(await page.getByRole('button', { name: 'Describe This Format…' }).count(), 0);
    const asked = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] };
    fixture.change(JSON.stringify({ turns: [{ sent: asked }, { sent: asked }] }));
    await page.getByText('it has requests or responses of a model').waitFor();
    await page.getByRole('button', { name: 'Describe This Format…' }).click();
    assert.deepEqual(fixture.calls.at(-1), ['describeFormat', undefined]);
    fixture.change(tape('nothing_yet', []));
    await page.getByText('No interactions yet').waitFor();
  });

  it('goes where the host asks, also while it is still opening', async () => {
    await open(longTape(60), { focus: 40 });
    const asked = article(/^User, interaction 41/);
    await asked.and(page.locator(':focus')).waitFor();
    assert.ok(((await asked.boundingBox())?.y ?? 900) < 200);
    fixture.focus(2);
    await article(/^User, interaction 3$/)
      .and(page.locator(':focus'))
      .waitFor();
  });

  it('keeps its place when the view changes', async () => {
    await open(ordersTape(), { height: 600, focus: 2 });
    const user = article('User, interaction 3');
    const place = (): Promise<number> => user.evaluate((element) => Math.round(element.getBoundingClientRect().top));
    await user.and(page.locator(':focus')).waitFor();
    const before = await place();
    for (const mode of ['3', '1', '2']) {
      await page.keyboard.press(mode);
      await page.waitForTimeout(150);
      assert.ok(Math.abs((await place()) - before) <= 1, `${mode}: ${before}, now ${await place()}`);
    }
  });

  it('stays quick with a thousand interactions', async () => {
    const started = performance.now();
    await open(longTape(1000));
    await page.getByText('what is 3 times 3?').waitFor();
    const opened = performance.now() - started;
    await page.keyboard.press('/');
    await page.keyboard.type('is 998 times 998');
    await page.getByText('1 of 1').waitFor();
    await page.getByText('what is 998 times 998?').waitFor();
    await inSight(page.getByText('what is 998 times 998?'));
    await page.keyboard.press('Escape');
    const moving = await page.evaluate(async () => {
      const begin = performance.now();
      for (let step = 0; step < 20; step += 1) {
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', bubbles: true }));
        await new Promise(requestAnimationFrame);
      }
      return (performance.now() - begin) / 20;
    });
    assert.equal(await focusedName(), 'User, interaction 989');
    // Far above the usual time: only the wrong order of growth fails this, not a busy machine.
    assert.ok(opened < 20_000, `opened in ${Math.round(opened)} ms`);
    assert.ok(moving < 400, `${Math.round(moving)} ms a step`);
  });

  for (const theme of THEMES) {
    it(`can be read in the ${theme} theme`, async () => {
      await open(ordersTape(), { theme, height: 1500 });
      await page.locator('blockquote').waitFor();
      await fixture.shoot(`transcript-${theme}`);
      const weak = await page.evaluate(weakTexts, theme.startsWith('high-contrast') ? 7 : 4.5);
      assert.deepEqual(weak, []);
    });
  }
});

/** The texts of the page whose contrast with their background is below `least`. */
function weakTexts(least: number): string[] {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  if (canvas === null) throw new Error('no canvas');
  const over = (colours: readonly string[]): number[] => {
    canvas.clearRect(0, 0, 1, 1);
    for (const colour of colours) {
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
    }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const luminance = (channels: readonly number[]): number =>
    channels
      .map((channel) => channel / 255)
      .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
      .reduce((sum, value, index) => sum + value * ([0.2126, 0.7152, 0.0722][index] ?? 0), 0);
  const behind = (element: Element | null): string[] =>
    element === null ? [] : [...behind(element.parentElement), getComputedStyle(element).backgroundColor];
  const weak = new Set<string>();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement;
    if (element === null || node.nodeValue?.trim() === '') continue;
    const layers = behind(element);
    const back = luminance(over(layers));
    const front = luminance(over([...layers, getComputedStyle(element).color]));
    const ratio = (Math.max(back, front) + 0.05) / (Math.min(back, front) + 0.05);
    if (ratio < least) weak.add(`${element.tagName} ${element.className}: ${ratio.toFixed(2)}`);
  }
  return [...weak];
}
