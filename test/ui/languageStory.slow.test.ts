import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { pseudo, readMessages } from '../../build/l10n.mjs';
import { ensureChineseFont } from '../harness/chromium.mjs';
import { openFile, pressCommand } from '../harness/keyboard';
import { expandRow, lens, notification, openTapedeck, treeRow } from '../harness/sidebar';
import { stopAtFailure } from '../harness/stopAtFailure';
import { endAfterAll, projectRoot, type Story, startStory } from '../harness/story';
import { shoot, webviewFrame } from '../harness/vscode/workbench.mjs';

interface Language {
  readonly id: string;
  /** What only its texts have. */
  readonly mark: RegExp;
  readonly messages: (english: string) => string;
}

/** Its texts are between ⟦ and ⟧: what is not was forgotten, or is data. */
const PSEUDO: Language = { id: 'qps-ploc', mark: /⟦/, messages: pseudo };
const CHINESE: Language = {
  id: 'zh-cn',
  mark: /\p{Script=Han}/u,
  messages: (english) => readMessages('l10n/bundle.l10n.zh-cn.json')[english] ?? assert.fail(english),
};

/** Names: ours, of formats, keys, and programs. */
const NAMES = `Tapedeck MoFA UUID MCP HTTP JSON TOML toml json cases tapes
  Control Alt Enter Esc Escape Space Shift Del Delete DownArrow UpArrow LeftArrow RightArrow Home End PageUp PageDown Super`;
/** Names of several words, and what VS Code itself says around ours. */
const PHRASES =
  /MoFA test case|MoFA tape|Actions for|^Welcome$|Focus on|View$|Contains emphasized items|has actions|\b[AP]M\b|Go Back|Mark Done|Next Section|(?:Not c|C)ompleted|Checkbox for .*|Inspect this in the accessible view|Walkthrough: Setup VS Code Web/g;
/** What the check of a machine names, besides messages: paths, variables, and the state of what is there. */
const PLACES = /(?:\/[\w.-]+)+|\b[A-Z]+(?:_[A-Z]+)+\b|^ok\b/g;
const PROGRAMS =
  'git Node Python python pytest pip install exec sealed unshare util linux ip iproute tapedeck state not found';

/** What the built-in agent says to its model. */
const PROMPT =
  "You are ShopAgent, The support agent of a small web shop. Always be helpful, accurate, and concise. When using tools, explain what you're doing.";

/** The words of a text that are not in a message. Those of a part of one, as of a title whose matches are marked, have no plain vowel. */
function foreignWords(text: string, known: ReadonlySet<string>): readonly string[] {
  let rest = text.replace(PHRASES, ' ').replace(PLACES, ' ');
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

for (const { id, mark, messages } of [PSEUDO, CHINESE])
  describe(id === PSEUDO.id ? 'a language that nobody speaks' : 'Chinese', () => {
    stopAtFailure();
    let story: Story;
    let names: ReadonlySet<string>;
    let data: ReadonlySet<string>;
    const looks: string[] = [];

    before(async () => {
      if (id === PSEUDO.id) execFileSync(process.execPath, [join(projectRoot, 'build/l10n.mjs'), '--pseudo']);
      else await ensureChineseFont();
      const sample = join(projectRoot, 'media/sample');
      const files = readdirSync(sample, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
      names = new Set([NAMES, ...files.map(({ name }) => name)].flatMap(wordsOf));
      const contents = files.map(({ parentPath, name }) =>
        readFileSync(join(parentPath, name), 'utf8').replaceAll('\\n', ' '),
      );
      data = new Set([...names, ...[PROMPT, ...contents].flatMap(wordsOf)]);
      story = await startStory({ language: id });
    });
    endAfterAll(() => story, `language-${id}`);
    after(() => {
      for (const path of [`package.nls.${PSEUDO.id}.json`, `l10n/bundle.l10n.${PSEUDO.id}.json`])
        rmSync(join(projectRoot, path), { force: true });
    });

    const picture = (name: string) => shoot(story.page, `language-${id}-${looks.push(name)}-${name}`);
    /** A command as the palette names it. */
    const command = (key: string) => `Tapedeck: ${title(key)}`;
    const title = (key: string) => readMessages(`package.nls.${id}.json`)[key] ?? assert.fail(key);
    /** The beginning of a message: of one with marks at both ends, what is between them. */
    const said = (english: string) => messages(english).replace(/^⟦|⟧$/g, '');

    /** Fails with every text that is in no message, and has words that are no names. */
    async function assertSpoken(page: Page | Frame, selector: string, known: ReadonlySet<string>): Promise<void> {
      const texts = await textsIn(page, selector);
      assert.ok(
        texts.some((text) => mark.test(text)),
        `${selector} has messages: ${texts.slice(0, 5).join(' | ')}`,
      );
      // Between Chinese words, there are names such as VS Code.
      const own = id === PSEUDO.id ? texts : texts.filter((text) => !mark.test(text));
      const forgotten = own.filter((text) => foreignWords(text, known).length > 0);
      assert.deepEqual(forgotten, [], selector);
    }

    it('is spoken by the views', async () => {
      await openTapedeck(story);
      await treeRow(story, 'order_status').waitFor();
      await assertSpoken(story.page, '.pane-body', names);
      await assertSpoken(story.page, '.pane-header .title', names);
    });

    it('is spoken above and beside a case, before and after its replay', async () => {
      await openFile(story.page, 'greeting.toml');
      await lens(story, said('Replay')).waitFor();
      await assertSpoken(story.page, '.codelens-decoration', names);
      await lens(story, said('Replay')).click();
      await story.page.locator('.pane-body .monaco-list-row', { hasText: messages('to review') }).waitFor();
      await expandRow(story, 'greeting', said('Last run'));
      await picture('case');
      // The tree says which recorded words differ.
      await assertSpoken(story.page, '.pane-body', data);
      await assertSpoken(story.page, '.statusbar-item[id^="tapedeck"]', names);
    });

    it('is spoken by the page of a review', async () => {
      await lens(story, said('Review')).click();
      const frame = webviewFrame(story.page) as unknown as Frame;
      await frame.locator('.monaco-diff-editor .view-line').first().waitFor();
      await picture('review');
      await assertSpoken(frame, 'body', data);
    });

    it('is spoken by a transcript', async () => {
      await openFile(story.page, 'order_status.tape.json');
      const frame = webviewFrame(story.page) as unknown as Frame;
      await frame.locator('article').first().waitFor();
      await picture('transcript');
      await assertSpoken(frame, 'body', data);
    });

    it('is spoken of cases that drifted: in a notice, beside one, and in the summary', async () => {
      for (const name of ['order_status', 'refund_question']) {
        const path = join(story.workspace, `cases/${name}.toml`);
        writeFileSync(path, readFileSync(path, 'utf8').replace(/^prompt = "/m, 'prompt = "4712? '));
      }
      await pressCommand(story.page, command('command.replayAll'));
      const notice = notification(story);
      await notice.getByRole('button', { name: said('Fix All…') }).waitFor();
      await assertSpoken(story.page, '.notification-toast .notification-list-item-message', names);
      await openFile(story.page, 'order_status.toml');
      await story.page.locator('.test-error-content-widget').first().waitFor();
      await picture('drift');
      await notice.getByRole('button', { name: said('Fix All…') }).click();
      const frame = webviewFrame(story.page) as unknown as Frame;
      await frame.locator('.card').first().waitFor();
      await picture('summary');
      await assertSpoken(frame, 'body', data);
    });

    it('is spoken by the check of this machine', async () => {
      await pressCommand(story.page, command('command.selfCheck'));
      await story.page.locator('.tab.active').filter({ hasText: 'tapedeck-self-check.txt' }).waitFor();
      await picture('self-check');
      const paths = [story.workspace, process.platform, process.arch, PROGRAMS].flatMap(wordsOf);
      await assertSpoken(story.page, '.editor-instance .view-lines', new Set([...data, ...paths]));
    });

    it('is spoken by the walkthrough', async () => {
      await pressCommand(story.page, 'Welcome: Open Walkthrough...');
      await story.page.locator('.quick-input-list .monaco-list-row', { hasText: title('walkthrough.title') }).click();
      await story.page.locator('.getting-started-step').first().waitFor();
      await webviewFrame(story.page).locator('svg text').first().waitFor();
      await picture('walkthrough');
      await assertSpoken(story.page, '.gettingStartedDetailsContent', names);
    });

    it('is spoken by the commands', async () => {
      await story.page.keyboard.press('F1');
      await story.page.locator('.quick-input-widget:visible input:focus').waitFor();
      await story.page.keyboard.type('Tapedeck: ');
      await story.page.locator('.quick-input-list .monaco-list-row', { hasText: mark }).first().waitFor();
      await picture('commands');
      await assertSpoken(story.page, '.quick-input-list .monaco-list-row .quick-input-list-row:first-child', names);
    });
  });
