import type { Story } from './story';

/** What a user clicks in the sidebar, above a case, and in a notification. */

export const openTapedeck = (story: Story) =>
  story.page.locator('.activitybar .action-item a[aria-label^="Tapedeck"]').click();
export const treeRow = (story: Story, name: string) =>
  story.page.locator('.pane-body .monaco-list-row').filter({ hasText: name }).first();
export const lens = (story: Story, title: string) =>
  story.page.locator('.codelens-decoration a').filter({ hasText: title }).first();
export const notification = (story: Story) => story.page.locator('.notification-toast').first();
