import * as assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { runCommand, shoot } from '../host/workbench.mjs';
import { type Story, startStory } from './story';

const treeRow = (story: Story, name: string) =>
  story.page.locator('.pane-body .monaco-list-row').filter({ hasText: name }).first();
const lens = (story: Story, title: string) =>
  story.page.locator('.codelens-decoration a').filter({ hasText: title }).first();
const notification = (story: Story) => story.page.locator('.notification-toast').first();
const openTapedeck = (story: Story) =>
  story.page.locator('.activitybar .action-item a[aria-label^="Tapedeck"]').click();

async function until(what: string, check: () => boolean): Promise<void> {
  for (const end = Date.now() + 15_000; Date.now() < end; ) {
    if (check()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`never happened: ${what}`);
}

/** The engines that run for a story: their command line names the engine, their parent works in the story's folder. */
function engines(story: Story): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('engine.js') && environment.includes(story.mark);
      } catch {
        return false;
      }
    });
}

describe('cancelling a recording', () => {
  let story: Story;
  let silent: Server;
  let asked = false;

  before(async () => {
    silent = createServer(() => {
      asked = true;
    });
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    story = await startStory();
    const { port } = silent.address() as AddressInfo;
    const file = join(story.workspace, 'cases/refund_question.toml');
    const provider = `kind = "open_ai_compatible"\nbase_url = "http://127.0.0.1:${port}/v1"\nmodel = "silent"`;
    writeFileSync(file, readFileSync(file, 'utf8').replace('kind = "practice"', provider));
  });
  after(async () => {
    silent?.closeAllConnections();
    silent?.close();
    await story?.end();
  });

  it('leaves the old tape untouched, and ends with the window', async () => {
    const before = story.read('tapes/refund_question.tape.json');
    await openTapedeck(story);
    await treeRow(story, 'refund_question').click();
    await lens(story, 'Re-record').click();
    const dialog = story.page.locator('.monaco-dialog-box');
    await dialog.getByText('model silent at').waitFor();
    await dialog.getByRole('button', { name: 'Re-record' }).click();
    await until('a request', () => asked);
    await shoot(story.page, 'safety-recording');
    await notification(story).getByRole('button', { name: 'Cancel' }).click();
    await treeRow(story, 'refund_question').locator('.codicon-circle-slash').waitFor();
    assert.equal(story.read('tapes/refund_question.tape.json'), before);
    assert.equal(story.git('status', '--porcelain', 'tapes'), '');
    assert.equal(engines(story).length, 1);
    await story.closeWindow();
    await until('the end of the engine', () => engines(story).length === 0);
  });
});

describe('Restricted Mode', () => {
  let story: Story;
  before(async () => {
    story = await startStory({ trust: false });
  });
  after(() => story?.end());

  it('shows cases and tapes, and runs nothing', async () => {
    await openTapedeck(story);
    await treeRow(story, 'greeting').click();
    await lens(story, 'Replay').click();
    await story.page.getByText('Tapedeck runs nothing in Restricted Mode').first().waitFor();
    await shoot(story.page, 'safety-restricted');
    assert.deepEqual(engines(story), []);
    assert.ok(!readdirSync(story.workspace).includes('.tapedeck'));
  });
});

describe('the tree', () => {
  let story: Story;
  before(async () => {
    story = await startStory();
    await openTapedeck(story);
    await treeRow(story, 'greeting').waitFor();
  });
  after(() => story?.end());

  it('filters by words of name, tool, tape or model', async () => {
    await runCommand(story.page, 'Tapedeck: Filter…');
    await story.page.locator('.quick-input-widget:visible input').first().fill('lookup_order');
    await story.page.keyboard.press('Enter');
    await treeRow(story, 'greeting').waitFor({ state: 'detached' });
    assert.ok(await treeRow(story, 'order_status').isVisible());
    await runCommand(story.page, 'Tapedeck: Clear Filter');
    await treeRow(story, 'greeting').waitFor();
  });

  it('shows a new case without being asked, and lets a deleted one go', async () => {
    writeFileSync(
      join(story.workspace, 'cases/added.toml'),
      'name = "added_case"\nprompt = "hi"\n[llm]\nresponses = ["hi"]\n',
    );
    await treeRow(story, 'added_case').waitFor();
    story.git('clean', '-fq', 'cases');
    await treeRow(story, 'added_case').waitFor({ state: 'detached' });
  });
});
