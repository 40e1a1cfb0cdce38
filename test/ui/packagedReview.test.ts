import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pressCommand } from '../harness/keyboard';
import { tellPackaged } from '../harness/packaged';
import { openTapedeck } from '../harness/sidebar';
import { webviewFrame } from '../harness/vscode/workbench.mjs';

const nameOf = (number: number): string => `answer_${String(number).padStart(2, '0')}.tape.json`;
const NUMBERS = Array.from({ length: 20 }, (_, index) => index + 1);
/** The first is deleted, the last is new, and those between are recorded again. */
const [GONE, ADDED] = [1, 20];
const REJECTED = nameOf(7);

tellPackaged('a review of 20 files by keys', (story) => {
  const review = () => webviewFrame(story().page);
  const heading = (text: string | RegExp) => review().getByRole('heading', { name: text });
  /** Reading the other surfaces takes the focus from the panel. */
  const focusReview = () => review().locator('h1').click();
  const press = (key: string) => story().page.keyboard.press(key);
  const pane = () =>
    story()
      .page.locator('.pane')
      .filter({ has: story().page.locator('.pane-header[aria-label^="Review"]') });
  const section = (text: RegExp) => pane().locator('.monaco-list-row').filter({ hasText: text }).first();
  const write = (number: number, text: string) => writeFileSync(join(story().workspace, 'tapes', nameOf(number)), text);

  it('begins with twenty files that changed', async () => {
    const original = story().read('tapes/order_status.tape.json');
    for (const number of NUMBERS.filter((one) => one !== ADDED)) write(number, original);
    story().git('add', '-A');
    story().git('-c', 'user.name=Story', '-c', 'user.email=story@example.invalid', 'commit', '-qm', 'Twenty tapes');
    for (const number of NUMBERS.filter((one) => one !== GONE)) {
      const recorded = original.replaceAll('expected: **Thursday**', `expected: **Friday**, by ${number} o'clock`);
      write(number, number % 3 === 0 ? recorded.replace('"order": "4711"', '"order": "4712"') : recorded);
    }
    // Of another conversation: a new tape that says what the one that is gone said is that one, renamed.
    write(ADDED, story().read('tapes/refund_question.tape.json'));
    rmSync(join(story().workspace, 'tapes', nameOf(GONE)));
    await openTapedeck(story());
    await section(/^Pending.*20/).waitFor();
    await story().agree();
    await story().picture('1-twenty');
  });

  it('opens the first one, and accepts it with a key', async () => {
    await pressCommand(story().page, 'Tapedeck: Review Changes');
    await heading(`1 change in ${nameOf(GONE)}`).waitFor();
    await heading('Tape removed').waitFor();
    await focusReview();
    await story().picture('2-deleted');
    await press('a');
    await heading(new RegExp(`in ${nameOf(2)}$`)).waitFor();
    await review().locator('.monaco-diff-editor .char-insert').first().waitFor();
    await story().picture('3-change');
  });

  it('goes on by keys: each file leads to the next, one is rejected, and that is undone and done again', async () => {
    await focusReview();
    for (const number of NUMBERS.slice(1, -1)) {
      const name = nameOf(number);
      await heading(new RegExp(`in ${name}$`)).waitFor();
      await press(name === REJECTED ? 'R' : 'A');
      if (name !== REJECTED) continue;
      await heading(new RegExp(`in ${nameOf(number + 1)}$`)).waitFor();
      await press('z');
      await heading(new RegExp(`in ${name}$`)).waitFor();
      await press('R');
    }
    await heading(`1 change in ${nameOf(ADDED)}`).waitFor();
    await heading('What the agent did').waitFor();
    assert.equal(await review().locator('.change-list').count(), 0, 'a new tape is one decision');
    await review().locator('.recording h3', { hasText: 'User' }).first().waitFor();
    await story().picture('4-new-tape');
  });

  it('ends with what comes next, stages what was accepted, and leaves nothing after the commit', async () => {
    await focusReview();
    await press('a');
    await heading('Nothing left to review').waitFor();
    await review().getByRole('button', { name: 'Stage All Accepted' }).waitFor();
    await review().getByText('files are reviewed.').waitFor();
    await story().picture('5-end');
    await press('G');
    await story().page.locator('.notification-toast', { hasText: 'Staged 19 files.' }).waitFor();
    await review().getByRole('button', { name: 'Stage All Accepted' }).waitFor({ state: 'detached' });
    const staged = story().git('diff', '--cached', '--no-renames', '--name-only').trim().split('\n');
    assert.equal(staged.length, 19);
    assert.ok(!staged.includes(`tapes/${REJECTED}`));
    await focusReview();
    await press('C');
    await story().page.locator('.activitybar .action-item.checked a[aria-label^="Source Control"]').waitFor();
    await story().picture('6-source-control');
    story().git('-c', 'user.name=Story', '-c', 'user.email=story@example.invalid', 'commit', '-qm', 'Reviewed');
    await openTapedeck(story());
    await pane().getByText('Nothing to review.').waitFor();
    await story().agree();
    await story().picture('7-nothing-left');
  });

  it('lists a tape once whose deletion is staged while a copy of it is left', async () => {
    const name = nameOf(2);
    story().git('rm', '-q', '--cached', `tapes/${name}`);
    write(2, story().read(`tapes/${name}`).replaceAll('Nordpost', 'Suedpost'));
    const rows = pane().locator('.monaco-list-row').filter({ hasText: name });
    await rows.first().waitFor();
    await pane().getByText('1 file', { exact: true }).waitFor();
    assert.equal(await rows.count(), 1);
  });
});
