import * as assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FrameLocator, Page } from 'playwright-core';
import { expandRow, lens, openView, treeRow } from '../harness/sidebar';
import { stopAtFailure } from '../harness/stopAtFailure';
import { endAfterAll, projectRoot, type Story, startStory } from '../harness/story';
import { runCommand, shoot, webviewFrame } from '../harness/vscode/workbench.mjs';

/** A transcript together with the rest of VS Code. */
describe('a transcript in VS Code', () => {
  stopAtFailure();
  let story: Story;
  let page: Page;

  before(async () => {
    story = await startStory();
    page = story.page;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await openView(page, 'Tapedeck');
  });
  endAfterAll(() => story, 'transcript-story');

  const transcript = (): FrameLocator => webviewFrame(page);
  const article = (interaction: number) => transcript().locator(`article[data-interaction="${interaction}"]`).first();
  const focused = (interaction: number) =>
    transcript().locator(`article[data-interaction="${interaction}"]:focus`).first();

  const engine = (...args: readonly string[]) =>
    spawnSync(process.execPath, [join(projectRoot, 'dist/engine.js'), ...args], {
      cwd: story.workspace,
      encoding: 'utf8',
    });
  const linesOf = (text: string): readonly string[] => text.split(/\r?\n/).filter((line) => line.trim() !== '');

  it('copies a link to an interaction, and opens it there', async () => {
    await expandRow(story, 'order_status', 'order_status.tape.json');
    await treeRow(story, 'order_status.tape.json').click();
    await article(1).focus();
    await page.keyboard.press('l');
    await transcript().getByText('Copied a link to interaction 2').waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(link, /^[\w-]+:\/\/tapedeck\.tapedeck\/tape\?file=tapes\/order_status\.tape\.json&interaction=2$/);
    await runCommand(page, 'View: Close All Editors');
    await page.locator('iframe.webview:visible').waitFor({ state: 'detached' });
    await runCommand(page, 'Developer: Open URL');
    await page.locator('.quick-input-widget:visible input').first().fill(link);
    await page.keyboard.press('Enter');
    await page.locator('.monaco-dialog-box').getByRole('button', { name: 'Open', exact: true }).click();
    await focused(1).waitFor();
  });

  it('opens the source of an interaction, and from there the interaction again', async () => {
    await article(1).focus();
    await page.keyboard.press('X');
    await page.locator('.editor-instance .view-lines').first().waitFor();
    await runCommand(page, 'Tapedeck: Open Tape as Transcript');
    await focused(1).first().waitFor();
    await runCommand(page, 'View: Close All Editors');
    await treeRow(story, 'order_status.tape.json').click();
    await article(0).waitFor();
  });

  it('marks in its outline what is being read, and forgets a filter that was removed', async () => {
    await article(0).focus();
    await page.keyboard.press('o');
    const read = transcript().locator('.outline-line[aria-current="location"]');
    await read.waitFor();
    await article(1).focus();
    await read.getByText('#2', { exact: true }).waitFor();
    await article(0).focus();
    await read.getByText('#1', { exact: true }).waitFor();
    await page.keyboard.press('o');
    await page.keyboard.press('f');
    await page.keyboard.type('model:nobody');
    await transcript().getByText('No messages match').waitFor();
    await transcript().getByLabel('Remove Filter').click();
    await article(1).waitFor();
    await treeRow(story, 'refund_question').dblclick();
    await page.locator('iframe.webview:visible').waitFor({ state: 'detached' });
    await page.locator('.tab').filter({ hasText: 'order_status.tape.json' }).click();
    await article(1).waitFor();
    assert.equal(await transcript().locator('.filter-bar').count(), 0);
    assert.equal(await transcript().locator('.outline').count(), 0);
  });

  it('opens as text, which is what a screen reader can read line by line', async () => {
    await article(0).focus();
    await page.keyboard.press('Alt+F1');
    await transcript().getByRole('dialog').getByText('Screen Readers').waitFor();
    await page.keyboard.press('Escape');
    await article(1).focus();
    await page.keyboard.press('Alt+F2');
    const lines = page.locator('.editor-instance .view-lines').first();
    await lines.getByText('interaction 2 of 2').waitFor();
    await page
      .locator('.statusbar-item')
      .getByText(/^Ln (?!1,)\d+, Col 1$/)
      .waitFor();
    await page.locator('.tab.active').filter({ hasText: 'order_status.tape.json.txt' }).waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+c');
    const read = await page.evaluate(() => navigator.clipboard.readText());
    const { stdout } = engine('inspect', 'tapes/order_status.tape.json');
    assert.ok(stdout.includes('lookup_order'));
    assert.deepEqual(linesOf(read), linesOf(stdout));
    await runCommand(page, 'View: Close Editor');
  });

  it('is exported as a page that runs nothing and loads nothing', async () => {
    await treeRow(story, 'order_status.tape.json').click();
    await article(0).waitFor();
    await runCommand(page, 'Tapedeck: Export Transcript as Web Page');
    const dialog = page.locator('.quick-input-widget:visible').filter({ hasText: 'Export Transcript' });
    // The list of the folder comes after the dialog, which takes no Enter before.
    await dialog.locator('.monaco-list-row').filter({ hasText: '..' }).first().waitFor();
    await dialog.getByRole('button', { name: 'OK' }).click();
    await page.locator('.notification-toast').getByText('Exported order_status.tape.json').waitFor();
    const file = join(story.workspace, 'tapes/order_status.html');
    assert.doesNotMatch(readFileSync(file, 'utf8'), /<script|\son\w+=|https?:\/\/[^\s"<]*\.(?:js|css|woff2?)/i);
    const browser = page.context().browser() ?? assert.fail('no browser');
    const context = await browser.newContext();
    try {
      const loaded: string[] = [];
      context.on('request', (request) => loaded.push(request.url()));
      const exported = await context.newPage();
      await exported.goto(pathToFileURL(file).href);
      await exported.getByText('lookup_order').first().waitFor();
      assert.deepEqual(loaded, [pathToFileURL(file).href]);
      assert.equal(await exported.evaluate(() => document.scripts.length), 0);
    } finally {
      await context.close();
    }
  });

  it('follows a recording while it stays open beside the case', async () => {
    await runCommand(page, 'View: Close All Editors');
    await treeRow(story, 'refund_question').dblclick();
    await lens(story, 'Re-record').waitFor();
    await expandRow(story, 'refund_question', 'refund_question.tape.json');
    await treeRow(story, 'refund_question.tape.json').click();
    await article(0).waitFor();
    await runCommand(page, 'View: Move Editor into Right Group');
    await treeRow(story, 'refund_question').click();
    const before = story.read('tapes/refund_question.tape.json');
    await lens(story, 'Re-record').click();
    await page.locator('.monaco-dialog-box').getByRole('button', { name: 'Re-record' }).click();
    await lens(story, 'Review (1)').waitFor();
    const after = story.read('tapes/refund_question.tape.json');
    assert.notEqual(after, before);
    const { response } = JSON.parse(after).interactions.at(-1);
    await transcript().getByText(response).first().waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.tagName === 'IFRAME'), false, 'it takes no focus');
    await shoot(page, 'transcript-story-followed');
  });

  it('shows where a replay drifted, in the words of the run, and offers to record from there', async () => {
    const path = join(story.workspace, 'cases/refund_question.toml');
    const changed = readFileSync(path, 'utf8')
      .replace('Can I return the lamp', 'May I return the lamp')
      .replace('[llm]\n', '[llm.replay]\nmatch = "exact"\n\n[llm]\n');
    writeFileSync(path, changed);
    await page.locator('.view-lines').getByText('May I return').first().waitFor();
    await lens(story, 'Replay').click();
    const card = transcript().locator('.drift');
    await card.waitFor();
    const [was, is] = await card.locator('del, ins').allTextContents();
    await shoot(page, 'transcript-story-drift');
    const run = engine('run', 'cases/refund_question.toml');
    assert.deepEqual([was, is], ['removed: Can', 'added: May']);
    assert.match(`${run.stdout}${run.stderr}`, /\[-Can-\]\{\+May\+\}/, 'the run says it as well');
    const actions = await card.getByRole('button').allInnerTexts();
    assert.deepEqual(actions, ['Re-record from #1 (2 live calls, free)'], 'no mask covers a word of the prompt');
    await card.getByRole('button').click();
    await page.locator('.monaco-dialog-box').getByText('will be replaced: ').waitFor();
    await page.keyboard.press('Escape');
  });
});
