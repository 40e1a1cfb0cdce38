import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { openFile } from '../harness/keyboard';
import { tellPackaged } from '../harness/packaged';
import { lens, notification, openTapedeck, treeRow } from '../harness/sidebar';
import type { Story } from '../harness/story';
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

/** Waits until the words of a line have several colours: an editor colours its lines after it has shown them. */
async function untilColoured(page: Page, text: string): Promise<void> {
  const words = line(page, text).locator('span > span');
  const colours = (): Promise<readonly string[]> =>
    words.evaluateAll((all) => [...new Set(all.map((word) => getComputedStyle(word).color))]);
  for (const end = Date.now() + 20_000; (await colours()).length < 2; await page.waitForTimeout(100))
    if (Date.now() > end) throw new Error(`All of ${text} has the colour ${await colours()}`);
}

/** Opens the list of an editor, until it has the row: what takes the focus closes such a list. */
async function openList(page: Page, key: string, row: Locator): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    if (await row.isVisible()) return;
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

/** Chooses what the editor suggests at the cursor, and waits until it has inserted it. */
async function complete(page: Page, label: string, inserted: RegExp): Promise<void> {
  const row = suggestion(page, label);
  await openList(page, 'Control+Space', row);
  await row.click();
  await untilShown(page, inserted);
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

/** Begins a line below that of the cursor. A list of suggestions takes Enter alone. */
const beginLine = (page: Page) => page.keyboard.press('Control+Enter');

/** Fills in a place of a snippet, and goes on to the next. A list of suggestions would take Tab. */
async function fillIn(page: Page, text: string): Promise<void> {
  await page.keyboard.type(text);
  if (await page.locator('.suggest-widget.visible').isVisible()) await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
}

const CASE = 'cases/late_order.toml';

/** Saves what is in the editor, and waits until the file has the words. */
async function saved({ page, read }: Story, file: string, words: RegExp): Promise<void> {
  for (const end = Date.now() + 20_000; !words.test(read(file)); await page.waitForTimeout(200)) {
    if (Date.now() > end) throw new Error(`${file} never had ${words}:\n${read(file)}`);
    await page.keyboard.press('Control+s');
  }
}

/** Puts the cursor into the line of the case that begins with these words. */
async function goTo({ page, read }: Story, words: string): Promise<void> {
  const number =
    read(CASE)
      .split('\n')
      .findIndex((text) => text.startsWith(words)) + 1;
  await runCommand(page, 'Go to Line/Column...');
  await page.locator('.quick-input-widget:visible input').first().fill(`:${number}`);
  await page.keyboard.press('Enter');
  await page.locator('.statusbar-item').getByText(`Ln ${number},`).waitFor();
}

/** A person writes a case, and the editor knows what may be written. */
tellPackaged('a new case written with the editors help', (story) => {
  // A step leaves its file saved. When it is tried again, it finds the file as the step before left it.
  beforeEach(async () => {
    const { page } = story();
    if ((await page.locator('.tab.active.dirty').count()) > 0) await runCommand(page, 'File: Revert File');
  });

  it('begins with New Case, in colours', async () => {
    const { page, picture, workspace } = story();
    rmSync(join(workspace, CASE), { force: true });
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
    await editor(page).locator('.selected-text').first().waitFor();
    await page.keyboard.type('Is order 4711 late?');
    await saved(story(), CASE, /^prompt = "Is order 4711 late\?"$/m);
    await untilColoured(page, 'prompt =');
    await picture('01-new-case');
  });

  it('says beside the tape that there is no recording yet', async () => {
    const { page } = story();
    await editor(page).getByText('no recording yet').waitFor();
  });

  it('completes a table with what it must have', async () => {
    const { page, picture } = story();
    await page.keyboard.press('Control+End');
    await beginLine(page);
    await page.keyboard.type('tool');
    await suggestion(page, '[[tools]]').waitFor();
    await picture('02-tables');
    await complete(page, '[[tools]]', /\[\[tools\]\]\nname = ""/);
    await fillIn(page, 'lookup_order');
    await fillIn(page, 'Look up an order by its number.');
    await fillIn(page, 'type = "object", properties = { order = { type = "string" } }');
    await page.keyboard.type('result = "It arrives on Thursday."');
    await saved(
      story(),
      CASE,
      /^name = "lookup_order"\ndescription = "Look up [^"]*"\n[\s\S]*^result = "It arrives on Thursday\."$/m,
    );
  });

  it('completes the name of the tool where an assertion names it', async () => {
    const { page, picture } = story();
    await goTo(story(), '[assert]');
    await beginLine(page);
    await page.keyboard.type('tool_ca');
    await complete(page, 'tool_called', /tool_called = /);
    await complete(page, '"lookup_order"', /tool_called = "lookup_order"/);
    await picture('03-tool');
    await saved(story(), CASE, /^tool_called = "lookup_order"$/m);
  });

  it('warns of an assertion that is never checked, and corrects it', async () => {
    const { page, picture } = story();
    await goTo(story(), 'tool_called');
    await beginLine(page);
    await page.keyboard.type('not_contain = "sorry"');
    await untilShown(page, /^not_contain = "sorry"$/m);
    await editor(page).locator('.squiggly-warning').first().waitFor();
    await line(page, 'not_contain').click({ position: { x: 20, y: 8 } });
    const fix = page.locator('.action-widget .monaco-list-row').filter({ hasText: 'Change to not_contains' }).first();
    await openList(page, 'Control+.', fix);
    await picture('04-warning');
    await fix.click();
    await untilShown(page, /^not_contains = "sorry"$/m);
    await editor(page).locator('.squiggly-warning').first().waitFor({ state: 'hidden' });
    await saved(story(), CASE, /^not_contains = "sorry"$/m);
  });

  it('records the case, and then says what is on its tape', async () => {
    const { page, picture } = story();
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
    await line(page, 'kind = "practice"').click();
    await page.keyboard.press('Control+End');
    await beginLine(page);
    await page.keyboard.type('norm');
    await complete(page, '[normalise]', /\[normalise\]/);
    await page.keyboard.type('pre');
    await complete(page, 'presets', /presets = /);
    await complete(page, '"uuid"', /\[normalise\]\npresets = \["uuid"\]/);
    await beginLine(page);
    await page.keyboard.type('usage_tolerence = 0.1');
    await editor(page).locator('.squiggly-warning').first().waitFor();
    await picture('06-settings');
  });
});
