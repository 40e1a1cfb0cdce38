import * as assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { openFile } from '../harness/keyboard';
import { tellPackaged } from '../harness/packaged';
import { lens, notification, openTapedeck, treeRow } from '../harness/sidebar';
import { runCommand } from '../harness/vscode/workbench.mjs';

const editor = (page: Page) => page.locator('.editor-instance .monaco-editor').first();
const suggestion = (page: Page, label: string) =>
  page.locator('.suggest-widget.visible .monaco-list-row').filter({ hasText: label }).first();
const line = (page: Page, text: string) => editor(page).locator('.view-line').filter({ hasText: text }).first();

/** The text of the editor, as far as it is in view, with plain spaces. The lines are where they are, in any order. */
async function shownText(page: Page): Promise<string> {
  const lines = await editor(page)
    .locator('.view-line')
    .evaluateAll((all) =>
      all
        .map((one) => ({ top: one.getBoundingClientRect().top, text: one.textContent ?? '' }))
        .sort((left, right) => left.top - right.top)
        .map(({ text }) => text),
    );
  return lines.join('\n').replaceAll('\u00A0', ' ');
}

/** The colours of the words of a line. */
async function coloursOf(page: Page, text: string): Promise<readonly string[]> {
  const words = line(page, text).locator('span > span');
  return words.evaluateAll((all) => [...new Set(all.map((word) => getComputedStyle(word).color))]);
}

/** Opens the list of an editor, until it has the row: what takes the focus closes such a list. */
async function openList(page: Page, key: string, row: Locator): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await page.keyboard.press(key);
    const isThere = await row.waitFor({ timeout: 5000 }).then(
      () => true,
      () => false,
    );
    if (isThere) return;
    if (attempt === 5) throw new Error(`${key} never lists ${row}.`);
    await page.keyboard.press('Escape');
  }
}

/** Chooses what the editor suggests at the cursor. */
async function complete(page: Page, label: string): Promise<void> {
  const row = suggestion(page, label);
  await openList(page, 'Control+Space', row);
  await row.click();
}

/** Waits until the text of the editor has the words. */
async function untilShown(page: Page, words: RegExp): Promise<void> {
  const end = Date.now() + 20_000;
  for (let text = ''; Date.now() < end; await page.waitForTimeout(100)) {
    text = await shownText(page);
    if (words.test(text)) return;
  }
  throw new Error(`The editor never had ${words}:\n${await shownText(page)}`);
}

/** A person writes a case, and the editor knows what may be written. */
tellPackaged('a new case written with the editors help', (story) => {
  it('begins with New Case, in colours', async () => {
    const { page, picture } = story();
    await openTapedeck(story());
    await treeRow(story(), 'order_status').waitFor();
    await runCommand(page, 'Tapedeck: New Case');
    const input = page.locator('.quick-input-widget:visible input').first();
    await page.getByText('Name the case after what it tests.').waitFor();
    await input.fill('late_order');
    await page.keyboard.press('Enter');
    await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'Practice model' }).first().click();
    await page
      .locator('.quick-input-list .monaco-list-row')
      .filter({ hasText: 'late_order.tape.json' })
      .first()
      .click();
    await line(page, 'name = "late_order"').waitFor();
    await page.keyboard.type('Is order 4711 late?');
    const [key, ...others] = await coloursOf(page, 'prompt =');
    assert.ok(key !== undefined && others.length >= 1, 'a key and its value have colours of their own');
    await picture('01-new-case');
  });

  it('says beside the tape that there is no recording yet', async () => {
    const { page } = story();
    await editor(page).getByText('no recording yet').waitFor();
  });

  it('completes a table with what it must have', async () => {
    const { page, picture } = story();
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Enter');
    await page.keyboard.type('tool');
    await suggestion(page, '[[tools]]').waitFor();
    await picture('02-tables');
    await complete(page, '[[tools]]');
    await untilShown(page, /\[\[tools\]\]\nname = ""/);
    await page.keyboard.type('lookup_order');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Look up an order by its number.');
    await page.keyboard.press('Tab');
    await page.keyboard.type('type = "object", properties = { order = { type = "string" } }');
    await page.keyboard.press('Tab');
    await page.keyboard.type('result = "It arrives on Thursday."');
  });

  it('completes the name of the tool where an assertion names it', async () => {
    const { page, picture } = story();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    const hasAssert = /^\[assert\]$/m.test(await shownText(page));
    if (hasAssert) {
      await line(page, '[assert]').click();
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
    } else {
      await page.keyboard.type('[assert');
      await page.keyboard.press('Escape');
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
    }
    await page.keyboard.type('tool_ca');
    await complete(page, 'tool_called');
    await complete(page, '"lookup_order"');
    await untilShown(page, /tool_called = "lookup_order"/);
    await picture('03-tool');
  });

  it('warns of an assertion that is never checked, and corrects it', async () => {
    const { page, picture } = story();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.keyboard.type('not_contain = "sorry');
    await editor(page).locator('.squiggly-warning').first().waitFor();
    await line(page, 'not_contain').click({ position: { x: 20, y: 8 } });
    const fix = page.locator('.action-widget .monaco-list-row').filter({ hasText: 'Change to not_contains' }).first();
    await openList(page, 'Control+.', fix);
    await picture('04-warning');
    await page.keyboard.press('Enter');
    await untilShown(page, /not_contains = "sorry"/);
    await editor(page).locator('.squiggly-warning').first().waitFor({ state: 'hidden' });
  });

  it('records the case, and then says what is on its tape', async () => {
    const { page, picture, read } = story();
    await runCommand(page, 'File: Save');
    await lens(story(), 'Record').click();
    await page.locator('.monaco-dialog-box, .notification-toast').first().waitFor();
    const record = page
      .locator('.monaco-dialog-box')
      .getByRole('button', { name: /^Re-?record|^Record/ })
      .first();
    if (await record.isVisible()) await record.click();
    else
      await notification(story())
        .getByRole('button', { name: /Record/ })
        .first()
        .click();
    await editor(page)
      .getByText(/interactions/)
      .first()
      .waitFor();
    assert.match(read('cases/late_order.toml'), /not_contains = "sorry"/);
    await line(page, 'late_order.tape.json').locator('span', { hasText: 'late_order.tape.json' }).last().hover();
    await page.locator('.monaco-hover:visible').getByText('Open Transcript').waitFor();
    await picture('05-tape');
    await page.keyboard.press('Escape');
  });

  it('agrees everywhere about the new case', async () => {
    await story().agree({ late_order: 'passed' });
  });

  it('helps with the settings of the project as well', async () => {
    const { page, picture } = story();
    await openFile(page, 'tapedeck.toml');
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Enter');
    await page.keyboard.type('norm');
    await complete(page, '[normalise]');
    await page.keyboard.type('pre');
    await complete(page, 'presets');
    await complete(page, '"uuid"');
    await untilShown(page, /\[normalise\]\npresets = \["uuid"\]/);
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.keyboard.type('usage_tolerence = 0.1');
    await editor(page).locator('.squiggly-warning').first().waitFor();
    await picture('06-settings');
  });
});
