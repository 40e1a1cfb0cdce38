import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { textOf, useReviewPages } from '../harness/pages/reviewPageRig';
import type { PageTheme } from '../harness/pages/reviewPages';
import themes from '../harness/pages/reviewPageThemes.json';
import { CHANGES } from './reviewPageChanges';

const SCREENSHOTS = resolve(__dirname, '../screenshots/actual');

describe('the review page, in a browser', function () {
  this.timeout(60_000);
  const open = useReviewPages();

  describe('the diff', () => {
    it('shows both texts, compared by a worker that was started from a blob', async () => {
      const { page, incidents, diffShown, textIn } = await open();
      await page.locator('.change').nth(1).click();
      await diffShown();
      await page.getByText('7 hidden lines').first().waitFor();
      assert.match(await textIn('original'), /We will refund 42\.50 EUR/);
      assert.match(await textIn('modified'), /We will refund 40\.00 EUR/);
      assert.ok((await page.locator('.char-delete').count()) > 0);
      assert.match(
        page
          .workers()
          .map((worker) => worker.url())
          .join(),
        /^blob:/,
      );
      const asked = await page.evaluate<string[]>('askedOfWorker');
      assert.ok(asked.includes('$computeDiff'), `asked: ${asked}`);
      assert.deepEqual(incidents.errors, []);
    });

    it('colours JSON', async () => {
      const { page } = await open();
      await page.locator('.change').nth(2).click();
      await page.getByText('"amount"').first().waitFor();
      const colorOf = (text: string) =>
        page
          .locator('.editor.modified .view-line span span')
          .filter({ hasText: text })
          .first()
          .evaluate((element) => getComputedStyle(element).color);
      // The editor shows a line before it knows its colours.
      while ((await colorOf('"amount"')) === (await colorOf('"A-1093"'))) await page.waitForTimeout(50);
    });

    it('goes inline on demand and where it is narrow, and remembers what was asked for', async () => {
      const { page, host } = await open();
      const beside = page.locator('.monaco-diff-editor.side-by-side');
      await beside.waitFor();
      await page.setViewportSize({ width: 520, height: 700 });
      await beside.waitFor({ state: 'detached' });
      const toggle = page.getByRole('button', { name: 'Side by Side' });
      await page.setViewportSize({ width: 900, height: 700 });
      await page.locator('[aria-pressed="false"]:disabled', { hasText: 'Side by Side' }).waitFor();
      assert.equal(await beside.count(), 0, 'the toggle says what the diff does');
      assert.match((await toggle.getAttribute('title')) ?? '', /^Shown inline/);
      await page.setViewportSize({ width: 1200, height: 700 });
      await beside.waitFor();
      await page.locator('[aria-pressed="true"]:enabled', { hasText: 'Side by Side' }).waitFor();
      await page.keyboard.press('s');
      await beside.waitFor({ state: 'detached' });
      const stored = await page.evaluate('storedState');
      const { caseUri } = host.state;
      assert.deepEqual(stored, { caseUri, sideBySide: false, selected: 'status', viewed: [] });
    });

    it('comes back as it was left', async () => {
      const stored = {
        caseUri: 'file:///project/cases/refund_question.toml',
        sideBySide: false,
        selected: 'tool_calls',
        viewed: ['status'],
      };
      const { page, selected } = await open({}, { stored });
      await page.locator('.monaco-diff-editor:not(.side-by-side)').waitFor();
      assert.equal(await selected(), 'Tool calls');
    });

    it('folds and unfolds what is unchanged', async () => {
      const { page } = await open();
      await page.keyboard.press('n');
      await page.getByText('7 hidden lines').first().waitFor();
      await page.keyboard.press('u');
      await page.getByText('Thank you for writing').first().waitFor();
      assert.equal(await page.getByText('7 hidden lines').count(), 0);
    });

    it('shows what is only on one side without marking all of it', async () => {
      const output = { ...CHANGES[1], before: '' } as (typeof CHANGES)[number];
      const { page } = await open({ changes: [output], hasBaseline: false });
      await page.getByText('Only in this run').waitFor();
      await page.locator('.view-line', { hasText: 'Thank you for writing' }).first().waitFor();
      assert.equal(await page.locator('.char-insert, .line-insert, .char-delete').count(), 0);
    });

    it('follows the theme while it is open', async () => {
      const { page, diffShown } = await open({}, { theme: 'dark' });
      await diffShown();
      await page.evaluate(({ bodyClass, variables }) => {
        document.body.className = bodyClass;
        document.documentElement.removeAttribute('style');
        for (const [name, value] of Object.entries(variables)) document.documentElement.style.setProperty(name, value);
      }, themes.light);
      const background = () =>
        page
          .locator('.editor.modified .monaco-editor-background')
          .first()
          .evaluate((e) => getComputedStyle(e).backgroundColor);
      assert.equal(themes.light.variables['--vscode-editor-background'], '#ffffff');
      for (let i = 0; i < 50 && (await background()) !== 'rgb(255, 255, 255)'; i++) await page.waitForTimeout(50);
      assert.equal(await background(), 'rgb(255, 255, 255)');
    });

    it('keeps up with quick steps through the changes', async () => {
      const { page, incidents, textIn } = await open();
      for (let step = 0; step < 14; step++) await page.keyboard.press('n');
      await page.locator('.change').nth(1).click();
      await page.getByText('7 hidden lines').first().waitFor();
      assert.match(await textIn('modified'), /Is there anything else/);
      await page.waitForTimeout(200);
      assert.deepEqual(incidents.errors, []);
    });

    it('lets its texts and its worker go when nothing is left, and comes back for more', async () => {
      const { page, host, diffShown } = await open();
      await diffShown();
      for (const key of ['n', 'n', 'n']) await page.keyboard.press(key);
      assert.equal(page.workers().length, 1);
      await page.keyboard.press('A');
      await page.getByRole('heading', { name: 'Nothing left to review' }).waitFor();
      // Monaco ends its worker with the last text, so this shows that all texts were disposed of.
      for (let i = 0; i < 50 && page.workers().length > 0; i++) await page.waitForTimeout(20);
      assert.equal(page.workers().length, 0);
      host.change({ stamp: 'run-3', changes: CHANGES });
      await diffShown();
      assert.equal(page.workers().length, 1);
    });

    it('takes texts of a megabyte', async () => {
      const lines = (seed: number) =>
        Array.from(
          { length: 20_000 },
          (_, index) => `line ${index} says ${index % 7 === 0 ? seed * index : index} and more of it`,
        );
      const before = lines(1).join('\n');
      const after = lines(3).join('\n');
      const change = { ...CHANGES[1], before, after } as (typeof CHANGES)[number];
      const { page, incidents, selected, diffShown } = await open({ changes: [change, ...CHANGES.slice(2)] });
      await diffShown();
      await page.keyboard.press('n');
      await page.getByText('"amount"').first().waitFor();
      assert.equal(await selected(), 'Tool calls');
      assert.deepEqual(incidents.errors, []);
    });

    it('shows recorded text as text, whatever it says', async () => {
      const evil = `<img src="https://evil.example/x.png" onerror="document.title='owned'"><script>document.title='owned'</script>`;
      const change = { ...CHANGES[1], before: 'harmless', after: evil } as (typeof CHANGES)[number];
      const { page, diffShown, textIn } = await open({ changes: [change], caseName: evil });
      await diffShown();
      assert.equal((await textIn('modified')).replaceAll('\n', ''), evil);
      assert.match(await textOf(page.locator('h1')), /<script>/);
      assert.equal(await page.title(), 'Review');
    });
  });

  describe('without a working Monaco', () => {
    const broken: Record<string, { replaced: Record<string, string | undefined>; says: RegExp }> = {
      'a worker that is not there': { replaced: { 'editor.worker.js': undefined }, says: /cannot be loaded \(404\)/ },
      'a worker that does not start': {
        replaced: { 'editor.worker.js': 'throw new Error("no")' },
        says: /worker failed .*no/,
      },
      'a worker that breaks down': {
        replaced: {
          'editor.worker.js':
            'postMessage("tapedeck-worker-ready"); onmessage = () => { throw new Error("out of order") }',
        },
        says: /worker failed .*out of order/,
      },
      'no Monaco at all': { replaced: { 'monacoDiff.js': undefined }, says: /Shown as plain text/ },
      'no styles for it': { replaced: { 'monacoDiff.css': undefined }, says: /styles cannot be loaded/ },
    };

    for (const [what, { replaced, says }] of Object.entries(broken))
      it(`${what}: shows a text diff and says why, once`, async () => {
        const { page, plainShown, decided } = await open({}, { replaced });
        await plainShown();
        const notice = page.locator('.plain-notice');
        assert.match(await textOf(notice), says);
        await page.keyboard.press('n');
        await page.keyboard.press('n');
        assert.equal(await notice.count(), 1);
        await page.keyboard.press('p');
        const marked = await page.locator('.plain-diff mark').allTextContents();
        assert.ok(marked.includes('42'), `marked: ${marked}`);
        assert.equal(await page.locator('.monaco-diff-editor').count(), 0);
        await page.keyboard.press('a');
        await page.getByText('2 changes in refund_question').waitFor();
        assert.deepEqual(decided(), [['accepted', ['output_text']]]);
      });

    it('unfolds by key and by mouse', async () => {
      const { page, plainShown } = await open({}, { replaced: { 'editor.worker.js': undefined } });
      await plainShown();
      await page.keyboard.press('n');
      await page.getByText('7 unchanged lines').click();
      await page.getByText('Thank you for writing').waitFor();
      await page.keyboard.press('u');
      await page.getByText('7 unchanged lines').waitFor();
    });
  });

  describe('screenshots', () => {
    before(() => void mkdirSync(SCREENSHOTS, { recursive: true }));
    for (const theme of Object.keys(themes) as PageTheme[])
      it(theme, async () => {
        const { page, incidents } = await open({}, { theme });
        await page.keyboard.press('n');
        await page.getByText('7 hidden lines').first().waitFor();
        await page.screenshot({ path: `${SCREENSHOTS}/review-page-${theme}.png` });
        assert.deepEqual(incidents.errors, []);
      });
  });
});
