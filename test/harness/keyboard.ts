import type { Page } from 'playwright-core';

const ATTEMPTS = 10;

/** Runs a command from the Command Palette without touching the mouse. `title` is as the palette shows it. */
export async function pressCommand(page: Page, title: string): Promise<void> {
  const chosen = page.locator('.quick-input-list .monaco-list-row.focused').filter({ hasText: title });
  for (let attempt = 1; ; attempt += 1) {
    await page.keyboard.press('Escape');
    await page.keyboard.press('F1');
    const input = page.locator('.quick-input-widget:visible input').first();
    // A window that is still starting takes the focus away again, which closes the palette.
    const isOpen = await input.waitFor({ timeout: 3000 }).then(
      () => true,
      () => false,
    );
    if (isOpen) await page.keyboard.type(title);
    const isChosen = await chosen.waitFor({ timeout: 3000 }).then(
      () => true,
      () => false,
    );
    if (isChosen) return page.keyboard.press('Enter');
    if (attempt === ATTEMPTS) throw new Error(`The Command Palette does not offer "${title}".`);
  }
}

/** Opens a file by its name, without touching the mouse. */
export async function openFile(page: Page, name: string): Promise<void> {
  const chosen = page.locator('.quick-input-list .monaco-list-row.focused').filter({ hasText: name });
  for (let attempt = 1; ; attempt += 1) {
    await pressCommand(page, 'Go to File...');
    await page.locator('.quick-input-widget:visible input').first().fill(name);
    // The list knows the files of the moment in which it was opened.
    const isChosen = await chosen.waitFor({ timeout: 10_000 }).then(
      () => true,
      () => false,
    );
    if (isChosen) break;
    if (attempt === ATTEMPTS) throw new Error(`Go to File does not find ${name}.`);
  }
  await page.keyboard.press('Enter');
  await page.locator('.tab.active').filter({ hasText: name }).waitFor();
}
