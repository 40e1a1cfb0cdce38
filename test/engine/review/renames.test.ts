import assert from 'node:assert/strict';
import { mkdir, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { CheckDocument } from '../../../src/engine/reporters/jsonDocuments';
import { createReviewApi } from '../../../src/engine/review/reviewApi';
import { say, turn } from '../../core/review/recordings';
import { scripted, type TestProject } from '../../harness/builtEngine';
import { tapedeck } from '../../harness/inProcess';
import { git, inRepository, NEW, OLD, tape } from '../../harness/repository';

const OTHER = tape(turn([say('user', 'Book a table for nine people')], 'Your table is reserved at eight'));

async function move(project: TestProject, from: string, to: string): Promise<void> {
  await mkdir(dirname(project.path(to)), { recursive: true });
  await rename(project.path(from), project.path(to));
}

async function checked(project: TestProject, ...args: string[]) {
  const { code, stdout } = await tapedeck(project, 'check', '--json', ...args);
  const { files } = JSON.parse(stdout) as CheckDocument;
  const lines = files.map(({ path, renamedFrom, changes }) => [
    renamedFrom === undefined ? path : `${renamedFrom} > ${path}`,
    ...changes.map(({ title, decision }) => `${title}: ${decision}`),
  ]);
  return { code, lines };
}

const RENAMED = { code: 0, lines: [['tapes/b.tape.json > tapes/renamed.tape.json']] };
const EDITED = ['tapes/b.tape.json > tapes/renamed.tape.json', 'Model: open', 'Response: open'];

describe('a tape that was renamed', function () {
  this.timeout(60_000);

  it('is one file, with nothing to decide, in the working tree, in the index, and between commits', async () => {
    await inRepository({ 'tapes/a.tape.json': OTHER, 'tapes/b.tape.json': OLD }, async (project) => {
      await move(project, 'tapes/b.tape.json', 'tapes/renamed.tape.json');
      assert.deepEqual(await checked(project), RENAMED, 'not staged');
      git(project, 'add', '-A');
      assert.deepEqual(await checked(project), RENAMED);
      assert.deepEqual(await checked(project, '--staged'), RENAMED);
      const { stdout } = await tapedeck(project, 'check');
      assert.equal(
        stdout,
        'tapes/renamed.tape.json (tape, renamed from tapes/b.tape.json)\nno pending changes; 1 file renamed\n',
      );
      git(project, 'commit', '-qm', 'second');
      assert.deepEqual(await checked(project), { code: 0, lines: [] });
      assert.deepEqual(await checked(project, '--since', 'HEAD~1'), RENAMED);
    });
  });

  it('shows what was edited in it besides, which is decided as everywhere', async () => {
    await inRepository({ 'tapes/b.tape.json': OLD }, async (project) => {
      await move(project, 'tapes/b.tape.json', 'tapes/renamed.tape.json');
      await project.write('tapes/renamed.tape.json', NEW);
      const found = await checked(project);
      assert.equal(found.code, 1);
      assert.deepEqual(
        found.lines.map(([name, ...changes]) => [name, ...changes.sort()]),
        [EDITED],
      );
      git(project, 'add', '-A');
      assert.equal((await checked(project, '--staged')).lines[0]?.length, 3);
      assert.equal((await tapedeck(project, 'reject', 'tapes/renamed.tape.json')).code, 0);
      assert.equal(await project.read('tapes/renamed.tape.json'), OLD);
      assert.deepEqual(await checked(project), RENAMED);
    });
  });

  it('keeps what was decided under its old name, and is staged under both', async () => {
    await inRepository({ 'tapes/b.tape.json': OLD }, async (project) => {
      await project.write('tapes/b.tape.json', NEW);
      await tapedeck(project, 'accept', 'tapes/b.tape.json');
      await move(project, 'tapes/b.tape.json', 'tapes/renamed.tape.json');
      const { code, lines } = await checked(project);
      assert.deepEqual([code, lines[0]?.slice(1).every((line) => line.endsWith(': accepted'))], [0, true]);
      const api = createReviewApi();
      const [review, ...more] = await api.reviews({ root: project.root });
      assert.deepEqual([review?.from, review?.open, more.length], ['tapes/b.tape.json', 0, 0]);
      await api.stage({ root: project.root });
      assert.equal(
        git(project, 'diff', '--cached', '--name-status', '--no-renames'),
        'D\ttapes/b.tape.json\nA\ttapes/renamed.tape.json\n',
      );
    });
  });

  it('keeps each decision on equal changes, with an edit between them', async () => {
    const answers = (...all: string[]) =>
      tape(...all.map((answer, at) => turn([say('user', `How is the weather in town ${at}, please?`)], answer)));
    const [old, now] = [answers('sunny', 'mild', 'sunny', 'sunny'), answers('rainy', 'cold', 'rainy', 'rainy')];
    await inRepository({ 'tapes/b.tape.json': old }, async (project) => {
      await project.write('tapes/b.tape.json', now);
      const { stdout } = await tapedeck(project, 'check', '--json');
      const ids = (JSON.parse(stdout) as CheckDocument).files[0]?.changes.map(({ id }) => id) ?? [];
      assert.equal(new Set(ids).size, 4);
      const decide = (verdict: string, at: number) =>
        tapedeck(project, verdict, 'tapes/b.tape.json', '--change', ids[at] ?? '');
      assert.equal((await decide('accept', 0)).code, 0);
      assert.equal((await decide('reject', 2)).code, 0);
      await move(project, 'tapes/b.tape.json', 'tapes/renamed.tape.json');
      const { lines } = await checked(project);
      assert.deepEqual(lines[0]?.slice(1), ['Response: accepted', 'Response: open', 'Response: open']);
      assert.equal(await project.read('tapes/renamed.tape.json'), answers('rainy', 'cold', 'sunny', 'rainy'));
      assert.equal((await tapedeck(project, 'accept', 'tapes/renamed.tape.json')).code, 0);
      assert.equal((await checked(project)).code, 0);
    });
  });

  it('keeps what was decided under its old name once a commit has renamed it', async () => {
    await inRepository({ 'tapes/b.tape.json': OLD, 'tapes/c.tape.json': OLD }, async (project) => {
      await project.write('tapes/b.tape.json', NEW);
      await project.write('tapes/c.tape.json', NEW);
      await tapedeck(project, 'accept', 'tapes/b.tape.json');
      git(project, 'mv', 'tapes/b.tape.json', 'tapes/renamed.tape.json');
      git(project, 'commit', '-qm', 'second');
      const { lines } = await checked(project);
      const decided = lines.map(([name, ...changes]) => [name, ...changes.map((line) => line.split(': ')[1])]);
      assert.deepEqual(decided, [
        ['tapes/c.tape.json', 'open', 'open'],
        ['tapes/renamed.tape.json', 'accepted', 'accepted'],
      ]);
      // A rejection holds as well: a recording that makes the same change again loses it.
      assert.equal((await tapedeck(project, 'reject', 'tapes/renamed.tape.json')).code, 0);
      git(project, 'mv', 'tapes/renamed.tape.json', 'tapes/again.tape.json');
      git(project, 'commit', '-qm', 'third');
      await project.write('tapes/again.tape.json', NEW);
      await createReviewApi().reapplyRejections({ root: project.root });
      assert.equal(await project.read('tapes/again.tape.json'), OLD);
    });
  });

  it('is found again in another folder, of equal ones under its own name', async () => {
    const files = { 'a/one.tape.json': OLD, 'a/two.tape.json': OLD };
    await inRepository(files, async (project) => {
      await move(project, 'a/two.tape.json', 'b/two.tape.json');
      await move(project, 'a/one.tape.json', 'b/one.tape.json');
      assert.deepEqual(await checked(project), {
        code: 0,
        lines: [['a/one.tape.json > b/one.tape.json'], ['a/two.tape.json > b/two.tape.json']],
      });
    });
  });

  it('is none where another tape takes the place of one that is gone', async () => {
    await inRepository({ 'b.tape.json': OLD }, async (project) => {
      await move(project, 'b.tape.json', 'c.tape.json');
      await project.write('c.tape.json', OTHER);
      assert.deepEqual((await checked(project)).lines, [
        ['b.tape.json', 'Tape removed: open'],
        ['c.tape.json', 'Tape added: open'],
      ]);
    });
  });

  it('may be a baseline, as its case is renamed', async () => {
    await inRepository({ 'a.toml': scripted('a', ['one']) }, async (project) => {
      await tapedeck(project, 'run', '--update-baselines');
      git(project, 'add', '-A');
      git(project, 'commit', '-qm', 'second');
      await move(project, 'a.toml', 'b.toml');
      await move(project, 'a.baseline.json', 'b.baseline.json');
      const { lines } = await checked(project);
      assert.deepEqual(lines, [['a.baseline.json > b.baseline.json']]);
    });
  });
});
