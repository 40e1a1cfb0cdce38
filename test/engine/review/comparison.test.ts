import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { comparisonsCalls } from '../../../src/contracts/engine/comparisons';
import type { RecordedInteraction } from '../../../src/core/model/interaction';
import { accepts } from '../../../src/core/schema/accepts';
import { mofaFormat } from '../../../src/core/tapes/formats/mofa/index';
import { keepTake } from '../../../src/engine/recording/takes';
import { comparisonsApi } from '../../../src/engine/review/comparison';
import { say, turn } from '../../core/review/recordings';
import { buildEngine, inProject, type TestProject } from '../../harness/builtEngine';

const tape = (...turns: RecordedInteraction[]): string => mofaFormat.serialise('case', turns);
const ask = (question: string, answer: string) => turn([say('user', question)], answer);
const HELLO = ask('Hello', 'Hi');
const PARIS = ask('What is the weather in Paris', 'It rains in Paris today');
const BYE = ask('Goodbye', 'See you');
const A = 'tapes/a.tape.json';
const B = 'tapes/b.tape.json';

async function commit({ root }: TestProject, message: string): Promise<void> {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root });
  git('init', '-q');
  git('add', '.');
  git('-c', 'user.name=x', '-c', 'user.email=x@example.com', 'commit', '-qm', message);
}

describe('a comparison of two recordings', () => {
  before(buildEngine);

  it('finds an inserted turn as one added interaction, the same as diff', async () => {
    await inProject({ [A]: tape(HELLO, BYE), [B]: tape(HELLO, PARIS, BYE) }, async (project) => {
      const { root } = project;
      const { kind, changes, measures } = await comparisonsApi.comparison({
        before: { root, path: A },
        after: { root, path: B },
      });
      assert.equal(kind, 'tape');
      assert.deepEqual(
        changes.map((change) => [change.kind, change.subject, change.place.after]),
        [['added', 'interaction', 1]],
      );
      assert.deepEqual(measures[0], { name: 'interactions', before: 2, after: 3 });
      const told = JSON.parse((await project.cli(['diff', A, B, '--json'])).stdout);
      assert.deepEqual(
        told.changes.map(({ id }: { id: string }) => id),
        changes.map(({ id }) => id),
      );
    });
  });

  it('compares a take that was replaced, and a file as it was in a commit', async () => {
    await inProject({ [A]: tape(HELLO), '.gitignore': '.tapedeck/\n' }, async (project) => {
      const { root } = project;
      await commit(project, 'first of all');
      await project.write(A, tape(HELLO, PARIS));
      await commit(project, 'a question about Paris');
      await keepTake({ root, tapePath: join(root, A) });
      // A recording replaces the file.
      await rm(project.path(A));
      await project.write(A, tape(HELLO, PARIS, BYE));

      const { takes, commits } = await comparisonsApi.earlierVersions({ root, path: A });
      assert.deepEqual(
        commits.map(({ subject }) => subject),
        ['a question about Paris', 'first of all'],
      );
      const [kept] = takes;
      assert.ok(kept && takes.length === 1 && Math.abs(kept.time - Date.now()) < 60_000);
      const added = async (side: { take?: string; revision?: string }) => {
        const params = { before: { root, path: A, ...side }, after: { root, path: A } };
        assert.ok(accepts(comparisonsCalls.comparison.params, params));
        return (await comparisonsApi.comparison(params)).changes.map(({ place }) => place.after);
      };
      assert.deepEqual(await added({ take: kept.take }), [2]);
      assert.deepEqual(await added({ revision: commits[0]?.revision ?? '' }), [2]);
      assert.deepEqual(await added({ revision: commits[1]?.revision ?? '' }), [1, 2]);
    });
  });

  it('gives the texts of a change on their own, and says when the file has changed since', async () => {
    await inProject({ [A]: tape(HELLO), [B]: tape(ask('Hello', 'Good evening')) }, async (project) => {
      const { root } = project;
      const params = { before: { root, path: A }, after: { root, path: B } };
      const { changes } = await comparisonsApi.comparison(params);
      const id = changes[0]?.id ?? '';
      assert.deepEqual(await comparisonsApi.comparisonTexts({ ...params, id }), {
        before: 'Hi',
        after: 'Good evening',
      });
      await project.write(B, tape(HELLO));
      await assert.rejects(comparisonsApi.comparisonTexts({ ...params, id }), /has changed/);
    });
  });

  it('names what cannot be compared', async () => {
    const artifact = JSON.stringify({ case_name: 'c', status: 'passed', started_at_ms: 1, duration_ms: 1 });
    const files = { [A]: tape(HELLO), 'run.json': artifact, 'notes.txt': 'no tape', 'cut.tape.jsonl': '{"kind":' };
    await inProject(files, async ({ root }) => {
      const compare = (path: string, rest = {}) =>
        comparisonsApi.comparison({ before: { root, path, ...rest }, after: { root, path: A } });
      await assert.rejects(compare('notes.txt'), /notes\.txt is neither a tape nor an artifact/);
      await assert.rejects(compare('gone.tape.json'), /gone\.tape\.json: .*(no such file|does not exist)/i);
      await assert.rejects(compare(A, { revision: 'HEAD' }), /is not in a git repository/);
      await assert.rejects(
        compare(A, { take: '2026-01-01T00-00-00.000Z.json' }),
        /there is no take 2026.* of tapes\/a\.tape\.json/,
      );
    });
  });

  it('takes no path that leaves the project', () => {
    const root = '/project';
    for (const side of [
      { root, path: '../secret' },
      { root, path: '/etc/passwd' },
      { root, path: A, take: '../../secret.json' },
      { root, path: A, take: 'x/../2026Z.json' },
    ])
      assert.ok(!accepts(comparisonsCalls.comparison.params, { before: side, after: { root, path: A } }));
  });
});
