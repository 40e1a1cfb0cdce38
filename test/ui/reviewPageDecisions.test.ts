import assert from 'node:assert/strict';
import { textOf, useReviewPages } from '../harness/pages/reviewPageRig';
import { CHANGES, FIRST_RUN, reviewOf } from './reviewPageChanges';

const FIELDS = CHANGES.map(({ id }) => id);

describe('deciding on the review page', function () {
  this.timeout(60_000);
  const open = useReviewPages();

  describe('the keyboard', () => {
    it('steps through the changes, round and round', async () => {
      const { page, selected } = await open();
      const seen: string[] = [];
      for (const key of ['n', 'j', 'F7', 'p', 'k', 'Shift+F7']) {
        await page.keyboard.press(key);
        seen.push(await selected());
      }
      assert.deepEqual(seen, ['Output', 'Tool calls', 'Status', 'Tool calls', 'Output', 'Status']);
    });

    it('accepts and goes on, and says so', async () => {
      const { page, host, selected, titles, heard } = await open();
      await page.keyboard.press('a');
      await page.getByText('2 changes in refund_question').waitFor();
      assert.deepEqual(host.calls, [['decide', { verdict: 'accepted', changes: ['status'], stamp: 'run-2' }]]);
      assert.deepEqual(await titles(), ['Output', 'Tool calls']);
      assert.equal(await selected(), 'Output');
      await heard('Accepted: Status. 2 changes left, next: Output.');
    });

    it('rejects and goes on', async () => {
      const { page, selected, titles, decided } = await open();
      await page.keyboard.press('r');
      await page.getByText('1 rejected').waitFor();
      assert.deepEqual(decided(), [['rejected', ['status']]]);
      assert.deepEqual(await titles(), ['Status', 'Output', 'Tool calls']);
      assert.equal(await selected(), 'Output');
      await page.keyboard.press('p');
      assert.equal(await page.getByRole('button', { name: 'Reject', exact: true }).isDisabled(), true);
      await page.keyboard.press('r');
      await page.keyboard.press('a');
      await page.getByText('1 rejected').waitFor({ state: 'detached' });
      assert.deepEqual(decided().slice(1), [['accepted', ['status']]]);
    });

    it('accepts all that is left, and ends in peace', async () => {
      const { page, heard, decided } = await open();
      await page.keyboard.press('r');
      await page.getByText('1 rejected').waitFor();
      await page.keyboard.press('A');
      await page.getByRole('heading', { name: 'Nothing left to review' }).waitFor();
      assert.deepEqual(decided()[1], ['accepted', FIELDS.slice(1)]);
      await heard('Accepted: Output, Tool calls. Nothing left to review.');
      assert.match(await textOf(page.locator('.calm')), /does not include the change you rejected/);
    });

    it('decides on the same change in all files after showing them, and not on Escape', async () => {
      const { page, host, heard, titles } = await open();
      host.same = ['greeting', 'refund', 'order_status'].map((name) => ({
        path: `tapes/${name}.tape.json`,
        title: 'Status',
        before: 'failed',
        after: 'passed',
      }));
      host.change({ same: { status: 3 } });
      await page.getByText('The same change is in 2 other files.').waitFor();
      await page.keyboard.press('=');
      const dialog = page.getByRole('dialog', { name: 'Status in 3 files' });
      await dialog.getByRole('listitem').nth(2).waitFor();
      assert.deepEqual(await dialog.getByRole('listitem').allTextContents(), [
        'tapes/greeting.tape.jsonfailed becomes passed',
        'tapes/refund.tape.jsonfailed becomes passed',
        'tapes/order_status.tape.jsonfailed becomes passed',
      ]);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: /^Decide on All 3/ }).click();
      await dialog.waitFor();
      await page.keyboard.press('a');
      assert.deepEqual(host.calls, [], 'the keys of the page wait for the dialog');
      await page.keyboard.press('Enter');
      await heard('Accepted: Status in 3 files. 2 changes left, next: Output.');
      assert.deepEqual(host.calls, [['decideSame', { verdict: 'accepted' }]]);
      assert.deepEqual(await titles(), ['Output', 'Tool calls']);
    });

    it('works inside the editors, which take no text', async () => {
      const { page, selected, diffShown, textIn, decided } = await open();
      await diffShown();
      await page.locator('.editor.modified .view-lines').click();
      assert.ok(await page.evaluate(() => document.activeElement?.closest('.monaco-editor') !== null));
      await page.keyboard.press('F7');
      assert.equal(await selected(), 'Output');
      await page.keyboard.press('a');
      await page.getByText('2 changes in refund_question').waitFor();
      assert.deepEqual(decided(), [['accepted', ['output_text']]]);
      assert.doesNotMatch(await textIn('modified'), /^a/m);
    });

    it('reaches every button, and leaves the editors with Tab', async () => {
      const { page, diffShown } = await open();
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
      for (const name of [
        'Accept All',
        'Keyboard Shortcuts',
        'Side by Side',
        'Open in Diff Editor',
        'Reject',
        'Accept',
        'editor',
      ])
        assert.ok(reached.has(name), `${name} is not among ${[...reached]}`);
    });

    it('takes the last decision back, and stages', async () => {
      const { page, host } = await open();
      await page.keyboard.press('z');
      for (let i = 0; i < 50 && host.calls.length === 0; i++) await page.waitForTimeout(20);
      await page.locator('main[aria-busy="false"]').waitFor();
      await page.getByText('The last decision was undone.').waitFor({ state: 'attached' });
      await page.keyboard.press('g');
      for (let i = 0; i < 50 && host.calls.length === 1; i++) await page.waitForTimeout(20);
      assert.deepEqual(
        host.calls.map(([method]) => method),
        ['undo', 'stage'],
      );
    });

    it('shows what is hidden, with the rule, on demand', async () => {
      const [first] = CHANGES;
      assert.ok(first);
      const noise = { ...first, id: 'noise', title: 'Execution id', before: 'a-1', after: 'b-2', rules: ['run'] };
      const { page } = await open(reviewOf({ hidden: [noise] }));
      const list = page.getByRole('region', { name: 'Ignored differences' });
      await page.getByRole('button', { name: '1 difference ignored by rules' }).waitFor();
      assert.equal(await list.count(), 0);
      await page.keyboard.press('h');
      await list.waitFor();
      assert.equal(await list.innerText(), 'Execution id a-1 → b-2 run');
      await page.keyboard.press('h');
      assert.equal(await list.count(), 0);
    });

    it('opens the diff editor of VS Code', async () => {
      const { page, host } = await open();
      await page.keyboard.press('d');
      for (let i = 0; i < 50 && host.calls.length === 0; i++) await page.waitForTimeout(20);
      assert.deepEqual(host.calls, [['openDiff', { id: 'status' }]]);
    });

    it('shows its keys, and does nothing else meanwhile', async () => {
      const { page, host } = await open();
      await page.keyboard.press('?');
      const dialog = page.getByRole('dialog', { name: 'Keyboard Shortcuts' });
      await dialog.waitFor();
      await page.keyboard.press('a');
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      assert.deepEqual(host.calls, []);
    });
  });

  describe('decisions', () => {
    it('wait for one another', async () => {
      const { page, host, decided } = await open();
      let release: () => void = () => undefined;
      host.gate = new Promise((resolve) => {
        release = resolve;
      });
      await page.getByRole('button', { name: 'Accept', exact: true }).click();
      await page.locator('main[aria-busy="true"]').waitFor();
      assert.equal(decided().length, 1);
      await page.keyboard.press('r');
      await page.keyboard.press('A');
      assert.equal(decided().length, 1);
      release();
      await page.locator('main[aria-busy="false"]').waitFor();
      assert.deepEqual(
        decided().map((one) => (one as readonly [string, readonly string[]])[0]),
        ['accepted', 'rejected', 'accepted'],
      );
    });

    it('say why they failed, and can be made again', async () => {
      const { page, host, selected, titles } = await open();
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
      const { page, host } = await open();
      host.refusal = 'no';
      await page.keyboard.press('r');
      await page.getByRole('button', { name: 'Dismiss' }).click();
      await page.locator('#root').getByRole('alert').waitFor({ state: 'detached' });
    });

    it('take a first run as a whole', async () => {
      const { page, decided } = await open({
        hasBaseline: false,
        changes: [FIRST_RUN],
      });
      await page.getByText('First run of refund_question').waitFor();
      assert.equal(await page.getByRole('button', { name: 'Accept All' }).count(), 0);
      assert.equal(await page.locator('.change-list').count(), 0, 'one decision needs no list');
      assert.deepEqual(await page.locator('.recording h3').allTextContents(), ['Called refund', 'Output']);
      await page.getByRole('button', { name: 'Accept as Baseline' }).click();
      await page.getByText('The last run matches its baseline.').waitFor();
      assert.deepEqual(decided(), [['accepted', ['first']]]);
    });

    it('cannot be made where one can only look', async () => {
      const { page, host, selected } = await open({ canDecide: false });
      for (const name of ['Accept', 'Reject', 'Accept All'])
        assert.equal(await page.getByRole('button', { name, exact: true }).isDisabled(), true);
      await page.keyboard.press('a');
      await page.keyboard.press('A');
      await page.keyboard.press('n');
      assert.equal(await selected(), 'Output');
      assert.deepEqual(host.calls, []);
      await page.getByText('open a trusted workspace').waitFor();
    });

    it('are about the run that is on the screen', async () => {
      const { page, host } = await open();
      const newer = CHANGES.map((change) => ({ ...change, after: `${change.after} again` }));
      host.change({ stamp: 'run-3', changes: newer });
      await page.getByText('failed again').first().waitFor();
      await page.keyboard.press('a');
      await page.getByText('2 changes in refund_question').waitFor();
      assert.deepEqual(host.calls, [['decide', { verdict: 'accepted', changes: ['status'], stamp: 'run-3' }]]);
    });

    it('can be made when the host has answered before the first paint', async () => {
      const beforehand = `
        const later = window.setTimeout;
        window.setTimeout = (callback, delay = 0) => later(callback, delay + 2_000);
        window.requestAnimationFrame = (callback) => later(callback, 2_000);`;
      const { page, selected } = await open({}, { beforehand });
      await page.getByText('3 changes in refund_question').waitFor();
      assert.equal(await selected(), 'Status');
    });

    it('are not asked for when there is nothing to decide', async () => {
      const { page, host } = await open({ changes: [], notice: 'refund_question has not run yet.' });
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
});
