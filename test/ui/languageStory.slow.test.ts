import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { openFile } from '../harness/keyboard';
import { lens, openTapedeck, treeRow } from '../harness/sidebar';
import { stopAtFailure } from '../harness/stopAtFailure';
import { endAfterAll, projectRoot, type Story, startStory } from '../harness/story';
import { webviewFrame } from '../harness/vscode/workbench.mjs';

/** Its texts are between ⟦ and ⟧: what is not was forgotten, or is data. */
const PSEUDO = 'qps-ploc';

/** Names: ours, of formats and keys. */
const NAMES = `Tapedeck MoFA UUID MCP HTTP JSON TOML toml json cases tapes
  Control Alt Enter Esc Escape Space Shift Del Delete DownArrow UpArrow LeftArrow RightArrow Home End PageUp PageDown`;
/** Names of several words, what VS Code itself says around ours, and what the record of a run keeps: that is data, in English. */
const PHRASES =
  /MoFA test case|MoFA tape|Actions for|^Welcome$|Focus on|View$|Contains emphasized items|has actions|\b[AP]M\b|1 difference from baseline.*/g;

/** What the built-in agent says to its model. */
const PROMPT =
  "You are ShopAgent, The support agent of a small web shop. Always be helpful, accurate, and concise. When using tools, explain what you're doing.";

/** The words of a text that are not in a message. Those of a part of one, as of a title whose matches are marked, have no plain vowel. */
function foreignWords(text: string, known: ReadonlySet<string>): readonly string[] {
  let rest = text.replace(PHRASES, ' ');
  while (/⟦[^⟦⟧]*⟧/.test(rest)) rest = rest.replace(/⟦[^⟦⟧]*⟧/g, ' ');
  return wordsOf(rest).filter((word) => /[aeiou]/i.test(word) && !known.has(word));
}

const wordsOf = (text: string): readonly string[] => text.match(/\p{L}{2,}/gu) ?? [];

/** All that is to be read or heard in a part of a page. */
async function textsIn(page: Page | Frame, selector: string): Promise<readonly string[]> {
  const read = await page.locator(selector).evaluateAll((parts) =>
    parts.flatMap((part) => {
      const texts: (string | null)[] = [];
      const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
        if (node.parentElement?.checkVisibility()) texts.push(node.textContent);
      for (const element of [part, ...part.querySelectorAll('*')])
        texts.push(
          element.getAttribute('aria-label'),
          element.getAttribute('title'),
          element.getAttribute('placeholder'),
        );
      return texts.flatMap((text) => (text?.trim() ? [text.trim()] : []));
    }),
  );
  return [...new Set(read)];
}

describe('a language that nobody speaks', () => {
  stopAtFailure();
  let story: Story;
  let names: ReadonlySet<string>;
  let data: ReadonlySet<string>;
  before(async () => {
    execFileSync(process.execPath, [join(projectRoot, 'build/l10n.mjs'), '--pseudo']);
    const sample = join(projectRoot, 'media/sample');
    const files = readdirSync(sample, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    names = new Set([NAMES, ...files.map(({ name }) => name)].flatMap(wordsOf));
    const contents = files.map(({ parentPath, name }) =>
      readFileSync(join(parentPath, name), 'utf8').replaceAll('\\n', ' '),
    );
    data = new Set([...names, ...[PROMPT, ...contents].flatMap(wordsOf)]);
    story = await startStory({ language: PSEUDO });
  });
  endAfterAll(() => story, 'language');
  after(() => {
    for (const path of [`package.nls.${PSEUDO}.json`, `l10n/bundle.l10n.${PSEUDO}.json`])
      rmSync(join(projectRoot, path), { force: true });
  });

  /** Fails with every text that is in no message, and has words that are no names. */
  async function assertSpoken(page: Page | Frame, selector: string, known: ReadonlySet<string>): Promise<void> {
    const texts = await textsIn(page, selector);
    assert.ok(
      texts.some((text) => text.includes('⟦')),
      `${selector} has messages: ${texts.slice(0, 5).join(' | ')}`,
    );
    const forgotten = texts.filter((text) => foreignWords(text, known).length > 0);
    assert.deepEqual(forgotten, [], selector);
  }

  const lensTitled = (english: string) => lens(story, english);

  it('is spoken by the views', async () => {
    await openTapedeck(story);
    await treeRow(story, 'order_status').waitFor();
    await assertSpoken(story.page, '.pane-body', names);
    await assertSpoken(story.page, '.pane-header .title', names);
  });

  it('is spoken above and beside a case, before and after its replay', async () => {
    await openFile(story.page, 'greeting.toml');
    await lensTitled('Réplåy').waitFor();
    await assertSpoken(story.page, '.codelens-decoration', names);
    await lensTitled('Réplåy').click();
    await story.page.locator('.pane-body .monaco-list-row', { hasText: '⟦tö révîéw⟧' }).waitFor();
    await treeRow(story, 'greeting').locator('.monaco-tl-twistie').click();
    await treeRow(story, 'Låst rün').waitFor();
    await assertSpoken(story.page, '.pane-body', names);
    await assertSpoken(story.page, '.statusbar-item[id^="tapedeck"]', names);
  });

  it('is spoken by the page of a review', async () => {
    await lensTitled('Révîéw').click();
    const frame = webviewFrame(story.page) as unknown as Frame;
    await frame.locator('.change').first().waitFor();
    await assertSpoken(frame, 'body', data);
  });

  it('is spoken by a transcript', async () => {
    await openFile(story.page, 'order_status.tape.json');
    const frame = webviewFrame(story.page) as unknown as Frame;
    await frame.locator('article').first().waitFor();
    await assertSpoken(frame, 'body', data);
  });

  it('is spoken by the commands', async () => {
    await story.page.keyboard.press('F1');
    await story.page.locator('.quick-input-widget:visible input:focus').waitFor();
    await story.page.keyboard.type('Tapedeck: ⟦');
    await story.page.locator('.quick-input-list .monaco-list-row', { hasText: '⟦' }).first().waitFor();
    await assertSpoken(story.page, '.quick-input-list .monaco-list-row .quick-input-list-row:first-child', names);
  });
});
