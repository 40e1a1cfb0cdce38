import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The violations of WCAG 2.2 A and AA and of good practices, each with its element. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const results: AxeResults = await page.evaluate('axe.run(document, { resultTypes: ["violations"] })');
  return results.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help} at ${target.join(' ')}: ${failureSummary ?? ''}`),
  );
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
