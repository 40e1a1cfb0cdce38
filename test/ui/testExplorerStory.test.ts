import * as assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { openTapedeck, openView, treeRow } from '../harness/sidebar';
import { endAfterAll, type Story, startStory } from '../harness/story';
import { runCommand, shoot } from '../harness/vscode/workbench.mjs';

describe('the Test Explorer, in the real VS Code', () => {
  let story: Story;
  before(async () => {
    story = await startStory();
    await openTapedeck(story);
    await treeRow(story, 'greeting').waitFor();
  });
  endAfterAll(() => story, 'test-explorer');

  const row = (name: string): Locator =>
    story.page.locator('.test-explorer .monaco-list-row').filter({ hasText: name }).first();

  /** Opens a view only if it is closed: a click on an open one closes it, and VS Code decides which are open at the start. */
  async function openCases(): Promise<void> {
    const folder = row('cases');
    for (let attempt = 1; ; attempt += 1) {
      await openView(story.page, 'Testing');
      const seen = await folder.waitFor({ timeout: 10_000 }).then(
        () => true,
        () => false,
      );
      if (seen) break;
      if (attempt === 3) throw new Error('the Test Explorer does not open');
    }
    if ((await folder.getAttribute('aria-expanded')) === 'false') await folder.locator('.monaco-tl-twistie').click();
    await row('order_status').waitFor();
  }

  const ranAt = (name: string): number =>
    statSync(join(story.workspace, `.tapedeck/runs/cases/${name}.artifact.json`)).mtimeMs;

  it('runs all cases, and shows which passed', async () => {
    await openCases();
    await runCommand(story.page, 'Test: Run All Tests');
    await row('order_status').locator('.codicon-testing-passed-icon').waitFor();
    await row('refund_question').locator('.codicon-testing-passed-icon').waitFor();
    await row('greeting').locator('.codicon-testing-failed-icon').waitFor();
  });

  it('runs again what failed, and nothing else', async () => {
    const failed = ranAt('greeting');
    const passed = ranAt('order_status');
    await runCommand(story.page, 'Test: Rerun Failed Tests');
    for (const end = Date.now() + 30_000; ranAt('greeting') === failed && Date.now() < end; )
      await story.page.waitForTimeout(50);
    assert.notEqual(ranAt('greeting'), failed);
    assert.equal(ranAt('order_status'), passed);
  });

  it('still knows the results when the window is loaded again', async () => {
    const before = ranAt('order_status');
    // VS Code writes the state of a workspace from time to time, and when the window closes.
    await story.page.waitForTimeout(2000);
    await story.page.reload({ waitUntil: 'commit' });
    await openCases();
    await row('order_status').locator('.codicon-testing-passed-icon').waitFor();
    await row('greeting').locator('.codicon-testing-failed-icon').waitFor();
    await shoot(story.page, 'test-explorer-reloaded');
    assert.equal(ranAt('order_status'), before);
  });
});
