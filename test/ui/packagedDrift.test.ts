import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFile, pressCommand } from '../harness/keyboard';
import { tellPackaged } from '../harness/packaged';
import { lens, openTapedeck } from '../harness/sidebar';
import { reloadWithEditor } from '../harness/storedEditors';
import { projectRoot } from '../harness/story';
import { webviewFrame } from '../harness/vscode/workbench.mjs';

const NAMES = ['daily_report', 'morning_mail', 'order_of_today'];

/** A case whose prompt has the date of the day on which it runs. */
const caseText = (name: string, date: string): string => `name = "${name}"
prompt = "Today is ${date}. Can I return order 4711?"

[llm.replay]
match = "exact"

[llm]
tape = "../tapes/${name}.tape.json"

[llm.provider]
kind = "practice"
`;

tellPackaged('a drift from red to mended', (story) => {
  const write = (date: string): void => {
    for (const name of NAMES) writeFileSync(join(story().workspace, `cases/${name}.toml`), caseText(name, date));
  };
  const toast = (text: string) => story().page.locator('.notification-toast').filter({ hasText: text });

  function engine(...args: readonly string[]): void {
    const { workspace: cwd } = story();
    const run = spawnSync(process.execPath, [join(projectRoot, 'dist/engine.js'), ...args], { cwd, encoding: 'utf8' });
    assert.ok(run.status === 0 || run.status === 1, `${run.stdout}${run.stderr}`);
  }

  it('begins with cases that were recorded yesterday', async () => {
    write('2026-11-22');
    const files = NAMES.map((name) => `cases/${name}.toml`);
    engine('run', ...files, '--record');
    engine('accept', ...files);
    rmSync(join(story().workspace, '.tapedeck'), { recursive: true });
    story().git('add', '-A');
    story().git('-c', 'user.name=Story', '-c', 'user.email=story@example.invalid', 'commit', '-qm', 'Yesterday');
    write('2026-11-23');
    await openTapedeck(story());
  });

  it('shows beside the case what differs, after the first click', async () => {
    const { page } = story();
    await openFile(page, 'daily_report.toml');
    await lens(story(), 'Replay').click();
    await page
      .locator('.test-error-content-widget')
      .getByText(/^user: 2026-11-22 → 2026-11-23$/)
      .waitFor();
    await toast('daily_report drifted: user: 2026-11-22 → 2026-11-23').waitFor();
    await story().agree({ daily_report: 'failed' });
    await story().picture('1-red');
  });

  it('shows it with one action, after the second', async () => {
    const { page } = story();
    await page.locator('.test-error-content-widget').click();
    const peek = page.locator('.peekview-widget');
    await peek.locator('.filename').getByText('user: 2026-11-22 → 2026-11-23').waitFor();
    assert.deepEqual(await peek.locator('del, ins').allTextContents(), ['22', '23']);
    await peek.locator('a').getByText('Mask Dates').waitFor();
    await story().picture('2-peek');
  });

  it('is mended after the third, by a mask that can be undone', async () => {
    const { page } = story();
    await page.locator('.peekview-widget a').getByText('Mask Dates').click();
    await story().agree({ daily_report: 'passed' });
    assert.match(story().read('cases/daily_report.toml'), /\[llm\.replay\]\nmatch = "exact"\nmask = \["date"\]\n/);
    assert.equal(story().git('status', '--porcelain', 'tapes'), '', 'the tapes are as they were');
    await page.locator('.editor-instance .line-numbers').getByText('1', { exact: true }).first().waitFor();
    await story().picture('3-green');
  });

  it('sums up a run of all cases, and groups the drifts by their cause', async () => {
    const { page } = story();
    await pressCommand(page, 'Notifications: Clear All Notifications');
    await pressCommand(page, 'Tapedeck: Replay All');
    const summary = toast('6 cases: 3 passed, 2 drifted, 1 to review.');
    await summary.waitFor();
    await story().picture('4-summary');
    await summary.getByRole('button', { name: 'Fix All…' }).click();
    const report = webviewFrame(page);
    await report.getByRole('heading', { name: '2 cases drifted because dates changed' }).waitFor();
    await story().picture('5-fix-all');
  });

  it('shows the summary again after the window was loaded anew', async () => {
    const { page } = story();
    await reloadWithEditor(page, ['tapedeck.summary', 'morning_mail.toml']);
    await webviewFrame(page).getByRole('heading', { name: '2 cases drifted because dates changed' }).waitFor();
    await story().agree({ morning_mail: 'failed', order_of_today: 'failed', daily_report: 'passed' });
  });

  it('masks all of them in one edit, which is shown first', async () => {
    const { page } = story();
    const report = webviewFrame(page);
    await report.getByRole('button', { name: 'Mask Dates in 2 Cases…' }).click();
    const write = report.getByRole('button', { name: 'Write to 2 Files and Replay' });
    await write.waitFor();
    assert.deepEqual(await report.locator('pre ins').allTextContents(), ['mask = ["date"]\n', 'mask = ["date"]\n']);
    assert.doesNotMatch(story().read('cases/morning_mail.toml'), /mask/);
    await story().picture('6-preview');
    await write.click();
    await toast('Masked dates in 2 cases. 2 of 2 passed.').waitFor();
    for (const name of NAMES) assert.match(story().read(`cases/${name}.toml`), /mask = \["date"\]/);
    await story().agree({ morning_mail: 'passed', order_of_today: 'passed' });
    await story().picture('7-mended');
  });

  it('takes it back with one click', async () => {
    await toast('Masked dates in 2 cases.').getByRole('button', { name: 'Undo' }).click();
    await story().agree({ morning_mail: 'failed', order_of_today: 'failed', daily_report: 'passed' });
    assert.doesNotMatch(story().read('cases/morning_mail.toml'), /mask/);
  });

  it('checks the machine, from the palette', async () => {
    const { page } = story();
    await pressCommand(page, 'Tapedeck: Check This Machine');
    await page.locator('.tab.active').filter({ hasText: 'tapedeck-self-check.txt' }).waitFor();
    await page
      .locator('.view-line')
      .filter({ hasText: 'installation' })
      .filter({ hasText: 'all files present' })
      .waitFor();
    await story().picture('8-self-check');
  });
});
