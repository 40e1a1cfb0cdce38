import * as assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { openFile, pressCommand } from '../harness/keyboard';
import { openTapedeck, openView, treeRow } from '../harness/sidebar';
import { endAfterAll, type Story, startStory } from '../harness/story';
import { runCommand, shoot, webviewFrame } from '../harness/vscode/workbench.mjs';

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

  it('leads from an assertion about the steps of a run to the step at which it fails, by palette and keys', async () => {
    const { page } = story;
    await openFile(page, 'order_status.toml');
    // The Test Explorer reveals the case, and may have taken the focus.
    await page.keyboard.press('Control+1');
    await page.locator('.editor-instance .monaco-editor.focused').waitFor();
    await page.keyboard.press('Control+End');
    await page.keyboard.insertText('\n[[assert.tool_args]]\ntool = "lookup_order"\narguments = { order = "9999" }\n');
    await page.keyboard.press('Control+S');
    await pressCommand(page, 'Tapedeck: Replay');
    await row('order_status').locator('.codicon-testing-failed-icon').waitFor();
    await pressCommand(page, 'Test: Peek Output');
    await page.locator('.peekview-widget .char-insert, .peekview-widget .line-insert').first().waitFor();
    await page.keyboard.press('Shift+Alt+F8');
    const link = page.locator('.peekview-widget a').getByText('Open Interaction 1');
    await link.waitFor();
    await shoot(page, 'test-explorer-step');
    // Tab leaves the editor, as those who work without a mouse have it.
    await page.keyboard.press('Control+M');
    const isFocused = () => link.evaluate((anchor) => anchor.contains(anchor.ownerDocument.activeElement));
    for (let step = 0; step < 40 && !(await isFocused()); step += 1) await page.keyboard.press('Tab');
    assert.ok(await isFocused(), 'the link is reached by keys');
    await page.keyboard.press('Enter');
    await page.locator('.tab.active', { hasText: 'order_status.tape.json' }).waitFor();
    await webviewFrame(page).getByText('lookup_order').first().waitFor();
    await shoot(page, 'test-explorer-step-opened');
  });
});
