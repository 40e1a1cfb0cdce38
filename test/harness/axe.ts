import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The violations of WCAG 2.2 A and AA, of good practices, and of VS Code's rule for the labels of buttons, each with its element. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const results: AxeResults = await page.evaluate('axe.run(document, { resultTypes: ["violations"] })');
  const found = results.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help} at ${target.join(' ')}: ${failureSummary ?? ''}`),
  );
  const labels = await page
    .locator(BUTTONS)
    .evaluateAll((all) => all.map((button) => button.getAttribute('aria-label') ?? (button as HTMLElement).innerText));
  return [...found, ...labels.filter((label) => !isTitle(label)).map((label) => `not in Title Case: ${label}`)];
}

/** Not those that look like what they open, such as a message or a file, or that show the time while they play. */
const BUTTONS = ':is(.button, .button-secondary, .button-quiet:not(.play), .show-all, [role="menuitem"]):visible';

/** Words that are small in a title, unless they are its first. */
const SMALL = /^(?:a|an|the|and|or|of|in|on|to|for|from|as|by|with|at)$/;

/** Whether a label is in Title Case, as VS Code writes it. Names and numbers in it are as they are, and so is what explains it in parentheses. */
function isTitle(label: string): boolean {
  const words = label.replace(/\(.*\)/, '').match(/\S*\p{L}\S*/gu) ?? [];
  return words.every((word, at) => /[\p{Lu}\d_/"]/u.test(word) || (at > 0 && SMALL.test(word)));
}

/** `TAPEDECK_AXE=all`: every state in every theme, also at 200 %, which takes minutes. */
export const SEES_ALL = process.env.TAPEDECK_AXE === 'all';

/** The violations as the page is, and with `TAPEDECK_AXE=all` also at a zoom of 200 %, where half of it fits the window. */
export async function violationsAtAnyZoom(page: Page): Promise<string[]> {
  const found = await violations(page);
  const size = page.viewportSize();
  if (!SEES_ALL || size === null) return found;
  await page.setViewportSize({ width: Math.round(size.width / 2), height: Math.round(size.height / 2) });
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  const zoomed = [...(await violations(page)), ...(await sideways(page))];
  await page.setViewportSize(size);
  return [...found, ...zoomed.map((violation) => `at 200 %: ${violation}`)];
}

/** WCAG 1.4.10: the page as a whole is not scrolled to both sides. */
async function sideways(page: Page): Promise<string[]> {
  const wide = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  return Number(wide) > 1 ? [`the page is ${wide} pixels wider than its window`] : [];
}
