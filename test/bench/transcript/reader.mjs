// What somebody does who reads a tape in a VS Code that the bench has opened.
import { runCommand, webviewFrame } from '../../harness/vscode/workbench.mjs';

export const LIMIT = { timeout: 120_000 };

/** Milliseconds from a command of the opener until what it opens has `arrived`. */
export async function timed(page, command, arrived) {
  await page.keyboard.press('F1');
  await page.locator('.quick-input-widget:visible input').first().fill(`>Bench: ${command}`);
  const row = page.locator('.quick-input-list .monaco-list-row').filter({ hasText: command }).first();
  await row.waitFor();
  const start = performance.now();
  await row.click();
  await arrived();
  return performance.now() - start;
}

/** The transcript shows a message. */
export function firstMessage(page) {
  return webviewFrame(page).locator('article .message-body').first().waitFor(LIMIT);
}

/** The transcript has been told of the last interaction. */
export async function allRead(page) {
  await firstMessage(page);
  await webviewFrame(page)
    .locator('.loading')
    .waitFor({ ...LIMIT, state: 'detached' });
}

export async function closeAll(page) {
  await runCommand(page, 'View: Close All Editors');
  const frame = page.locator('iframe.webview').first();
  await frame.waitFor({ state: 'detached' }).catch(() => undefined);
  await page.waitForTimeout(500);
}

export async function scroll(page) {
  const { width, height } = page.viewportSize();
  await page.mouse.move(width / 2, height / 2);
  for (let step = 0; step < 120; step += 1) {
    await page.mouse.wheel(0, step % 10 === 9 ? 60_000 : 900);
    await page.waitForTimeout(30);
  }
}

export async function search(page, frame) {
  await frame.locator('body').press('/');
  await page.keyboard.type('customs', { delay: 60 });
  await frame.locator('.find-count').getByText(/ of /).waitFor(LIMIT);
  for (let step = 0; step < 20; step += 1) {
    await page.keyboard.press('Enter');
    await page.waitForTimeout(60);
  }
  await page.waitForTimeout(3000);
  await page.keyboard.press('Escape');
}

/** Three slices of a message that is sent slice by slice. */
export async function openWhole(page, frame) {
  for (let slice = 0; slice < 3; slice += 1) {
    const more = frame.getByRole('button', { name: /^Show (all|more)/ }).first();
    await more.click();
    await page.waitForTimeout(500);
  }
  await page.mouse.wheel(0, 3000);
  await page.waitForTimeout(500);
}
