import * as assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { openFile, pressCommand, stepTo } from '../harness/keyboard';
import { chooseFromMenu, lens, openTapedeck, treeRow } from '../harness/sidebar';
import { endAfterAll, projectRoot, type Story, startStory } from '../harness/story';
import { runCommand, shoot, webviewFrame } from '../harness/vscode/workbench.mjs';

const write = (story: Story, path: string, text: string): void => {
  mkdirSync(dirname(join(story.workspace, path)), { recursive: true });
  writeFileSync(join(story.workspace, path), text);
};
const caseText = (name: string, tape: string, provider: string) =>
  `name = "${name}"\nprompt = "p"\n\n[llm]\ntape = "../tapes/${tape}.tape.json"\n\n[llm.provider]\n${provider}\n`;
const gateway = (address: string, variable: string) =>
  `kind = "open_ai_compatible"\nbase_url = "${address}"\nmodel = "m"\napi_key_env = "${variable}"`;

/** Two requests of a conversation whose system prompt tells the day. */
function cachedTape(): string {
  const system = (day: string) => ({
    role: 'system',
    content: `${'You are a clerk of a shop. '.repeat(400)}Today is ${day}.`,
  });
  const hello = { role: 'user', content: 'Hello' };
  const hi = { role: 'assistant', content: 'Hi, how can I help?' };
  const more = { role: 'user', content: 'Where is my order?' };
  const turn = (request: number, messages: readonly object[], cached_tokens: number) => {
    const usage = {
      prompt_tokens: 2500,
      completion_tokens: 12,
      total_tokens: 2512,
      prompt_tokens_details: { cached_tokens },
    };
    const choices = [{ index: 0, message: hi, finish_reason: 'stop' }];
    const address = { method: 'POST', url: 'https://api.openai.com/v1/chat/completions', at: '2024-03-01T10:00:00Z' };
    return [
      { request, ...address, json: { model: 'gpt-4o', messages } },
      { response: request, ms: 900, status: 200, json: { model: 'gpt-4o', choices, usage } },
    ];
  };
  const turns = [turn(0, [system('Monday'), hello], 2304), turn(1, [system('Tuesday'), hello, hi, more], 0)];
  return [{ tapedeck: 'tape', version: 1 }, ...turns.flat()].map((line) => `${JSON.stringify(line)}\n`).join('');
}

describe('before a recording', function () {
  this.timeout(240_000);
  let story: Story;
  let server: Server;
  const keys: (string | undefined)[] = [];
  const bodies: string[] = [];
  endAfterAll(() => story, 'recording');

  before(async () => {
    server = createServer(async (request, response) => {
      keys.push(request.headers.authorization);
      const body = await textOf(request);
      bodies.push(body);
      const message = answerTo(body);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }], model: 'm' }));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    story = await startStory();
    write(story, 'cases/mine.toml', caseText('mine', 'order_status', 'kind = "practice"'));
    write(
      story,
      'cases/evil.toml',
      caseText('evil', 'evil', gateway('https://api.openai.com@evil.example/v1', 'PATH')),
    );
    const own = ['sh', '-c', `echo a long command that is shown whole ${'x'.repeat(120)} the end`];
    write(
      story,
      'cases/own.toml',
      `name = "own"\nprompt = "p"\n[agent]\ncommand = ${JSON.stringify(own)}\nallow_none = true\n[llm]\ntape = "../tapes/own.tape.json"\n`,
    );
    for (let index = 0; index < 25; index += 1)
      write(
        story,
        `many/case${index}.toml`,
        caseText(`case${index}`, `many${index}`, gateway(`http://host${index}.example:${port}/v1`, `SECRET_${index}`)),
      );
    write(story, 'tapes/cached.tape.jsonl', cachedTape());
    write(
      story,
      'cases/cached.toml',
      caseText('cached', 'cached', gateway('https://api.openai.com/v1', 'PATH'))
        .replace('.json"', '.jsonl"')
        .replace('"m"', '"gpt-4o"'),
    );
    write(
      story,
      'cases/local.toml',
      caseText('local', 'local', gateway(`http://127.0.0.1:${port}/v1`, 'TAPEDECK_STORY')),
    );
    write(
      story,
      'cases/forked.toml',
      `${caseText('forked', 'forked', gateway(`http://127.0.0.1:${port}/v1`, 'TAPEDECK_STORY'))}[[tools]]\nname = "lookup_order"\ndescription = "Finds an order."\nresult = "order 7 was lost"\n`,
    );
    await openTapedeck(story);
    await story.page.locator('.pane-body .monaco-list-row').filter({ hasText: 'mine' }).first().waitFor();
  });
  after(() => server.close());

  const dialog = () => story.page.locator('.monaco-dialog-box');

  it('tells what it costs, and of which model and age the tape is, by palette and keys alone', async () => {
    const { page } = story;
    await openFile(page, 'cached.toml');
    await lens(story, 'gpt-4o · 2 years ago').waitFor();
    const row = page.locator('.pane-body .monaco-list-row').filter({ hasText: 'cached' });
    await pressCommand(page, 'Tapedeck: Focus on Cases View');
    await stepTo(row.first());
    await page.keyboard.press('ArrowRight');
    await row.filter({ hasText: /cached\.tape\.jsonl.*2 · gpt-4o · \d+ years/ }).waitFor();
    await pressCommand(page, 'Tapedeck: Re-record…');
    await dialog()
      .getByText(/; 2 live calls, about \$[\d.]+ \(list prices of \d{4}-\d\d-\d\d\)\./)
      .waitFor();
    await shoot(page, 'recording-cost');
    await page.keyboard.press('Escape');
  });

  it('shows beside it what was read from the cache, and what ended the prefix', async () => {
    const { page } = story;
    await openFile(page, 'cached.tape.jsonl');
    const transcript = page.frameLocator('iframe.webview.ready').last().frameLocator('#active-frame');
    await transcript.getByText('(92% cached)').waitFor();
    await transcript.getByText('(0% cached)').waitFor();
    const change = transcript.getByRole('button', { name: /System message edited.*tokens not from cache/ });
    await change.waitFor();
    await shoot(page, 'recording-cache');
  });

  it('warns of the tape of another case, in the dialog and in the Problems view', async () => {
    await openFile(story.page, 'mine.toml');
    await lens(story, 'Re-record').click();
    await dialog().getByText('is also the tape of cases/order_status.toml').waitFor();
    await shoot(story.page, 'recording-shared');
    assert.match(
      await dialog().innerText(),
      /order_status\.tape\.json will be replaced: 2 interactions.*\(MoFA tape\), last changed/,
    );
    assert.equal(await dialog().locator('.codicon-dialog-warning').count(), 1);
    await story.page.keyboard.press('Escape');
    await runCommand(story.page, 'View: Focus Problems').catch(() => undefined);
    await runCommand(story.page, 'Problems: Focus on Problems View');
    await story.page
      .getByText('a recording of this case replaces the tape of cases/order_status.toml')
      .first()
      .waitFor();
    await shoot(story.page, 'recording-problems');
  });

  it('shows the host that a key would really go to, and the variable', async () => {
    await openFile(story.page, 'evil.toml');
    await lens(story, 'Record').click();
    await dialog().waitFor();
    await shoot(story.page, 'recording-new-host');
    const text = await dialog().innerText();
    assert.match(text, /New in this project, to be allowed:\s+• evil\.example, with the value of PATH/);
    assert.doesNotMatch(text, /api\.openai\.com/);
    await dialog().getByRole('button', { name: 'Allow and Record' }).waitFor();
    await story.page.keyboard.press('Escape');
    assert.equal(existsSync(join(dirname(story.workspace), 'state/tapedeck/confirmed.json')), false);
  });

  it('shows every host and variable of many cases, in a list that can be scrolled', async () => {
    await chooseFromMenu(treeRow(story, 'many'), 'Re-record');
    const list = story.page.locator('.quick-input-widget:visible');
    await list.getByText('Record 25 cases?').waitFor();
    await shoot(story.page, 'recording-many');
    await story.page.keyboard.press('Enter');
    const input = list.locator('input').first();
    for (let index = 0; index < 25; index += 1) {
      await input.fill(`host${index}.example`);
      await list.getByText(`the value of SECRET_${index}`).first().waitFor();
    }
    await input.fill('');
    await story.page.keyboard.press('ArrowUp');
    await list.locator('.monaco-list-row.focused').getByText('Allow and Record').waitFor();
    await shoot(story.page, 'recording-many-end');
    await story.page.keyboard.press('Escape');
    assert.equal(keys.length, 0);
  });

  it('remembers what was allowed outside of the project', async () => {
    await openFile(story.page, 'local.toml');
    await lens(story, 'Record').click();
    await dialog().waitFor();
    await shoot(story.page, 'recording-local');
    await dialog().getByRole('button', { name: 'Record' }).click();
    await until(() => keys.length > 0);
    assert.deepEqual(keys, [`Bearer ${dirname(story.workspace)}`]);
    const remembered = readFileSync(join(dirname(story.workspace), 'state/tapedeck/confirmed.json'), 'utf8');
    assert.match(remembered, /TAPEDECK_STORY/);
    await lens(story, 'Record').click();
    await dialog().waitFor();
    assert.doesNotMatch(await dialog().innerText(), /New in this project/);
    await story.page.keyboard.press('Escape');
  });

  it('asks a person, with the whole command, before coding agents run it', async () => {
    await openFile(story.page, 'own.toml');
    await runCommand(story.page, 'Tapedeck Permissions: Let Coding Agents Run This Case…');
    await dialog().getByText('the end').waitFor();
    await shoot(story.page, 'recording-agents');
    assert.match(await dialog().innerText(), /a long command that is shown whole x{120} the end/);
    await dialog().getByRole('button', { name: 'Allow' }).click();
    await story.page.locator('.notification-toast').getByText('until it changes').waitFor();
    await runCommand(story.page, 'Tapedeck Permissions: Stop Coding Agents from Running Cases…');
    await story.page.locator('.quick-input-list').getByText('own.toml').waitFor();
    await shoot(story.page, 'recording-agents-stopped');
    await story.page.keyboard.press('Enter');
    await story.page.locator('.notification-toast').getByText('no longer replay cases/own.toml').waitFor();
  });

  it('forks a tape from the palette: what is edited, the price, the new tape, and the comparison, by keys alone', async () => {
    const { page } = story;
    const env = { PATH: process.env.PATH, TAPEDECK_STORY: 'story', XDG_STATE_HOME: join(story.workspace, '../state') };
    const args = ['run', 'cases/forked.toml', '--record', '--allow-key', 'TAPEDECK_STORY=127.0.0.1'];
    await promisify(execFile)(process.execPath, [join(projectRoot, 'dist/engine.js'), ...args], {
      cwd: story.workspace,
      env,
    });
    const original = story.read('tapes/forked.tape.json');
    bodies.length = 0;
    await openFile(page, 'forked.tape.json');
    const transcript = webviewFrame(page);
    await transcript.locator('article').first().waitFor();
    await pressCommand(page, 'View: Focus Active Editor Group');
    await transcript.locator('article').first().focus();
    await transcript.locator('article[data-interaction="0"]:focus').waitFor();
    await page.keyboard.press('n');
    await transcript.locator('article[data-interaction="1"]:focus').waitFor();
    await pressCommand(page, 'Tapedeck: Fork from Here…');
    const editor = page.locator('.editor-instance .monaco-editor:visible').first();
    await editor.getByText('that shares interaction 1').waitFor();
    await lens(story, 'Record Fork').waitFor();
    await shoot(page, 'fork-document');
    await pressCommand(page, 'View: Focus Active Editor Group');
    await page.locator('.monaco-editor.focused').waitFor();
    await pressCommand(page, 'Find');
    const find = page.locator('.find-widget.visible');
    await find.locator('textarea:focus').waitFor();
    await page.keyboard.type('was lost');
    await find.locator('.matchesCount').getByText('1 of 1').waitFor();
    await closeByEscape(page, find);
    await page.locator('.monaco-editor.focused').waitFor();
    await page.keyboard.type('was found');
    await editor.getByText('was found').waitFor();
    await pressCommand(page, 'Tapedeck: Record Fork…');
    const input = page.locator('.quick-input-widget:visible input').first();
    await page.locator('.quick-input-widget:visible').getByText('stays as it is').waitFor();
    assert.equal(await input.inputValue(), 'tapes/forked.fork.tape.json');
    await page.keyboard.press('Enter');
    await dialog().getByText('Fork tapes/forked.tape.json?').waitFor();
    await shoot(page, 'fork-question');
    assert.match(await dialog().innerText(), /If the rest goes as on the tape: 1 live call/);
    assert.match(await dialog().innerText(), /forked\.fork\.tape\.json will be created, with 1 interaction of/);
    await page.keyboard.press('Enter');
    await Promise.all([
      page.locator('.notification-toast').getByText('the edited tool results').waitFor(),
      page.locator('.tab.active').filter({ hasText: 'forked.fork.tape.json' }).waitFor(),
    ]);
    await webviewFrame(page).getByText('was found').first().waitFor();
    await shoot(page, 'fork-comparison');
    assert.equal(story.read('tapes/forked.tape.json'), original);
    assert.equal(bodies.length, 1);
    assert.match(bodies[0] ?? '', /order 7 was found/);
    const ending = original.indexOf('"request"', original.indexOf('"response"'));
    assert.ok(story.read('tapes/forked.fork.tape.json').startsWith(original.slice(0, ending)));
  });

  it('offers a recording of the proxy that was killed, and together those of tests that failed', async () => {
    const { port } = server.address() as AddressInfo;
    const upstream = `openai=http://127.0.0.1:${port}/v1`;
    const env = {
      PATH: process.env.PATH,
      OPENAI_API_KEY: 'sk-story',
      XDG_STATE_HOME: join(story.workspace, '../state'),
    };
    const args = ['serve', '--json', '--tape', 'tapes/agent.tape.jsonl', '--record', '--upstream', upstream];
    const proxy = spawn(process.execPath, [join(projectRoot, 'dist/engine.js'), ...args], {
      cwd: story.workspace,
      env,
    });
    const line = await new Promise<string>((done) => proxy.stdout.once('data', (text) => done(String(text))));
    const base = (JSON.parse(line) as Record<string, string>).OPENAI_BASE_URL;
    const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hello' }] });
    await fetch(`${base}/chat/completions`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    // Its answer is there before it is in the journal.
    const journal = join(story.workspace, '.tapedeck/journal');
    const recorded = () => readdirSync(journal).map((name) => readFileSync(join(journal, name), 'utf8'));
    await until(() => existsSync(journal) && recorded().some((lines) => lines.includes('"number":0')));
    const closed = new Promise((done) => proxy.once('close', done));
    proxy.kill('SIGKILL');
    await closed;
    const runner = `for (const lane of ['one', 'two']) await fetch(process.env.TAPEDECK_PROXY + '/~' + lane + '/openai/chat/completions',
  { method: 'POST', headers: { 'content-type': 'application/json' }, body: ${JSON.stringify(body)} });
process.exit(1);`;
    const failing = ['exec', '--record', '--tape', 'tapes/{lane}.tape.jsonl', '--upstream', upstream, '--'];
    const command = [join(projectRoot, 'dist/engine.js'), ...failing, 'node', '--input-type=module', '-e', runner];
    const run = spawn(process.execPath, command, { cwd: story.workspace, env, stdio: 'ignore' });
    assert.deepEqual(await once(run, 'close'), [1, null]);
    await story.page.reload();
    const toast = story.page.locator('.notification-toast').filter({ hasText: 'was interrupted after 1 interaction' });
    await toast.waitFor({ timeout: 60_000 });
    await shoot(story.page, 'recording-interrupted');
    await toast.getByRole('button', { name: 'Save' }).click();
    await story.page.getByText('was saved with 1 interaction').first().waitFor();
    assert.match(story.read('tapes/agent.tape.jsonl'), /recorded/);
    const failed = story.page.locator('.notification-toast').filter({ hasText: '2 recordings were not saved' });
    await failed.getByRole('button', { name: 'Save' }).click();
    await story.page.getByText('2 recordings were saved.').first().waitFor();
    for (const name of ['one', 'two']) assert.match(story.read(`tapes/${name}.tape.jsonl`), /recorded/);
  });
});

const CALL = { id: 'call_1', type: 'function', function: { name: 'lookup_order', arguments: '{"order":7}' } };

/** A tool is called, where there is one, and then the same is said of every request. */
function answerTo(body: string): object {
  const calls = body.includes('lookup_order') && !body.includes('"tool"');
  return calls ? { role: 'assistant', content: null, tool_calls: [CALL] } : { role: 'assistant', content: 'recorded' };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of request) text += piece;
  return text;
}

/** A hint or a notification that is shown at that moment takes the first Escape. */
async function closeByEscape(page: Page, widget: Locator): Promise<void> {
  const isHidden = (): Promise<boolean> =>
    widget.waitFor({ state: 'hidden', timeout: 5000 }).then(
      () => true,
      () => false,
    );
  do await page.keyboard.press('Escape');
  while (!(await isHidden()));
}

async function until(check: () => boolean): Promise<void> {
  for (const end = Date.now() + 20_000; !check(); await new Promise((done) => setTimeout(done, 100)))
    if (Date.now() > end) throw new Error('never happened');
}
