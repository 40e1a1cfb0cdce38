import * as assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { openFile, pressCommand } from '../harness/keyboard';
import { stopAtFailure } from '../harness/stopAtFailure';
import { reloadWithEditor } from '../harness/storedEditors';
import { endAfterAll, type Story, startStory } from '../harness/story';
import { shoot, webviewFrame } from '../harness/vscode/workbench.mjs';

/** Decisions outside of the review: in the peek of a failed test, and in the stability report. */
describe('a difference and a variation, where they show', () => {
  stopAtFailure();
  let story: Story;
  let page: Page;

  before(async () => {
    story = await startStory();
    page = story.page;
  });
  endAfterAll(() => story, 'stability-story');

  it('accepts the difference that is shown in the peek as the baseline', async () => {
    const before = story.read('cases/greeting.baseline.json');
    await pressCommand(page, 'Tapedeck: Replay All');
    await openFile(page, 'greeting.toml');
    const accept = page.locator('.floating-click-widget').filter({ hasText: 'Accept as Baseline' }).first();
    await page.locator('.codelens-decoration a').filter({ hasText: 'Review (1)' }).first().waitFor();
    await pressCommand(page, 'Test: Peek Output');
    await accept.waitFor();
    await page.locator('.peekview-widget .monaco-diff-editor .char-insert').first().waitFor();
    await shoot(page, 'stability-story-1-peek');
    await accept.click();
    for (const end = Date.now() + 15_000; story.read('cases/greeting.baseline.json') === before; )
      if (Date.now() > end) throw new Error('the baseline stays as it was');
      else await page.waitForTimeout(100);
    assert.match(story.read('cases/greeting.baseline.json'), /I can look up orders and explain returns/);
    assert.equal(story.git('status', '--porcelain', '--', 'cases'), ' M cases/greeting.baseline.json\n');
  });

  it('records a case several times after naming the price, and says what varies', async () => {
    const tape = story.read('tapes/refund_question.tape.json');
    await page.keyboard.press('Escape');
    await pressCommand(page, 'View: Close All Editors');
    await pressCommand(page, 'Tapedeck: Check Stability…');
    const input = page.locator('.quick-input-widget:visible input').first();
    await page.getByPlaceholder('Select a case').waitFor();
    await input.fill('refund_question');
    await page.keyboard.press('Enter');
    await page.getByText('How many times to record it').waitFor();
    await input.fill('3');
    await page.keyboard.press('Enter');
    const dialog = page.locator('.monaco-dialog-box');
    await dialog.getByText('6 live calls').waitFor();
    await shoot(page, 'stability-story-2-confirm');
    await dialog.getByRole('button', { name: 'Record' }).click();
    const report = webviewFrame(page);
    await report.getByRole('heading', { name: 'Stability of refund_question' }).waitFor();
    await report.getByText(/things? var(y|ies) in 3 takes/).waitFor();
    await report.getByRole('heading', { name: 'Rules that make all takes equal' }).waitFor();
    await shoot(page, 'stability-story-3-report');
    assert.equal(story.read('tapes/refund_question.tape.json'), tape);
  });

  it('shows the report again after the window was loaded anew', async () => {
    await reloadWithEditor(page, ['tapedeck.stability', 'refund_question.toml']);
    await webviewFrame(page).getByRole('heading', { name: 'Stability of refund_question' }).waitFor();
  });

  it('writes what it proposes, as an edit that can be undone', async () => {
    await webviewFrame(page).getByRole('button', { name: 'Add to files' }).click();
    await page.locator('.tab.dirty').filter({ hasText: 'tapedeck.toml' }).waitFor();
    await page.locator('.view-lines').filter({ hasText: 'normalise' }).first().waitFor();
    await shoot(page, 'stability-story-4-written');
    await pressCommand(page, 'File: Save All');
    await page.locator('.tab.dirty').first().waitFor({ state: 'detached' });
    assert.match(story.read('tapedeck.toml'), /\[provider\]\nkind = "practice"\n\n\[normalise\]\npresets = /);
  });
});
