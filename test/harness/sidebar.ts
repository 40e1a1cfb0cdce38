import type { Page } from 'playwright-core';
import type { Story } from './story';

/** Clicks in the sidebar, on code lenses and in notifications. */

/** By the whole of its item: over the icon there may be a badge. */
export const openView = (page: Page, name: string) =>
  page
    .locator('.activitybar .action-item')
    .filter({ has: page.locator(`a[aria-label^="${name}"]`) })
    .click();
export const openTapedeck = (story: Pick<Story, 'page'>) => openView(story.page, 'Tapedeck');
export const treeRow = (story: Story, name: string) =>
  story.page.locator('.pane-body .monaco-list-row').filter({ hasText: name }).first();
/** Shows what is below a row, once the row is there. */
export async function expandRow(story: Story, name: string): Promise<void> {
  const row = treeRow(story, name);
  await row.waitFor();
  if ((await row.getAttribute('aria-expanded')) === 'false') await row.locator('.monaco-tl-twistie').click();
}
export const lens = (story: Story, title: string) =>
  story.page.locator('.codelens-decoration a').filter({ hasText: title }).first();
export const notification = (story: Story) => story.page.locator('.notification-toast').first();
