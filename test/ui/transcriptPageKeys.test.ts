import * as assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { TRANSCRIPT_COMMANDS, type TranscriptCommand } from '../../webview-ui/transcript/commands';
import { type HostCall, type PageOptions, type TranscriptFixture, usePages } from '../harness/pages/transcriptPages';
import { STREAMED, wireTape } from './wireTape';

/** A page with the focus on the second interaction's response, which was streamed. */
interface Rig {
  readonly fixture: TranscriptFixture;
  readonly page: Page;
}

/** The effect of a command, and the steps that it needs before. */
interface Expectation {
  readonly before?: (rig: Rig) => Promise<void>;
  readonly done: (rig: Rig) => Promise<unknown>;
}

const focusIn = async (page: Page, selector: string): Promise<unknown> => {
  try {
    return await page.waitForFunction((wanted) => document.activeElement?.closest(wanted) != null, selector);
  } catch (error) {
    const focused = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200));
    throw new Error(`The focus is not in ${selector}, but on ${focused}`, { cause: error });
  }
};
const focusOn = (interaction: number): Expectation => ({
  done: ({ page }) => focusIn(page, `article[data-interaction="${interaction}"]`),
});
const called = (...wanted: HostCall): Expectation => ({
  done: async ({ fixture }) => {
    for (let tries = 0; tries < 50 && fixture.calls.length === 0; tries += 1) await fixture.page.waitForTimeout(20);
    assert.deepEqual(fixture.calls, [wanted]);
  },
});
const copied = (kind: string): Expectation => called('copyAs', { interaction: 1, kind });
const says = (text: string): Expectation => ({
  done: ({ page }) => page.getByRole('status').getByText(text).waitFor(),
});
const shows = (selector: string): Expectation => ({ done: ({ page }) => page.locator(selector).first().waitFor() });
const checked = (mode: string): Expectation => shows(`.mode-switch label:has(:checked):has-text("${mode}")`);
/** Searches for a word with several matches, and returns the index of the current one, from 0. */
const matchAt = async (page: Page): Promise<readonly [at: number, count: number]> => {
  const count = page.locator('.find-count').getByText(/^\d+ of \d+$/);
  await count.waitFor();
  const [at = 0, all = 0] = (await count.innerText()).split(' of ').map(Number);
  return [at - 1, all];
};
const stepped = (by: number): Expectation => {
  let before = 0;
  return {
    before: async ({ page }) => {
      await page.keyboard.press('/');
      await page.keyboard.type('order');
      [before] = await matchAt(page);
    },
    done: async ({ page }) => {
      const [at, count] = await matchAt(page);
      assert.ok(count > 2);
      assert.equal(at, (before + by + count) % count);
    },
  };
};

/** One for every command: without one, the types do not fit; without a way to reach the command, its test fails. */
const EXPECTATIONS: Readonly<Record<TranscriptCommand, Expectation>> = {
  next: focusOn(2),
  previous: focusOn(0),
  nextInteraction: focusOn(2),
  previousInteraction: focusOn(0),
  first: focusOn(0),
  last: focusOn(4),
  outline: { done: ({ page }) => focusIn(page, '.outline-line[data-line="1"]') },
  // On a tape with one conversation; transcriptPageAgents.test.ts has others.
  agents: says('This tape has only one agent.'),
  timeline: { done: ({ page }) => focusIn(page, '.bar[data-first="1"]') },
  back: {
    before: async ({ page }) => {
      await page.keyboard.press('f');
      await focusIn(page, '.filter-bar input');
    },
    done: async ({ page }) => {
      await page.locator('.filter-bar').waitFor({ state: 'detached' });
      await focusIn(page, 'article[data-interaction="1"]');
    },
  },
  toggle: shows('article[data-interaction="1"] .message.closed'),
  source: shows('article[data-interaction="1"] .source'),
  play: shows('.played'),
  slower: says('Playback speed: 0.5\u00d7'),
  faster: says('Playback speed: 2\u00d7'),
  summary: checked('Summary'),
  normal: checked('Normal'),
  verbose: checked('Verbose'),
  help: { done: ({ page }) => focusIn(page, 'dialog.key-help') },
  find: { done: ({ page }) => focusIn(page, '.find-bar input') },
  nextMatch: stepped(1),
  previousMatch: stepped(-1),
  filter: { done: ({ page }) => focusIn(page, '.filter-bar input') },
  breakpoint: {
    before: async ({ fixture, page }) => {
      fixture.hold({ breakpoints: [], held: [] });
      await page.locator('.breakpoint').first().waitFor();
    },
    ...called('toggleBreakpoint', { interaction: 1 }),
  },
  menu: { done: ({ page }) => focusIn(page, '[role="menuitem"]') },
  edit: { done: ({ page }) => focusIn(page, 'form.response-editor textarea') },
  duplicate: says('Duplicated interaction 2'),
  add: { done: ({ page }) => focusIn(page, 'article[data-interaction="2"] form.response-editor textarea') },
  moveUp: says('Moved interaction 2 up'),
  moveDown: says('Moved interaction 2 down'),
  delete: says('Deleted interaction 2'),
  redact: called('planRedaction', { selected: '' }),
  fork: called('fork', { interaction: 1 }),
  openSource: called('revealSource', { interaction: 1 }),
  copyMarkdown: copied('markdown'),
  copyText: copied('text'),
  copyJson: copied('json'),
  copyCurl: copied('curl'),
  copyCase: copied('case'),
  copyLink: called('copyLink', { interaction: 1 }),
  openTranscriptAsText: called('openTranscriptAsText', { interaction: 1 }),
  makeCase: called('makeCase', undefined),
  exportTranscript: called('exportTranscript', undefined),
};

describe('the transcript by keyboard alone', () => {
  const open = usePages();

  async function rigged(options?: PageOptions): Promise<Rig> {
    const fixture = await open(wireTape(), options);
    const { page } = fixture;
    await page.locator('article .message-body').first().waitFor();
    await page.keyboard.press('n');
    await focusIn(page, 'article[data-interaction="0"]');
    await page.keyboard.press('n');
    await focusIn(page, 'article[data-interaction="1"]');
    return { fixture, page };
  }

  for (const row of TRANSCRIPT_COMMANDS) {
    const ways: readonly (readonly string[])[] = row.keys.length === 0 ? [['.']] : row.keys.map((key) => [key]);
    for (const way of ways) {
      it(`${row.id}: ${row.keys.length === 0 ? 'in the menu' : way}`, async () => {
        assert.ok(row.keys.length > 0 || 'menu' in row, 'it has a key, or is in the menu');
        const rig = await rigged();
        const { before, done } = EXPECTATIONS[row.id];
        await before?.(rig);
        for (const key of way) await rig.page.keyboard.press(key.replace('Ctrl+', 'Control+'));
        if (row.keys.length === 0) await chooseFromMenu(rig.page, row.label);
        await done(rig);
        await requireFocus(rig);
        await requireWayBack(rig);
      });
    }
  }

  it('reaches everything that can be pressed, with a ring around what has the focus', async () => {
    const { page, fixture } = await rigged();
    fixture.change(wireTape().replace('"tapedeck":"tape"', '"tapedeck":"tape","more":1'));
    await page.keyboard.press('3');
    await page.keyboard.press('o');
    await page.keyboard.press('f');
    await page.locator('.chip').first().waitFor();
    await page.locator('.extra-body, .tool-call-body, .detail-body').first().waitFor();
    const missed = await missedByTab(page);
    assert.deepEqual(missed, []);
  });

  it('steps through the outline and the timeline, and leads from them to the message', async () => {
    const { page } = await rigged();
    await page.keyboard.press('o');
    await focusIn(page, '.outline-line[data-line="1"]');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await focusIn(page, '.outline-line[data-line="3"]');
    await page.keyboard.press('Enter');
    await focusIn(page, 'article[data-interaction="3"]');
    await page.keyboard.press('o');
    await page.locator('.outline').waitFor({ state: 'detached' });
    await page.keyboard.press('m');
    await focusIn(page, '.bar[data-first="3"]');
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await focusIn(page, '.bar[data-first="1"]');
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('aria-label')), '#2: 1.2 s');
    await page.keyboard.press('Enter');
    await focusIn(page, 'article[data-interaction="1"]');
  });

  it('edits, cancels, filters and finds without a mouse, and never loses its place', async () => {
    const { page, fixture } = await rigged();
    await page.keyboard.press('F2');
    await focusIn(page, 'form.response-editor textarea');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('It is on its way.');
    await page.keyboard.press('Control+Enter');
    await page.getByText('It is on its way.').waitFor();
    await focusIn(page, 'article[data-interaction="1"]');
    await page.keyboard.press('f');
    await page.keyboard.type('is:error');
    await page.locator('.filter-bar output').getByText('1 of 5').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await focusIn(page, 'article[data-interaction="2"]');
    await page.keyboard.press('Escape');
    await page.locator('.filter-bar').waitFor({ state: 'detached' });
    await page.keyboard.press('/');
    await page.keyboard.type('welcome');
    await page.keyboard.press('Enter');
    // The count may still belong to the half-typed word.
    await page.waitForFunction(() => [...(CSS.highlights.get('find-current') ?? [])].map(String).join() === 'welcome');
    await page.keyboard.press('Escape');
    await focusIn(page, 'article[data-interaction="4"]');
    for (const left of [4, 3]) {
      await page.keyboard.press('Delete');
      await page.locator('.facts').getByText(`${left}`, { exact: true }).waitFor();
      await focusIn(page, `article[data-interaction="${left - 1}"]`);
    }
    assert.equal(fixture.calls.length, 3);
  });

  it('plays a streamed answer at its speed, and stops when asked to', async () => {
    const { page } = await rigged();
    const shown = (): Promise<string> => page.locator('.played').innerText();
    await page.keyboard.press('w');
    await page.waitForFunction(() => (document.querySelector('.played')?.textContent?.length ?? 0) > 5);
    const first = await shown();
    assert.ok(STREAMED.join('').startsWith(first));
    await page.waitForFunction(
      (known) => (document.querySelector('.played')?.textContent?.length ?? 0) > known,
      first.length,
    );
    await page.locator('.played').waitFor({ state: 'detached' });
    await page.getByText(STREAMED.join('')).waitFor();
    await page.keyboard.press('w');
    await page.locator('.played').waitFor();
    await page.keyboard.press('w');
    await page.locator('.played').waitFor({ state: 'detached' });
    await focusIn(page, 'article[data-interaction="1"]');
  });

  it('plays at other speeds, faster and slower by keys', async () => {
    const { page } = await rigged({ alone: true });
    const speed = page.getByLabel('Playback speed');
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 1000);
    const ms = 1200;
    // Playwright waits for elements with animation frames, which do not come while the clock is paused.
    const played = async (count: number): Promise<void> => {
      for (let tries = 0; tries < 100 && (await page.locator('.played').count()) !== count; tries += 1)
        await page.waitForTimeout(10);
      assert.equal(await page.locator('.played').count(), count);
    };
    for (const [key, value, expected] of [
      ['<', '0.5', 2 * ms],
      ['>', '1', ms],
      ['>', '2', ms / 2],
      ['>', '5', ms / 5],
    ] as const) {
      await page.keyboard.press(key);
      await page.clock.runFor(50);
      assert.equal(await speed.inputValue(), value);
      await page.keyboard.press('w');
      await played(1);
      // The steps come from the host, which runs in real time.
      await page.waitForTimeout(100);
      await page.clock.runFor(expected - 40);
      await played(1);
      await page.clock.runFor(120);
      await played(0);
    }
    await page.keyboard.press('>');
    await page.clock.runFor(50);
    assert.equal(await speed.inputValue(), 'max');
    await page.keyboard.press('w');
    await page.waitForTimeout(100);
    await page.clock.runFor(1000);
    await played(0);
    assert.equal(await page.getByText(STREAMED.join('')).count(), 1);
  });
});

/** Chooses the item of a label with the arrow keys. */
async function chooseFromMenu(page: Page, label: string): Promise<void> {
  const focused = (): Promise<string> =>
    page.evaluate(() => document.activeElement?.closest('[role="menuitem"]')?.firstChild?.nodeValue ?? '');
  for (let steps = 0; steps < TRANSCRIPT_COMMANDS.length && (await focused()) !== label; steps += 1)
    await page.keyboard.press('ArrowDown');
  assert.equal(await focused(), label);
  await page.keyboard.press('Enter');
}

async function requireFocus({ page, fixture }: Rig): Promise<void> {
  // Elements that the next version of the tape removes go a moment later.
  await fixture.settled();
  assert.notEqual(await page.evaluate(() => document.activeElement?.tagName), 'BODY', 'something has the focus');
}

/** Requires that pressing Escape repeatedly leads back to a message. */
async function requireWayBack(rig: Rig): Promise<void> {
  const { page } = rig;
  for (let presses = 0; presses < 4; presses += 1) {
    await page.keyboard.press('Escape');
    await requireFocus(rig);
  }
  // What a timer does, such as that of a search, has been done as well.
  await page.waitForTimeout(150);
  assert.ok(await page.evaluate(() => document.activeElement?.matches('article.entry')));
  const open = await page
    .locator('dialog[open], .find-bar, .filter-bar, .outline, .response-editor, .source, .menu')
    .count();
  assert.equal(open, 0, 'nothing is left open');
}

/** The controls that Tab does not reach (or the arrows, where one tab stop stands for many), or that have no focus ring. */
async function missedByTab(page: Page): Promise<string[]> {
  await page.evaluate(() => {
    for (const element of document.querySelectorAll('button, input, textarea, select, a[href], [tabindex]'))
      if (element.checkVisibility({ visibilityProperty: true })) element.setAttribute('data-to-reach', '');
    document.querySelector<HTMLElement>('h1')?.scrollIntoView();
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
  const ringless = new Set<string>();
  for (let presses = 0; presses < 400; presses += 1) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(reachFocused);
    if (at === undefined) break;
    if (at !== '') ringless.add(at);
  }
  const left = await page.evaluate(() =>
    [...document.querySelectorAll('[data-to-reach]')]
      .filter((element) => !element.matches('.bar, .outline-line, .feed, article, input[type="radio"]'))
      .map((element) => element.outerHTML.slice(0, 120)),
  );
  return [...left, ...[...ringless].map((html) => `no ring: ${html}`)];
}

/** Marks the focused element as reached. Returns its HTML if it has no focus ring, and undefined at the end of the page. */
function reachFocused(): string | undefined {
  const { activeElement } = document;
  if (activeElement === null || activeElement === document.body) return undefined;
  activeElement.removeAttribute('data-to-reach');
  const shown = [activeElement, activeElement.nextElementSibling, activeElement.querySelector('.message, .source')];
  const hasRing = shown.some((element) => {
    if (element == null) return false;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0;
  });
  return hasRing ? '' : activeElement.outerHTML.slice(0, 120);
}
