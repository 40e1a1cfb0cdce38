import type { Locator, Page } from 'playwright-core';
import type { Story } from './story';

/** Clicks in the sidebar, on code lenses and in notifications. */

/** How long a view, or what is below a row, may take to show before it is clicked again. */
const PATIENCE_MS = 5000;

/**
 * Shows a view in the side bar, and returns when it is there: a click on one that is open would close it. By the whole of its item:
 * over the icon there may be a badge. A row that is revealed meanwhile takes its own view to the front again.
 */
export async function openView(page: Page, name: string): Promise<void> {
  const item = page.locator('.activitybar .action-item').filter({ has: page.locator(`a[aria-label^="${name}"]`) });
  await item.waitFor();
  for (let attempt = 1; ; attempt += 1) {
    if (!((await item.getAttribute('class')) ?? '').split(' ').includes('checked')) await item.click();
    if (await appears(item.and(page.locator('.checked')))) return;
    if (attempt === 10) throw new Error(`The view ${name} does not stay open.`);
  }
}

/** Whether there is such an element within the patience of these helpers. */
function appears(element: Locator): Promise<boolean> {
  return element.waitFor({ timeout: PATIENCE_MS }).then(
    () => true,
    () => false,
  );
}

export const openTapedeck = (story: Pick<Story, 'page'>) => openView(story.page, 'Tapedeck');
export const treeRow = (story: Story, name: string) =>
  story.page.locator('.pane-body .monaco-list-row').filter({ hasText: name }).first();
/**
 * Shows what is below a row, and returns when `child` is among it. A view that has only just opened still restores which rows were
 * expanded: a click in that moment would collapse the row.
 */
export async function expandRow(story: Story, name: string, child: string): Promise<void> {
  const row = treeRow(story, name);
  await row.waitFor();
  for (let attempt = 1; ; attempt += 1) {
    if ((await row.getAttribute('aria-expanded')) === 'false') await row.locator('.monaco-tl-twistie').click();
    if (await appears(treeRow(story, child))) return;
    if (attempt === 10) throw new Error(`There is never ${child} below ${name}.`);
  }
}
/** Opens the context menu of a row, and returns an item of it. A window that is still starting does not know all items yet. */
export async function openMenu(row: Locator, title: string): Promise<Locator> {
  const page = row.page();
  const item = page.locator('.monaco-menu .action-item').filter({ hasText: title }).first();
  for (let attempt = 1; !(await item.isVisible()); attempt += 1) {
    if (attempt > 10) throw new Error(`The menu never has ${title}.`);
    if (await page.locator('.monaco-menu').first().isVisible()) await page.keyboard.press('Escape');
    await row.click({ button: 'right' });
    await appears(item);
  }
  return item;
}

/** Chooses from the context menu of a row, again if need be: a menu takes no click in its first tenth of a second. */
export async function chooseFromMenu(row: Locator, title: string): Promise<void> {
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    const item = await openMenu(row, title);
    await item.hover();
    await row.page().keyboard.press('Enter');
    if (await disappears(item)) return;
  }
  throw new Error(`The menu does not take ${title}.`);
}

function disappears(element: Locator): Promise<boolean> {
  return element.waitFor({ state: 'hidden', timeout: PATIENCE_MS }).then(
    () => true,
    () => false,
  );
}

export const lens = (story: Story, title: string) =>
  story.page.locator('.codelens-decoration a').filter({ hasText: title }).first();
export const notification = (story: Story) => story.page.locator('.notification-toast').first();
