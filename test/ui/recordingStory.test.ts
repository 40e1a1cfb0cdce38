import * as assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { openFile } from '../harness/keyboard';
import { lens, openTapedeck } from '../harness/sidebar';
import { endAfterAll, projectRoot, type Story, startStory } from '../harness/story';
import { runCommand, shoot } from '../harness/vscode/workbench.mjs';

const write = (story: Story, path: string, text: string): void => {
  mkdirSync(dirname(join(story.workspace, path)), { recursive: true });
  writeFileSync(join(story.workspace, path), text);
};
const caseText = (name: string, tape: string, provider: string) =>
  `name = "${name}"\nprompt = "p"\n\n[llm]\ntape = "../tapes/${tape}.tape.json"\n\n[llm.provider]\n${provider}\n`;
const gateway = (address: string, variable: string) =>
  `kind = "open_ai_compatible"\nbase_url = "${address}"\nmodel = "m"\napi_key_env = "${variable}"`;

describe('before a recording', function () {
  this.timeout(240_000);
  let story: Story;
  let server: Server;
  const keys: (string | undefined)[] = [];
  endAfterAll(() => story, 'recording');

  before(async () => {
    server = createServer((request, response) => {
      keys.push(request.headers.authorization);
      const message = { role: 'assistant', content: 'recorded' };
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
    write(
      story,
      'cases/local.toml',
      caseText('local', 'local', gateway(`http://127.0.0.1:${port}/v1`, 'TAPEDECK_STORY')),
    );
    await openTapedeck(story);
    await story.page.locator('.pane-body .monaco-list-row').filter({ hasText: 'mine' }).first().waitFor();
  });
  after(() => server.close());

  const dialog = () => story.page.locator('.monaco-dialog-box');

  it('warns of the tape of another case, in the dialog and in the Problems view', async () => {
    await openFile(story.page, 'mine.toml');
    await lens(story, 'Re-record').click();
    await dialog().getByText('is also the tape of cases/order_status.toml').waitFor();
    await shoot(story.page, 'recording-shared');
    assert.match(
      await dialog().innerText(),
      /order_status\.tape\.json will be replaced: 2 interactions.*MoFA tape, last changed/,
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
    const row = story.page.locator('.pane-body .monaco-list-row').filter({ hasText: 'many' }).first();
    await row.click({ button: 'right' });
    await story.page.locator('.context-view .action-item').filter({ hasText: 'Re-record' }).click();
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
    await story.page.waitForTimeout(3000);
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
    await runCommand(story.page, 'Tapedeck: Let Coding Agents Replay This Case…');
    await dialog().getByText('the end').waitFor();
    await shoot(story.page, 'recording-agents');
    assert.match(await dialog().innerText(), /a long command that is shown whole x{120} the end/);
    await dialog().getByRole('button', { name: 'Allow' }).click();
    await story.page.locator('.notification-toast').getByText('until it changes').waitFor();
    await runCommand(story.page, 'Tapedeck: Stop Coding Agents from Replaying Cases…');
    await story.page.locator('.quick-input-list').getByText('own.toml').waitFor();
    await shoot(story.page, 'recording-agents-stopped');
    await story.page.keyboard.press('Enter');
    await story.page.locator('.notification-toast').getByText('no longer replay cases/own.toml').waitFor();
  });

  it('offers a recording of the proxy that was killed', async () => {
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
    await until(() => existsSync(join(story.workspace, '.tapedeck/journal')));
    const closed = new Promise((done) => proxy.once('close', done));
    proxy.kill('SIGKILL');
    await closed;
    await story.page.reload();
    const toast = story.page.locator('.notification-toast').filter({ hasText: 'was interrupted after 1 interaction' });
    await toast.waitFor({ timeout: 60_000 });
    await shoot(story.page, 'recording-interrupted');
    await toast.getByRole('button', { name: 'Save' }).click();
    await story.page.getByText('was saved with 1 interaction').first().waitFor();
    assert.match(story.read('tapes/agent.tape.jsonl'), /recorded/);
  });
});

async function until(check: () => boolean): Promise<void> {
  for (const end = Date.now() + 20_000; !check(); await new Promise((done) => setTimeout(done, 100)))
    if (Date.now() > end) throw new Error('never happened');
}
