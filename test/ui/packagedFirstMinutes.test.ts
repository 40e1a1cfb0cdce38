import * as assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { goToFolder } from '../harness/folderDialog';
import { tellPackaged } from '../harness/packaged';
import { expandRow, lens, notification, openView, treeRow } from '../harness/sidebar';
import { runCommand, webviewFrame } from '../harness/vscode/workbench.mjs';

const input = (page: Page) => page.locator('.quick-input-widget:visible input').first();
const choice = (page: Page, text: string) =>
  page.locator('.quick-input-list .monaco-list-row').filter({ hasText: text }).first();
const step = (page: Page, title: string) => page.locator('.getting-started-step').filter({ hasText: title }).first();
const isTicked = (page: Page, title: string) => step(page, title).getAttribute('aria-checked');

const STEPS = ['Open the sample project', 'Replay a case', 'Read a tape', 'Review a change', 'Write your own case'];

/** The titles of the pictures, one for each step. */
const PICTURES = [
  'The cases of the sample project',
  'The lenses above a case',
  'A tool call with its result in a transcript',
  'A changed response beside its baseline',
  'A new case whose prompt is selected',
];

/** The colours of the texts in the picture of the walkthrough. Its frame is replaced with each step. */
async function coloursOfPicture(page: Page, title: string): Promise<readonly string[]> {
  for (let attempt = 1; ; attempt += 1) {
    const svg = webviewFrame(page).locator('svg').filter({ hasText: title });
    try {
      await svg.waitFor({ timeout: 10_000 });
      const texts = svg.locator('text');
      return await texts.evaluateAll((all) => [...new Set(all.map((text) => getComputedStyle(text).fill))]);
    } catch (error) {
      if (attempt === 5) throw error;
    }
  }
}

tellPackaged(
  'the first ten minutes',
  (story) => {
    let sample: string;

    it('begins in an empty window, whose views say what to do', async () => {
      const { page, picture } = story();
      await openView(page, 'Tapedeck');
      await page.getByRole('button', { name: 'Open Sample Project' }).waitFor();
      await page.getByText('Open a folder to review what changed').waitFor();
      await picture('01-empty-window');
    });

    it('opens the walkthrough, with a picture for each step and no step ticked', async () => {
      const { page, picture, look } = story();
      await page.getByText('open the walkthrough', { exact: true }).click();
      for (const [index, title] of STEPS.entries()) {
        await step(page, title).click();
        assert.equal(await isTicked(page, title), 'false');
        // In a narrow window, VS Code shows the steps alone.
        const colours = look.width < 1600 ? [] : await coloursOfPicture(page, PICTURES[index] ?? '');
        // Where a policy drops their styles, texts are black, whatever the theme.
        assert.ok(!colours.includes('rgb(0, 0, 0)'), `${title} has the colours ${colours.join(', ')}`);
        await picture(`02-walkthrough-${index + 1}`);
      }
    });

    it('does not tick a step while the folder picker is open', async () => {
      const { page, workspace, picture } = story();
      await step(page, 'Open the sample project').click();
      await page.locator('.getting-started-step').getByRole('button', { name: 'Open Sample Project' }).click();
      const folder = dirname(workspace);
      mkdirSync(join(folder, 'the-sample-goes-beside-this'));
      await goToFolder(page, folder, 'the-sample-goes-beside-this');
      assert.equal(await isTicked(page, 'Open the sample project'), 'false');
      await picture('03-folder');
      await page.getByRole('button', { name: 'Create Sample Here' }).click();
      await page.waitForURL(/tapedeck-sample/, { waitUntil: 'commit' });
      sample = join(folder, 'tapedeck-sample');
    });

    it('opens the sample alive: the view in front, a git repository, and a greeting that is red on purpose', async () => {
      const { page, picture, agree } = story();
      await treeRow(story(), 'greeting').waitFor();
      await page.locator('.view-lines').getByText('This case is red on purpose').waitFor();
      await lens(story(), 'Review (1)').waitFor();
      const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: sample, encoding: 'utf8' }).trim();
      assert.equal(git('log', '--format=%s'), 'The sample project');
      assert.equal(git('status', '--porcelain'), '');
      await agree({ order_status: 'passed', refund_question: 'passed', greeting: { outcome: 'failed', pending: 1 } });
      await picture('04-sample');
    });

    it('accepts the change, and the greeting is green', async () => {
      const { page, picture, agree } = story();
      await runCommand(page, 'Notifications: Clear All Notifications');
      await lens(story(), 'Review (1)').click();
      const review = webviewFrame(page);
      await review.locator('.monaco-diff-editor .char-insert, .monaco-diff-editor .line-insert').first().waitFor();
      await picture('05-review');
      await review
        .getByRole('button', { name: /^Accept\b/ })
        .first()
        .click();
      await treeRow(story(), 'greeting').locator('.codicon-pass').waitFor();
      await agree({ greeting: 'passed' });
      await picture('06-accepted');
    });

    it('creates a case with New Case, valid as it comes, with its prompt selected', async () => {
      const { page, picture } = story();
      await openView(page, 'Tapedeck');
      await page.locator('.pane-header').filter({ hasText: 'Cases' }).hover();
      await page.getByRole('button', { name: 'New Case…' }).click();
      await input(page).fill('return_lamp');
      await page.getByText('Creates cases/return_lamp.toml.').waitFor();
      await picture('07-new-case-name');
      await input(page).press('Enter');
      await choice(page, 'Practice model').waitFor();
      await picture('08-new-case-agent');
      await choice(page, 'Practice model').click();
      await choice(page, 'New tape').waitFor();
      await picture('09-new-case-tape');
      await choice(page, 'New tape').click();
      await page.locator('.view-lines').getByText('return_lamp').first().waitFor();
      await treeRow(story(), 'return_lamp').waitFor();
      await picture('10-new-case');
      await page.keyboard.type('Can I return the lamp?');
      await page.keyboard.press('Control+s');
      await page.locator('.tab.active:not(.dirty)').filter({ hasText: 'return_lamp.toml' }).waitFor();
      assert.match(readFileSync(join(sample, 'cases/return_lamp.toml'), 'utf8'), /prompt = "Can I return the lamp\?"/);
      await lens(story(), 'Record').waitFor();
    });

    it('says that there is no recording yet, and offers to record', async () => {
      const { page, picture, agree } = story();
      await lens(story(), 'Replay').click();
      await notification(story()).getByText('return_lamp has no recording yet.').waitFor();
      assert.ok(!(await page.locator('body').innerText()).includes('os error'));
      await picture('11-no-recording');
      await agree({ return_lamp: 'failed' });
      await notification(story()).getByRole('button', { name: 'Record' }).click();
      const dialog = page.locator('.monaco-dialog-box');
      await dialog.getByText('Record return_lamp?').waitFor();
      await picture('12-record');
      await dialog.getByRole('button', { name: 'Record', exact: true }).click();
      await lens(story(), 'Re-record').waitFor();
      await picture('13-recorded');
      await lens(story(), 'Replay').click();
      await agree({ return_lamp: 'passed' });
      await picture('14-replayed');
    });

    it('has ticked every step of the walkthrough that was done', async () => {
      const { page, picture } = story();
      await expandRow(story(), 'order_status', 'order_status.tape.json');
      await treeRow(story(), 'order_status.tape.json').click();
      await webviewFrame(page).getByText('lookup_order').first().waitFor();
      await picture('15-transcript');
      await runCommand(page, 'Help: Welcome');
      await page.locator('.getting-started-category').filter({ hasText: 'Get Started with Tapedeck' }).first().click();
      for (const title of STEPS) {
        await step(page, title).waitFor();
        assert.equal(await isTicked(page, title), 'true', title);
      }
      await picture('16-walkthrough');
    });
  },
  { empty: true },
);
