import * as assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FrameLocator, Page } from 'playwright-core';
import { expandRow, lens, openView, treeRow } from '../harness/sidebar';
import { stopAtFailure } from '../harness/stopAtFailure';
import { endAfterAll, projectRoot, type Story, startStory } from '../harness/story';
import { runCommand, shoot, webviewFrame } from '../harness/vscode/workbench.mjs';

const CASE = 'cases/refund_question.toml';
const TAPE = 'tapes/refund_question.tape.json';

/** Changes to the files of a project, made from a transcript by keyboard in the real VS Code. */
describe('what a transcript changes', () => {
  stopAtFailure();
  let story: Story;
  let page: Page;

  before(async () => {
    story = await startStory();
    page = story.page;
  });
  endAfterAll(() => story, 'transcript-fix-story');

  const transcript = (): FrameLocator => webviewFrame(page);
  const article = (interaction: number) => transcript().locator(`article[data-interaction="${interaction}"]`).first();
  const write = (path: string, text: string): void => writeFileSync(join(story.workspace, path), text);
  const notice = (text: string) => transcript().getByRole('status').getByText(text);

  /** Exit code 1: the response differs from the baseline's. */
  function engine(...args: readonly string[]): void {
    const run = spawnSync(process.execPath, [join(projectRoot, 'dist/engine.js'), ...args], {
      cwd: story.workspace,
      encoding: 'utf8',
    });
    assert.ok(run.status === 0 || run.status === 1, `${run.stdout}${run.stderr}`);
  }

  async function showTape(caseName: string, tape: string): Promise<void> {
    await expandRow(story, caseName, tape);
    await treeRow(story, tape).click();
    await article(0).waitFor();
  }

  /** The content of a file, once it is the expected one. */
  async function eventually(path: string, isRight: (text: string) => boolean): Promise<string> {
    for (let tries = 0; tries < 100; tries += 1) {
      const text = readFileSync(join(story.workspace, path), 'utf8');
      if (isRight(text)) return text;
      await page.waitForTimeout(100);
    }
    return assert.fail(`${path} is ${readFileSync(join(story.workspace, path), 'utf8')}`);
  }

  /** Reaches a control with Tab, from the message of an interaction. */
  async function tabTo(interaction: number, button: RegExp): Promise<void> {
    await article(interaction).focus();
    for (let presses = 0; presses < 20; presses += 1) {
      await page.keyboard.press('Tab');
      const focused = await transcript().locator('button:focus').allInnerTexts();
      if (focused.some((text) => button.test(text))) return;
    }
    assert.fail(`Tab does not lead to ${button}`);
  }

  it('adds an interaction, which can be undone', async () => {
    await openView(page, 'Tapedeck');
    const original = story.read('tapes/order_status.tape.json');
    const { length } = JSON.parse(original).interactions;
    await showTape('order_status', 'order_status.tape.json');
    await article(0).focus();
    await page.keyboard.press('Alt+Enter');
    await transcript().getByRole('textbox', { name: 'Response' }).waitFor();
    await page.keyboard.press('Escape');
    await notice('Removed the new interaction 2').waitFor();
    await page.locator('.tab.active:not(.dirty)').filter({ hasText: 'order_status.tape.json' }).waitFor();
    await page.keyboard.press('Alt+Enter');
    await transcript().getByRole('textbox', { name: 'Response' }).waitFor();
    await notice('Added interaction 2').waitFor();
    await page.keyboard.type('All of it.');
    await page.keyboard.press('Control+Enter');
    await notice('Changed the response of interaction 2').waitFor();
    await page.keyboard.press('Control+S');
    const added = await eventually('tapes/order_status.tape.json', (text) => /All of it\.[\s\S]*\}$/.test(text));
    assert.equal(JSON.parse(added).interactions.length, length + 1);
    await article(1).focus();
    await page.keyboard.press('Control+Z');
    await transcript().getByText('All of it.').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+Z');
    await article(length).waitFor({ state: 'detached' });
    await page.keyboard.press('Control+S');
    await eventually('tapes/order_status.tape.json', (text) => text === original);
  });

  it('shows what a redaction would change, changes it then, and takes it back', async () => {
    const original = story.read('tapes/order_status.tape.json');
    await article(0).focus();
    await page.keyboard.press('.');
    await transcript().getByRole('menuitem', { name: 'Redact' }).press('Enter');
    await page.locator('.quick-input-widget:visible input').first().fill('4711');
    await page.keyboard.press('Enter');
    const dialog = transcript().getByRole('dialog');
    const places = original.split('4711').length - 1;
    await dialog.getByRole('heading', { name: `Redact ${places} occurrences` }).waitFor();
    await transcript().locator('dialog .button:focus').waitFor();
    await shoot(page, 'transcript-fix-story-redact');
    assert.equal(story.read('tapes/order_status.tape.json'), original);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await notice('Replaced the value with a placeholder').waitFor();
    await page.keyboard.press('Control+S');
    await eventually('tapes/order_status.tape.json', (text) => text === original.replaceAll('4711', 'REDACTED-1'));
    await article(0).focus();
    await page.keyboard.press('Control+Z');
    await transcript().getByText('REDACTED-1').first().waitFor({ state: 'detached' });
    await page.keyboard.press('Control+S');
    await eventually('tapes/order_status.tape.json', (text) => text === original);
  });

  it('masks what differs, by a key on the card of a drift', async () => {
    await runCommand(page, 'View: Close All Editors');
    const dated = (date: string): string =>
      readFileSync(join(projectRoot, 'media/sample', CASE), 'utf8')
        .replace('order 4711?', `order 4711, bought on ${date}?`)
        .replace('[llm]\n', '[llm.replay]\nmatch = "exact"\n\n[llm]\n');
    write(CASE, dated('2026-04-04'));
    engine('run', CASE, '--record');
    engine('accept', CASE);
    story.git('add', '-A');
    story.git('-c', 'user.name=Story', '-c', 'user.email=story@example.invalid', 'commit', '-qm', 'Dated');
    write(CASE, dated('2026-05-31'));
    await treeRow(story, 'refund_question').dblclick();
    await lens(story, 'Replay').waitFor();
    await page.locator('.view-lines').getByText('2026-05-31').first().waitFor();
    await showTape('refund_question', 'refund_question.tape.json');
    await runCommand(page, 'View: Move Editor into Right Group');
    await treeRow(story, 'refund_question').click();
    await lens(story, 'Replay').click();
    await transcript().locator('.drift').waitFor();
    await page.locator('.test-error-content-widget').getByText('2026-04-04 → 2026-05-31').waitFor();
    await page.locator('.notification-toast').getByRole('button', { name: 'Mask Dates' }).waitFor();
    await shoot(page, 'transcript-fix-story-drift');
    await tabTo(0, /^Mask Dates$/);
    await page.keyboard.press('Enter');
    await page.locator('.view-lines').getByText('mask').first().waitFor();
    const masked = await eventually(CASE, (text) => text.includes('mask'));
    assert.match(masked, /\[llm\.replay\]\nmatch = "exact"\nmask = \["date"\]\n/);
    // It is replayed with the mask.
    await transcript().locator('.drift').waitFor({ state: 'detached' });
    assert.equal(story.git('status', '--porcelain', TAPE), '', 'the tape is as it was');
  });

  it('records all of it anew, by a key on the card, after asking', async () => {
    const before = story.read(TAPE);
    write(CASE, story.read(CASE).replace('Can I return', 'May I send back'));
    await page.locator('.view-lines').getByText('May I send back').first().waitFor();
    await lens(story, 'Replay').click();
    await transcript().locator('.drift').waitFor();
    await tabTo(0, /^Re-record from #1/);
    await page.keyboard.press('Enter');
    const dialog = page.locator('.monaco-dialog-box');
    await dialog.getByRole('button', { name: 'Re-record' }).waitFor();
    assert.equal(story.read(TAPE), before, 'nothing is recorded unasked');
    await page.keyboard.press('Enter');
    await eventually(TAPE, (text) => text.includes('May I send back'));
    await transcript().locator('.drift').waitFor({ state: 'detached' });
    const takes = join(story.workspace, '.tapedeck/takes');
    assert.ok(existsSync(takes));
    const kept = readdirSync(takes, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('Z.json'));
    assert.ok(
      kept.some((name) => readFileSync(join(takes, name), 'utf8') === before),
      'the take before is kept',
    );
  });

  it('says beside the numbers how they were in the last commit', async () => {
    await transcript().locator('.delta').first().waitFor();
    await shoot(page, 'transcript-fix-story-earlier');
    story.git('-c', 'user.name=Story', '-c', 'user.email=story@example.invalid', 'commit', '-qam', 'Recorded anew');
    await runCommand(page, 'View: Close All Editors');
    await showTape('refund_question', 'refund_question.tape.json');
    await page.waitForTimeout(1500);
    assert.equal(await transcript().locator('.delta').count(), 0, 'of what is committed there is nothing to say');
  });
});
