import type { Page } from 'playwright-core';
import { PATIENCE_MS } from './chromium.mjs';

/**
 * Loads the window anew once it has stored an editor with these words in its description. VS Code in a browser stores its editors every few
 * seconds, and cannot wait for that when it is left: what was opened just before does not come back. On a desktop it waits.
 */
export async function reloadWithEditor(page: Page, words: readonly string[]): Promise<void> {
  const check = `(${hasStored})(${JSON.stringify(words)})`;
  for (const end = Date.now() + PATIENCE_MS; (await page.evaluate(check)) !== true; await page.waitForTimeout(500))
    if (Date.now() > end) throw new Error(`The window never stored an editor with ${words.join(', ')}.`);
  await page.reload({ waitUntil: 'commit' });
}

/** Runs in the window, and is therefore plain JavaScript. */
const hasStored = `async (words) => {
  const answer = (request) => new Promise((done, fail) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
  });
  const found = await Promise.all((await indexedDB.databases()).map(async ({ name, version }) => {
    if (!name.startsWith('vscode-web-state-db')) return false;
    const database = await answer(indexedDB.open(name, version));
    try {
      const editors = await answer(database.transaction('ItemTable').objectStore('ItemTable').get('memento/workbench.parts.editor'));
      return words.every((word) => String(editors).includes(word));
    } finally {
      database.close();
    }
  }));
  return found.includes(true);
}`;
