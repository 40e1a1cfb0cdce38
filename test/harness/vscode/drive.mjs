import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { projectRoot } from './versions.mjs';

/**
 * @typedef {import('playwright-core').Page} Page
 * @typedef {import('playwright-core').FrameLocator} FrameLocator
 */

const commandAttempts = 10;

/**
 * Runs a command through the Command Palette, as a user does, whatever its keybinding.
 * @param {Page} page
 * @param {string} title as the palette shows it, category included: `Tapedeck: Replay Case`
 */
export async function runCommand(page, title) {
  const row = page.locator('.quick-input-list .monaco-list-row').filter({ hasText: title }).first();
  // An open palette does not learn of the commands of an extension that is only just being loaded: it must be opened again.
  for (let attempt = 1; !(await row.isVisible()); attempt++) {
    if (attempt > commandAttempts) throw new Error(`The Command Palette does not offer "${title}".`);
    await page.keyboard.press('Escape');
    await page.keyboard.press('F1');
    // What takes the focus away, such as an editor that opens, closes the palette again.
    const input = page.locator('.quick-input-widget:visible input').first();
    await input.fill(`>${title}`, { timeout: 5000 }).catch(() => {});
    await row.waitFor({ timeout: 2000 }).catch(() => {});
  }
  await row.click();
}

/**
 * The inside of a webview: VS Code puts an extension's page into an iframe of an iframe.
 * @param {Page} page
 * @param {number} [index] among the webviews now visible, in the order they were made
 * @returns {FrameLocator}
 */
export function webviewFrame(page, index = 0) {
  return page.locator('iframe.webview:visible').nth(index).contentFrame().locator('#active-frame').contentFrame();
}

/**
 * Saves a picture of the window under test/screenshots/actual, which git ignores, or in another folder.
 * @param {Page} page
 * @param {string} name without extension
 * @param {string} [folder]
 * @returns {Promise<string>} the PNG's absolute path
 */
export async function shoot(page, name, folder = path.join(projectRoot, 'test/screenshots/actual')) {
  const file = path.resolve(folder, `${name}.png`);
  await mkdir(path.dirname(file), { recursive: true });
  await page.screenshot({ path: file });
  return file;
}
