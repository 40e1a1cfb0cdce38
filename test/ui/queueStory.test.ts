import * as assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openTapedeck } from '../harness/sidebar';
import { stopAtFailure } from '../harness/stopAtFailure';
import { reloadWithEditor } from '../harness/storedEditors';
import { endAfterAll, type Story, startStory, THEMES, type Theme } from '../harness/story';
import { runCommand, shoot, webviewFrame } from '../harness/vscode/workbench.mjs';

/** Three changed files in the list and the panel, one of them with ignored differences only. */
describe('the list of reviews, in a window', () => {
  stopAtFailure();
  let story: Story;
  before(async () => {
    story = await startStory();
    const edit = (path: string, change: (text: string) => string) =>
      writeFileSync(join(story.workspace, path), change(story.read(path)));
    edit('tapes/order_status.tape.json', (text) =>
      text
        .replaceAll('expected: **Thursday**', 'expected: **Friday**, by noon')
        .replace('"order": "4711"', '"order": "4712"'),
    );
    edit('cases/greeting.baseline.json', (text) =>
      text.replace('Hello! How can I help you today?', 'Hello! What can I do for you?'),
    );
    edit('tapes/refund_question.tape.json', (text) => text.replaceAll('call_1', 'call_8f21'));
  });
  endAfterAll(() => story, 'queue');

  const pane = () =>
    story.page.locator('.pane').filter({ has: story.page.locator('.pane-header[aria-label^="Review"]') });
  const row = (name: string) => pane().locator('.monaco-list-row').filter({ hasText: name }).first();

  async function shootThemes(name: string): Promise<void> {
    for (const each of Object.keys(THEMES) as Theme[]) {
      await story.setTheme(each);
      await shoot(story.page, `${name}-${each}`);
    }
    await story.setTheme('dark');
  }

  it('says what changed, and what is only noise', async () => {
    await openTapedeck(story);
    await row('order_status.tape.json').waitFor();
    assert.match((await row('order_status.tape.json').textContent()) ?? '', /Response/);
    assert.match((await row('greeting.baseline.json').textContent()) ?? '', /Output/);
    const noise = row('Ignored Differences');
    assert.match((await noise.textContent()) ?? '', /1/);
    await noise.click();
    await row('refund_question.tape.json').waitFor();
    const badge = story.page.locator('.activitybar .action-item', {
      has: story.page.locator('a[aria-label^="Tapedeck"]'),
    });
    assert.equal((await badge.locator('.badge-content').textContent())?.trim(), '2');
  });

  it('opens a review, and each change with its diff', async () => {
    await row('order_status.tape.json').click();
    const review = webviewFrame(story.page);
    await review.getByRole('heading', { name: /changes in order_status\.tape\.json$/ }).waitFor();
    await review.locator('.monaco-diff-editor .char-insert').first().waitFor();
    await story.page.locator('.tab.active .monaco-icon-label-iconpath[style*="page-dark.svg"]').waitFor();
    await story.page.mouse.move(700, 700);
    await shootThemes('queue-1-open');
  });

  it('compares the tape with a commit of it, by palette and keys', async () => {
    const { keyboard } = story.page;
    const picker = story.page.locator('.quick-input-widget');
    await webviewFrame(story.page).locator('h1').click();
    await keyboard.press('t');
    await story.page.locator('.tab.active', { hasText: /^order_status/ }).waitFor();
    await webviewFrame(story.page).locator('article').first().waitFor();
    await runCommand(story.page, 'Tapedeck: Compare with…');
    await picker.locator('.monaco-list-row', { hasText: 'Choose a File…' }).waitFor();
    await keyboard.type('sample project');
    await picker.locator('.monaco-list-row.focused', { hasText: 'The sample project' }).waitFor();
    await shoot(story.page, 'queue-1-compare-with');
    await keyboard.press('Enter');
    const review = webviewFrame(story.page);
    await review
      .getByText(/^order_status\.tape\.json, compared with order_status\.tape\.json in [0-9a-f]{7}$/)
      .waitFor();
    await review.locator('.monaco-diff-editor .char-insert').first().waitFor();
    assert.equal(await review.getByRole('button', { name: 'Accept' }).count(), 0);
    await shoot(story.page, 'queue-1-compared');
    await row('order_status.tape.json').click();
    await review.getByText(/^Compared with the last commit/).waitFor();
  });

  it('is decided to the end from the keyboard, and checks off what is decided', async () => {
    const review = webviewFrame(story.page);
    await review.locator('h1').click();
    await story.page.keyboard.press('A');
    await review.getByRole('heading', { name: /in greeting\.baseline\.json$/ }).waitFor();
    await story.page.keyboard.press('r');
    await review.getByRole('heading', { name: 'Nothing left to review' }).waitFor();
    await row('order_status.tape.json').filter({ hasText: '2 accepted' }).waitFor();
    await row('greeting.baseline.json').filter({ hasText: '1 rejected' }).waitFor();
    await shoot(story.page, 'queue-2-decided');
    assert.equal(story.git('status', '--porcelain', 'cases'), '');
  });

  it('takes the last decision back', async () => {
    const review = webviewFrame(story.page);
    await review.locator('h2').first().click();
    await story.page.keyboard.press('z');
    await review.getByRole('heading', { name: /1 change in greeting\.baseline\.json$/ }).waitFor();
    assert.match(story.git('status', '--porcelain', 'cases'), /M cases\/greeting\.baseline\.json/);
    await row('greeting.baseline.json').and(story.page.locator('.selected')).waitFor();
  });

  it('comes back where it was after the window is reloaded', async () => {
    await reloadWithEditor(story.page, ['tapedeck.review', 'greeting.baseline.json']);
    const review = webviewFrame(story.page);
    await review.getByRole('heading', { name: /1 change in greeting\.baseline\.json$/ }).waitFor({ timeout: 60_000 });
    await review.locator('.monaco-diff-editor .char-insert').first().waitFor();
  });

  it('accepts all that is left, after asking', async () => {
    const section = row('Pending');
    await section.hover();
    await section.locator('.action-label[aria-label^="Accept All"]').click();
    const dialog = story.page.locator('.monaco-dialog-box');
    await dialog.getByText('Accept all pending changes in 1 file?').waitFor();
    await dialog.getByRole('button', { name: 'Accept All' }).click();
    await row('greeting.baseline.json').filter({ hasText: '1 accepted' }).waitFor();
  });
});
