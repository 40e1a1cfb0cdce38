import assert from 'node:assert/strict';
import { execFileSync, type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { commands } from '../../src/engine/commands/commands';
import { tapeOf } from '../harness/builtEngine';
import { completion, sendJson, serve } from '../harness/support';

const projectRoot = resolve(__dirname, '../..');
const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { version: string };

/** The npm package, installed without a network where there is nothing else of ours. */
describe('the packaged command line', function () {
  this.timeout(240_000);
  const folder = mkdtempSync(join(tmpdir(), 'tapedeck-cli-'));
  const program = join(folder, 'node_modules/.bin/tapedeck');
  const bin = join(folder, 'bin');
  // A machine with Node alone: no git, no Python, no checkout, no editor, no settings of npm.
  const environment = {
    PATH: bin,
    HOME: folder,
    XDG_STATE_HOME: join(folder, 'state'),
    npm_config_offline: 'true',
  };
  const tapedeck = (...args: readonly string[]): SpawnSyncReturns<string> =>
    spawnSync(program, args, { cwd: folder, env: environment, encoding: 'utf8' });
  const write = (path: string, content: string | Buffer): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };

  before(() => {
    mkdirSync(bin);
    for (const name of ['node', 'npm'])
      symlinkSync(realpathSync(join(dirname(process.execPath), name)), join(bin, name));
    // Where the extension is packaged already, so is what it was built to.
    if (process.env.TAPEDECK_VSIX === undefined)
      execFileSync(process.execPath, ['esbuild.mjs', '--production', 'node'], { cwd: projectRoot, stdio: 'ignore' });
    execFileSync(process.execPath, ['build/packageCli.mjs', '--out', folder], { cwd: projectRoot });
    write('package.json', '{"private": true}');
    const archive = `tapedeck-cli-${version}.tgz`;
    const args = ['install', '--no-audit', '--no-fund', archive];
    execFileSync(join(bin, 'npm'), args, { cwd: folder, env: environment, encoding: 'utf8' });
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('says its version, and that nothing of it is missing', () => {
    assert.equal(tapedeck('--version').stdout, `${version}\n`);
    const { stdout, status } = tapedeck('--self-check', '--json');
    const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: readonly { name: string; state: string }[] };
    assert.deepEqual([status, ok], [0, true], stdout);
    for (const name of ['git', 'Python'])
      assert.equal(checks.find((one) => one.name === name)?.state, 'absent', stdout);
    assert.deepEqual(
      checks.filter(({ name }) => name === 'installation'),
      [{ name: 'installation', state: 'ok', says: 'all files present' }],
    );
  });

  it('replays the sample', () => {
    cpSync(join(folder, 'node_modules/@tapedeck/cli/sample'), join(folder, 'sample'), { recursive: true });
    const { status, stdout } = tapedeck('run', 'sample', '--json');
    const { summary, results } = JSON.parse(stdout) as {
      summary: object;
      results: readonly { name: string; status: string }[];
    };
    assert.equal(status, 1, 'the greeting differs from its baseline on purpose');
    assert.deepEqual({ ...summary, durationMs: 0 }, { total: 3, passed: 2, failed: 1, cancelled: 0, durationMs: 0 });
    assert.deepEqual(
      results.filter((result) => result.status === 'failed').map(({ name }) => name),
      ['greeting'],
    );
  });

  it('has every command', () => {
    for (const { name } of commands) {
      const { status, stdout, stderr } = tapedeck(name, '--help');
      assert.deepEqual([status, stderr], [0, ''], name);
      assert.match(stdout, RegExp(`^Usage: tapedeck ${name} `, 'm'));
    }
  });

  it('has what is loaded only when it is needed: patterns, archives, threads, and what agents load', async () => {
    write('case.toml', PATTERN_CASE);
    assert.equal(tapedeck('run', 'case.toml').status, 0);
    write('packed.yaml.gz', gzipSync(VCR_TAPE));
    assert.match(tapedeck('inspect', 'packed.yaml.gz').stdout, /How is the sea\?/);
    for (let at = 0; at < 120; at += 1) write(`many/${at}.tape.json`, tapeOf('a', [`answer ${at}`]));
    assert.equal(tapedeck('verify', 'many').stdout, 'Verified 120 tapes: no problems.\n');
    const api = await serve((response) => sendJson(response, 200, completion('Calm.')));
    try {
      write('agent.mjs', AGENT);
      const args = ['exec', '--tape', 'sea.tape.jsonl', '--record', '--upstream', `openai=${api.baseUrl}`];
      const { status, stdout, stderr } = await tapedeckBeside([...args, '--', 'node', 'agent.mjs']);
      assert.deepEqual([status, stdout], [0, 'Calm.\n'], stderr);
      const again = await tapedeckBeside(['exec', '--tape', 'sea.tape.jsonl', '--', 'node', 'agent.mjs']);
      assert.deepEqual([again.status, again.stdout], [0, 'Calm.\n'], again.stderr);
      assert.equal(api.requests.length, 1);
    } finally {
      await api.close();
    }
  });

  it('has types for what it prints with --json: what a type lacks, and what it has too much, does not compile', () => {
    const project = join(folder, 'typed');
    cpSync(join(folder, 'node_modules/@tapedeck/cli/sample'), project, { recursive: true });
    const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: project });
    git('init', '--quiet');
    git('add', '--all');
    git('-c', 'user.name=Test', '-c', 'user.email=test@example.invalid', 'commit', '--quiet', '--message', 'Sample');
    write('typed/tapes/broken.tape.json', '{"version": 1, "interactions": [{"request": 5}]}');
    const drifting = 'typed/cases/order_status.toml';
    write(drifting, readFileSync(join(folder, drifting), 'utf8').replace('my order', 'order'));
    const printed = PRINTED.map(([type, ...args], index) => {
      const env = { ...environment, PATH: `${bin}:/usr/bin:/bin` };
      const child = spawnSync(program, [...args, '--json'], { cwd: project, env, encoding: 'utf8' });
      assert.match(child.stdout, /^\{\n {2}"ok": (?:true|false)/, `${args.join(' ')}\n${child.stderr}`);
      return `export const printed${index}: ${type} = ${child.stdout}`;
    });
    const types = [...new Set(PRINTED.map(([type]) => type))].join(', ');
    write('typed.ts', [`import type { ${types} } from '@tapedeck/cli';`, ...printed].join('\n'));
    const compiler = join(projectRoot, 'node_modules/typescript/bin/tsc');
    const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--module', 'nodenext'];
    const args = [compiler, ...options, '--lib', 'es2023', '--types', '', 'typed.ts'];
    assert.equal(spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }).stdout, '');
  });

  /** Where a server of this process answers, which has to go on meanwhile. */
  function tapedeckBeside(args: readonly string[]): Promise<{ status: number | null; stdout: string; stderr: string }> {
    const child = spawn(program, args, { cwd: folder, env: { ...environment, OPENAI_API_KEY: 'a-key-of-no-account' } });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    return new Promise((settle) => child.once('close', (status) => settle({ status, stdout, stderr })));
  }

  it('says which of its modules is missing', () => {
    const chunks = join(folder, 'node_modules/@tapedeck/cli/dist/chunks');
    const isLazy = (name: string) =>
      !name.startsWith('startOf') && /chaos/.test(readFileSync(join(chunks, name), 'utf8'));
    const lazy = readdirSync(chunks).find((name) => name.endsWith('.js') && isLazy(name));
    assert.ok(lazy !== undefined, 'a command is loaded when it is needed');
    rmSync(join(chunks, lazy));
    const { status, stdout } = tapedeck('--self-check');
    assert.equal(status, 1, stdout);
    assert.match(
      stdout,
      new RegExp(`^BROKEN {2}installation +.*${lazy} is missing\\n +Install Tapedeck again\\.$`, 'm'),
    );
  });
});

const PATTERN_CASE = `name = "counted"
prompt = "How many?"

[[llm.steps]]
type = "text"
content = "There are 42."

[assert]
matches = "[0-9]+"
`;

const VCR_TAPE = `interactions:
- request:
    body: '{"model": "m-1", "messages": [{"role": "user", "content": "How is the sea?"}]}'
    headers: {}
    method: POST
    uri: https://api.openai.com/v1/chat/completions
  response:
    body:
      string: '{"choices": [{"message": {"role": "assistant", "content": "Calm."}}]}'
    headers: {}
    status:
      code: 200
      message: OK
version: 1
`;

const AGENT = `const body = JSON.stringify({ model: 'm-1', messages: [{ role: 'user', content: 'How is the sea?' }] });
const headers = { 'content-type': 'application/json' };
const response = await fetch(process.env.OPENAI_BASE_URL + '/chat/completions', { method: 'POST', headers, body });
console.log((await response.json()).choices[0].message.content);
`;

/** Commands in the sample, one after the other, and the type of what each prints. Its provider is built in. */
const PRINTED = [
  ['RunDocument', 'run'],
  ['RunDocument', 'run', 'cases/order_status.toml', '--record'],
  ['TakesDocument', 'takes', 'tapes/order_status.tape.json'],
  ['VerifyDocument', 'verify'],
  ['SearchDocument', 'search', 'tool:lookup_order', '.'],
  ['CheckDocument', 'check'],
  ['DiffDocument', 'diff', 'cases/greeting.baseline.json', '.tapedeck/runs/cases/greeting.artifact.json'],
  ['DiffDocument', 'diff', 'tapes/order_status.tape.json', 'tapes/refund_question.tape.json'],
  ['InspectDocument', 'inspect', 'tapes/refund_question.tape.json'],
  ['InspectDocument', 'inspect', '../packed.yaml.gz'],
  ['ForkDocument', 'fork', 'cases/refund_question.toml', '--from', '1'],
  ['ForkEditDocument', 'fork', 'cases/refund_question.toml', '--from', '1', '--print'],
  ['StabilityDocument', 'stability', 'cases/refund_question.toml', '-n', '2'],
  ['TrialDocument', 'trial', 'cases/refund_question.toml', '--model', 'other', '-n', '2'],
  ['AdoptionDocument', 'trial', 'cases/refund_question.toml', '--adopt', 'other'],
  ['ConvertDocument', 'convert', 'tapes/refund_question.tape.json', 'refund.yaml', '--to', 'vcrpy'],
  ['ConvertDocument', 'convert', 'tapes/refund_question.tape.json', 'cases/made.toml', '--to', 'case'],
  ['ReviewDocument', 'review', '--html', 'review.html'],
  ['DecisionDocument', 'reject', 'cases/greeting.toml'],
  ['DecisionDocument', 'accept', 'cases/greeting.toml'],
  ['RecoverDocument', 'recover'],
  ['SelfCheckDocument', '--self-check'],
] as const;
