import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { SelfCheckDocument } from '../../../src/engine/reporters/jsonDocuments';
import { buildEngine, ended, engine, inProject, SLOW_CASE, scripted, startEngine } from '../../harness/builtEngine';

describe('the command line', function () {
  this.timeout(30_000);
  before(buildEngine);

  it('speaks English in every locale, as programs read it too', async () => {
    await inProject({}, async (project) => {
      await project.write('tapes/empty.yaml', '');
      const report = (env: Record<string, string>) => project.engine(['verify', 'tapes/empty.yaml', '--json'], env);
      const [plain, chinese] = [await report({}), await report({ TAPEDECK_LANG: 'zh-cn', LANG: 'zh_CN.UTF-8' })];
      assert.match(plain.stdout, /"message": "[ -~]+"/);
      assert.equal(chinese.stdout, plain.stdout);
    });
  });

  it('checks itself and its machine: what is absent is told, what is broken fails', async () => {
    await inProject({}, async (project) => {
      const check = async (env: Record<string, string>) => {
        const { code, stdout } = await project.engine(['--self-check', '--json'], env);
        const { ok, checks } = JSON.parse(stdout) as SelfCheckDocument;
        return { code, ok, states: Object.fromEntries(checks.map(({ name, state }) => [name, state])), stdout };
      };
      const bare = await check({ PATH: '', OPENAI_API_KEY: 'sk-0123456789abcdefghij' });
      assert.deepEqual([bare.code, bare.ok], [0, true], bare.stdout);
      assert.deepEqual([bare.states.git, bare.states.Python, bare.states['provider keys']], ['absent', 'absent', 'ok']);
      assert.doesNotMatch(bare.stdout, /0123456789/);
      await project.write('file', '');
      const broken = await check({ XDG_STATE_HOME: project.path('file') });
      assert.deepEqual([broken.code, broken.ok, broken.states['state folder']], [1, false, 'broken'], broken.stdout);
      await project.write('pytest.py', 'raise SystemExit("ran a file of the project")');
      assert.doesNotMatch((await check({ PYTHONPATH: project.path('.') })).stdout, /ran a file/);
    });
  });

  it('says its version and helps, on stdout and with 0', async () => {
    const { version } = JSON.parse(readFileSync(`${__dirname}/../../../package.json`, 'utf8')) as { version: string };
    assert.deepEqual(await engine(['--version']), { code: 0, stdout: `${version}\n`, stderr: '' });
    const help = await engine(['--help']);
    assert.equal(help.code, 0);
    for (const command of ['run', 'test-dsl', 'inspect', 'verify', 'convert', 'diff', 'accept', 'reject'])
      assert.match(help.stdout, new RegExp(`^ {2}${command} +[A-Z]`, 'm'));
    assert.doesNotMatch(help.stdout, /rpc/, 'what is not for people is not in the help');
    const own = await engine(['run', '--help']);
    assert.equal(own.code, 0);
    assert.match(own.stdout, /Usage: tapedeck run \[PATH…\]/);
    assert.match(own.stdout, /Examples:/);
    assert.deepEqual(await engine(['help']), help);
    assert.deepEqual(await engine(['help', 'run']), own);
  });

  it('without a command shows the help on stderr and ends with 2', async () => {
    const { code, stdout, stderr } = await engine([]);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /Usage: tapedeck COMMAND/);
  });

  const misspelt: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['an unknown command', ['rnu'], /unknown command `rnu`\n {2}Did you mean `run`\?/],
    ['a command that is like none', ['frobnicate'], /unknown command `frobnicate`\n {2}See: tapedeck --help/],
    ['a word of the window', ['replay'], /unknown command `replay`\n {2}Did you mean `run`\?/],
    ['a tape without its option', ['serve', 'a.har'], /serve: no tape given\n {2}Did you mean --tape a\.har\?/],
    ['an unknown option', ['run', '--replya'], /run: unknown option --replya\n {2}Did you mean --replay\?/],
    ['an option of another command', ['inspect', '--jobs', '3', 'x'], /unknown option --jobs/],
    ['an unknown option before the command', ['--colour', 'run'], /unknown option --colour/],
    ['an option without its value', ['run', '--jobs'], /--jobs needs a value: --jobs N/],
    ['an option that swallows the next', ['run', '--reporter', '--jobs'], /--reporter needs a value/],
    ['a switch with a value', ['run', '--record=yes'], /--record takes no value/],
    [
      'a value that is no choice',
      ['run', '--reporter', 'jsno'],
      /text, json, junit, markdown, ndjson\n {2}Did you mean --reporter json\?/,
    ],
    ['a number that is none', ['run', '--jobs', '0'], /--jobs must be a whole number of at least 1, not `0`/],
    ['modes that exclude each other', ['run', '--record', '--live'], /--record and --live cannot be combined/],
    ['a path that is not there', ['run', 'no/such.toml'], /no\/such\.toml: there is no such file/],
    ['no tape to inspect', ['inspect'], /name one tape/],
    ['one file to compare', ['diff', 'a'], /name two files/],
    ['nothing to accept', ['accept'], /name a case/],
    ['no case for test-dsl', ['test-dsl'], /pass exactly one case/],
    ['an unknown member of Object', ['run', '--toString'], /unknown option --toString/],
  ];
  for (const [what, args, message] of misspelt) {
    it(`ends with 2 and a hint for ${what}`, async () => {
      const { code, stdout, stderr } = await engine(args);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, message);
      assert.match(stderr, /^tapedeck: /);
    });
  }

  it('ends with 2 where something else stands in the place of a folder', async () => {
    await inProject({ 'a.toml': scripted('a', ['x']) }, async (project) => {
      await project.engine(['run', 'a.toml']);
      await rm(project.path('.tapedeck/tmp'), { recursive: true, force: true });
      await project.write('.tapedeck/tmp', '');
      const { code, stderr } = await project.engine(['accept', 'a.toml']);
      assert.deepEqual(
        [code, stderr],
        [
          2,
          `tapedeck: ${project.path('.tapedeck/tmp')}: a file or folder already exists there\n  Move it away, or remove it.\n`,
        ],
      );
    });
  });

  it('colours only for a terminal, for FORCE_COLOR, and never with NO_COLOR', async () => {
    await inProject({ 'a.toml': scripted('a', ['x']) }, async (project) => {
      const plain = await project.engine(['run']);
      const forced = await project.engine(['run'], { FORCE_COLOR: '1' });
      const never = await project.engine(['run'], { FORCE_COLOR: '1', NO_COLOR: '1' });
      assert.equal(plain.stdout.includes('\u001B['), false);
      assert.equal(forced.stdout.includes('\u001B[32m✓'), true);
      assert.equal(never.stdout.includes('\u001B['), false);
    });
  });

  it('survives a reader that goes away, and keeps its exit code', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => [`${n}.toml`, scripted(`c${n}`, ['x'.repeat(5000)])]),
    );
    await inProject({ ...files, 'z.toml': scripted('z', ['x'], '[assert]\ncontains = "y"') }, async (project) => {
      const child = startEngine(['run', '--reporter', 'ndjson'], { cwd: project.root });
      child.stdout.once('data', () => child.stdout.destroy());
      const { code, stderr } = await ended(child);
      assert.deepEqual([code, stderr], [1, '']);
    });
  });

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`cancels on ${signal}: what runs is said to be cancelled, its workspace is gone, the exit code is 130`, async function () {
      if (process.platform === 'win32') this.skip();
      await inProject({ 'a.toml': SLOW_CASE, 'b.toml': SLOW_CASE, 'c.toml': SLOW_CASE }, async (project) => {
        const child = startEngine(['run', '--jobs', '2', '--reporter', 'ndjson'], { cwd: project.root });
        const started = Date.now();
        let seen = '';
        child.stdout.on('data', (chunk) => {
          seen += chunk;
          if (!child.killed && seen.match(/"interaction"/g)?.length === 2) child.kill(signal);
        });
        const { code, stdout } = await ended(child);
        const results = stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
          .filter(({ type }) => type === 'finished');
        assert.equal(code, 130);
        assert.deepEqual(
          results.map(({ result }) => result.status),
          ['cancelled', 'cancelled', 'cancelled'],
        );
        assert.ok(Date.now() - started < 15_000, 'it waited for the tool');
        const left = (await readdir(tmpdir())).filter((name) => name.startsWith(`tapedeck-${child.pid}-`));
        assert.deepEqual(left, []);
        assert.equal(project.has('.tapedeck/runs/a.artifact.json'), false, 'a cancelled run has no artifact');
      });
    });
  }

  it('on the second SIGINT ends at once', async function () {
    if (process.platform === 'win32') this.skip();
    await inProject({ 'a.toml': SLOW_CASE }, async (project) => {
      const child = startEngine(['run', '--reporter', 'ndjson'], { cwd: project.root });
      child.stdout.once('data', () => {
        child.kill('SIGINT');
        child.kill('SIGINT');
      });
      assert.equal((await ended(child)).code, 130);
    });
  });
});
