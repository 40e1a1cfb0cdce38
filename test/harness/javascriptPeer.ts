import { execFile, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Ended, ended, inProject, type TestProject } from './builtEngine';
import { completion, sendJson, serve, type TestServer } from './support';

const run = promisify(execFile);
const PROJECT = join(__dirname, '../..');
export const INSTALL_TIMEOUT = 600_000;

/** Where nobody answers, in CI. */
export const GONE = { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', CI: '1' };

/** What tests ask by. */
export const ASK = `import OpenAI from 'openai';
import http from 'node:http';
import { execFileSync } from 'node:child_process';
const MODULE_CLIENT = new OpenAI({ apiKey: 'k', maxRetries: 0 });
const UPSTREAM = process.env.OPENAI_BASE_URL;
const WORD = process.env.WORD ?? 'France';
const messages = (content) => ({ model: 'm', messages: [{ role: 'user', content }] });
const ask = async (content, client = new OpenAI({ maxRetries: 0 })) => (await client.chat.completions.create(messages(content))).choices[0].message.content;
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const byHttp = (content) => new Promise((done, fail) => {
  const request = http.request(UPSTREAM + '/chat/completions', { method: 'POST', headers: { 'content-type': 'application/json' } }, (response) => {
    let text = '';
    response.on('data', (part) => { text += part; });
    response.on('end', () => (response.statusCode === 200 ? done(JSON.parse(text).choices[0].message.content) : fail(new Error(text))));
  });
  request.on('error', fail);
  request.end(JSON.stringify(messages(content)));
});
`;

const EXPORTS = Object.fromEntries(
  Object.entries({ vitest: 'vitest', jest: 'jest', 'node-test': 'nodeTest', playwright: 'playwright' }).map(
    ([name, file]) => [`./${name}`, `./runners/${file}.mjs`],
  ),
);

/** Packages of npm in a folder of their own, installed once and kept in `.vscode-test/node/`. */
export class JavascriptPeer {
  private constructor(private readonly home: string) {}

  /** Rejects where they cannot be installed: the suite must say so. */
  static async with(name: string, packages: readonly string[]): Promise<JavascriptPeer> {
    const home = join(PROJECT, '.vscode-test/node', name);
    const installed = join(home, 'installed.json');
    const wanted = JSON.stringify(packages);
    if (existsSync(installed) && readFileSync(installed, 'utf8') === wanted) return new JavascriptPeer(home);
    rmSync(home, { recursive: true, force: true });
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, 'package.json'), '{"private": true}');
    try {
      await run('npm', ['install', '--no-audit', '--no-fund', ...packages], { cwd: home, timeout: INSTALL_TIMEOUT });
    } catch (error) {
      throw new Error(`NOT TESTED: ${packages.join(' and ')} cannot be installed: ${error}`);
    }
    writeFileSync(installed, wanted);
    return new JavascriptPeer(home);
  }

  /** A file of a package. */
  file(path: string): string {
    return join(this.home, 'node_modules', path);
  }

  /** A project with these packages, and with what the package of the command line has for test runners; and a model. */
  async inSuite(
    files: Readonly<Record<string, string>>,
    test: (project: TestProject, upstream: TestServer, env: Record<string, string>) => Promise<void>,
  ): Promise<void> {
    const upstream = await serve((response, { body }) => {
      const { messages } = JSON.parse(body) as { readonly messages: readonly { readonly content: string }[] };
      sendJson(response, 200, completion(`answer to ${messages.at(-1)?.content}`));
    });
    const manifest = JSON.stringify({ name: '@tapedeck/cli', version: '0.0.0', exports: EXPORTS });
    try {
      const all = { 'tapedeck.toml': '', 'package.json': '{"private":true,"type":"module"}', ...files };
      await inProject({ ...all, 'node_modules/@tapedeck/cli/package.json': manifest }, async (project) => {
        for (const name of readdirSync(join(this.home, 'node_modules')))
          if (!name.startsWith('.')) symlinkSync(this.file(name), project.path(`node_modules/${name}`));
        const runners = project.path('node_modules/@tapedeck/cli/runners');
        cpSync(join(PROJECT, 'src/runners/javascript'), runners, { recursive: true });
        await test(project, upstream, { OPENAI_BASE_URL: upstream.baseUrl });
      });
    } finally {
      await upstream.close();
    }
  }

  /** Runs Node in a project, with the engine that is built. */
  node(project: TestProject, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
    const { PATH = '', HOME = '' } = process.env;
    const own = {
      PATH,
      HOME,
      NO_COLOR: '1',
      TAPEDECK_ENGINE: join(PROJECT, 'dist/engine.js'),
      OPENAI_API_KEY: 'sk-of-the-user-1234567890',
    };
    return ended(spawn(process.execPath, args, { cwd: project.root, env: { ...own, ...env }, stdio: 'pipe' }));
  }
}
