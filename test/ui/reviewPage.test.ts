import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import type { ReviewState } from '../../src/protocol/review';
import { FakeHost, type Incidents, type PageTheme, type ReviewPageOptions, ReviewPages } from './reviewPage';
import { CHANGES, reviewOf } from './reviewPageChanges';
import themes from './reviewPageThemes.json';

const SCREENSHOTS = resolve(__dirname, '../screenshots/actual');
const FIELDS = CHANGES.map(({ field }) => field);

const textOf = async (locator: Locator) => (await locator.textContent()) ?? '';

describe('the review page, in a browser', function () {
  this.timeout(30_000);
  let pages: ReviewPages;
  let host: FakeHost;
  let page: Page;
  let incidents: Incidents;

  before(async () => {
    pages = await ReviewPages.start();
  });
  after(() => pages.stop());
  afterEach(async () => {
    await page.context().close();
    assert.deepEqual(incidents.cspViolations, []);
    assert.deepEqual(incidents.foreignRequests, []);
  });

  async function open(state: Partial<ReviewState> = {}, options?: ReviewPageOptions): Promise<void> {
    host = new FakeHost(reviewOf(state));
    ({ page, incidents } = await pages.open(host, options));
    await page.locator('h1, h2').first().waitFor();
  }

  const selected = () => textOf(page.locator('.change[aria-current="true"] .title'));
  const titles = () => page.locator('.change .title').allTextContents();
  /** Waits until a screen reader is told so. */
  const heard = (text: string) =>
    page.locator('#root [aria-live]', { hasText: text }).waitFor({ state: 'attached', timeout: 5_000 });
  const diffShown = () => page.locator('.monaco-diff-editor .char-insert').first().waitFor();
  const plainShown = () => page.locator('.plain-diff').waitFor();
  /** What is in one half of the diff, as it is read. */
  const textIn = async (half: 'original' | 'modified') => {
    const lines = await page.locator(`.editor.${half} .view-line`).allTextContents();
    return lines.join('\n').replaceAll('\u00a0', ' ');
  };
  const decidedFields = () => host.calls.map(([method, params]) => [method, (params as { fields: string[] }).fields]);

  describe('the diff', () => {
    it('shows both texts, compared by a worker that was started from a blob', async () => {
      await open();
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
      await open();
      await page.locator('.change').nth(2).click();
      await page.getByText('"amount"').first().waitFor();
      const colorOf = (text: string) =>
        page
          .locator('.editor.modified .view-line span span')
          .filter({ hasText: text })
          .first()
          .evaluate((element) => getComputedStyle(element).color);
      assert.notEqual(await colorOf('"amount"'), await colorOf('"A-1093"'));
    });

    it('goes inline on demand and where it is narrow, and remembers what was asked for', async () => {
      await open();
      const beside = page.locator('.monaco-diff-editor.side-by-side');
      await beside.waitFor();
      await page.setViewportSize({ width: 520, height: 700 });
      await beside.waitFor({ state: 'detached' });
      await page.setViewportSize({ width: 1200, height: 700 });
      await beside.waitFor();
      await page.keyboard.press('s');
      await beside.waitFor({ state: 'detached' });
      const stored = await page.evaluate('storedState');
      const { caseUri } = host.state;
      assert.deepEqual(stored, { caseUri, sideBySide: false, selected: 'status' });
    });

    it('comes back as it was left', async () => {
      const stored = {
        caseUri: 'file:///project/cases/refund_question.toml',
        sideBySide: false,
        selected: 'tool_calls',
      };
      await open({}, { stored });
      await page.locator('.monaco-diff-editor:not(.side-by-side)').waitFor();
      assert.equal(await selected(), 'Tool calls');
    });

    it('folds and unfolds what is unchanged', async () => {
      await open();
      await page.keyboard.press('n');
      await page.getByText('7 hidden lines').first().waitFor();
      await page.keyboard.press('u');
      await page.getByText('Thank you for writing').first().waitFor();
      assert.equal(await page.getByText('7 hidden lines').count(), 0);
    });

    it('shows what is only on one side without marking all of it', async () => {
      const output = { ...CHANGES[1], before: '' } as (typeof CHANGES)[number];
      await open({ changes: [output], hasBaseline: false });
      await page.getByText('Only in this run').waitFor();
      await page.getByText('Thank you for writing').waitFor();
      assert.equal(await page.locator('.char-insert, .line-insert, .char-delete').count(), 0);
    });

    it('follows the theme while it is open', async () => {
      await open({}, { theme: 'dark' });
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
      await open();
      for (let step = 0; step < 14; step++) await page.keyboard.press('n');
      await page.locator('.change').nth(1).click();
      await page.getByText('7 hidden lines').first().waitFor();
      assert.match(await textIn('modified'), /Is there anything else/);
      await page.waitForTimeout(200);
      assert.deepEqual(incidents.errors, []);
    });

    it('takes texts of a megabyte', async () => {
      const lines = (seed: number) =>
        Array.from(
          { length: 20_000 },
          (_, index) => `line ${index} says ${index % 7 === 0 ? seed * index : index} and more of it`,
        );
      const [before, after] = [lines(1).join('\n'), lines(3).join('\n')];
      const change = { ...CHANGES[1], before, after } as (typeof CHANGES)[number];
      await open({ changes: [change, ...CHANGES.slice(2)] });
      await diffShown();
      await page.keyboard.press('n');
      await page.getByText('"amount"').first().waitFor();
      assert.equal(await selected(), 'Tool calls');
      assert.deepEqual(incidents.errors, []);
    });

    it('shows recorded text as text, whatever it says', async () => {
      const evil = `<img src="https://evil.example/x.png" onerror="document.title='owned'"><script>document.title='owned'</script>`;
      const change = { ...CHANGES[1], before: 'harmless', after: evil } as (typeof CHANGES)[number];
      await open({ changes: [change], caseName: evil });
      await diffShown();
      assert.equal((await textIn('modified')).replaceAll('\n', ''), evil);
      assert.match(await textOf(page.locator('h1')), /<script>/);
      assert.equal(await page.title(), 'Review');
    });
  });

  describe('the keyboard', () => {
    it('steps through the changes, round and round', async () => {
      await open();
      const seen: string[] = [];
      for (const key of ['n', 'j', 'F7', 'p', 'k', 'Shift+F7']) {
        await page.keyboard.press(key);
        seen.push(await selected());
      }
      assert.deepEqual(seen, ['Output', 'Tool calls', 'Status', 'Tool calls', 'Output', 'Status']);
    });

    it('accepts and goes on, and says so', async () => {
      await open();
      await page.keyboard.press('a');
      await page.getByText('2 changes in refund_question').waitFor();
      assert.deepEqual(host.calls, [['accept', { fields: ['status'], executionId: 'run-2' }]]);
      assert.deepEqual(await titles(), ['Output', 'Tool calls']);
      assert.equal(await selected(), 'Output');
      await heard('Status accepted. 2 changes left, Output next.');
    });

    it('rejects and goes on', async () => {
      await open();
      await page.keyboard.press('r');
      await page.getByText('1 rejected').waitFor();
      assert.deepEqual(decidedFields(), [['reject', ['status']]]);
      assert.deepEqual(await titles(), ['Status', 'Output', 'Tool calls']);
      assert.equal(await selected(), 'Output');
      await page.keyboard.press('p');
      assert.equal(await page.getByRole('button', { name: 'Reject', exact: true }).isDisabled(), true);
      await page.keyboard.press('r');
      await page.keyboard.press('a');
      await page.getByText('1 rejected').waitFor({ state: 'detached' });
      assert.deepEqual(decidedFields().slice(1), [['accept', ['status']]]);
    });

    it('accepts all that is left, and ends in peace', async () => {
      await open();
      await page.keyboard.press('r');
      await page.getByText('1 rejected').waitFor();
      await page.keyboard.press('A');
      await page.getByRole('heading', { name: 'Nothing left to review' }).waitFor();
      assert.deepEqual(decidedFields()[1], ['accept', FIELDS.slice(1)]);
      await heard('Output, Tool calls accepted. Nothing left to review.');
      assert.match(await textOf(page.locator('.calm')), /without the change you rejected/);
    });

    it('works inside the editors, which take no text', async () => {
      await open();
      await diffShown();
      await page.locator('.editor.modified .view-lines').click();
      assert.ok(await page.evaluate(() => document.activeElement?.closest('.monaco-editor') !== null));
      await page.keyboard.press('F7');
      assert.equal(await selected(), 'Output');
      await page.keyboard.press('a');
      await page.getByText('2 changes in refund_question').waitFor();
      assert.deepEqual(decidedFields(), [['accept', ['output_text']]]);
      assert.doesNotMatch(await textIn('modified'), /^a/m);
    });

    it('reaches every button, and leaves the editors with Tab', async () => {
      await open();
      await diffShown();
      const reached = new Set<string>();
      for (let press = 0; press < 20; press++) {
        await page.keyboard.press('Tab');
        reached.add(
          await page.evaluate(() => {
            const element = document.activeElement;
            return element?.closest('.monaco-editor')
              ? 'editor'
              : (element?.getAttribute('aria-label') ?? element?.textContent ?? '');
          }),
        );
      }
      for (const name of ['Accept all', 'Keys', 'Side by side', 'Open in diff editor', 'Reject', 'Accept', 'editor'])
        assert.ok(reached.has(name), `${name} is not among ${[...reached]}`);
    });

    it('opens the diff editor of VS Code', async () => {
      await open();
      await page.keyboard.press('d');
      for (let i = 0; i < 50 && host.calls.length === 0; i++) await page.waitForTimeout(20);
      assert.deepEqual(host.calls, [['openDiff', { field: 'status' }]]);
    });

    it('shows its keys, and does nothing else meanwhile', async () => {
      await open();
      await page.keyboard.press('?');
      const dialog = page.getByRole('dialog', { name: 'Keys' });
      await dialog.waitFor();
      await page.keyboard.press('a');
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      assert.deepEqual(host.calls, []);
    });
  });

  describe('decisions', () => {
    it('wait for one another', async () => {
      await open();
      let release: () => void = () => undefined;
      host.gate = new Promise((resolve) => {
        release = resolve;
      });
      await page.getByRole('button', { name: 'Accept', exact: true }).click();
      await page.locator('main[aria-busy="true"]').waitFor();
      assert.equal(await page.getByRole('button', { name: 'Reject', exact: true }).isDisabled(), true);
      await page.keyboard.press('a');
      await page.keyboard.press('A');
      release();
      await page.locator('main[aria-busy="false"]').waitFor();
      assert.deepEqual(decidedFields(), [['accept', ['status']]]);
    });

    it('say why they failed, and can be made again', async () => {
      await open();
      host.refusal = 'refund_question.baseline.json cannot be written: the disk is full.';
      await page.keyboard.press('a');
      const alert = page.locator('#root').getByRole('alert');
      await alert.waitFor();
      assert.match(await textOf(alert), /baseline\.json cannot be written: the disk is full/);
      assert.equal(await selected(), 'Status');
      assert.equal((await titles()).length, 3);
      host.refusal = undefined;
      await page.keyboard.press('a');
      await page.getByText('2 changes in refund_question').waitFor();
      assert.equal(await alert.count(), 0);
      assert.equal(await selected(), 'Output');
    });

    it('let go of an error that was read', async () => {
      await open();
      host.refusal = 'no';
      await page.keyboard.press('r');
      await page.getByRole('button', { name: 'Dismiss' }).click();
      await page.locator('#root').getByRole('alert').waitFor({ state: 'detached' });
    });

    it('take a first run as a whole', async () => {
      await open({ hasBaseline: false, changes: CHANGES.map((change) => ({ ...change, before: '' })) });
      await page.getByText('First run of refund_question').waitFor();
      assert.equal(await page.getByRole('button', { name: 'Accept all' }).count(), 0);
      await page.getByRole('button', { name: 'Accept as baseline' }).click();
      await page.getByText('The last run is the same as its baseline.').waitFor();
      assert.deepEqual(decidedFields(), [['accept', FIELDS]]);
    });

    it('cannot be made where one can only look', async () => {
      await open({ canDecide: false });
      for (const name of ['Accept', 'Reject', 'Accept all'])
        assert.equal(await page.getByRole('button', { name, exact: true }).isDisabled(), true);
      await page.keyboard.press('a');
      await page.keyboard.press('A');
      await page.keyboard.press('n');
      assert.equal(await selected(), 'Output');
      assert.deepEqual(host.calls, []);
      await page.getByText('in a trusted workspace').waitFor();
    });

    it('are about the run that is on the screen', async () => {
      await open();
      const newer = CHANGES.map((change) => ({ ...change, after: `${change.after} again` }));
      host.change({ executionId: 'run-3', changes: newer });
      await page.getByText('failed again').first().waitFor();
      await page.keyboard.press('a');
      await page.getByText('2 changes in refund_question').waitFor();
      assert.deepEqual(host.calls, [['accept', { fields: ['status'], executionId: 'run-3' }]]);
    });

    it('are not asked for when there is nothing to decide', async () => {
      await open({ changes: [], notice: 'refund_question has not run yet.' });
      await page.getByText('refund_question has not run yet.').waitFor();
      await page.keyboard.press('a');
      await page.keyboard.press('n');
      await page.keyboard.press('d');
      assert.deepEqual(host.calls, []);
      host.state = reviewOf();
      host.change({});
      await page.getByText('3 changes in refund_question').waitFor();
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
      'no Monaco at all': { replaced: { 'monacoDiff.js': undefined }, says: /does not work here/ },
      'no styles for it': { replaced: { 'monacoDiff.css': undefined }, says: /styles cannot be loaded/ },
    };

    for (const [what, { replaced, says }] of Object.entries(broken))
      it(`${what}: shows a text diff and says why, once`, async () => {
        await open({}, { replaced });
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
        assert.deepEqual(decidedFields(), [['accept', ['output_text']]]);
      });

    it('unfolds by key and by mouse', async () => {
      await open({}, { replaced: { 'editor.worker.js': undefined } });
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
        await open({}, { theme });
        await page.keyboard.press('n');
        await page.getByText('7 hidden lines').first().waitFor();
        await page.screenshot({ path: `${SCREENSHOTS}/review-page-${theme}.png` });
        assert.deepEqual(incidents.errors, []);
      });
  });
});
