import type { Locator, Page } from 'playwright-core';

/** What the window shows of the state of cases, read from its own elements. */

export type Outcome = 'none' | 'running' | 'passed' | 'failed' | 'invalid';

/** The state of a case as one surface shows it. */
export interface ShownCase {
  readonly name: string;
  readonly outcome: Outcome;
  readonly isOutdated: boolean;
  /** Whether it says that the run was compared with nothing; undefined where the surface does not. */
  readonly isUnchecked?: boolean;
  /** How many changes are pending; undefined where the surface does not say. */
  readonly pending?: number;
}

export interface ShownTest extends ShownCase {
  /** The name of its file. */
  readonly file: string;
}

/** What the active editor shows. */
export interface ShownEditor {
  /** The name of its file. */
  readonly file: string;
  readonly glyphs: readonly Pick<ShownCase, 'outcome' | 'isOutdated'>[];
  /** The pending changes by the lenses, in the order of the cases. */
  readonly lenses: readonly number[];
}

const ICONS: Readonly<Record<string, Outcome>> = {
  'testing-passed-icon': 'passed',
  'testing-failed-icon': 'failed',
  'testing-error-icon': 'failed',
  'testing-queued-icon': 'running',
  'testing-loading-icon': 'running',
  loading: 'running',
};

/** The rows of the tree of cases that are in sight. Needs the Tapedeck view to be open. */
export async function readTree(page: Page): Promise<readonly ShownCase[]> {
  const labels = await page
    .locator('.pane-body .monaco-list-row[aria-label^="case "]')
    .evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label') ?? ''));
  return labels.map(caseOfLabel);
}

/** The tests of the Test Explorer, whose folders are expanded for it. Needs the Testing view to be open. */
export async function readTestExplorer(page: Page): Promise<readonly ShownTest[]> {
  const rows = page.locator('.test-explorer .monaco-list-row');
  const closed = page.locator('.test-explorer .monaco-list-row[aria-expanded="false"]');
  // A folder may open by itself between the two: then there is nothing to click any more.
  while ((await closed.count()) > 0) {
    const twistie = closed.first().locator('.monaco-tl-twistie');
    await twistie.click({ timeout: 3000 }).catch(() => undefined);
  }
  const found = await rows.evaluateAll((elements) =>
    elements
      .filter((element) => !element.hasAttribute('aria-expanded'))
      .map((element) => ({
        name: element.querySelector('.label')?.firstChild?.textContent ?? '',
        description: element.querySelector('.test-label-description')?.textContent ?? '',
        classes: element.querySelector('.computed-state')?.className ?? '',
      })),
  );
  return found.map(({ name, description, classes }) => ({
    name,
    file: /^\S+?\.\w+(?=:| ·|$)/.exec(description)?.[0] ?? '',
    isUnchecked: description.includes('nothing compared'),
    ...stateOfClasses(classes),
  }));
}

/** The active editor if it shows text; its glyphs and lenses are those in sight. */
export async function readEditor(page: Page): Promise<ShownEditor | undefined> {
  const tab = page.locator('.editor-group-container.active .tab.active');
  const file = (await tab.count()) === 0 ? null : await tab.first().getAttribute('data-resource-name');
  const editor = page.locator('.editor-group-container.active .editor-instance .monaco-editor').first();
  if (file === null || !(await editor.isVisible())) return undefined;
  const glyphs = await classesOf(editor.locator('.testing-run-glyph'));
  const lenses = await editor.locator('.codelens-decoration a').allInnerTexts();
  return {
    file,
    glyphs: glyphs.map(stateOfClasses),
    lenses: lenses.flatMap((text) => {
      const found = /\bReview(?: \((\d+)\))?$/.exec(text.trim());
      return found === null ? [] : [Number(found[1] ?? 0)];
    }),
  };
}

/** The case in the status bar, if there is one. */
export async function readStatusBar(page: Page): Promise<ShownCase | undefined> {
  const item = page.locator('.statusbar-item[aria-label^="case "]');
  if ((await item.count()) === 0) return undefined;
  return caseOfLabel((await item.first().getAttribute('aria-label')) ?? '');
}

/** Reads `case NAME, STATE`, as tree and status bar are labelled. */
function caseOfLabel(label: string): ShownCase {
  const [, name = '', words = ''] = /^case (.*?), (.*)$/.exec(label) ?? [];
  return {
    name,
    outcome: outcomeOfWords(words),
    isOutdated: /\boutdated\b/.test(words),
    isUnchecked: words.includes('nothing compared'),
    pending: Number(/(\d+) to review/.exec(words)?.[1] ?? 0),
  };
}

function outcomeOfWords(words: string): Outcome {
  if (/\brunning\b/.test(words)) return 'running';
  if (/\bpassed\b/.test(words)) return 'passed';
  if (/\b(?:failed|to be reviewed|to review)\b/.test(words)) return 'failed';
  return /\bcannot be read\b/.test(words) ? 'invalid' : 'none';
}

function stateOfClasses(classes: string): Pick<ShownCase, 'outcome' | 'isOutdated'> {
  const icon = classes
    .split(/\s+/)
    .map((name) => ICONS[name.replace(/^codicon-/, '')])
    .find((outcome) => outcome !== undefined);
  return { outcome: icon ?? 'none', isOutdated: /\bretired\b/.test(classes) };
}

function classesOf(elements: Locator): Promise<readonly string[]> {
  return elements.evaluateAll((found) => found.map((element) => element.className));
}
