import * as assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { assertAgreement } from '../harness/agreement';
import { lens, openTapedeck, treeRow } from '../harness/sidebar';
import { endAfterAll, type Story, startStory } from '../harness/story';
import { runCommand, shoot } from '../harness/vscode/workbench.mjs';

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

/** Every file below a folder that holds `text`. */
function filesWith(folder: string, text: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name));
  return paths.filter((path) => contentOf(path)?.includes(text));
}

/** Undefined where the engine has replaced or removed a file since it was listed. */
function contentOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if (existsSync(path)) throw error;
    return undefined;
  }
}

const KEY = 'sk-story-4Hq8Zt1VbN7xRw2LmK9pYc3D';

/** A case whose own agent leaves behind how long the key is that it was given. */
const OWN_AGENT = `name = "own_agent"
prompt = "Hello"

[agent]
command = ["node", "-e", "require('node:fs').writeFileSync('seen.txt', String(process.env.OWN_KEY?.length))"]
cwd = ".."
pass_env = ["OWN_KEY"]
allow_none = true

[llm]
tape = "../tapes/own_agent.tape.json"
`;

describe('a window with a key that is stored', () => {
  let story: Story;
  let silent: Server;
  let authorization: string | undefined;

  before(async () => {
    silent = createServer(({ headers }) => {
      authorization = headers.authorization;
    });
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    story = await startStory();
    const { port } = silent.address() as AddressInfo;
    const file = join(story.workspace, 'cases/refund_question.toml');
    const provider = `kind = "open_ai_compatible"\nbase_url = "http://127.0.0.1:${port}/v1"\nmodel = "silent"\napi_key_env = "STORY_KEY"`;
    writeFileSync(file, readFileSync(file, 'utf8').replace('kind = "practice"', provider));
    writeFileSync(join(story.workspace, 'cases/own_agent.toml'), OWN_AGENT);
  });
  after(() => {
    silent?.closeAllConnections();
    silent?.close();
  });
  endAfterAll(() => story, 'window');

  async function storeKey(name: string): Promise<void> {
    await runCommand(story.page, 'Tapedeck: Set Provider Key…');
    const input = story.page.locator('.quick-input-widget:visible input').first();
    await input.fill(name);
    await input.press('Enter');
    await story.page.getByText(`The key for ${name}`).waitFor();
    await input.fill(KEY);
    await input.press('Enter');
  }

  it('has a tree that filters by words of name, tool, tape or model', async () => {
    await openTapedeck(story);
    // A tree that is still being filled takes the focus, which closes the input.
    await treeRow(story, 'greeting').waitFor();
    await runCommand(story.page, 'Tapedeck: Filter Cases…');
    await story.page.locator('.quick-input-widget:visible input').first().fill('lookup_order');
    await story.page.keyboard.press('Enter');
    await treeRow(story, 'greeting').waitFor({ state: 'detached' });
    assert.ok(await treeRow(story, 'order_status').isVisible());
    await runCommand(story.page, 'Tapedeck: Clear Filter');
    await treeRow(story, 'greeting').waitFor();
  });

  it('shows a new case in it without being asked, and lets a deleted one go', async () => {
    writeFileSync(
      join(story.workspace, 'cases/added.toml'),
      'name = "added_case"\nprompt = "hi"\n[llm]\nresponses = ["hi"]\n',
    );
    await treeRow(story, 'added_case').waitFor();
    rmSync(join(story.workspace, 'cases/added.toml'));
    await treeRow(story, 'added_case').waitFor({ state: 'detached' });
  });

  it('passes a key to the own agent of a case that names it, once that is allowed', async () => {
    await storeKey('OWN_KEY');
    await openTapedeck(story);
    await treeRow(story, 'own_agent').click();
    await lens(story, 'Record').click();
    const dialog = story.page.locator('.monaco-dialog-box');
    await dialog.getByText("the agent's program, with the value of OWN_KEY (named in pass_env)").waitFor();
    await shoot(story.page, 'window-own-agent');
    await dialog.getByRole('button', { name: 'Allow and Record' }).click();
    const seen = join(story.workspace, 'seen.txt');
    await until('the end of the agent', () => existsSync(seen) && readFileSync(seen, 'utf8') !== '');
    assert.equal(readFileSync(seen, 'utf8'), String(KEY.length));
    assert.deepEqual(filesWith(story.workspace, KEY), []);
  });

  it('sends the key, and writes it to no file of the workspace', async () => {
    await storeKey('STORY_KEY');
    await openTapedeck(story);
    await treeRow(story, 'refund_question').click();
    await lens(story, 'Re-record').click();
    const dialog = story.page.locator('.monaco-dialog-box');
    await dialog.getByText('model silent').waitFor();
    await dialog.getByRole('button', { name: 'Re-record' }).click();
    await until('a request', () => authorization !== undefined);
    assert.equal(authorization, `Bearer ${KEY}`);
    assert.deepEqual(filesWith(story.workspace, KEY), []);
  });

  it('leaves the old tape untouched when it is cancelled, and ends with the window', async () => {
    const before = story.read('tapes/refund_question.tape.json');
    await shoot(story.page, 'window-recording');
    const progress = story.page.locator('.notification-toast').filter({ hasText: 'Recording refund_question' });
    await progress.getByRole('button', { name: 'Cancel' }).click();
    await assertAgreement(story.page, { refund_question: 'none' });
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
  endAfterAll(() => story, 'window');

  it('shows cases and tapes, and runs nothing', async () => {
    await openTapedeck(story);
    await treeRow(story, 'greeting').click();
    await lens(story, 'Replay').click();
    await story.page.getByText('Tapedeck does not run anything in Restricted Mode').first().waitFor();
    await shoot(story.page, 'window-restricted');
    assert.deepEqual(engines(story), []);
    assert.ok(!readdirSync(story.workspace).includes('.tapedeck'));
  });
});
