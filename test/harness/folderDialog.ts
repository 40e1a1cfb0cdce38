import type { Page } from 'playwright-core';

/**
 * Types the path of a folder into the open dialog, and returns when the dialog lists the folder.
 * @param entry a file or folder that only this folder has
 */
export async function goToFolder(page: Page, folder: string, entry: string): Promise<void> {
  const row = (name: string) => page.locator('.quick-input-list .monaco-list-row').filter({ hasText: name }).first();
  // When the dialog lists its first folder, it replaces what was typed before with the path of that folder.
  await row('..').waitFor();
  await page.locator('.quick-input-widget:visible input').first().fill(`${folder}/`);
  await row(entry).waitFor();
}
