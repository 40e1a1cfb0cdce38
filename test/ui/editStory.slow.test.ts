import * as assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { FrameLocator, Page } from 'playwright-core';
import { stopAtFailure } from '../harness/stopAtFailure';
import { endAfterAll, type Story, startStory } from '../harness/story';
import { runCommand, shoot, webviewFrame } from '../harness/vscode/workbench.mjs';

const FIRST = 'The first answer, with “quotes” and a \\ backslash.';
const SECOND = 'The second answer.';

function json(): string {
  const interaction = (text: string): string =>
    `    {\n      "request": null,   "response": ${JSON.stringify(text)},\n      "tool_calls": [], "usage": null\n    }`;
  return `{\n  "version": 1,\n  "case_name": "story", "interactions": [\n${interaction(FIRST)},\n${interaction(SECOND)}\n  ]\n}`;
}

function jsonLines(): string {
  const line = (key: string, content: string): string => {
    const response = { choices: [{ message: { role: 'assistant', content } }] };
    return `${JSON.stringify({ key, kind: 'completion', model: 'm', prompt_preview: 'hi', response })}\n`;
  };
  return line('a', FIRST) + line('b', SECOND);
}

function yaml(): string {
  const entry = (content: string): string => `- request:
    body: '{"model": "gpt-4o", "messages": [{"role": "user", "content": "hi"}]}'
    headers: {}
    method: POST
    uri: https://api.openai.com/v1/chat/completions
  response:
    body:
      string: '${JSON.stringify({ choices: [{ message: { role: 'assistant', content } }] })}'
    headers: {}
    status: {code: 200, message: OK}
`;
  return `# a comment\ninteractions:\n${entry(FIRST)}\n${entry(SECOND)}version: 1\n`;
}

interface Told {
  readonly name: string;
  readonly file: string;
  readonly content: Buffer;
  /** The content of a file as text. */
  text(bytes: Buffer): string;
}

const plain = (name: string, file: string, content: string): Told => {
  return { name, file, content: Buffer.from(content), text: (bytes) => bytes.toString('utf8') };
};

const TAPES: readonly Told[] = [
  plain('JSON', 'edited.tape.json', json()),
  plain('JSONL', 'edited.jsonl', jsonLines()),
  plain('YAML', 'edited.yaml', yaml()),
  {
    name: 'gzipped YAML',
    file: 'edited.yaml.gz',
    content: gzipSync(yaml()),
    text: (bytes) => gunzipSync(bytes).toString('utf8'),
  },
];

/** A text as it is escaped in a JSON string, as in all these tapes. */
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Opened as transcripts at once: a window that is loaded anew may remember only how a file was opened first. */
const ASSOCIATIONS = { '*.{jsonl,yaml}': 'tapedeck.transcript.optional', '*.gz': 'tapedeck.transcript.packed' };

/** What a gzipped file begins with. */
const GZIP = Buffer.from([0x1f, 0x8b]);

describe('editing a tape', () => {
  let story: Story;
  let page: Page;

  before(async () => {
    story = await startStory({ settings: { 'workbench.editorAssociations': ASSOCIATIONS } });
    page = story.page;
    page.on('dialog', (dialog) => void dialog.accept());
  });
  endAfterAll(() => story, 'edit-story');

  for (const tape of TAPES)
    describe(`in ${tape.name}`, () => {
      stopAtFailure();
      let path: string;
      const original = tape.text(tape.content);

      before(async () => {
        path = join(story.workspace, tape.file);
        writeFileSync(path, tape.content);
        await openTranscript();
      });
      // Also where a test failed, and left a change that is not saved.
      after(async () => {
        await runCommand(page, 'File: Revert File');
        await runCommand(page, 'View: Close All Editors');
      });

      const transcript = (): FrameLocator => webviewFrame(page);
      const onDisk = (): string => tape.text(readFileSync(path));
      const dirty = () => page.locator('.tab.active.dirty').filter({ hasText: tape.file });

      async function openTranscript(): Promise<void> {
        await runCommand(page, 'Go to File');
        await page.locator('.quick-input-widget:visible input').first().fill(tape.file);
        await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: tape.file }).first().click();
        await transcript().getByText('The second answer').waitFor();
      }

      /**
       * Whether VS Code has kept the change that is not saved. Of a packed tape, Tapedeck notes then which backup is the last one: a browser
       * stores what VS Code knows of it seconds later.
       */
      function isKept(): boolean {
        const folder = join(story.workspace, '../user/User');
        const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
        const texts = files.map((entry) => {
          const bytes = readFileSync(join(entry.parentPath, entry.name));
          return { name: entry.name, text: (bytes.subarray(0, 2).equals(GZIP) ? gunzipSync(bytes) : bytes).toString() };
        });
        const backup = texts.find(({ text }) => text.includes('Not saved yet.'));
        if (backup === undefined || !tape.file.endsWith('.gz')) return backup !== undefined;
        return texts.some(({ text }) => text.endsWith(`/${backup.name}`));
      }

      /**
       * Opens the transcript in a window that was loaded anew. It may have no tab, another one in front, or the file as what it is without
       * Tapedeck: which editors are open is kept every few seconds only, and they may be there before extensions are.
       */
      async function bringBack(): Promise<void> {
        await page.locator('.explorer-folders-view .monaco-list-row').filter({ hasText: tape.file }).first().dblclick();
        await page.locator('.tab.active').filter({ hasText: tape.file }).waitFor();
        const asFile = page.locator('.editor-instance .view-lines').or(page.getByText('Open Anyway'));
        await page.locator('iframe.webview:visible').or(asFile).first().waitFor();
        if (await asFile.first().isVisible()) await runCommand(page, 'Tapedeck: Open Tape as Transcript');
      }

      async function change(from: string, to: string): Promise<void> {
        await transcript().locator('article').filter({ hasText: from }).first().focus();
        await page.keyboard.press('F2');
        const field = transcript().getByLabel('Response', { exact: true });
        await field.fill(to);
        await page.keyboard.press('Control+Enter');
        await transcript().locator('article').getByText(to).waitFor();
      }

      async function until(what: string, check: () => boolean): Promise<void> {
        for (const end = Date.now() + 15_000; Date.now() < end; ) {
          if (check()) return;
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
        throw new Error(`never happened: ${what}`);
      }

      it('changes the answer, and not yet the file', async () => {
        await change('The second answer', 'A better "answer".');
        await dirty().waitFor();
        assert.equal(onDisk(), original);
      });

      it('undoes and redoes', async () => {
        await transcript().locator('article').first().focus();
        await page.keyboard.press('Control+Z');
        await transcript().getByText(SECOND).waitFor();
        await dirty().waitFor({ state: 'detached' });
        await page.keyboard.press('Control+Shift+Z');
        await transcript().getByText('A better "answer".').waitFor();
        await dirty().waitFor();
      });

      it('saves that answer and nothing else', async () => {
        await transcript().locator('article').first().focus();
        await page.keyboard.press('Control+S');
        await dirty().waitFor({ state: 'detached' });
        assert.equal(onDisk(), original.replace(inJson(SECOND), inJson('A better "answer".')));
        await shoot(page, `edit-story-${tape.name.replace(' ', '-')}`);
      });

      it('holds a change that is not saved', async () => {
        const saved = onDisk();
        await change('A better', 'Not saved yet.');
        await dirty().waitFor();
        assert.equal(onDisk(), saved);
      });

      it('is exported as text with what is not saved', async () => {
        await transcript().locator('article').first().focus();
        await runCommand(page, 'Tapedeck: Open Transcript as Text');
        await page.locator('.editor-instance .view-lines').getByText('Not saved yet.').first().waitFor();
        await runCommand(page, 'View: Close Editor');
        await transcript().getByText('Not saved yet.').waitFor();
      });

      it('keeps what was not saved when the window is closed, and shows it again', async () => {
        const saved = onDisk();
        await until('a backup', isKept);
        await page.reload({ waitUntil: 'commit' });
        await bringBack();
        await transcript().getByText('Not saved yet.').waitFor();
        await dirty().waitFor();
        assert.equal(onDisk(), saved);
      });

      it('does not overwrite what another program writes meanwhile, and reverts to it', async () => {
        const other = original.replace(inJson(SECOND), inJson('From elsewhere.'));
        writeFileSync(path, tape.file.endsWith('.gz') ? gzipSync(other) : other);
        await page.waitForTimeout(1000);
        await transcript().getByText('Not saved yet.').waitFor();
        await transcript().locator('article').first().focus();
        await page.keyboard.press('Control+S');
        await page
          .getByText(/changed on disk|content of the file is newer/)
          .first()
          .waitFor();
        assert.equal(onDisk(), other);
        await page.keyboard.press('Escape');
        await page.locator('.monaco-dialog-box').waitFor({ state: 'detached' });
        await transcript().locator('article').first().focus();
        await runCommand(page, 'File: Revert File');
        await transcript().getByText('From elsewhere.').waitFor();
        await dirty().waitFor({ state: 'detached' });
        assert.equal(onDisk(), other);
      });

      it('follows the file while nothing is unsaved', async () => {
        const again = original.replace(inJson(SECOND), inJson('Once more.'));
        writeFileSync(path, tape.file.endsWith('.gz') ? gzipSync(again) : again);
        await transcript().getByText('Once more.').waitFor();
        await until('a quiet file', () => onDisk() === again);
      });
    });
});
