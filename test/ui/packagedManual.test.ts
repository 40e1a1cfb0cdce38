import { pressCommand } from '../harness/keyboard';
import { tellPackaged } from '../harness/packaged';
import { webviewFrame } from '../harness/vscode/workbench.mjs';

tellPackaged('the manual', (story) => {
  const heading = (name: string, level: number) =>
    webviewFrame(story().page).getByRole('heading', { name, level, exact: true });
  const follow = (name: string) => webviewFrame(story().page).getByRole('link', { name, exact: true }).first().click();

  it('is that of this version', async () => {
    await pressCommand(story().page, 'Tapedeck: Open Manual');
    await heading('What Tapedeck promises', 2).waitFor();
    await story().picture('1-manual');
  });

  it('leads to its pages, from one to another, and back', async () => {
    await follow('Review before you commit');
    await heading('Review before you commit', 1).waitFor();
    await follow('What counts as noise');
    await heading('What counts as noise', 1).waitFor();
    await follow('All pages');
    await heading('Where to go on', 2).waitFor();
  });

  it('has its pages in a list, by their titles', async () => {
    const { page } = story();
    await pressCommand(page, 'Tapedeck: Open Manual Page…');
    await page.locator('.quick-input-list').getByText('Matching and masks').first().waitFor();
    await page.keyboard.type('formats of');
    await page.keyboard.press('Enter');
    await heading('The formats of tapes', 1).waitFor();
    await story().picture('2-page');
  });
});
