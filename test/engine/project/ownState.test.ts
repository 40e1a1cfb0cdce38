import assert from 'node:assert/strict';
import { readdir, symlink, utimes } from 'node:fs/promises';
import { interruptedRecordings } from '../../../src/engine/recording/interrupted';
import { takesApi } from '../../../src/engine/recording/storedTakes';
import { inProject, scripted, type TestProject, taped, tapeOf } from '../../harness/builtEngine';
import { tapedeck } from '../../harness/inProcess';
import { git, inRepository } from '../../harness/repository';

const JOURNAL = '.tapedeck/journal/a.jsonl';
const FORK = '.tapedeck/forks/0123456789ab';

/** A recording that was interrupted an hour ago on a machine of somebody else's. */
function journalOf(tape: string, base?: string): string {
  const by = { pid: 999_999, machine: 'x' };
  const head = { journal: 1, tape, append: false, since: '2026-01-01T00:00:00.000Z', by, ...(base && { base }) };
  const text = (content: object) => ({ type: 'text', text: JSON.stringify(content) });
  const http = {
    method: 'POST',
    url: 'https://api.openai.com/v1/chat/completions',
    requestHeaders: [],
    requestBody: text({ model: 'x', messages: [] }),
    status: 200,
    responseHeaders: [],
    responseBody: text({ choices: [{ message: { role: 'assistant', content: 'not yours' } }] }),
  };
  return [head, { number: 0, http }].map((line) => JSON.stringify(line)).join('\n');
}

async function writeJournal(project: TestProject, text: string, path = JOURNAL): Promise<void> {
  await project.write(path, text);
  await leaveForAnHour(project, path);
}

/** No recorder that cannot be seen from here is at work on it. */
async function leaveForAnHour(project: TestProject, path: string): Promise<void> {
  const hourAgo = new Date(Date.now() - 3_600_000);
  await utimes(project.path(path), hourAgo, hourAgo);
}

const practising = (tape: string) =>
  `name = "n"\nprompt = "hi"\n[llm]\ntape = "${tape}"\n[llm.provider]\nkind = "practice"\n`;

/** A link in the project, which is refused as one. */
async function link(project: TestProject, path: string, target: string): Promise<void> {
  await project.write(`${path}.beside`, '');
  await symlink(target, project.path(path));
}

describe('a stranger’s recordings', function () {
  if (process.platform === 'win32') return;
  this.timeout(60_000);

  it('are not offered, saved, or discarded where git tracks them, as long as it does', () =>
    inRepository({}, async (project) => {
      await writeJournal(project, journalOf('tapes/x.tape.jsonl'));
      git(project, 'add', '-f', JOURNAL);
      assert.deepEqual(await interruptedRecordings(project.root), []);
      for (const args of [[], ['--save'], ['--discard']]) {
        const { code, stderr } = await tapedeck(project, 'recover', ...args);
        assert.deepEqual([code, stderr], [0, 'tapedeck: there is no recording to recover\n']);
      }
      const exec = await project.engine([
        'exec',
        '--allow-none',
        '--record',
        '--tape',
        'tapes/x.tape.jsonl',
        '--',
        'true',
      ]);
      assert.doesNotMatch(exec.stderr, /interrupted/);
      assert.ok(project.has(JOURNAL) && !project.has('tapes/x.tape.jsonl'));
      git(project, 'rm', '-rq', '--cached', '.tapedeck');
      assert.equal((await tapedeck(project, 'recover')).stdout.split('\n').length, 2, 'now it is ours');
    }));

  it('are not ours in a submodule, or where a folder of them is one', () =>
    inRepository({}, async (project) => {
      await project.write('other/a.jsonl', '');
      await writeJournal(project, journalOf('tapes/x.tape.jsonl'), 'other/a.jsonl');
      const other = { root: project.path('other') } as TestProject;
      git(other, 'init', '-q');
      git(other, 'add', '.');
      git(other, '-c', 'user.name=x', '-c', 'user.email=x@y', 'commit', '-q', '-m', 'journal');
      git(
        project,
        '-c',
        'protocol.file.allow=always',
        'submodule',
        '--quiet',
        'add',
        '-f',
        other.root,
        '.tapedeck/journal',
      );
      await leaveForAnHour(project, JOURNAL);
      assert.deepEqual(await interruptedRecordings(project.root), []);
    }));

  it('are not ours behind a link', async () => {
    for (const [path, target] of [
      ['.tapedeck', 'state'],
      ['.tapedeck/journal', '../state/journal'],
      [JOURNAL, '../../state/journal/a.jsonl'],
    ] as const)
      await inProject({ 'tapedeck.toml': '' }, async (project) => {
        await writeJournal(project, journalOf('tapes/x.tape.jsonl'), 'state/journal/a.jsonl');
        await link(project, path, target);
        assert.ok(project.has(JOURNAL));
        assert.deepEqual(await interruptedRecordings(project.root), [], path);
      });
  });

  const bases: Readonly<Record<string, readonly [path: string, target: string, base: string]>> = {
    'the folder of forks is a link': ['.tapedeck/forks', '..', '.tapedeck/forks/.git/HEAD'],
    'the folder of forks is a link to folders with hexadecimal names': [
      '.tapedeck/forks',
      '../src',
      '.tapedeck/forks/ab/a.ts',
    ],
    'the folder of a fork is a link': [FORK, '../../src/ab', `${FORK}/a.ts`],
    'a fork is no fork': ['.tapedeck/other', '../src', 'src/ab/a.ts'],
    'a fork is the folder of all forks': ['.tapedeck/other', '../src', '.tapedeck/forks/ab'],
    'a fork leads up': ['.tapedeck/other', '../src', `${FORK}/../../../src/ab/a.ts`],
  };
  for (const [what, [path, target, base]] of Object.entries(bases))
    it(`remove nothing when ${what}`, () =>
      inRepository({ 'src/ab/a.ts': 'mine' }, async (project) => {
        await writeJournal(project, journalOf('tapes/x.tape.jsonl', base));
        await link(project, path, target);
        const kept = await readdir(project.path('.tapedeck/forks')).catch(() => []);
        for (const option of ['--save', '--discard']) await tapedeck(project, 'recover', option);
        assert.equal(await project.read('src/ab/a.ts'), 'mine');
        assert.ok(project.has('.git/HEAD'));
        assert.deepEqual(await readdir(project.path('.tapedeck/forks')).catch(() => []), kept);
        if (what.includes('link')) assert.ok(!project.has('tapes/x.tape.jsonl'), 'nor is it taken for ours');
      }));

  it('leave a fork’s copy where git tracks it', () =>
    inRepository({}, async (project) => {
      await project.write(`${FORK}/a.tape.json`, tapeOf('a', ['hi']));
      await writeJournal(project, journalOf('tapes/x.tape.jsonl', `${FORK}/a.tape.json`));
      git(project, 'add', '-f', FORK);
      for (const option of ['--save', '--discard']) await tapedeck(project, 'recover', option);
      assert.ok(project.has(`${FORK}/a.tape.json`) && !project.has('tapes/x.tape.jsonl'));
    }));
});

describe('a check of stability', function () {
  if (process.platform === 'win32') return;
  this.timeout(60_000);

  for (const [name, target] of [
    ['src.toml', '..'],
    ['.git.toml', '..'],
    ['..toml', '../src'],
  ] as const)
    it(`empties no folder that a link leads to: ${name}`, () =>
      inRepository({ 'src/a.ts': 'mine', [name]: practising('t.tape.json') }, async (project) => {
        await link(project, '.tapedeck/stability', target);
        const { code, stderr } = await tapedeck(project, 'stability', name, '-n', '2');
        assert.equal(code, 2);
        assert.match(stderr, /stability is a link, and nothing in \.tapedeck\//);
        assert.equal(await project.read('src/a.ts'), 'mine');
        assert.ok(project.has('.git/HEAD'));
      }));

  for (const name of ['.toml', '..toml', '...toml', 'cases/...toml'])
    it(`removes nothing but its own takes, whatever the name of the case: ${name}`, () =>
      inProject({ 'tapedeck.toml': '', [name]: practising('t.tape.json') }, async (project) => {
        for (const path of [
          '.tapedeck/takes/t/x.json',
          '.tapedeck/stability/b/take-1/t.json',
          '.tapedeck/trials/c/t.json',
        ])
          await project.write(path, 'kept');
        const { code, stderr } = await tapedeck(project, 'stability', name, '-n', '2');
        assert.notEqual(code, 2, stderr);
        for (const path of [
          '.tapedeck/takes/t/x.json',
          '.tapedeck/stability/b/take-1/t.json',
          '.tapedeck/trials/c/t.json',
        ])
          assert.ok(project.has(path), path);
      }));

  it('replaces no takes that git tracks', () =>
    inRepository({ 'a.toml': practising('t.tape.json') }, async (project) => {
      await project.write('.tapedeck/stability/a/take-1/t.tape.json', 'theirs');
      git(project, 'add', '-f', '.tapedeck');
      const { code, stderr } = await tapedeck(project, 'stability', 'a.toml', '-n', '2');
      assert.equal(code, 2);
      assert.match(
        stderr,
        /\.tapedeck\/stability\/a is committed, and Tapedeck uses nothing in \.tapedeck\/ that is committed/,
      );
      assert.match(stderr, /git rm -r --cached \.tapedeck/);
      assert.equal(await project.read('.tapedeck/stability/a/take-1/t.tape.json'), 'theirs');
    }));
});

describe('a stranger’s runs', function () {
  if (process.platform === 'win32') return;
  this.timeout(60_000);

  it('are not reviewed, and a run leaves them as they are, and says so', () =>
    inRepository({ 'a.toml': scripted('a', ['hello']) }, async (project) => {
      assert.equal((await tapedeck(project, 'run', 'a.toml', '--update-baselines')).code, 0);
      await project.write('a.toml', scripted('a', ['changed']));
      assert.equal((await tapedeck(project, 'run', 'a.toml')).code, 1);
      git(project, 'add', '.');
      git(project, 'commit', '-q', '-m', 'baseline');
      assert.equal((await tapedeck(project, 'check')).code, 1);
      git(project, 'add', '-f', '.tapedeck/runs');
      assert.equal((await tapedeck(project, 'check')).code, 0, 'nobody has run it here');
      assert.match((await tapedeck(project, 'accept', 'a.toml')).stderr, /has not been run/);
      const before = await project.read('.tapedeck/runs/a.artifact.json');
      const { code, stderr } = await tapedeck(project, 'run', 'a.toml');
      assert.equal(code, 1, 'as before: it differs from its baseline');
      assert.match(stderr, /\.tapedeck\/runs\/a\.artifact\.json is committed, so it stays as it is/);
      assert.equal(await project.read('.tapedeck/runs/a.artifact.json'), before);
    }));

  it('are decided on wholly or not at all where decisions are behind a link', () =>
    inRepository({ 'a.toml': scripted('a', ['hello']) }, async (project) => {
      assert.equal((await tapedeck(project, 'run', 'a.toml', '--update-baselines')).code, 0);
      await project.write('a.toml', scripted('a', ['changed']));
      assert.equal((await tapedeck(project, 'run', 'a.toml')).code, 1);
      const baseline = await project.read('a.baseline.json');
      await link(project, '.tapedeck/reviews/a.json', '../../elsewhere.json');
      for (const verdict of ['accept', 'reject']) {
        const { code, stderr } = await tapedeck(project, verdict, 'a.toml');
        assert.equal(code, 2);
        assert.match(stderr, /a\.json is a link, and nothing in \.tapedeck\//);
        assert.equal(await project.read('a.baseline.json'), baseline, verdict);
      }
    }));

  it('behind links are not read, and no circle of links is followed', () =>
    inRepository({ 'a.toml': scripted('a', ['hello']) }, async (project) => {
      assert.equal((await tapedeck(project, 'run', 'a.toml', '--update-baselines')).code, 0);
      await project.write('a.toml', scripted('a', ['changed']));
      assert.equal((await tapedeck(project, 'run', 'a.toml')).code, 1);
      await symlink('../..', project.path('.tapedeck/runs/around'));
      await symlink('.', project.path('.tapedeck/runs/here'));
      assert.equal((await tapedeck(project, 'check', '--json')).code, 1);
      await project.write('elsewhere/a.artifact.json', await project.read('.tapedeck/runs/a.artifact.json'));
      await project.write('b.toml', scripted('b', ['hello']));
      await project.write('b.baseline.json', await project.read('a.baseline.json'));
      await symlink('../../elsewhere/a.artifact.json', project.path('.tapedeck/runs/b.artifact.json'));
      assert.match((await tapedeck(project, 'accept', 'b.toml')).stderr, /has not been run/);
    }));

  it('say nothing about what a tape is used for', () =>
    inRepository(
      { 'a.toml': taped('a', 't.tape.json'), 't.tape.json': tapeOf('a', ['hi', 'never']) },
      async (project) => {
        const past = new Date(Date.now() - 60_000);
        await utimes(project.path('t.tape.json'), past, past);
        await tapedeck(project, 'run', 'a.toml');
        const unused = async () => /unused|never used|not used/.test((await tapedeck(project, 'verify')).stdout);
        assert.equal(await unused(), true, 'a run of ours does');
        git(project, 'add', '-f', '.tapedeck/runs');
        assert.equal(await unused(), false);
      },
    ));
});

describe('a stranger’s takes and samples', function () {
  if (process.platform === 'win32') return;
  this.timeout(60_000);

  const TAPE = 't.tape.json';
  const TAKE = '2026-01-01T00-00-00.000Z.json';

  it('are not listed, restored, or deleted, tracked or behind a link', async () => {
    const files = { 'tapedeck.toml': '', [TAPE]: tapeOf('t', ['now']) };
    const check = async (project: TestProject): Promise<void> => {
      const of = { root: project.root, path: TAPE };
      assert.ok(project.has(`.tapedeck/takes/${TAPE}/${TAKE}`));
      assert.deepEqual(await takesApi.takes({ ...of, cases: [] }), []);
      await assert.rejects(takesApi.restoreTake({ ...of, take: TAKE }), /there is no take/);
      await assert.rejects(takesApi.deleteTakes({ ...of, takes: [TAKE] }), /there is no take/);
      assert.ok(project.has(`.tapedeck/takes/${TAPE}/${TAKE}`));
      assert.equal(await project.read(TAPE), files[TAPE]);
    };
    await inRepository(files, async (project) => {
      await project.write(`.tapedeck/takes/${TAPE}/${TAKE}`, tapeOf('t', ['theirs']));
      git(project, 'add', '-f', '.tapedeck');
      await check(project);
    });
    for (const [path, target] of [
      ['.tapedeck/takes', '../theirs'],
      [`.tapedeck/takes/${TAPE}`, `../../theirs/${TAPE}`],
      [`.tapedeck/takes/${TAPE}/${TAKE}`, `../../../theirs/${TAPE}/${TAKE}`],
    ] as const)
      await inProject({ ...files, [`theirs/${TAPE}/${TAKE}`]: tapeOf('t', ['theirs']) }, async (project) => {
        await link(project, path, target);
        await check(project);
      });
  });

  it('are no part of a trial, and are not replaced by one', () =>
    inRepository({ 'a.toml': practising(TAPE), [TAPE]: tapeOf('n', ['hi']) }, async (project) => {
      const trial = (...more: string[]) => tapedeck(project, 'trial', 'a.toml', '--model', 'm', '-n', '1', ...more);
      assert.notEqual((await trial()).code, 2);
      git(project, 'add', '-f', '.tapedeck/trials/a');
      const { code, stderr } = await trial();
      assert.equal(code, 2, stderr);
      assert.match(stderr, /\.tapedeck\/trials\/a\/.* is committed/);
    }));
});
