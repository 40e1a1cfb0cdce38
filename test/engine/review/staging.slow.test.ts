import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { changedReviews } from '../../../src/engine/review/changedReviews';
import { Reviews } from '../../../src/engine/review/decide';
import { stageReviewed } from '../../../src/engine/review/staging';
import { say, turn } from '../../core/review/recordings';
import { inProject, scripted, type TestProject } from '../../harness/builtEngine';
import { tapedeck } from '../../harness/inProcess';
import { git, inRepository, NEW, OLD, tape, weather } from '../../harness/repository';

const cached = (project: TestProject): string => git(project, 'diff', '--cached', '--no-renames', '--name-status');
const indexed = (project: TestProject, path: string): string => git(project, 'show', `:${path}`);

describe('staging what is accepted', function () {
  this.timeout(60_000);

  it('stages exactly the accepted files, new and deleted ones too, and nothing else', async () => {
    const files = { 'a.tape.json': OLD, 'b.tape.json': OLD, 'noise.tape.json': OLD, 'gone.tape.json': OLD };
    await inRepository({ ...files, 'mine.txt': 'one\n', 'other.txt': 'one\n' }, async (project) => {
      await project.write('mine.txt', 'staged by hand\n');
      git(project, 'add', 'mine.txt');
      await project.write('mine.txt', 'and edited since\n');
      await project.write('other.txt', 'not staged\n');
      for (const path of ['a.tape.json', 'b.tape.json']) await project.write(path, NEW);
      // Of another conversation: one that says what the tape says that is gone is that one, renamed.
      await project.write('in/new.tape.json', tape(turn([say('user', 'A parrot?')], 'It speaks Latin.')));
      await rm(project.path('gone.tape.json'));
      for (const path of ['a.tape.json', 'in/new.tape.json', 'gone.tape.json']) await tapedeck(project, 'accept', path);
      await tapedeck(project, 'accept', 'b.tape.json', '--field', 'request.model');
      const { code, stdout } = await tapedeck(project, 'accept', '--stage');
      assert.equal(code, 0);
      assert.equal(
        stdout,
        'a.tape.json: staged\ngone.tape.json: staged\nin/new.tape.json: staged\nb.tape.json: not staged: 1 change pending\n',
      );
      assert.equal(cached(project), 'M\ta.tape.json\nD\tgone.tape.json\nA\tin/new.tape.json\nM\tmine.txt\n');
      assert.equal(indexed(project, 'a.tape.json'), NEW);
      assert.equal(indexed(project, 'mine.txt'), 'staged by hand\n');
      assert.equal(git(project, 'diff', '--name-only'), 'b.tape.json\nmine.txt\nother.txt\n');
      const again = await tapedeck(project, 'accept', '--stage');
      assert.match(again.stdout, /nothing to stage/);
    });
  });

  it('leaves out a file in which only volatile values changed, until it is named', async () => {
    const at = (time: string) => tape(turn([say('user', `It is ${time}`)], 'Fine'));
    await inRepository({ 'n.tape.json': at('2026-04-04T10:00:00Z') }, async (project) => {
      await project.write('n.tape.json', at('2026-05-05T11:00:00Z'));
      assert.equal((await tapedeck(project, 'accept', '--stage')).stdout, 'nothing to stage\n');
      assert.equal(cached(project), '');
      await tapedeck(project, 'accept', 'n.tape.json', '--stage');
      assert.equal(cached(project), 'M\tn.tape.json\n');
    });
  });

  it('stages as git would: with the repository’s line ends, and with names that git could take for patterns', async () => {
    await inRepository(
      { '.gitattributes': '*.tape.json text eol=lf\n', '[a]*.tape.json': OLD, 'a.tape.json': OLD },
      async (project) => {
        const windows = NEW.replaceAll('\n', '\r\n');
        await project.write('[a]*.tape.json', windows);
        await project.write('a.tape.json', windows);
        await tapedeck(project, 'accept', '[a]*.tape.json', '--stage');
        assert.equal(cached(project), 'M\t[a]*.tape.json\n');
        assert.equal(indexed(project, '[a]*.tape.json'), NEW);
        assert.equal(git(project, 'status', '--porcelain'), 'M  [a]*.tape.json\n M a.tape.json\n');
      },
    );
  });

  it('works in a project that is a folder of its repository', async () => {
    await inRepository({ 'in/tapedeck.toml': '', 'in/a.tape.json': OLD, 'out.tape.json': OLD }, async (project) => {
      await project.write('in/a.tape.json', NEW);
      await project.write('out.tape.json', NEW);
      await tapedeck({ root: project.path('in') }, 'accept', 'a.tape.json');
      assert.equal((await tapedeck({ root: project.path('in') }, 'accept', '--stage')).stdout, 'a.tape.json: staged\n');
      assert.equal(cached(project), 'M\tin/a.tape.json\n');
    });
  });

  it('refuses a file that was written since it was reviewed, and stages none then', async () => {
    await inRepository({ 'a.tape.json': OLD, 'b.tape.json': OLD }, async (project) => {
      for (const path of ['a.tape.json', 'b.tape.json']) await project.write(path, NEW);
      const reviews = await changedReviews(project.root);
      await project.write('b.tape.json', weather('Nobody has seen this'));
      await assert.rejects(stageReviewed(project.root, reviews), /b\.tape\.json has changed since this review/);
      assert.equal(cached(project), '');
    });
  });

  it('refuses a review that is out of date, when its stamp is given', async () => {
    await inRepository({ 'a.tape.json': OLD }, async (project) => {
      await project.write('a.tape.json', NEW);
      const reviews = new Reviews();
      const subject = { kind: 'tape', path: 'a.tape.json' } as const;
      const { stamp = '' } = (await reviews.open({ root: project.root, subject })) ?? {};
      await project.write('a.tape.json', weather('Nobody has seen this'));
      await assert.rejects(
        reviews.stage({ root: project.root, subject, stamp }),
        /a\.tape\.json has changed since this review/,
      );
      assert.equal(cached(project), '');
      await reviews.stage({ root: project.root, subject });
      assert.equal(cached(project), 'M\ta.tape.json\n');
    });
  });

  it('says when there is no repository, when another git is at work, and when a merge is going on', async () => {
    await inProject({ 'tapedeck.toml': '', 'a.tape.json': OLD }, async (project) => {
      const { code, stderr } = await tapedeck(project, 'accept', '--stage');
      assert.equal(code, 2);
      assert.match(stderr, /is not in a git repository\n.*git init/);
    });
    await inRepository({ 'a.tape.json': OLD }, async (project) => {
      await project.write('a.tape.json', NEW);
      writeFileSync(project.path('.git/index.lock'), '');
      const locked = await tapedeck(project, 'accept', 'a.tape.json', '--stage');
      assert.equal(locked.code, 2);
      assert.match(
        locked.stderr,
        /another git command is running in this repository: .*index\.lock exists\n.*delete that file/,
      );
      await rm(project.path('.git/index.lock'));
      await tapedeck(project, 'accept', '--stage');
      assert.equal(cached(project), 'M\ta.tape.json\n');
    });
    await inMerge(async (project) => {
      for (const command of [
        ['reject', 'calm.tape.json'],
        ['accept', 'clash.tape.json', '--stage'],
        ['accept', 'calm.tape.json', '--stage'],
      ]) {
        const { code, stderr } = await tapedeck(project, ...command);
        assert.equal(code, 2, command.join(' '));
        assert.match(
          stderr,
          /clash\.tape\.json: the file has an unresolved merge conflict|a merge is in progress\n.*git merge --continue/,
        );
      }
      assert.match(git(project, 'status', '--porcelain'), /^ M calm\.tape\.json\nUU clash\.tape\.json\n$/);
    });
  });
});

describe('restoring what is rejected', function () {
  this.timeout(60_000);

  it('takes a rejected file out of the index, and leaves what else is staged', async () => {
    await inRepository({ 'a.tape.json': OLD, 'b.tape.json': OLD }, async (project) => {
      for (const path of ['a.tape.json', 'b.tape.json', 'new.tape.json']) await project.write(path, NEW);
      git(project, 'add', '.');
      await tapedeck(project, 'reject', 'a.tape.json');
      await tapedeck(project, 'reject', 'new.tape.json');
      assert.equal(cached(project), 'M\tb.tape.json\n');
      assert.equal(git(project, 'status', '--porcelain'), 'M  b.tape.json\n');
      assert.equal(await project.read('a.tape.json'), OLD);
      assert.equal(project.has('new.tape.json'), false);
      assert.ok(project.has('.tapedeck/takes/new.tape.json'), 'a new tape that is rejected is kept');
    });
  });

  it('leaves in the index what somebody staged before the file changed again', async () => {
    await inRepository({ 'a.tape.json': OLD }, async (project) => {
      await project.write('a.tape.json', weather('It hails in Paris today'));
      git(project, 'add', '.');
      await project.write('a.tape.json', NEW);
      await tapedeck(project, 'reject', 'a.tape.json');
      assert.equal(indexed(project, 'a.tape.json'), weather('It hails in Paris today'));
      assert.equal(await project.read('a.tape.json'), OLD);
    });
  });

  it('brings a deleted tape back', async () => {
    await inRepository({ 'a.tape.json': OLD }, async (project) => {
      git(project, 'rm', '-q', 'a.tape.json');
      await tapedeck(project, 'reject', 'a.tape.json');
      assert.equal(await project.read('a.tape.json'), OLD);
      assert.equal(git(project, 'status', '--porcelain'), '');
    });
  });

  it('takes out again what was rejected before, and only that', async () => {
    await inRepository({ 'a.tape.json': OLD, 'c.toml': scripted('c', ['one']) }, async (project) => {
      await tapedeck(project, 'run', '--update-baselines');
      git(project, 'add', '.');
      git(project, 'commit', '-qm', 'second');
      await project.write('a.tape.json', NEW);
      await tapedeck(project, 'reject', 'a.tape.json', '--field', 'request.model', '--reason', 'too long');
      await project.write('c.toml', scripted('c', ['two']));
      await tapedeck(project, 'run');
      await tapedeck(project, 'reject', 'c.toml');
      await tapedeck(project, 'run', '--update-baselines');
      await project.write('a.tape.json', NEW);
      const { stdout } = await tapedeck(project, 'reject', '--again');
      assert.equal(stdout, 'a.tape.json: restored\nc.baseline.json: restored\n');
      assert.equal(await project.read('a.tape.json'), weather('It snows in Paris today', 12));
      assert.equal((await project.json('c.baseline.json')).output_text, 'one');
      assert.match(await project.read('.tapedeck/reviews/a.tape.json.decisions.json'), /too long/);
      const again = await tapedeck(project, 'reject', '--again');
      assert.equal(again.stdout, 'no rejected changes have reappeared\n');
    });
  });
});

/** A repository in the middle of a merge: one tape is in conflict, another one has changed. */
async function inMerge(test: (project: TestProject) => Promise<void>): Promise<void> {
  await inRepository({ 'clash.tape.json': OLD, 'calm.tape.json': OLD }, async (project) => {
    git(project, 'switch', '-qc', 'other');
    await project.write('clash.tape.json', NEW);
    git(project, 'commit', '-qam', 'theirs');
    git(project, 'switch', '-q', 'main');
    await project.write('clash.tape.json', weather('It hails in Paris today'));
    git(project, 'commit', '-qam', 'ours');
    spawnSync('git', ['merge', '-q', 'other'], { cwd: project.root });
    await project.write('calm.tape.json', NEW);
    await test(project);
  });
}
