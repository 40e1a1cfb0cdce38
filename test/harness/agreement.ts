import * as assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import {
  type Outcome,
  readEditor,
  readStatusBar,
  readTestExplorer,
  readTree,
  type ShownCase,
  type ShownEditor,
  type ShownTest,
} from './caseSurfaces';
import { readReviewPage, readReviews, type ShownPage, type ShownReview, type ShownReviews } from './reviewSurfaces';
import { openView } from './sidebar';

/** How long the surfaces of a window may take until they agree: they follow the disk, and draw one after the other. */
const PATIENCE_MS = 120_000;
/** How long a view may take to open before it is opened again. */
const VIEW_MS = 20_000;

/** What a story expects of a case, by its name: its outcome, and whether that is outdated or how many changes are pending. */
export type ExpectedCases = Readonly<
  Record<string, Outcome | { readonly outcome: Outcome; readonly isOutdated?: boolean; readonly pending?: number }>
>;

interface Shown {
  readonly tree: readonly ShownCase[];
  /** Undefined while the Review view is closed. */
  readonly reviews: ShownReviews | undefined;
  /** Undefined while no page of a review is in sight. */
  readonly reviewPage: ShownPage | undefined;
  readonly tests: readonly ShownTest[];
  readonly editor: ShownEditor | undefined;
  readonly statusBar: ShownCase | undefined;
}

/**
 * Asserts that Test Explorer, tree, lenses, gutter, status bar, Review view and the page of a review tell the same of every case, and
 * `expected` of those it names. It opens the Testing and the Tapedeck view, and leaves the window with the side bar and the focus that it had.
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
  const [tree, reviews, reviewPage] = [await readTree(page), await readReviews(page), await readReviewPage(page)];
  return { tree, reviews, reviewPage, tests, editor, statusBar };
}

/** Where there is nothing to list, a view has words instead. */
async function showRows(page: Page, view: string, list: string): Promise<boolean> {
  await openView(page, view);
  return page
    .locator(`${list} .monaco-list-row, .sidebar .welcome-view-content:visible`)
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
    ...conflictsOfReviewPage(shown),
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

function conflictsOfReviews({ tree, reviews }: Shown): readonly string[] {
  if (reviews === undefined) return [];
  const runs = reviews.listed.filter(({ kind, isPending }) => kind === 'run' && isPending).map(({ name }) => name);
  const pending = tree.filter((shownCase) => (shownCase.pending ?? 0) > 0).map(({ name }) => name);
  const isListed = (name: string) => tree.some((shownCase) => shownCase.name === name);
  return [
    ...pending
      .filter((name) => reviews.isComplete && !runs.includes(name))
      .map((name) => `tree: ${name} is to be reviewed, Review: nothing pending of it`),
    ...runs
      .filter((name) => isListed(name) && !pending.includes(name))
      .map((name) => `Review: ${name} is pending, tree: nothing to review`),
  ];
}

/** The page of a review has to show what the Review view lists and, for a run, what the tree says. */
function conflictsOfReviewPage({ reviewPage, reviews, tree }: Shown): readonly string[] {
  if (reviewPage === undefined) return [];
  const { name, kind, isPending, pending } = reviewPage;
  const inTree = kind === 'run' ? tree.filter((shownCase) => shownCase.name === name) : [];
  const listed = (reviews?.listed ?? []).filter((one) => one.name === name && one.kind === kind);
  const isAsListed = listed.length === 0 ? !isPending || !reviews?.isComplete : listed.some(isSameReview(reviewPage));
  return [
    ...(inTree.length === 0 || inTree.some((shownCase) => shownCase.pending === pending)
      ? []
      : [`review page: ${pending} pending of ${name}, tree: ${inTree.map(say).join('; ')}`]),
    ...(reviews === undefined || isAsListed
      ? []
      : [`review page: ${JSON.stringify(reviewPage)}, Review: ${JSON.stringify(listed)}`]),
  ];
}

/** What is pending is listed by what changed, and only what is decided by its decisions. */
function isSameReview(shown: ShownPage): (listed: ShownReview) => boolean {
  return ({ isPending, accepted, rejected }) =>
    isPending === shown.isPending && (isPending || (accepted === shown.accepted && rejected === shown.rejected));
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

type Look = Pick<ShownCase, 'outcome' | 'isOutdated' | 'isUnchecked'>;

function looksSame(one: Look, other: Look): boolean {
  const isUncheckedInBoth = (one.isUnchecked ?? other.isUnchecked) === (other.isUnchecked ?? one.isUnchecked);
  return one.outcome === other.outcome && one.isOutdated === other.isOutdated && isUncheckedInBoth;
}

function isSame(one: ShownCase, other: ShownCase): boolean {
  return looksSame(one, other) && one.pending === other.pending;
}

function say({ name, outcome, isOutdated, isUnchecked, pending }: ShownCase): string {
  const notes = [isUnchecked && 'nothing compared', isOutdated && 'outdated', pending && `${pending} to review`];
  return [`${name} ${outcome}`, ...notes.filter(Boolean)].join(', ');
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
