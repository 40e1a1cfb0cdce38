import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildEngine, ended, inProject, startEngine, type TestProject, taped, tapeOf } from '../../harness/builtEngine';
import { tapedeck } from '../../harness/inProcess';

const SECRET = 'what the neighbour keeps';
const recordedTo = (tape: string) =>
  `name = "n"\nprompt = "hi"\n[llm]\nrecord_tape = "${tape}"\n[llm.provider]\nkind = "practice"\n`;

/** A project in `mine`, with the tape of another one in `out`. */
async function besideOthers(
  files: Readonly<Record<string, string>>,
  test: (project: TestProject) => Promise<void>,
): Promise<void> {
  const inner = Object.fromEntries(Object.entries(files).map(([path, text]) => [`mine/${path}`, text]));
  const outside = { 'out/t.tape.json': tapeOf('out', [SECRET]), 'out/case.toml': taped('out', 't.tape.json') };
  await inProject({ ...inner, ...outside, 'mine/tapedeck.toml': '' }, test);
}

/** Calls a tool of the agents over MCP. */
async function tool(project: TestProject, name: string, args: object = {}): Promise<string> {
  const child = startEngine(['mcp'], { cwd: project.path('mine') });
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } };
  send({ id: 1, method: 'initialize', params: client });
  send({ method: 'notifications/initialized' });
  send({ id: 2, method: 'tools/call', params: { name, arguments: args } });
  const result = ended(child);
  await new Promise<void>((done) => {
    child.stdout.on('data', (text: string) => {
      if (text.includes('"id":2')) done();
    });
  });
  child.stdin.end();
  return (await result).stdout;
}

describe('what is read', function () {
  if (process.platform === 'win32') return;
  this.timeout(60_000);
  before(buildEngine);

  it('for a model is in the project, whatever a case or a link names', async () => {
    await besideOthers({ 'cases/a.toml': taped('a', '../../out/t.tape.json') }, async (project) => {
      await symlink('../../out/t.tape.json', project.path('mine/cases/linked.tape.json'));
      await project.write('mine/cases/b.toml', taped('b', 'linked.tape.json'));
      await symlink('../out', project.path('mine/folder'));
      await project.write('mine/cases/c.toml', taped('c', '../folder/t.tape.json'));
      const asked: [name: string, args: object][] = [
        ...['a', 'b', 'c'].flatMap((name): [string, object][] => [
          ['replay_case', { case: `cases/${name}.toml` }],
          ['explain_drift', { case: `cases/${name}.toml` }],
        ]),
        ['read_interaction', { tape: 'cases/linked.tape.json', index: 0 }],
        ['read_interaction', { tape: 'folder/t.tape.json', index: 0 }],
        ['replay_case', { case: 'folder/case.toml' }],
      ];
      for (const [name, args] of asked) {
        const text = await tool(project, name, args);
        assert.ok(!text.includes(SECRET), text);
        assert.match(text, /outside (?:of )?(?:the|this) project/);
      }
      const listed = await tool(project, 'list_cases');
      assert.ok(!listed.includes('folder/case.toml'), listed);
      assert.match(listed, /cases\/a\.toml/);
    });
  });

  it('of a folder is what is in its project, by run and by verify; what is named is read', async () => {
    await besideOthers({ 'cases/a.toml': taped('a', 'a.tape.json') }, async (project) => {
      await project.write('mine/cases/a.tape.json', tapeOf('a', ['fine']));
      await symlink('../out', project.path('mine/folder'));
      await symlink('../../out/case.toml', project.path('mine/cases/linked.toml'));
      await symlink('cases', project.path('mine/inside'));
      const run = await tapedeck({ root: project.path('mine') }, 'run', '--reporter', 'json');
      assert.equal(JSON.parse(run.stdout).summary.total, 1, run.stdout);
      assert.match(run.stderr, /folder was skipped: it is a link out of the project/);
      assert.match(run.stderr, /linked\.toml was skipped: it is a link out of the project/);
      const verify = await tapedeck({ root: project.path('mine') }, 'verify', '--json');
      assert.equal(verify.code, 0);
      assert.equal(JSON.parse(verify.stdout).totals.tapes, 1);
      assert.match(verify.stderr, /folder was skipped/);
      const named = await tapedeck({ root: project.path('mine') }, 'verify', 'folder', '--json');
      assert.equal(JSON.parse(named.stdout).totals.tapes, 1, 'the user named it');
    });
  });
});

describe('what a name may make', function () {
  if (process.platform === 'win32') return;
  this.timeout(60_000);
  before(buildEngine);

  const refused: Readonly<Record<string, RegExp>> = {
    '../.git/hooks/pre-commit': /\.git is hidden/,
    '../.git/t.tape.json': /\.git is hidden/,
    '../.vscode/settings.json': /\.vscode is hidden/,
    '../.eslintrc.json': /\.eslintrc\.json is hidden/,
    '../.tapedeck/runs/x.json': /\.tapedeck is hidden/,
    '../src/index.ts': /does not end as that of a tape/,
    '../Makefile': /does not end as that of a tape/,
    '../package.json': /other programs read a file of this name/,
    '../tsconfig.build.json': /other programs read a file of this name/,
    'a.baseline.json': /that of a baseline/,
  };
  for (const [name, reason] of Object.entries(refused))
    it(`is no ${name}, by a case, by exec, or by convert`, async () => {
      const files = { 'cases/a.toml': recordedTo(name), 'cases/t.tape.json': tapeOf('t', ['hi']) };
      await inProject({ ...files, 'tapedeck.toml': '' }, async (project) => {
        const names = async (): Promise<string[]> =>
          (await readdir(project.root, { recursive: true })).filter((path) => !path.startsWith('.tapedeck'));
        const before = await names();
        const recorded = await tapedeck(project, 'run', 'cases/a.toml', '--record');
        assert.equal(recorded.code, 2, recorded.stdout);
        assert.match(recorded.stdout, reason);
        const exec = await project.engine([
          'exec',
          '--allow-none',
          '--record',
          '--tape',
          join('cases', name),
          '--',
          'true',
        ]);
        assert.equal(exec.code, 2, exec.stderr);
        assert.match(exec.stderr, reason);
        const converted = await tapedeck(project, 'convert', 'cases/t.tape.json', join('cases', name));
        assert.equal(converted.code, 2, converted.stderr);
        assert.match(converted.stderr, reason);
        assert.deepEqual(await names(), before);
        assert.deepEqual(await readdir(join(project.root, '.tapedeck/runs'), { recursive: true }), [
          'cases',
          'cases/a.result.json',
        ]);
      });
    });

  it('takes the place of a tape, and of one that was emptied, but of no other file', async () => {
    const files = { 'tapes/__init__.json': '', 'tapes/a.tape.json': '', 'notes.json': '{"mine":1}' };
    await inProject({ ...files, 'tapedeck.toml': '', 't.tape.json': tapeOf('t', ['hi']) }, async (project) => {
      for (const path of ['notes.json', '__init__.json', 'sub/__init__.json']) {
        if (!project.has(path)) await project.write(path, path === 'notes.json' ? '{"mine":1}' : '');
        const exec = await project.engine(['exec', '--allow-none', '--record', '--tape', path, '--', 'true']);
        assert.equal(exec.code, 2, `${path}: ${exec.stderr}`);
        const converted = await tapedeck(project, 'convert', 't.tape.json', path, '--force');
        assert.equal(converted.code, 2, `${path}: ${converted.stderr}`);
      }
      assert.equal(await project.read('notes.json'), '{"mine":1}');
      assert.equal(
        (await project.engine(['exec', '--allow-none', '--record', '--tape', 'tapes/a.tape.json', '--', 'true'])).code,
        0,
      );
      assert.equal((await tapedeck(project, 'convert', 't.tape.json', 'tapes/a.tape.json', '--force')).code, 0);
      assert.equal(await project.read('tapes/a.tape.json'), tapeOf('t', ['hi']));
    });
  });
});

describe('what is written', function () {
  if (process.platform === 'win32') return;
  this.timeout(60_000);
  before(buildEngine);

  it('is for the user only, and a tape keeps its mode from the first byte', async () => {
    await inProject({ 'a.toml': recordedTo('t.tape.json'), 'tapedeck.toml': '' }, async (project) => {
      const run = () => tapedeck(project, 'run', 'a.toml', '--record');
      assert.equal((await run()).code, 0);
      await chmod(project.path('t.tape.json'), 0o600);
      await chmod(project.path('.tapedeck/runs/a.artifact.json'), 0o644);
      assert.equal((await run()).code, 0);
      const modeOf = async (path: string) => (await stat(project.path(path))).mode & 0o777;
      assert.equal(await modeOf('t.tape.json'), 0o600);
      const names = await readdir(project.path('.tapedeck'), { recursive: true, withFileTypes: true });
      assert.ok(names.length > 4);
      for (const entry of names) {
        const path = join(entry.parentPath, entry.name).slice(project.root.length + 1);
        assert.equal((await modeOf(path)).toString(8), entry.isDirectory() ? '700' : '600', path);
      }
      assert.equal(await modeOf('.tapedeck'), 0o700);
    });
  });

  it('by an agent as a link to nowhere, a loop, or what cannot be read fails no run', async () => {
    const agent = `const { symlinkSync, mkdirSync, writeFileSync, chmodSync } = require('node:fs');
process.chdir(process.env.TAPEDECK_WORKSPACE);
symlinkSync('nowhere', 'dangling'); symlinkSync('loop', 'loop'); symlinkSync('/etc/hostname', 'out');
mkdirSync('d'); symlinkSync('..', 'd/up'); writeFileSync('d/kept', 'x'); symlinkSync('d/kept', 'in');
writeFileSync('closed', 'x'); chmodSync('closed', 0); console.log('done');`;
    const text = `name = "n"\nprompt = "hi"\n[agent]\ncommand = ["node", "agent.cjs"]\nallow_none = true\n[llm]\ntape = "t.tape.jsonl"\n`;
    const tape = '{"tapedeck":"tape","version":1,"name":"n"}\n';
    await inProject({ 'a.toml': text, 'agent.cjs': agent, 't.tape.jsonl': tape }, async (project) => {
      await project.write('tapedeck.toml', '');
      const { code, stdout, stderr } = await tapedeck(project, 'run', 'a.toml');
      assert.equal(code, 0, stdout + stderr);
      const artifact = JSON.parse(await readFile(project.path('.tapedeck/runs/a.artifact.json'), 'utf8'));
      const names = artifact.workspace_after.files.map((file: { relative_path: string }) => file.relative_path);
      assert.deepEqual(
        names.filter((name: string) => name !== 'closed'),
        ['d/kept', 'in'],
      );
    });
  });

  it('goes through no linked folder of the project: takes, locks, journal, cache, reviews', async () => {
    for (const linked of ['', '/takes', '/locks', '/tmp', '/runs', '/reviews'])
      await inProject({ 'mine/a.toml': recordedTo('t.tape.json'), 'mine/tapedeck.toml': '' }, async (project) => {
        await mkdir(project.path('out'));
        const run = (...args: string[]) => tapedeck({ root: project.path('mine') }, ...args);
        assert.equal((await run('run', 'a.toml', '--record')).code, 0);
        const folder = project.path(`mine/.tapedeck${linked}`);
        await rm(folder, { recursive: true, force: true });
        await symlink(project.path('out'), folder);
        await writeFile(project.path('mine/t.tape.json'), tapeOf('n', ['other']));
        for (const args of [
          ['run', 'a.toml', '--record'],
          ['accept', 'a.toml'],
          ['reject', 't.tape.json'],
          ['recover', '--discard'],
        ])
          await run(...args);
        assert.deepEqual(await readdir(project.path('out')), [], linked);
      });
  });
});

describe('seven engines that record one tape at once', function () {
  if (process.platform === 'win32') return;
  this.timeout(120_000);
  before(buildEngine);

  it('leave seven takes, in order, and say that they are several', async () => {
    await inProject({ 'a.toml': recordedTo('t.tape.json'), 'tapedeck.toml': '' }, async (project) => {
      const all = await Promise.all(Array.from({ length: 7 }, () => tapedeck(project, 'run', 'a.toml', '--record')));
      assert.deepEqual(
        all.map(({ code }) => code),
        [0, 0, 0, 0, 0, 0, 0],
      );
      const takes = (await readdir(project.path('.tapedeck/takes/t.tape.json'))).sort();
      assert.equal(takes.length, 6);
      const inodes = new Set([
        (await stat(project.path('t.tape.json'))).ino,
        ...(await Promise.all(
          takes.map(async (take) => (await stat(project.path(`.tapedeck/takes/t.tape.json/${take}`))).ino),
        )),
      ]);
      assert.equal(inodes.size, 7, 'none twice');
      assert.deepEqual(await readdir(project.path('.tapedeck/locks')), []);
    });
  });
});
