import type { FrameLocator, Page } from 'playwright-core';
import { runCommand } from './vscode/workbench.mjs';

/** Shows the page of the installed extension that the marketplace has as well. */
export async function openDetails(page: Page): Promise<FrameLocator> {
  await runCommand(page, 'Extensions: Show Installed Extensions');
  await page.locator('.extension-list-item', { hasText: 'Tapedeck' }).first().click();
  return page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
}

/** The natural widths of the pictures, once all of them are loaded or have failed; 0 of a broken one. */
export function widthsOfPictures(readme: FrameLocator): Promise<readonly number[]> {
  return readme.locator('body').evaluate(async (body) => {
    const images = [...body.querySelectorAll('img')];
    await Promise.allSettled(images.map((image) => image.decode()));
    return images.map((image) => image.naturalWidth);
  });
}
