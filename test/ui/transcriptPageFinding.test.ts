import * as assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { usePages } from '../harness/pages/transcriptPages';
import { codingTape, longTape } from './transcriptPageTapes';
import { wireTape } from './wireTape';

describe('finding the way through a transcript', () => {
  const open = usePages();

  async function openWire(): Promise<Page> {
    const { page } = await open(wireTape());
    await page.locator('article .message-body').first().waitFor();
    return page;
  }

  /** The listed messages, each as its interaction (from 1) and its role. */
  const listed = (page: Page): Promise<string[]> =>
    page.locator('article').evaluateAll((articles) =>
      articles.map((article) => {
        const head = article.querySelector('.message-head .role')?.textContent ?? '';
        return `${Number(article.getAttribute('data-interaction')) + 1} ${head}`;
      }),
    );

  const FILTERS: Readonly<Record<string, readonly string[]>> = {
    'role:user': ['1 User', '3 User'],
    'role:assistant tool:lookup': ['1 Assistant'],
    'is:error': ['3 User', '3 Assistant'],
    'is:http': ['4 HTTP'],
    'is:retry': ['5 Assistant'],
    'model:nobody': [],
    '-is:http -role:system -role:user': ['1 Assistant', '2 Assistant', '3 Assistant', '5 Assistant'],
    '"order 17"': ['1 System', '1 User', '1 Assistant'],
  };
  it('lists what passes a filter, and nothing else', async () => {
    const page = await openWire();
    const all = await listed(page);
    await page.keyboard.press('f');
    for (const [filter, expected] of Object.entries(FILTERS)) {
      await page.getByLabel('Filter the transcript').fill(filter);
      const counted = new Set(expected.map((line) => line.split(' ')[0])).size;
      await page.locator('.filter-bar output').getByText(`${counted} of 5`).waitFor();
      assert.deepEqual(await listed(page), expected, filter);
    }
    await page.getByLabel('Remove Filter').click();
    assert.deepEqual(await listed(page), all);
  });

  it('offers the filters that tell interactions of this tape apart, and takes them back', async () => {
    const page = await openWire();
    await page.keyboard.press('f');
    const chip = page.locator('.chip', { hasText: 'is:error' });
    await chip.click();
    assert.equal(await page.getByLabel('Filter the transcript').inputValue(), 'is:error');
    assert.equal(await chip.getAttribute('aria-pressed'), 'true');
    await page.locator('.filter-bar output').getByText('1 of 5').waitFor();
    await chip.click();
    assert.equal(await page.getByLabel('Filter the transcript').inputValue(), '');
  });

  it('searches what the filter lets through', async () => {
    const page = await openWire();
    await page.keyboard.press('f');
    await page.keyboard.type('is:http');
    await page.locator('.filter-bar output').getByText('1 of 5').waitFor();
    await page.keyboard.press('Control+f');
    await page.keyboard.type('shipped');
    await page.locator('.find-count').getByText('1 of 1').waitFor();
  });

  it('marks in the outline what is being read, with the bar in line with the conversation', async () => {
    const { page } = await open(longTape(40), { width: 900, height: 600 });
    await page.locator('article .message-body').first().waitFor();
    await page.keyboard.press('o');
    const marked = page.locator('.outline-line[aria-current="location"]');
    await marked.getByText('#1', { exact: true }).waitFor();
    const lefts = (): Promise<readonly number[]> =>
      page.evaluate(() =>
        ['h1', '.facts', 'article'].map((part) => document.querySelector(part)?.getBoundingClientRect().left ?? 0),
      );
    assert.equal(new Set(await lefts()).size, 1, String(await lefts()));
    await page.evaluate(() => document.querySelector('article[data-interaction="3"]')?.scrollIntoView());
    await marked.getByText('#4', { exact: true }).waitFor();
    assert.equal(await marked.count(), 1);
    await page.locator('article[data-interaction="3"]').first().focus();
    await page.keyboard.press('End');
    await marked.getByText('#40', { exact: true }).waitFor();
  });

  it('has an outline of all interactions, with few lines on the page, that follows the filter', async () => {
    const { page } = await open(longTape(1000));
    await page.getByRole('button', { name: 'Outline' }).click();
    const lines = page.locator('.outline-line');
    await lines.first().waitFor();
    assert.ok((await lines.count()) < 120);
    await page.keyboard.press('End');
    await page.locator('.outline-line:focus', { hasText: '#1000' }).waitFor();
    await page.locator('.outline-line', { hasText: '#990' }).click();
    await page.locator('article[data-interaction="989"]:focus').first().waitFor();
    await page.keyboard.press('f');
    await page.keyboard.type('"is 777 times"');
    await page.locator('.filter-bar output').getByText('1 of 1,000').waitFor();
    await page.locator('.outline-line', { hasText: '#778' }).waitFor();
    assert.equal(await lines.count(), 1);
  });

  it('has a timeline as tall as each took, marked where it failed, that leads there', async () => {
    const page = await openWire();
    const bars = page.locator('.timeline .bar');
    assert.equal(await bars.count(), 5);
    const heights = await bars
      .locator('span')
      .evaluateAll((spans) => spans.map((span) => span.getBoundingClientRect().height));
    assert.equal(Math.max(...heights), heights[1]);
    assert.ok((heights[0] ?? 0) > (heights[3] ?? 0));
    assert.deepEqual(await bars.evaluateAll((found) => found.map((bar) => bar.classList.contains('bar-failed'))), [
      false,
      false,
      true,
      false,
      false,
    ]);
    await bars.nth(4).click();
    await page.locator('article[data-interaction="4"]:focus').waitFor();
  });

  it('has no timeline of two', async () => {
    const { page } = await open(longTape(2));
    await page.locator('article').first().waitFor();
    assert.equal(await page.locator('.timeline').count(), 0);
  });

  it('shows what well-known tools do, and their arguments where those are searched or asked for', async () => {
    const { page } = await open(codingTape());
    const call = (name: string) => page.locator(`.tool-call:has(.tool-name:text-is("${name}"))`);
    await call('Bash').locator('.tool-view-command').getByText('npm test -- --grep price').waitFor();
    assert.deepEqual(await call('str_replace_based_edit_tool').locator('.edit-lines > *').allTextContents(), [
      '  export function parsePrice(text: string): number {\n',
      '\u2212   return Number(text);\n',
      "+   const price = Number(text.replace(',', '.'));\n",
      '+   return price;\n',
      '  }\n',
    ]);
    const raw = call('Grep').getByRole('button', { name: 'Show Arguments' });
    await raw.click();
    await call('Grep').getByText('"pattern"').waitFor();
    await raw.click();
    await call('Grep').locator('.tool-gist').getByText('in src').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('120000');
    await call('Bash').getByText('"timeout"').waitFor();
    await page.locator('.find-count').getByText('1 of 1').waitFor();
  });
});
