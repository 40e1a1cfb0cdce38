import type { Locator, Page } from 'playwright-core';

const ATTEMPTS = 10;

/**
 * Runs a command from the Command Palette without touching the mouse, and returns when the palette has gone.
 * @param title as the palette shows it, its category included; of several that match, the row that has exactly this title
 */
export async function pressCommand(page: Page, title: string): Promise<void> {
  const open = page.locator('.quick-input-widget:visible input');
  const rows = page.locator('.quick-input-list .monaco-list-row');
  for (let attempt = 1; ; attempt += 1) {
    // Escape only closes a palette that an earlier attempt left open: elsewhere it would clear the selection of a tree.
    if (await open.first().isVisible()) await page.keyboard.press('Escape');
    await page.keyboard.press('F1');
    // A window that is still starting, and a page that is still loading, take the focus or the key itself.
    if (await appears(page.locator('.quick-input-widget:visible input:focus'), 3000)) {
      await page.keyboard.type(title);
      if (await appears(rows.filter({ hasText: title }), 3000)) break;
    }
    if (attempt === ATTEMPTS) throw new Error(`The Command Palette does not offer "${title}".`);
  }
  const isTitle = (await rows.getByText(title, { exact: true }).count()) > 0;
  const isThere = (text: string) => (isTitle ? text === title : text.includes(title));
  const focused = rows.and(page.locator('.focused')).locator('.label-name').first();
  for (let step = 0; step < 20 && !isThere(await focused.innerText()); step += 1)
    await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const inputs = () => open.evaluateAll((all) => all.map((input) => ('value' in input ? String(input.value) : '')));
  while ((await inputs()).some((value) => value.startsWith('>'))) await page.waitForTimeout(50);
}

/**
 * The same, until it shows what it opens, such as a list to choose from: a page that is still loading takes the focus, which closes it.
 */
export async function pressCommandFor(page: Page, title: string, opened: Locator): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await pressCommand(page, title);
    if (await appears(opened, 20_000)) return;
    if (attempt === ATTEMPTS) throw new Error(`"${title}" never shows what it opens.`);
  }
}

/** Opens a file by its name, without touching the mouse. */
export async function openFile(page: Page, name: string): Promise<void> {
  const chosen = page.locator('.quick-input-list .monaco-list-row.focused').filter({ hasText: name });
  for (let attempt = 1; ; attempt += 1) {
    await pressCommand(page, 'Go to File...');
    await page.locator('.quick-input-widget:visible input').first().fill(name);
    // The list knows the files of the moment in which it was opened.
    if (await appears(chosen, 10_000)) break;
    if (attempt === ATTEMPTS) throw new Error(`Go to File does not find ${name}.`);
  }
  await page.keyboard.press('Enter');
  await page.locator('.tab.active').filter({ hasText: name }).waitFor();
}

/** Goes down a tree that has the focus to a row, which then has it. */
export async function stepTo(row: Locator): Promise<void> {
  const page = row.page();
  for (let step = 0; step < 20 && !(await isFocused(row)); step += 1) await page.keyboard.press('ArrowDown');
  await row.and(page.locator('.focused')).waitFor();
}

/** Goes down a tree to a row and opens it: a tree that is drawn anew meanwhile loses the key. */
export async function enterFor(row: Locator, opened: Locator): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await stepTo(row);
    await row.page().keyboard.press('Enter');
    if (await appears(opened, 10_000)) return;
    if (attempt === ATTEMPTS) throw new Error('Enter never opens the row.');
  }
}

async function isFocused(row: Locator): Promise<boolean> {
  return ((await row.getAttribute('class')) ?? '').split(' ').includes('focused');
}

async function appears(what: ReturnType<Page['locator']>, timeout: number): Promise<boolean> {
  return what
    .first()
    .waitFor({ timeout })
    .then(
      () => true,
      () => false,
    );
}
