import * as assert from 'node:assert/strict';
import { openDetails, widthsOfPictures } from '../harness/detailsPage';
import { pressCommand } from '../harness/keyboard';
import { tellPackaged } from '../harness/packaged';
import { webviewFrame } from '../harness/vscode/workbench.mjs';

tellPackaged('what the extension says of itself', (story) => {
  const heading = (name: string, level: number) =>
    webviewFrame(story().page).getByRole('heading', { name, level, exact: true });
  const follow = (name: string) => webviewFrame(story().page).getByRole('link', { name, exact: true }).first().click();

  it('has a details page that shows words in place of pictures that it cannot load', async () => {
    const { page } = story();
    const readme = await openDetails(page);
    await readme.getByRole('heading', { name: 'Try it: two minutes, no key' }).waitFor();
    assert.deepEqual(await widthsOfPictures(readme), []);
    await readme.locator('pre').getByText('Hello! How can I help you today?').waitFor();
    await story().picture('0-details');
    await pressCommand(page, 'View: Close All Editors');
  });

  it('has the manual of this version', async () => {
    await pressCommand(story().page, 'Tapedeck: Open Manual');
    await heading('What Tapedeck promises', 2).waitFor();
    await story().picture('1-manual');
  });

  it('leads from the manual to its pages, from one to another, and back', async () => {
    await follow('Review before you commit');
    await heading('Review before you commit', 1).waitFor();
    await follow('What counts as noise');
    await heading('What counts as noise', 1).waitFor();
    await follow('All pages');
    await heading('Where to go on', 2).waitFor();
  });

  it('has the pages of the manual in a list, by their titles', async () => {
    const { page } = story();
    await pressCommand(page, 'Tapedeck: Open Manual Page…');
    await page.locator('.quick-input-list').getByText('Matching and masks').first().waitFor();
    await page.keyboard.type('formats of');
    await page.keyboard.press('Enter');
    await heading('The formats of tapes', 1).waitFor();
    await story().picture('2-page');
  });
});
