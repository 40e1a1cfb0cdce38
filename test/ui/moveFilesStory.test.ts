import * as assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openView } from '../harness/sidebar';
import { stopAtFailure } from '../harness/stopAtFailure';
import { endAfterAll, type Story, startStory } from '../harness/story';
import { shoot } from '../harness/vscode/workbench.mjs';

const CASE = 'name = "shop"\nprompt = "p"\n[llm]\ntape = "../tapes/shop.json"\n';

/** What refers to a file follows it, once VS Code's own preview was agreed to. */
describe('a file that is renamed in the Explorer', () => {
  stopAtFailure();
  let story: Story;
  let page: Page;

  before(async () => {
    story = await startStory({
      project: {
        'cases/shop.toml': CASE,
        'cases/other.toml': CASE.replace('shop"', 'other"'),
        'cases/shop.baseline.json': '{}\n',
        'tapes/shop.json': '[]\n',
        'tapedeck.toml': '',
      },
    });
    page = story.page;
  });
  endAfterAll(() => story, 'move-files-story');

  const row = (name: string) =>
    page.locator('.explorer-folders-view .monaco-list-row').filter({ hasText: name }).first();

  async function rename(name: string, to: string): Promise<void> {
    await row(name).click();
    await page.keyboard.press('F2');
    const input = page.locator('.explorer-item-edited input');
    await input.fill(to);
    await page.keyboard.press('Enter');
  }

  async function applyPreview(name: string): Promise<void> {
    await page.getByRole('button', { name: 'Show Preview' }).click();
    const apply = page.getByRole('button', { name: 'Apply', exact: true });
    await apply.waitFor();
    const boxes = page.locator('.bulk-edit-panel input[type="checkbox"], .bulk-edit-panel .edit-checkbox');
    await boxes.first().waitFor();
    for (const box of await boxes.all()) if (!(await box.isChecked())) await box.check();
    await shoot(page, name);
    await apply.click();
  }

  async function eventually(what: string, isSo: () => boolean): Promise<void> {
    for (let tries = 0; tries < 200; tries += 1) {
      if (isSo()) return;
      await page.waitForTimeout(50);
    }
    assert.fail(what);
  }

  it('takes the paths of the cases with it, where it is a tape', async () => {
    await openView(page, 'Explorer');
    await row('tapes').click();
    await rename('shop.json', 'order.json');
    await applyPreview('move-files-1-tape');
    await eventually('the cases name the new tape', () =>
      ['cases/shop.toml', 'cases/other.toml'].every((path) => story.read(path).includes('"../tapes/order.json"')),
    );
    await eventually('the tape has moved', () => existsSync(join(story.workspace, 'tapes/order.json')));
  });

  it('takes its baseline with it, where it is a case', async () => {
    await row('cases').click();
    await rename('shop.toml', 'store.toml');
    await applyPreview('move-files-2-case');
    await eventually('the baseline has moved', () => existsSync(join(story.workspace, 'cases/store.baseline.json')));
    await eventually('the case has moved', () => existsSync(join(story.workspace, 'cases/store.toml')));
    assert.ok(!existsSync(join(story.workspace, 'cases/shop.baseline.json')));
  });
});
