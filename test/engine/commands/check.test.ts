import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { writeLfsPointer } from '../../../src/core/verify/lfsPointer';
import { say, turn } from '../../core/review/recordings';
import { buildEngine, type Ended, engine, inProject, scripted, type TestProject } from '../../harness/builtEngine';
import { tapedeck } from '../../harness/inProcess';
import { git, inRepository, NEW, OLD, tape, weather } from '../../harness/repository';

/** A PATH with `tapedeck` on it, as `npm install --global` puts it there. */
async function pathWithTapedeck(project: TestProject): Promise<string> {
  const engine = resolve(__dirname, '../../../dist/engine.js');
  await project.write('.git/bin/tapedeck', `#!/bin/sh\nexec "${process.execPath}" "${engine}" "$@"\n`);
  chmodSync(project.path('.git/bin/tapedeck'), 0o755);
  return `${project.path('.git/bin')}:${process.env.PATH ?? ''}`;
}

/** A PATH with a git to which every repository belongs to somebody else. */
async function withGitOfAnotherOwner(test: (path: string) => Promise<void>): Promise<void> {
  const original = process.env.PATH ?? '';
  const git = `#!/bin/sh\nPATH="${original}" GIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec git "$@"\n`;
  await inProject({ git }, async (bin) => {
    chmodSync(bin.path('git'), 0o755);
    await test(`${bin.root}:${original}`);
  });
}

/** What git has of a file that git-lfs keeps. */
function pointerTo(content: string): string {
  return writeLfsPointer(createHash('sha256').update(content).digest('hex'), Buffer.byteLength(content));
}

/** Where git-lfs keeps it once it is fetched. */
function lfsPlace(content: string): string {
  const oid = createHash('sha256').update(content).digest('hex');
  return [oid.slice(0, 2), oid.slice(2, 4), oid].join('/');
}

const NOBODY = 65_534;

/** Runs the engine as a user to whom files can be closed, which they cannot be to root. */
async function unprivileged(args: readonly string[], project: TestProject, folder = '.'): Promise<Ended> {
  const cwd = project.path(folder);
  if (process.getuid?.() !== 0) return engine(args, { cwd });
  execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, project.root]);
  return engine(args, { cwd, env: { HOME: project.root }, uid: NOBODY });
}

describe('check', function () {
  this.timeout(60_000);
  before(buildEngine);

  it('passes while nothing has changed, and lists pending changes', async () => {
    await inRepository({ 'a.tape.json': OLD }, async (project) => {
      const calm = await tapedeck(project, 'check');
      assert.deepEqual([calm.code, calm.stdout], [0, 'no pending changes\n']);
      await project.write('a.tape.json', NEW);
      const { code, stdout } = await tapedeck(project, 'check');
      assert.equal(code, 1);
      assert.equal(
        stdout,
        `a.tape.json (tape): 2 pending changes
  Model · interaction 2
  Response · interaction 2 · tokens 10 → 12 in
2 pending changes: tapedeck accept PATH, or tapedeck reject PATH
`,
      );
      const staged = await tapedeck(project, 'check', '--staged');
      assert.equal(staged.code, 0, 'nothing is staged');
    });
  });

  it('takes what means nothing for nothing', async () => {
    const at = (time: string) => tape(turn([say('user', `It is ${time}`)], 'Fine'));
    await inRepository({ 'a.tape.json': at('2026-04-04T10:00:00Z') }, async (project) => {
      await project.write('a.tape.json', at('2026-05-05T11:00:00Z'));
      const { code, stdout } = await tapedeck(project, 'check');
      assert.deepEqual(
        [code, stdout],
        [0, 'no pending changes; 1 file with ignored differences only; 1 difference ignored by rules\n'],
      );
    });
  });

  it('accept --stage lets a tape through, reject puts it back byte for byte', async () => {
    await inRepository({ 'a.tape.json': OLD, 'b.tape.json': OLD }, async (project) => {
      await project.write('a.tape.json', NEW);
      await project.write('b.tape.json', NEW);
      assert.equal((await tapedeck(project, 'accept', 'a.tape.json', '--stage')).code, 0);
      const { stdout } = await tapedeck(project, 'reject', 'b.tape.json', '--reason', 'not this model');
      assert.equal(stdout, 'b.tape.json: Model, Response restored\n');
      assert.equal(await project.read('b.tape.json'), OLD);
      assert.equal(readdirSync(project.path('.tapedeck/takes/b.tape.json')).length, 1, 'the rejected take is kept');
      assert.equal(git(project, 'diff', '--cached', '--name-only'), 'a.tape.json\n');
      const staged = await tapedeck(project, 'check', '--staged');
      assert.deepEqual([staged.code, staged.stdout], [0, 'no pending changes; 2 accepted\n']);
      assert.equal((await tapedeck(project, 'check')).code, 0);
    });
  });

  it('reject puts back what was accepted: all of a tape that is named, or the change that is', async () => {
    await inRepository({ 'a.tape.json': OLD }, async (project) => {
      await project.write('a.tape.json', NEW);
      await tapedeck(project, 'accept', 'a.tape.json', '--field', 'request.model');
      await tapedeck(project, 'accept', 'a.tape.json', '--stage');
      const part = await tapedeck(project, 'reject', 'a.tape.json', '--field', 'request.model');
      assert.equal(part.stdout, 'a.tape.json: Model restored\n');
      assert.equal(await project.read('a.tape.json'), weather('It snows in Paris today', 12));
      const { code, stdout } = await tapedeck(project, 'reject', 'a.tape.json');
      assert.deepEqual([code, stdout], [0, 'a.tape.json: Response restored\n']);
      assert.equal(await project.read('a.tape.json'), OLD);
      assert.equal(git(project, 'status', '--porcelain', '--', 'a.tape.json'), '');
    });
  });

  it('reject of a case, or of a folder, leaves a baseline that was accepted', async () => {
    await inRepository({ 'cases/c.toml': scripted('c', ['one']) }, async (project) => {
      await tapedeck(project, 'run', '--update-baselines');
      git(project, 'add', '.');
      git(project, 'commit', '-qm', 'second');
      await project.write('cases/c.toml', scripted('c', ['two']));
      await tapedeck(project, 'run');
      const before = await project.read('cases/c.baseline.json');
      await tapedeck(project, 'accept', 'cases/c.toml');
      const accepted = await project.read('cases/c.baseline.json');
      assert.notEqual(accepted, before);
      for (const path of ['cases', 'cases/c.toml']) {
        const { code, stdout } = await tapedeck(project, 'reject', path);
        assert.deepEqual([code, stdout], [0, 'cases/c.toml: nothing to reject\n']);
      }
      assert.equal(await project.read('cases/c.baseline.json'), accepted);
      await tapedeck(project, 'reject', 'cases/c.baseline.json');
      assert.equal(await project.read('cases/c.baseline.json'), before);
    });
  });

  it('takes one change of a tape and puts the other back', async () => {
    await inRepository({ 'a.tape.json': OLD }, async (project) => {
      await project.write('a.tape.json', NEW);
      await tapedeck(project, 'reject', 'a.tape.json', '--field', 'request.model');
      assert.equal(await project.read('a.tape.json'), weather('It snows in Paris today', 12));
      const { code, stdout } = await tapedeck(project, 'check');
      assert.equal(code, 1);
      assert.match(stdout, /^a\.tape\.json \(tape\): 1 pending change\n {2}Response/);
    });
  });

  it('names new and deleted tapes, and baselines that nobody has reviewed', async () => {
    await inRepository({ 'a.toml': scripted('a', ['one']), 'gone.tape.json': OLD }, async (project) => {
      await tapedeck(project, 'run', '--update-baselines');
      await project.write('new.tape.json', tape(turn([say('user', 'Book a table for nine people')], 'It is reserved')));
      git(project, 'rm', '-q', 'gone.tape.json');
      const { stdout } = await tapedeck(project, 'check');
      assert.match(stdout, /a\.baseline\.json \(baseline\): 1 pending change\n {2}Baseline added/);
      assert.match(stdout, /gone\.tape\.json \(tape\): 1 pending change\n {2}Tape removed/);
      assert.match(stdout, /new\.tape\.json \(tape\): 1 pending change\n {2}Tape added/);
      for (const path of ['a.toml', 'new.tape.json', 'gone.tape.json'])
        assert.equal((await tapedeck(project, 'accept', path)).code, 0, path);
      assert.equal((await tapedeck(project, 'check')).code, 0);
    });
  });

  it('mentions a submodule with another commit, and says nothing of one that is the same', async () => {
    await inRepository({ 'inner.tape.json': OLD }, async (inner) => {
      await inRepository({ 'a.tape.json': OLD }, async (project) => {
        const said = async (...args: string[]) => (await tapedeck(project, 'check', ...args)).stderr;
        const MENTIONED =
          /^tapedeck: vendor\/agent is a submodule with another commit, whose tapes are not compared here/;
        const add = ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.root, 'vendor/agent'];
        git(project, ...add);
        assert.match(await said('--staged'), MENTIONED);
        git(project, 'commit', '-qm', 'second');
        assert.equal(await said(), '');
        await project.write('vendor/agent/inner.tape.json', NEW);
        const submodule = { root: project.path('vendor/agent') } as TestProject;
        git(submodule, '-c', 'user.name=x', '-c', 'user.email=x@example.com', 'commit', '-qam', 'edited');
        assert.match(await said(), MENTIONED);
        git(project, 'commit', '-qam', 'third');
        assert.equal(await said(), '');
        assert.match(await said('--since', 'HEAD~1'), MENTIONED);
      });
    });
  });

  it('says of a file that has not changed that there is nothing to decide, and of others what they are', async () => {
    await inRepository(
      { 'a.tape.json': OLD, 'README.md': '# hi\n', 'c.toml': scripted('c', ['one']) },
      async (project) => {
        for (const verb of ['accept', 'reject']) {
          const { code, stdout } = await tapedeck(project, verb, 'a.tape.json');
          assert.deepEqual([code, stdout], [0, `a.tape.json: nothing to ${verb}\n`]);
        }
        const unrun = await tapedeck(project, 'accept', 'c.toml');
        assert.deepEqual([unrun.code, /c\.toml has not been run/.test(unrun.stderr)], [2, true]);
        assert.equal((await tapedeck(project, 'accept', 'none.toml')).code, 2);
      },
    );
  });

  it('lists a pending run, and one that was rejected', async () => {
    await inRepository({ 'a.toml': scripted('a', ['one']) }, async (project) => {
      await tapedeck(project, 'run', '--update-baselines');
      await tapedeck(project, 'accept', 'a.toml');
      await project.write('a.toml', scripted('a', ['two']));
      await tapedeck(project, 'run');
      const open = await tapedeck(project, 'check');
      assert.match(open.stdout, /^a\.toml \(run\): 1 pending change\n {2}Output\n/);
      await tapedeck(project, 'reject', 'a.toml');
      assert.equal((await tapedeck(project, 'check')).code, 0);
      await tapedeck(project, 'run');
      assert.equal((await tapedeck(project, 'check')).code, 0, 'the rejection holds in the next run');
    });
  });

  it('reports for programs, CI and pull requests', async () => {
    await inRepository({ 'a.tape.json': OLD }, async (project) => {
      await project.write('a.tape.json', NEW.replace('It snows', '| <b>It snows</b> @you'));
      const json = JSON.parse((await tapedeck(project, 'check', '--reporter', 'json')).stdout);
      assert.equal(json.matches, false);
      assert.deepEqual(
        json.files[0].changes.map(({ decision }: { decision: string }) => decision),
        ['open', 'open'],
      );
      const junit = (await tapedeck(project, 'check', '--reporter', 'junit')).stdout;
      assert.match(
        junit,
        /<testcase classname="tapedeck\.check" name="a\.tape\.json">\n {6}<failure type="tape" message="Model/,
      );
      git(project, 'commit', '-aqm', 'second');
      const { code, stdout } = await tapedeck(project, 'check', '--since', 'HEAD~1', '--reporter', 'markdown');
      assert.equal(code, 1);
      assert.match(stdout, /^### Tapedeck: 2 pending changes/);
      assert.match(stdout, / \| pending \|\n/);
      assert.match(
        stdout,
        /\| Response · tokens 10 → 12 in \| interaction 2 \| It rains in Paris today \| &#124; &#60;b&#62;It snows/,
      );
    });
  });

  it('is, as in the manual, a pre-commit hook that stops a commit with pending changes', async function () {
    if (process.platform === 'win32') return this.skip();
    await inRepository({ 'a.tape.json': OLD }, async (project) => {
      const hook = project.path('.git/hooks/pre-commit');
      const manual = readFileSync(resolve(__dirname, '../../../docs/review.md'), 'utf8');
      writeFileSync(hook, /```sh\n(#!\/bin\/sh\n[^`]+)```/.exec(manual)?.[1] ?? '');
      chmodSync(hook, 0o755);
      const env = { ...process.env, PATH: await pathWithTapedeck(project) };
      await project.write('a.tape.json', NEW);
      git(project, 'add', '.');
      const stopped = spawnSync('git', ['commit', '-m', 'x'], { cwd: project.root, env, encoding: 'utf8' });
      assert.notEqual(stopped.status, 0);
      assert.match(stopped.stdout + stopped.stderr, /a\.tape\.json \(tape\): 2 pending changes/);
      await tapedeck(project, 'accept', 'a.tape.json');
      const passed = spawnSync('git', ['commit', '-m', 'x'], { cwd: project.root, env, encoding: 'utf8' });
      assert.equal(passed.status, 0, passed.stderr);
    });
  });

  it('looks only into its own project, and says when a revision or the configuration is none', async () => {
    await inRepository({ 'in/tapedeck.toml': '', 'in/a.tape.json': OLD, 'out.tape.json': OLD }, async (project) => {
      await project.write('out.tape.json', NEW);
      const inside = await tapedeck({ root: project.path('in') }, 'check');
      assert.deepEqual([inside.code, inside.stdout], [0, 'no pending changes\n']);
      const { code, stderr } = await tapedeck(project, 'check', '--since', 'nowhere');
      assert.equal(code, 2);
      assert.match(stderr, /nowhere is not a commit in this repository/);
      await project.write('tapedeck.toml', '[normalise]\npresets = ["guid"]\n');
      const broken = await tapedeck(project, 'check');
      assert.equal(broken.code, 2);
      assert.match(broken.stderr, /^tapedeck: tapedeck\.toml:2:\d+: unknown preset: guid\n {2}Use one of: /);
    });
  });

  it('never passes where git refuses, or where there is no repository that could be looked into', async () => {
    await inRepository({ 'a.tape.json': OLD }, async (project) => {
      await project.write('a.tape.json', NEW);
      git(project, 'add', '.');
      const gates = [['check'], ['check', '--staged'], ['check', '--since', 'HEAD']];
      await withGitOfAnotherOwner(async (PATH) => {
        for (const gate of gates) {
          const { code, stdout, stderr } = await project.engine(gate, { PATH });
          assert.deepEqual([code, stdout], [2, ''], gate.join(' '));
          assert.match(
            stderr,
            /detected dubious ownership in repository at '.*'\n {2}If you trust it: git config --global/,
          );
        }
      });
      await project.write('.git/config', '[core');
      for (const gate of gates) {
        const { code, stdout, stderr } = await tapedeck(project, ...gate);
        assert.deepEqual([code, stdout], [2, ''], gate.join(' '));
        assert.match(stderr, /bad config line \d in file \.git\/config/);
      }
    });
    await inProject({ 'tapedeck.toml': '', 'a.tape.json': NEW }, async (project) => {
      assert.equal((await tapedeck(project, 'check')).code, 0, 'takes can be compared without git');
      for (const gate of ['--staged', '--since=origin/main']) {
        const { code, stdout, stderr } = await tapedeck(project, 'check', gate);
        assert.deepEqual([code, stdout], [2, ''], gate);
        assert.match(stderr, /is not in a git repository\n {2}Create one/);
      }
      await project.write('.git', 'gitdir: /nowhere/of/a/worktree\n');
      assert.equal((await tapedeck(project, 'check')).code, 2, 'a worktree of a repository that is gone');
    });
  });

  it('takes no decision from a commit, however it came there', async () => {
    await inRepository({ 'a.tape.json': OLD, '.gitignore': '' }, async (project) => {
      await project.write('a.tape.json', NEW);
      await tapedeck(project, 'accept', 'a.tape.json');
      assert.equal((await tapedeck(project, 'check')).code, 0, 'the decision of the user counts');
      git(project, 'add', '-A');
      assert.equal((await tapedeck(project, 'check')).code, 0, 'the folder of decisions ignores itself');
      git(project, 'add', '-f', '.tapedeck');
      for (const gate of [['check'], ['check', '--staged']]) {
        const { code, stdout } = await tapedeck(project, ...gate);
        assert.equal(code, 1, gate.join(' '));
        assert.match(stdout, /2 pending changes/);
      }
      git(project, 'commit', '-qm', 'second');
      assert.equal((await tapedeck(project, 'check', '--since', 'HEAD~1')).code, 1);
      await project.write('a.tape.json', weather('It hails in Paris today'));
      const refused = await tapedeck(project, 'accept', 'a.tape.json');
      assert.equal(refused.code, 2);
      assert.match(
        refused.stderr,
        /a\.tape\.json\.decisions\.json is committed, and Tapedeck uses nothing in \.tapedeck\/ that is committed\n.*git rm -r --cached \.tapedeck/,
      );
    });
  });

  it('compares commits by the rules that were there before them', async () => {
    await inRepository({ 'a.tape.json': OLD }, async (project) => {
      await project.write('a.tape.json', NEW);
      const ignore = '[normalise]\nignore = ["response.*", "request.model"]\n';
      await project.write('tapedeck.toml', ignore);
      git(project, 'commit', '-qam', 'second');
      const { code, stdout } = await tapedeck(project, 'check', '--since', 'HEAD~1');
      assert.equal(code, 1, stdout);
      assert.match(stdout, /2 pending changes/);
      await project.write('a.tape.json', OLD);
      git(project, 'commit', '-qam', 'third');
      const later = await tapedeck(project, 'check', '--since', 'HEAD~1');
      assert.deepEqual(
        [later.code, later.stdout],
        [0, 'no pending changes; 1 file with ignored differences only; 3 differences ignored by rules\n'],
      );
      for (const broken of ['[normalise', '']) {
        await project.write('tapedeck.toml', broken);
        git(project, 'commit', '-qam', 'x');
        await project.write('tapedeck.toml', ignore);
        await project.write('a.tape.json', broken === '' ? OLD : NEW);
        git(project, 'commit', '-qam', 'y');
        assert.equal((await tapedeck(project, 'check', '--since', 'HEAD~1')).code, 1);
      }
    });
  });

  it('takes no decision from a commit under another name: another case, a link, a submodule', async function () {
    if (process.platform === 'win32') return this.skip();
    await inRepository({ 'in/tapedeck.toml': '', 'in/a.tape.json': OLD, '.gitignore': '' }, async (project) => {
      await project.write('in/a.tape.json', NEW);
      await tapedeck({ root: project.path('in') }, 'accept', 'a.tape.json');
      const text = await project.read('in/.tapedeck/reviews/a.tape.json.decisions.json');
      const id = execFileSync('git', ['hash-object', '-w', '--stdin'], {
        cwd: project.root,
        input: text,
        encoding: 'utf8',
      }).trim();
      const track = async (mode: string, object: string, path: string): Promise<void> => {
        assert.equal((await tapedeck({ root: project.path('in') }, 'check')).code, 0);
        git(project, 'update-index', '--add', '--cacheinfo', `${mode},${object},${path}`);
        const { code, stdout } = await tapedeck({ root: project.path('in') }, 'check');
        assert.equal(code, 1, `${path}: ${stdout}`);
        git(project, 'update-index', '--force-remove', path);
      };
      await track('100644', id, 'in/.Tapedeck/Reviews/A.tape.json.decisions.json');
      await track('120000', id, 'in/.tapedeck');
      await track('120000', id, 'in/.tapedeck/reviews');
      await track('160000', git(project, 'rev-parse', 'HEAD').trim(), 'in/.tapedeck/reviews');
    });
  });

  it('fails on what it cannot read, and names it: content that a partial clone lacks, a broken file, a closed one', async () => {
    await inRepository({ 'a.tape.json': OLD, 'b.tape.json': OLD }, async (project) => {
      const blob = git(project, 'rev-parse', 'HEAD:a.tape.json').trim();
      git(project, 'rm', '-q', '--cached', 'a.tape.json');
      await rm(project.path('a.tape.json'));
      const place = project.path(`.git/objects/${blob.slice(0, 2)}/${blob.slice(2)}`);
      const object = readFileSync(place);
      await rm(place, { force: true });
      for (const gate of [['check'], ['check', '--staged']]) {
        const { code, stdout, stderr } = await tapedeck(project, ...gate);
        assert.deepEqual([code, stdout], [2, ''], gate.join(' '));
        assert.match(stderr, /^tapedeck: a\.tape\.json: its committed content is not in this clone\n.*git cat-file -p/);
      }
      writeFileSync(place, object.subarray(0, object.length / 2));
      const broken = await tapedeck(project, 'check');
      assert.equal(broken.code, 2);
      assert.match(broken.stderr, /a\.tape\.json: .*\n.*git fsck/);
    });
    await inRepository({ 'b.tape.json': OLD }, async (project) => {
      await project.write('new.tape.json', '{"version": 1, "interactions": [');
      const { code, stdout } = await tapedeck(project, 'check');
      assert.equal(code, 1);
      assert.match(stdout, /^new\.tape\.json \(tape\): 1 pending change/);
      chmodSync(project.path('new.tape.json'), 0);
      const closed = await unprivileged(['check'], project);
      assert.equal(closed.code, 2);
      assert.match(closed.stderr, /new\.tape\.json cannot be read: permission denied/);
    });
  });

  it('asks about a tape that can only be read in part, wherever it has changed', async () => {
    // Unpacked, it is more than a hundred times its size.
    const packed = (end: string) => gzipSync(tape(turn([say('user', 'hi')], `${'x'.repeat(20_000_000)}${end}`)));
    await inRepository({ 'tapes/a.tape.json.gz': 'replaced below' }, async (project) => {
      const file = project.path('tapes/a.tape.json.gz');
      writeFileSync(file, packed('before'));
      git(project, 'commit', '-qam', 'packed');
      writeFileSync(file, packed('after'));
      const changed = await tapedeck(project, 'check');
      assert.equal(changed.code, 1, changed.stdout);
      assert.match(
        changed.stdout,
        /tapes\/a\.tape\.json\.gz \(tape\): 1 pending change\n {2}Tape changed; it can only be/,
      );
      assert.equal((await tapedeck(project, 'reject', 'tapes/a.tape.json.gz')).code, 0);
      assert.ok(readFileSync(file).equals(packed('before')));
      assert.equal((await tapedeck(project, 'check')).code, 0);
    });
  });

  it('asks about what no reader of a tape knows, at every door', async () => {
    // Its bodies are known to another recorder, and passed over here.
    const cassette = (said: string): string =>
      JSON.stringify(
        {
          version: 1,
          recorded_by: 'another recorder',
          interactions: [
            {
              request: { method: 'POST', url: 'https://api.openai.com/v1/chat/completions', body: { json: {} } },
              response: { status_code: 200, body: { json: { said } } },
            },
          ],
        },
        null,
        2,
      );
    const [before, after] = [cassette('It is 18 degrees in Paris'), cassette('It is 99 degrees in Hell')];
    const path = 'cassettes/weather.json';
    const title = 'The file changed where Tapedeck does not read it: line 17';
    await inRepository({ [path]: before, 'earlier.json': before }, async (project) => {
      await project.write(path, after);
      const asked = async (...args: readonly string[]) => {
        const { code, stdout } = await tapedeck(project, ...args);
        assert.equal(code, 1, stdout);
        assert.ok(stdout.includes(title), stdout);
      };
      await asked('check');
      const refused = await tapedeck(project, 'diff', 'earlier.json', path);
      assert.equal(refused.code, 2, refused.stdout);
      assert.match(refused.stderr, /earlier\.json: content was not read: /);
      await tapedeck(project, 'review', '--html', 'review.html');
      assert.ok((await project.read('review.html')).includes(title));

      git(project, 'add', path);
      await asked('check', '--staged');
      assert.equal((await tapedeck(project, 'accept', path)).code, 0);
      assert.equal((await tapedeck(project, 'check')).code, 0);
      assert.equal((await tapedeck(project, 'reject', path)).code, 0);
      assert.equal(await project.read(path), before);

      await project.write(path, after);
      git(project, 'commit', '-qam', 'changed');
      await asked('check', '--since', 'HEAD~1');
      await project.write(path, `${after}\n`);
      const calm = await tapedeck(project, 'check');
      assert.equal(calm.code, 0, 'only the layout differs');
    });
  });

  it('tells a change of a tape that is too large to compare, accepts it, and takes it back', async () => {
    const large = (end: string) => tape(turn([say('user', 'hi')], `${'x'.repeat(48_500_000)}${end}`));
    const before = large('before');
    await inRepository({ 'a.tape.json': before }, async (project) => {
      await project.write('a.tape.json', large('after'));
      const { code, stdout } = await tapedeck(project, 'check', '--json');
      assert.equal(code, 1);
      const [{ changes }] = JSON.parse(stdout).files;
      assert.deepEqual(
        changes.map(({ title }: { title: string }) => title),
        ['Tape changed; too large to compare in detail'],
      );
      assert.equal((await tapedeck(project, 'accept', 'a.tape.json', '--stage')).code, 0);
      assert.equal((await tapedeck(project, 'check')).code, 0);
      assert.equal(git(project, 'rev-parse', ':a.tape.json'), git(project, 'hash-object', 'a.tape.json'));
      assert.equal((await tapedeck(project, 'reject', 'a.tape.json')).code, 0);
      assert.equal(await project.read('a.tape.json'), before);
      assert.equal(git(project, 'status', '--porcelain', '--', 'a.tape.json'), '');
    });
  });

  it('fails on an untracked folder of the project that git cannot open, and names it', async () => {
    await inRepository({ 'b.tape.json': OLD, 'in/tapedeck.toml': '' }, async (project) => {
      await project.write('new/closed/a.tape.json', NEW);
      chmodSync(project.path('new/closed'), 0);
      const check = (...more: string[]) => unprivileged(['check', ...more], project);
      const closed = await check();
      assert.deepEqual([closed.code, closed.stdout], [2, '']);
      assert.match(closed.stderr, /^tapedeck: new\/closed\/ cannot be read: permission denied\n.*\.gitignore/);
      const named = await unprivileged(['accept', 'new/closed/a.tape.json'], project);
      assert.deepEqual([named.code, named.stdout], [2, '']);
      assert.equal((await check('--staged')).code, 0, 'untracked files are not staged');
      assert.equal((await unprivileged(['accept', 'b.tape.json'], project)).code, 0, 'a file beside it can be decided');
      assert.equal((await unprivileged(['check'], project, 'in')).code, 0, 'it is in another project');
      await project.write('.gitignore', 'closed/\n');
      assert.equal((await check()).code, 0);
    });
  });

  describe('with tapes that Git LFS keeps', () => {
    const pointers = {
      'tapes/a.json': pointerTo(OLD),
      'a.baseline.json': pointerTo('{}'),
      'data.json': pointerTo('[]'),
    };

    /** Commits pointers, then stages others; git-lfs has fetched none. */
    function inLfsRepository(test: (project: TestProject) => Promise<void>): Promise<void> {
      return inRepository(pointers, async (project) => {
        await project.write('tapes/a.json', pointerTo(NEW));
        await project.write('a.baseline.json', pointerTo('{ }'));
        await project.write('data.json', pointerTo('[1]'));
        git(project, 'add', '.');
        await test(project);
      });
    }

    it('asks about pointers where recordings are, and keeps what is decided once they are fetched', async () => {
      await inLfsRepository(async (project) => {
        const { code, stdout } = await tapedeck(project, 'check', '--staged');
        assert.equal(code, 1);
        assert.equal(
          stdout,
          `a.baseline.json (baseline): 1 pending change
  Git LFS pointer; fetch it with git lfs pull to compare
tapes/a.json (tape): 1 pending change
  Git LFS pointer; fetch it with git lfs pull to compare
2 pending changes: tapedeck accept PATH, or tapedeck reject PATH
`,
        );
        // As in the working tree of someone who has git-lfs: git has the pointer, the folder the tape.
        await project.write('tapes/a.json', NEW);
        assert.equal((await tapedeck(project, 'accept', 'tapes/a.json')).code, 0);
        assert.equal((await tapedeck(project, 'reject', 'a.baseline.json')).code, 0);
        assert.equal(await project.read('a.baseline.json'), pointers['a.baseline.json']);
        const staged = await tapedeck(project, 'check', '--staged');
        assert.deepEqual([staged.code, staged.stdout], [0, 'no pending changes; 1 accepted\n']);
      });
    });

    it('stages a pointer, and keeps the tape where git-lfs does, without running it', async () => {
      await inRepository({ '.gitattributes': 'tapes/* filter=lfs\n', ...pointers }, async (project) => {
        git(project, 'config', 'filter.lfs.clean', 'false');
        git(project, 'config', 'filter.lfs.required', 'true');
        await project.write('tapes/a.json', OLD);
        assert.equal((await tapedeck(project, 'check')).stdout, 'no pending changes\n', 'it is fetched, not changed');
        await project.write('tapes/a.json', NEW);
        const { code, stdout } = await tapedeck(project, 'accept', 'tapes/a.json', '--stage');
        assert.equal(code, 0, stdout);
        assert.equal(git(project, 'show', ':tapes/a.json'), pointerTo(NEW));
        assert.equal(await project.read(`.git/lfs/objects/${lfsPlace(NEW)}`), NEW);
        assert.equal((await tapedeck(project, 'reject', 'tapes/a.json')).code, 0);
        assert.equal(git(project, 'diff', '--cached', '--name-only'), '');
      });
    });

    it('compares the tapes themselves where they are fetched', async () => {
      await inLfsRepository(async (project) => {
        for (const content of [OLD, NEW]) await project.write(`.git/lfs/objects/${lfsPlace(content)}`, content);
        git(project, 'commit', '-qm', 'second');
        const { code, stdout } = await tapedeck(project, 'check', '--since', 'HEAD~1');
        assert.equal(code, 1);
        assert.match(stdout, /tapes\/a\.json \(tape\): 2 pending changes\n {2}Model · interaction 2\n {2}Response/);
      });
    });
  });
});
