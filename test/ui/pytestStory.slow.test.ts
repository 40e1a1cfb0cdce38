import * as assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { checkagentFormat } from '../../src/core/tapes/formats/checkagent/index';
import { openFile, pressCommand } from '../harness/keyboard';
import { openView } from '../harness/sidebar';
import { endAfterAll, type Story, startStory } from '../harness/story';
import { runCommand, shoot } from '../harness/vscode/workbench.mjs';

const projectRoot = resolve(__dirname, '../..');
const PYTHON = join(projectRoot, '.vscode-test/python/checkagent/bin/python');
const SOURCE = `import pytest


def agent(prompt):
    return "It is on its way. (a new answer)"


@pytest.mark.agent_test(layer="replay")
async def test_order(ca_cassette):
    """The tape is beside the test."""
    assert "on its way" in await ca_cassette.arun(agent, "Where is my order?")


@pytest.mark.vcr
def test_web():
    pass
`;
const KEY = `gsk_${'aB3dE5fG7hJ9kL2mN4pQ6rS8tU1vW0xY5zA7bC9dE2fG4hJ6kL8m'}`;
const cassette = (prompt: string, answer: string) =>
  checkagentFormat.serialise('tests/test_shop.py::test_order', [
    {
      kind: 'llm',
      request: { messages: [{ role: 'user', content: prompt, toolCalls: [] }], tools: [], params: {} },
      response: { content: answer, toolCalls: [] },
    },
  ]);
const TAPE = 'tests/cassettes/test_shop/test_order.json';

/** What tests see of `nock.back`: a fixture that is recorded where there is none, unless the network is locked down. */
const NOCK = `const { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { dirname, join } = require('node:path');
const back = (name) => {
  const path = join(back.fixtures, name);
  const mode = process.env.NOCK_BACK_MODE;
  if (!existsSync(path)) {
    if (mode !== 'record') throw new Error('no fixture, and nock is locked down');
    mkdirSync(dirname(path), { recursive: true });
    const body = { model: 'm', messages: [{ role: 'user', content: 'Where is my parcel?' }] };
    const message = { role: 'assistant', content: 'It left at ' + process.hrtime.bigint() };
    writeFileSync(path, JSON.stringify([{ scope: 'https://api.openai.com:443', method: 'POST', path: '/v1/chat/completions', body,
      status: 200, response: { object: 'chat.completion', model: 'm', choices: [{ message }] }, rawHeaders: [], responseIsBinary: false }]));
  }
  writeFileSync(join(__dirname, 'ran'), mode + ' ' + readFileSync(path, 'utf8').length);
};
module.exports = { back };
`;
const NODE_SOURCE = `const test = require('node:test');
const { back: nockBack } = require('nock');
nockBack.fixtures = __dirname + '/fixtures';

test('says where a parcel is', () => {
  nockBack('parcel.json');
});

test('is not run with the other one', () => {
  nockBack(process.env.OTHER ?? 'other.json');
});
`;

const lens = (story: Story, title: string) =>
  story.page.locator('.codelens-decoration a').filter({ hasText: title }).first();
const status = (story: Story, text: RegExp) => story.page.locator('.statusbar-item').filter({ hasText: text }).first();

function write(story: Story, path: string, text: string): void {
  mkdirSync(dirname(join(story.workspace, path)), { recursive: true });
  writeFileSync(join(story.workspace, path), text);
}

async function until(what: string, check: () => boolean): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end; ) {
    if (check()) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`never happened: ${what}`);
}

describe('tests with tapes, in the real VS Code', function () {
  this.timeout(240_000);
  let story: Story;

  const needsPython = (context: Mocha.Context): void => {
    if (existsSync(PYTHON)) return;
    console.log('NOT TESTED: the story of pytest; test/engine/python/pythonPeers.test.ts installs what it needs');
    context.skip();
  };

  before(async () => {
    // Set before the window opens: VS Code would notice a file of the workspace only later.
    story = await startStory({ settings: { 'tapedeck.pytest': [PYTHON, '-m', 'pytest', '-p', 'no:cacheprovider'] } });
    write(story, 'tests/test_shop.py', SOURCE);
    write(story, TAPE, cassette('Where is my order?', 'It is on its way.'));
    write(story, 'shop/node_modules/nock/index.js', NOCK);
    write(story, 'shop/shop.test.js', NODE_SOURCE);
    write(story, 'tests/cassettes/test_shop/test_gone.json', cassette(`my key is ${KEY}`, 'Thanks.'));
  });
  endAfterAll(() => story, 'pytest');

  it('have lenses; a confirmed recording replaces the tape, and keeps the old one', async function () {
    needsPython(this);
    await openFile(story.page, 'test_shop.py');
    await lens(story, 'test_order.json').waitFor();
    await lens(story, 'Re-record').waitFor();
    await shoot(story.page, 'pytest-lenses');
    await lens(story, 'Re-record').click();
    const dialog = story.page.locator('.monaco-dialog-box');
    await dialog.waitFor();
    assert.match(await dialog.innerText(), /pytest tests\/test_shop\.py::test_order/);
    await shoot(story.page, 'pytest-confirm');
    await dialog.locator('.monaco-button').filter({ hasText: 'Re-record' }).click();
    await until('the new recording', () => {
      const path = join(story.workspace, TAPE);
      return existsSync(path) && readFileSync(path, 'utf8').includes('a new answer');
    });
    assert.ok(existsSync(join(story.workspace, '.tapedeck/takes', TAPE)), 'the old take is kept');
  });

  it('are named with their tapes in the tree; the tape in front is in the status bar', async function () {
    needsPython(this);
    await openView(story.page, 'Tapedeck');
    await runCommand(story.page, 'Tapedeck: Refresh');
    await openFile(story.page, 'test_gone.json');
    const item = status(story, /CheckAgent cassette · 1/);
    await item.waitFor();
    await runCommand(story.page, 'View: Focus Problems');
    await story.page.locator('.markers-panel').filter({ hasText: 'a Groq API key is recorded' }).waitFor();
    await story.page.locator('.markers-panel').filter({ hasText: 'this tape is orphaned' }).waitFor();
    const badges = await story.page
      .locator('.activitybar .action-item a')
      .evaluateAll((all) => all.map((one) => one.ariaLabel));
    assert.doesNotMatch(badges.join(), /orphaned/, 'the badge counts only what is pending review');
    await shoot(story.page, 'tape-problems');
    await story.page.locator('.statusbar-item .codicon-error').last().waitFor();
    await item.click();
    await story.page.locator('.quick-input-widget').filter({ hasText: 'CheckAgent cassette' }).waitFor();
    await shoot(story.page, 'tape-status');
    await story.page.keyboard.press('Escape');
    // An orphan is a problem of a file, not something to do in the view.
    assert.equal(await story.page.locator('.activitybar a[aria-label*="orphaned"]').count(), 0);
  });

  it('have the transcript one click away, in the same tab; only a tape with a test leads to it', async function () {
    needsPython(this);
    const { page } = story;
    const button = (name: string) => page.locator('.editor-actions').getByRole('button', { name }).first();
    const tabs = (name: string) => page.locator('.tabs-container .tab').filter({ hasText: name });
    await openFile(page, 'test_gone.json');
    await button('Open Tape as Transcript').click();
    await button('Open Tape as Text').waitFor();
    assert.equal(await tabs('test_gone.json').count(), 1);
    assert.equal(await button('Go to Test').count(), 0);
    await button('Open Tape as Text').click();
    await button('Open Tape as Transcript').waitFor();
    assert.equal(await tabs('test_gone.json').count(), 1);
    await openFile(page, 'test_order.json');
    await button('Open Tape as Transcript').click();
    await button('Go to Test').click();
    await page.locator('.tab.active').filter({ hasText: 'test_shop.py' }).waitFor();
    assert.equal(await tabs('test_order.json').count(), 1);
  });

  it('of JavaScript are recorded and replayed alone, by palette and keys', async () => {
    const { page, workspace } = story;
    const fixture = join(workspace, 'shop/fixtures/parcel.json');
    const ran = join(workspace, 'shop/node_modules/nock/ran');
    const dialog = page.locator('.monaco-dialog-box');
    const record = async (button: string): Promise<void> => {
      await pressCommand(page, 'Tapedeck: Re-record Test…');
      await dialog.filter({ hasText: 'NOCK_BACK_MODE=record node --test' }).waitFor();
      await shoot(page, `node-${button.toLowerCase()}`);
      await dialog.getByRole('button', { name: button, exact: true }).waitFor();
      await page.keyboard.press('Enter');
      await until('the recording', () => existsSync(fixture) && existsSync(ran));
    };
    await openFile(page, 'shop.test.js');
    await lens(story, 'Record').waitFor();
    await record('Record');
    const first = readFileSync(fixture, 'utf8');
    await openFile(page, 'shop.test.js');
    await lens(story, 'parcel.json').waitFor();
    rmSync(ran);
    await record('Re-record');
    await until('another answer', () => existsSync(fixture) && readFileSync(fixture, 'utf8') !== first);
    assert.ok(existsSync(join(workspace, '.tapedeck/takes/shop/fixtures/parcel.json')), 'the old take is kept');
    rmSync(ran);
    await openFile(page, 'shop.test.js');
    await lens(story, 'Replay').waitFor();
    await pressCommand(page, 'Tapedeck: Replay Test');
    await until('the replay', () => existsSync(ran));
    assert.match(readFileSync(ran, 'utf8'), /^lockdown /);
    assert.ok(!existsSync(join(workspace, 'shop/fixtures/other.json')), 'the other test did not run');
    await shoot(page, 'node-lenses');
  });
});
