import * as assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openFile, pressCommand } from '../harness/keyboard';
import { stopAtFailure } from '../harness/stopAtFailure';
import { reloadWithEditor } from '../harness/storedEditors';
import { endAfterAll, type Story, startStory } from '../harness/story';
import { shoot, webviewFrame } from '../harness/vscode/workbench.mjs';
import { startShopUpstream, type Upstream } from './shopUpstream';

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
    await report.getByText(/differences? between 3 takes/).waitFor();
    await report.getByRole('heading', { name: 'Rules that make all takes equal' }).waitFor();
    await shoot(page, 'stability-story-3-report');
    assert.equal(story.read('tapes/refund_question.tape.json'), tape);
  });

  it('shows the report again after the window was loaded anew', async () => {
    await reloadWithEditor(page, ['tapedeck.stability', 'refund_question.toml']);
    await webviewFrame(page).getByRole('heading', { name: 'Stability of refund_question' }).waitFor();
  });

  it('writes what it proposes into the case, as an edit that can be undone, and says what the project’s rules would touch', async () => {
    const project = story.read('tapedeck.toml');
    await webviewFrame(page)
      .getByText(/rules apply to all \d+ cases of the project/)
      .waitFor();
    await webviewFrame(page).getByRole('button', { name: 'Add to Case' }).click();
    await page.locator('.tab.dirty').filter({ hasText: 'refund_question.toml' }).waitFor();
    await page.locator('.view-lines').filter({ hasText: 'normalise' }).first().waitFor();
    await shoot(page, 'stability-story-4-written');
    await pressCommand(page, 'File: Save All');
    await page.locator('.tab.dirty').first().waitFor({ state: 'detached' });
    assert.match(story.read('cases/refund_question.toml'), /\n\n\[normalise\]\nignore = /);
    assert.equal(story.read('tapedeck.toml'), project);
  });

  describe('a trial of two cases with two models', () => {
    let upstream: Upstream;
    const tape = 'tapes/order_status.tape.json';
    const dialog = () => page.locator('.monaco-dialog-box');
    const trial = () => webviewFrame(page);

    before(async () => {
      upstream = await startShopUpstream();
      const provider = `[provider]\nkind = "open_ai_compatible"\nbase_url = "${upstream.url}"\napi_key_env = "TAPEDECK_STORY"\n`;
      writeFileSync(join(story.workspace, 'tapedeck.toml'), provider);
      // Without the rules that Check Stability wrote into the case, which ignore what another model changes.
      const committed = story.git('show', 'HEAD:cases/refund_question.toml');
      const refund = committed.replace('[llm.provider]\nkind = "practice"\n', '');
      writeFileSync(join(story.workspace, 'cases/refund_question.toml'), refund);
      story.git('-c', 'user.name=Story', '-c', 'user.email=story@example.invalid', 'commit', '-qam', 'Accepted');
    });
    after(() => upstream.close());

    async function check(words: string): Promise<void> {
      const { keyboard } = page;
      await page.locator('.quick-input-widget:visible input[type="text"]').first().fill(words);
      const row = page.locator('.quick-input-list .monaco-list-row').filter({ hasText: words }).first();
      await row.waitFor();
      await keyboard.press('ArrowDown');
      await keyboard.press('Space');
      await row.locator('input:checked, .monaco-checkbox.checked').first().waitFor();
    }

    it('is asked for by keys, and says what it calls and costs before', async () => {
      const before = story.read(tape);
      await pressCommand(page, 'View: Close All Editors');
      await pressCommand(page, 'Tapedeck: Try Other Models…');
      await page.getByPlaceholder('Check the cases').waitFor();
      await check('order_status');
      await check('refund_question');
      await page.keyboard.press('Enter');
      await page.getByPlaceholder('Check models, or type their names').waitFor();
      await page.keyboard.type('gpt-4.1-mini, vague-model');
      await shoot(page, 'trial-story-1-models');
      await page.keyboard.press('Enter');
      await page.getByText('How many samples to record of each case with 2 models').waitFor();
      await page.keyboard.press('Control+A');
      await page.keyboard.type('2');
      await page.keyboard.press('Enter');
      await dialog().getByText('Record 8 samples with 2 models?').waitFor();
      await dialog().getByText('127.0.0.1, with the value of TAPEDECK_STORY').waitFor();
      await dialog().getByText('gpt-4.1-mini: 4 samples, 8 live calls, about $').waitFor();
      await dialog().getByText('vague-model: 4 samples, 8 live calls; no price for vague-model is known').waitFor();
      await shoot(page, 'trial-story-2-question');
      assert.deepEqual(upstream.asked, []);
      await page.keyboard.press('Enter');
      await trial().getByText('2 models, 2 samples of each case · all 8 samples recorded').waitFor();
      assert.equal(upstream.asked.length, 16);
      assert.equal(story.read(tape), before);
      await shoot(page, 'trial-story-3-page');
    });

    it('opens a sample beside the tape, aligned', async () => {
      await trial().getByRole('button', { name: 'order_status', exact: true }).focus();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      await trial().getByRole('dialog', { name: 'order_status with vague-model' }).waitFor();
      await shoot(page, 'trial-story-4-samples');
      await trial().getByRole('button', { name: 'Compare Sample 2' }).press('Enter');
      await trial()
        .getByText('order_status with vague-model, sample 2, compared with order_status.baseline.json')
        .waitFor();
      await trial().locator('.monaco-diff-editor .char-insert').first().waitFor();
      await shoot(page, 'trial-story-5-compared');
    });

    it('is shown again, also after the window was loaded anew', async () => {
      await pressCommand(page, 'View: Close All Editors');
      await pressCommand(page, 'Tapedeck: Show Last Trial');
      await trial().getByRole('heading', { name: 'Trial of 2 cases' }).waitFor();
      await reloadWithEditor(page, ['tapedeck.trial', 'folder']);
      await trial().getByRole('heading', { name: 'Trial of 2 cases' }).waitFor({ timeout: 60_000 });
    });

    it('keeps what is recorded when it is cancelled, and goes on', async () => {
      const release = upstream.hold();
      await pressCommand(page, 'Tapedeck: Try Other Models…');
      await page.getByPlaceholder('Check the cases').waitFor();
      await check('order_status');
      await check('refund_question');
      await page.keyboard.press('Enter');
      await page.getByPlaceholder('Check models, or type their names').waitFor();
      await page.keyboard.press('Enter');
      await page.getByText('How many samples to record of each case with 2 models').waitFor();
      await page.keyboard.press('Control+A');
      await page.keyboard.type('3');
      await page.keyboard.press('Enter');
      await dialog().getByText('8 of 12 samples were recorded before and are kept.').waitFor();
      await page.keyboard.press('Enter');
      await trial().getByText('recording 1 more…').first().waitFor();
      await shoot(page, 'trial-story-8-running');
      await trial().getByRole('button', { name: 'Cancel', exact: true }).press('Enter');
      // Until the recording has ended, the provider answers nothing: an answer would be another sample.
      const goOn = trial().getByRole('button', { name: 'Record Missing Samples…' });
      await goOn.waitFor();
      release();
      await trial().getByText('8 of 12 samples recorded').waitFor();
      await goOn.press('Enter');
      await dialog().getByText('8 of 12 samples were recorded before and are kept.').waitFor();
      await page.keyboard.press('Enter');
      await trial().getByText('all 12 samples recorded').waitFor();
    });

    it('adopts a model, whose changes are then reviewed', async () => {
      await trial().getByRole('button', { name: 'Adopt gpt-4.1-mini…' }).press('Enter');
      await dialog().getByText('Adopt gpt-4.1-mini in 2 cases?').waitFor();
      await shoot(page, 'trial-story-6-adopt');
      await page.keyboard.press('Enter');
      const review = trial();
      await review.getByRole('heading', { name: /changes? in order_status$/ }).waitFor();
      assert.match(story.read(tape), /until 12 December/);
      await shoot(page, 'trial-story-7-review');
      await review.locator('h1').focus();
      await page.keyboard.press('A');
      await review.getByRole('heading', { name: /changes? in refund_question$/ }).waitFor();
    });
  });
});
