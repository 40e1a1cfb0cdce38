import * as assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import {
  type Outcome,
  readEditor,
  readPendingRuns,
  readStatusBar,
  readTestExplorer,
  readTree,
  type ShownCase,
  type ShownEditor,
  type ShownTest,
} from './caseSurfaces';
import { openView } from './sidebar';

/** How long the surfaces of a window may take until they agree: they follow the disk, and draw one after the other. */
const PATIENCE_MS = 20_000;
/** How long a view may take to open before it is opened again. */
const VIEW_MS = 5000;

/** What a story expects of a case, by its name: its outcome, and whether that is outdated or how many changes are pending. */
export type ExpectedCases = Readonly<
  Record<string, Outcome | { readonly outcome: Outcome; readonly isOutdated?: boolean; readonly pending?: number }>
>;

interface Shown {
  readonly tree: readonly ShownCase[];
  readonly pendingRuns: readonly string[] | undefined;
  readonly tests: readonly ShownTest[];
  readonly editor: ShownEditor | undefined;
  readonly statusBar: ShownCase | undefined;
}

/**
 * Asserts that Test Explorer, tree, lenses, gutter, status bar and Review view tell the same of every case, and `expected`
 * of those it names. It opens the Testing and the Tapedeck view, and leaves the window with the side bar and the focus that it had.
 */
export async function assertAgreement(page: Page, expected: ExpectedCases = {}): Promise<void> {
  const restore = await rememberWindow(page);
  try {
    const end = Date.now() + PATIENCE_MS;
    for (;;) {
      const shown = await readWindow(page);
      const conflicts = shown === undefined ? ['A view does not open.'] : findConflicts(shown, expected);
      if (conflicts.length === 0) return;
      if (Date.now() > end) assert.fail(`The window does not agree with itself:\n${conflicts.join('\n')}`);
      await page.waitForTimeout(250);
    }
  } finally {
    await restore();
  }
}

/** Undefined while a view does not open: a window that is still starting shows again the view that it had. */
async function readWindow(page: Page): Promise<Shown | undefined> {
  if (!(await showRows(page, 'Testing', '.test-explorer'))) return undefined;
  const tests = await readTestExplorer(page);
  const editor = await readEditor(page);
  const statusBar = await readStatusBar(page);
  if (!(await showRows(page, 'Tapedeck', '.pane-body'))) return undefined;
  return { tree: await readTree(page), pendingRuns: await readPendingRuns(page), tests, editor, statusBar };
}

async function showRows(page: Page, view: string, list: string): Promise<boolean> {
  await openView(page, view);
  return page
    .locator(`${list} .monaco-list-row`)
    .first()
    .waitFor({ timeout: VIEW_MS })
    .then(
      () => true,
      () => false,
    );
}

function findConflicts(shown: Shown, expected: ExpectedCases): readonly string[] {
  return [
    ...shown.tree.flatMap((shownCase) => conflictsWithTests(shownCase, shown)),
    ...conflictsOfReviews(shown),
    ...conflictsOfEditor(shown),
    ...conflictsOfStatusBar(shown),
    ...Object.entries(expected).flatMap(([name, wanted]) => conflictsWithStory(name, wanted, shown)),
  ];
}

/** Cases may share a name: one of the tests of this name has to show the same. */
function conflictsWithTests(shownCase: ShownCase, { tests }: Shown): readonly string[] {
  const named = tests.filter(({ name }) => name === shownCase.name);
  if (shownCase.outcome === 'invalid' || named.some((test) => looksSame(shownCase, test))) return [];
  return [`tree: ${say(shownCase)}, Test Explorer: ${named.map(say).join('; ') || 'no such test'}`];
}

function conflictsOfReviews({ tree, pendingRuns }: Shown): readonly string[] {
  if (pendingRuns === undefined) return [];
  const pending = tree.filter((shownCase) => (shownCase.pending ?? 0) > 0).map(({ name }) => name);
  const isListed = (name: string) => tree.some((shownCase) => shownCase.name === name);
  return [
    ...pending
      .filter((name) => !pendingRuns.includes(name))
      .map((name) => `tree: ${name} is to be reviewed, Review: nothing pending of it`),
    ...pendingRuns
      .filter((name) => isListed(name) && !pending.includes(name))
      .map((name) => `Review: ${name} is pending, tree: nothing to review`),
  ];
}

function conflictsOfEditor({ editor, tests, tree }: Shown): readonly string[] {
  const shown = tests.filter(({ file }) => file === editor?.file);
  if (editor === undefined || shown.length === 0) return [];
  const glyphs = editor.glyphs.filter((glyph) => !shown.some((test) => looksSame(glyph, test)));
  const named = tree.filter(({ name }) => shown.some((test) => test.name === name));
  const pending = named.map((shownCase) => shownCase.pending ?? 0);
  const lenses = named.length === 0 ? [] : editor.lenses.filter((count) => !pending.includes(count));
  return [
    ...glyphs.map(
      (glyph) => `gutter of ${editor.file}: ${JSON.stringify(glyph)}, Test Explorer: ${shown.map(say).join('; ')}`,
    ),
    ...lenses.map((count) => `lens of ${editor.file}: ${count} to review, tree: ${named.map(say).join('; ')}`),
  ];
}

function conflictsOfStatusBar({ statusBar, tree, editor }: Shown): readonly string[] {
  if (statusBar === undefined) return [];
  const named = tree.filter(({ name }) => name === statusBar.name);
  if (named.length === 0 || named.some((shownCase) => isSame(shownCase, statusBar))) return [];
  return [`status bar (${editor?.file}): ${say(statusBar)}, tree: ${named.map(say).join('; ')}`];
}

function conflictsWithStory(name: string, wanted: ExpectedCases[string], { tree }: Shown): readonly string[] {
  const fields = typeof wanted === 'string' ? { outcome: wanted, isOutdated: false } : wanted;
  const named = tree.filter((shownCase) => shownCase.name === name);
  const isAsWanted = (shownCase: ShownCase) =>
    Object.entries(fields).every(([field, value]) => shownCase[field as keyof ShownCase] === value);
  if (named.some(isAsWanted)) return [];
  return [
    `the story expects ${name} as ${JSON.stringify(fields)}, tree: ${named.map(say).join('; ') || 'not in sight'}`,
  ];
}

type Look = Pick<ShownCase, 'outcome' | 'isOutdated'>;

function looksSame(one: Look, other: Look): boolean {
  return one.outcome === other.outcome && one.isOutdated === other.isOutdated;
}

function isSame(one: ShownCase, other: ShownCase): boolean {
  return looksSame(one, other) && one.pending === other.pending;
}

function say({ name, outcome, isOutdated, pending }: ShownCase): string {
  return [`${name} ${outcome}`, ...(isOutdated ? ['outdated'] : []), ...(pending ? [`${pending} to review`] : [])].join(
    ', ',
  );
}

/** Returns what gives the window back its view in the side bar and its focus. */
async function rememberWindow(page: Page): Promise<() => Promise<void>> {
  const view = page.locator('.activitybar .action-item.checked a').first();
  const label = (await view.count()) === 0 ? undefined : await view.getAttribute('aria-label');
  const focus = await page.evaluateHandle(() => document.activeElement);
  return async () => {
    if (label !== undefined && label !== null) await openView(page, label.replace(/ (?:-|\().*$/, ''));
    await focus.evaluate((element) => {
      if (element instanceof HTMLElement && element.isConnected) element.focus();
    });
    await page.mouse.move(0, 0);
  };
}
