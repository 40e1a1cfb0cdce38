import * as assert from 'node:assert/strict';
import { violationsAtAnyZoom } from '../harness/axe';
import { THEMES, usePages } from '../harness/pages/transcriptPages';
import { codeTape } from './transcriptPageTapes';
import { wireTape } from './wireTape';

describe('code in a transcript', () => {
  const open = usePages();
  const chunks = (page: Awaited<ReturnType<typeof open>>['page']): Promise<readonly string[]> =>
    page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => name)
        .filter((name) => /highlighter/.test(name)),
    );

  it('has the colours of its language: in a block, a file that is written or read, and a command', async () => {
    const { page } = await open(codeTape(), { alone: true });
    await page.keyboard.press('3');
    const kinds = (part: string) =>
      page
        .locator(part)
        .evaluate((element) =>
          [...element.querySelectorAll('[class^=code-]')].map(
            (token) => `${token.className.slice(5)} ${token.textContent ?? ''}`,
          ),
        );
    await page.locator('.markdown .code-keyword').first().waitFor();
    const [typescript, html, unknown] = await page.locator('.markdown pre').all();
    assert.ok(typescript && html && unknown);
    assert.equal(await typescript.locator('.code-comment').textContent(), '// The price of an order');
    assert.equal(await html.locator('.code-string').first().textContent(), '"x"');
    assert.equal(await unknown.locator('span').count(), 0);
    await page.locator('.tool-view-write .code-keyword').first().waitFor();
    const written = await kinds('.tool-view-write pre');
    for (const token of ['keyword class', 'comment # a rate', 'number 1.5']) assert.ok(written.includes(token), token);
    const command = await kinds('.tool-view-command pre');
    assert.ok(command.includes('keyword for') && command.includes('comment # all'), command.join('\n'));
    const read = page.locator('.tool-call').filter({ hasText: 'main.go' }).locator('[data-part$=".result"]');
    assert.ok((await read.locator('.code-keyword').allTextContents()).includes('package'));
    const first = await page.locator('.markdown pre').first().textContent();
    assert.match(first ?? '', /^\/\/ The price of an order\nexport const price: Map<string, number> = new Map/);
    assert.equal((await chunks(page)).length, 1);
  });

  it('is found by its words, across colours', async () => {
    const { page } = await open(codeTape());
    await page.keyboard.press('3');
    await page.locator('.markdown .code-keyword').first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('export const price');
    await page.locator('.find-count').getByText('1 of 1').waitFor();
  });

  it('loads no grammars where there is no code', async () => {
    const fixture = await open(wireTape(), { alone: true });
    const { page } = fixture;
    await page.keyboard.press('3');
    await page.locator('.tool-call').first().waitFor();
    await page.keyboard.press('End');
    await page.locator('article[data-interaction="4"] .message-body').first().waitFor();
    await fixture.settled();
    assert.deepEqual(await chunks(page), []);
  });

  for (const theme of THEMES)
    it(`can be read in ${theme}: axe finds nothing`, async () => {
      const fixture = await open(codeTape(), { theme });
      const { page } = fixture;
      await page.keyboard.press('3');
      await page.locator('.markdown .code-keyword').first().waitFor();
      await page.locator('.tool-view-write .code-keyword').first().waitFor();
      assert.deepEqual(await violationsAtAnyZoom(page), []);
      await fixture.shoot(`code-${theme}`);
    });
});
