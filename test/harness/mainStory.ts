import * as assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { assertAgreement } from './agreement';
import { readTestExplorer } from './caseSurfaces';
import { expandRow, lens, openView, treeRow } from './sidebar';
import { stopAtFailure } from './stopAtFailure';
import { endAfterAll, type Story, type StoryOptions, THEMES, type Theme } from './story';
import { shoot, webviewFrame } from './vscode/workbench.mjs';

/** The main job, as a user does it, in a real VS Code: replay, read, re-record, review, commit. Call it inside `describe`. */
export function tellMainStory(start: (options: StoryOptions) => Promise<Story>, shots: string, theme: Theme): void {
  stopAtFailure();
  let story: Story;
  let page: Page;

  before(async () => {
    story = await start({ theme });
    page = story.page;
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'passed') await assertAgreement(page);
  });
  endAfterAll(() => story, shots);

  async function shootThemes(name: string): Promise<void> {
    for (const each of Object.keys(THEMES) as Theme[]) {
      await story.setTheme(each);
      await shoot(page, `${name}-${each}`);
    }
    await story.setTheme(theme);
  }

  it('shows the cases in the sidebar', async () => {
    await openView(page, 'Tapedeck');
    for (const name of ['order_status', 'refund_question', 'greeting']) await treeRow(story, name).waitFor();
    await shoot(page, `${shots}-1-tree`);
  });

  it('replays a case from its lens, and tree and Test Explorer turn green', async () => {
    await treeRow(story, 'order_status').click();
    await lens(story, 'Replay').click();
    await treeRow(story, 'order_status').locator('.codicon-pass').waitFor();
    await shoot(page, `${shots}-2-replayed`);
    await openView(page, 'Testing');
    const tests = page.locator('.test-explorer .monaco-list-row');
    await readTestExplorer(page);
    await tests.filter({ hasText: 'order_status' }).locator('.codicon-testing-passed-icon').waitFor();
    await shoot(page, `${shots}-2-test-explorer`);
  });

  it('opens the tape as a transcript, with the tool call and its result', async () => {
    await openView(page, 'Tapedeck');
    await expandRow(story, 'order_status', 'order_status.tape.json');
    await treeRow(story, 'order_status.tape.json').click();
    const transcript = webviewFrame(page);
    await transcript.getByText('lookup_order').first().waitFor();
    await transcript.getByText('Nordpost').first().waitFor();
    await shootThemes(`${shots}-3-transcript`);
  });

  it('re-records against the practice model after asking, and keeps the old take', async () => {
    const before = story.read('tapes/refund_question.tape.json');
    await treeRow(story, 'refund_question').click();
    await lens(story, 'Re-record').click();
    const dialog = page.locator('.monaco-dialog-box');
    await dialog.getByText('practice model').first().waitFor();
    await shoot(page, `${shots}-4-confirm`);
    await dialog.getByRole('button', { name: 'Re-record' }).click();
    await lens(story, 'Review (1)').waitFor();
    assert.notEqual(story.read('tapes/refund_question.tape.json'), before);
    const takes = '.tapedeck/takes/tapes/refund_question.tape.json';
    const [take] = readdirSync(join(story.workspace, takes));
    assert.equal(story.read(`${takes}/${take}`), before);
    await shoot(page, `${shots}-4-recorded`);
  });

  it('reviews the one changed field in Monaco, and accepting clears it', async () => {
    await lens(story, 'Review (1)').click();
    const review = webviewFrame(page);
    await review.locator('.monaco-diff-editor .line-insert, .monaco-diff-editor .char-insert').first().waitFor();
    // Away from the tabs, whose tooltip would be in the picture.
    await page.mouse.move(700, 600);
    await shootThemes(`${shots}-5-review`);
    await review
      .getByRole('button', { name: /^Accept\b/ })
      .first()
      .click();
    // The tape that was recorded anew, and the result of its case, are one review.
    await review.getByRole('heading', { name: 'Nothing left to review' }).waitFor();
    await shoot(page, `${shots}-5-accepted`);
    await treeRow(story, 'refund_question').locator('.codicon-pass').waitFor();
  });

  it('takes that back, and the case is to review again', async () => {
    const review = webviewFrame(page);
    const icon = treeRow(story, 'refund_question').locator('.custom-view-tree-node-item-icon');
    await review.getByRole('button', { name: 'Undo' }).click();
    await icon.and(page.locator('.codicon-git-compare')).waitFor();
    await review
      .getByRole('button', { name: /^Accept\b/ })
      .first()
      .click();
    await icon.and(page.locator('.codicon-pass')).waitFor();
  });

  it('leaves exactly the tape and the baseline to commit', () => {
    const changed = story.git('status', '--porcelain').trimEnd().split('\n');
    assert.deepEqual(changed, [' M cases/refund_question.baseline.json', ' M tapes/refund_question.tape.json']);
    assert.ok(existsSync(join(story.workspace, '.tapedeck/runs/cases/refund_question.artifact.json')));
  });
}
