import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { appendFile, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readTape } from '../../../src/core/tapes/readTape';
import { tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import { buildEngine, ended, inProject, startEngine, type TestProject } from '../../harness/builtEngine';
import { tapedeck } from '../../harness/inProcess';
import { completion, type Handler, sendJson, serve } from '../../harness/support';

const TAPE = 'tapes/t.tape.jsonl';
const KEY = 'sk-proj-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY';

const answers: Handler = (response, { body }) => {
  const text = (JSON.parse(body) as { messages: { content: string }[] }).messages[0]?.content ?? '';
  if (!text.startsWith('stream')) return sendJson(response, 200, completion(`to ${text}`));
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const frame = (content: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
  response.write(frame('to '));
  if (text.endsWith('for ever')) return;
  response.end(`${frame(text)}data: [DONE]\n\n`);
};

interface Recorder {
  readonly child: ChildProcess;
  /** Sends a prompt, and gives the whole response. */
  ask(prompt: string): Promise<string>;
  kill(): Promise<void>;
}

/** A proxy that records from a server of ours. */
async function recorder(
  project: TestProject,
  baseUrl: string,
  args: readonly string[] = ['--record'],
): Promise<Recorder> {
  const command = ['serve', '--json', '--tape', TAPE, '--upstream', `openai=${baseUrl}`, ...args];
  const child = startEngine(command, { cwd: project.root, env: { OPENAI_API_KEY: KEY } });
  child.stderr.resume();
  const line = await new Promise<string>((resolve) => child.stdout.once('data', (text) => resolve(String(text))));
  const base = (JSON.parse(line) as Record<string, string>).OPENAI_BASE_URL;
  const closed = new Promise((resolve) => child.once('close', resolve));
  return {
    child,
    ask: async (prompt) => {
      const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: prompt }] });
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${KEY}` };
      return (await fetch(`${base}/chat/completions`, { method: 'POST', headers, body })).text();
    },
    kill: async () => {
      child.kill('SIGKILL');
      await closed;
    },
  };
}

async function inRecordedProject(
  test: (project: TestProject, start: (...args: string[]) => Promise<Recorder>) => Promise<void>,
): Promise<void> {
  const server = await serve(answers);
  try {
    await inProject({ 'tapedeck.toml': '' }, (project) =>
      test(project, (...args) => recorder(project, server.baseUrl, args.length > 0 ? args : undefined)),
    );
  } finally {
    await server.close();
  }
}

async function promptsOn(project: TestProject): Promise<readonly (string | null | undefined)[]> {
  const tape = readTape(tapeFileFromText(await project.read(TAPE)));
  assert.deepEqual(tape?.problems, []);
  return (tape?.interactions ?? []).map(({ request }) => request?.messages[0]?.content);
}

describe('a recording of the proxy', function () {
  this.timeout(60_000);
  before(buildEngine);

  it('that is killed loses only what was in progress, and is offered by the next start', async () => {
    await inRecordedProject(async (project, start) => {
      const first = await start();
      for (const prompt of ['one', 'stream two', 'three']) await first.ask(prompt);
      const open = first.ask('stream for ever').catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 100));
      await first.kill();
      await open;
      assert.ok(!project.has(TAPE));
      const [name = ''] = await readdir(project.path('.tapedeck/journal'));
      const journal = project.path(`.tapedeck/journal/${name}`);
      assert.equal((await stat(journal)).mode & 0o777, 0o600);
      assert.ok(!(await readFile(journal, 'utf8')).includes(KEY));
      await appendFile(journal, '\n{"number":9,"http":{"meth');

      const started = startEngine(['exec', '--allow-none', '--record', '--tape', TAPE, '--', 'true'], {
        cwd: project.root,
      });
      const { code, stderr } = await ended(started);
      assert.equal(code, 0, stderr);
      assert.match(
        stderr,
        /a recording of tapes\/t\.tape\.jsonl, started \S+, was interrupted\. 3 recorded interactions kept/,
      );
      assert.match(stderr, /tapedeck recover --save tapes\/t\.tape\.jsonl/);

      const listed = await tapedeck(project, 'recover', '--json');
      assert.equal(listed.code, 1);
      assert.equal(JSON.parse(listed.stdout).recordings[0].interactions, 3);
      const saved = await tapedeck(project, 'recover', '--save', TAPE);
      assert.deepEqual([saved.code, saved.stdout], [0, `${TAPE} now has 3 interactions\n`], saved.stderr);
      assert.deepEqual(await promptsOn(project), ['one', 'stream two', 'three']);
      assert.deepEqual(await readdir(project.path('.tapedeck/journal')), []);
      assert.equal((await tapedeck(project, 'recover')).code, 0);
    });
  });

  it('is the same tape, recovered, as it would have been at its end', async () => {
    await inRecordedProject(async (project, start) => {
      const prompts = ['one', 'stream two', 'three'];
      const whole = await start();
      for (const prompt of prompts) await whole.ask(prompt);
      whole.child.kill('SIGTERM');
      await new Promise((resolve) => whole.child.once('close', resolve));
      const withoutTimes = async () =>
        (await project.read(TAPE)).replace(/"(?:at|ms|first_ms|after)":(?:"[^"]*"|\d+),?|\["date","[^"]*"\]/gi, '');
      const expected = await withoutTimes();
      const killed = await start();
      for (const prompt of prompts) await killed.ask(prompt);
      await killed.kill();
      assert.equal((await tapedeck(project, 'recover', '--save')).code, 0);
      assert.equal(await withoutTimes(), expected);
      assert.equal((await readdir(project.path(`.tapedeck/takes/${TAPE}`))).length, 1);
    });
  });

  it('is added to the tape with --auto, and can be discarded', async () => {
    await inRecordedProject(async (project, start) => {
      for (const [prompt, ...args] of [['one'], ['two', '--auto'], ['three', '--auto']] as const) {
        const proxy = await start(...args);
        await proxy.ask(prompt);
        await proxy.kill();
        assert.equal((await tapedeck(project, 'recover', prompt === 'three' ? '--discard' : '--save')).code, 0);
      }
      assert.deepEqual(await promptsOn(project), ['one', 'two']);
      assert.deepEqual(await readdir(project.path('.tapedeck/journal')), []);
    });
  });

  it('leaves no journal when it ends, and tells a second recorder of the first', async () => {
    await inRecordedProject(async (project, start) => {
      const first = await start();
      await first.ask('one');
      const second = startEngine(['exec', '--allow-none', '--record', '--tape', TAPE, '--', 'true'], {
        cwd: project.root,
      });
      const { stderr } = await ended(second);
      assert.match(stderr, new RegExp(`${TAPE} is also being recorded by process ${first.child.pid}, since 20`));
      assert.ok(!stderr.includes('interrupted'), 'the first one is still at it');
      assert.equal((await tapedeck(project, 'recover')).code, 0);
      first.child.kill('SIGTERM');
      await new Promise((resolve) => first.child.once('close', resolve));
      assert.deepEqual(await readdir(project.path('.tapedeck/journal')), []);
      assert.deepEqual(await readdir(project.path('.tapedeck/locks')), []);
      assert.deepEqual(await promptsOn(project), ['one']);
    });
  });

  it('is kept where its tape cannot be written at the end', async () => {
    await inRecordedProject(async (project, start) => {
      const proxy = await start();
      await proxy.ask('one');
      await mkdir(project.path(TAPE), { recursive: true });
      proxy.child.kill('SIGTERM');
      await new Promise((resolve) => proxy.child.once('close', resolve));
      assert.equal((await tapedeck(project, 'recover')).code, 1);
    });
  });

  it('recovers nothing that was made up to leave the project', async () => {
    await inProject({ 'mine/tapedeck.toml': '', 'out/notes.txt': '' }, async (project) => {
      const by = { pid: 1, machine: 'x' };
      const http = { method: 'POST', url: 'https://a/b', requestHeaders: [], responseHeaders: [], status: 200 };
      const none = { requestBody: { type: 'none' }, responseBody: { type: 'text', text: 'x' } };
      await mkdir(project.path('mine/.tapedeck/journal'), { recursive: true });
      for (const [at, tape] of ['../out/t.json', '.vscode/settings.json', 'a.ts'].entries()) {
        const head = { journal: 1, tape, append: false, since: '2020-01-01T00:00:00Z', by };
        const text = `${JSON.stringify(head)}\n${JSON.stringify({ number: 0, http: { ...http, ...none } })}`;
        const path = join(project.root, `mine/.tapedeck/journal/${at}.jsonl`);
        await writeFile(path, text);
        const { utimes } = await import('node:fs/promises');
        await utimes(path, 0, 0);
      }
      await symlink('../../../out', project.path('mine/.tapedeck/journal/link'));
      for (const tape of ['../out/t.json', '.vscode/settings.json', 'a.ts']) {
        const { code, stderr } = await tapedeck({ root: project.path('mine') }, 'recover', '--save', tape);
        assert.equal(code, 2, stderr);
      }
      assert.deepEqual(await readdir(project.path('out')), ['notes.txt']);
      assert.deepEqual((await readdir(project.path('mine'))).sort(), ['.tapedeck', 'tapedeck.toml']);
    });
  });
});
