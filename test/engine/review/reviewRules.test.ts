import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import type { CheckDocument } from '../../../src/engine/reporters/documents';
import { comparisonsApi } from '../../../src/engine/review/comparison';
import { createReviewApi } from '../../../src/engine/review/reviewApi';
import { scripted, type TestProject, taped } from '../../harness/builtEngine';
import { tapedeck } from '../../harness/inProcess';
import { git, inRepository, weather } from '../../harness/repository';

const RULES = '[normalise]\nignore = ["response.*", "output_text"]\n';
const SOME_RULES =
  '[normalise]\nignore = ["response.*"]\n[[normalise.patterns]]\nname = "sky"\npattern = "rains|snows"\n';
const OLD = weather('It rains in Paris today');
const NEW = weather('It snows in Paris today');

const caseOf = (tape: string, rules = '') => taped('case', tape, rules);

async function pending(project: TestProject, ...args: string[]): Promise<readonly string[]> {
  const { stdout, stderr } = await tapedeck(project, 'check', '--json', ...args);
  assert.notEqual(stdout, '', stderr);
  const { files } = JSON.parse(stdout) as CheckDocument;
  const isOpen = ({ changes }: CheckDocument['files'][number]) => changes.some(({ decision }) => decision === 'open');
  return files.filter(isOpen).map(({ path }) => path);
}

describe('the rules of a case', function () {
  this.timeout(60_000);

  it('hold for its run, its baseline, and its tape, and for those of no other case', () =>
    inRepository(
      {
        'lax.toml': scripted('lax', ['It rains'], RULES),
        'strict.toml': scripted('strict', ['It rains']),
        'a.toml': caseOf('lax.tape.json', RULES),
        'b.toml': caseOf('strict.tape.json'),
        'lax.tape.json': OLD,
        'strict.tape.json': OLD,
      },
      async (project) => {
        const runs = ['lax.toml', 'strict.toml'];
        assert.equal((await tapedeck(project, 'run', ...runs, '--update-baselines')).code, 0);
        git(project, 'add', '.');
        git(project, 'commit', '-qm', 'baselines');
        await project.write('lax.toml', scripted('lax', ['It snows'], RULES));
        await project.write('strict.toml', scripted('strict', ['It snows']));
        assert.equal((await tapedeck(project, 'run', 'lax.toml')).code, 0);
        assert.equal((await tapedeck(project, 'run', 'strict.toml')).code, 1);
        for (const path of ['lax.tape.json', 'strict.tape.json']) await project.write(path, NEW);
        for (const name of ['lax', 'strict']) {
          const path = `${name}.baseline.json`;
          await project.write(path, (await project.read(path)).replaceAll('It rains', 'It hails'));
        }
        assert.deepEqual(await pending(project), ['strict.baseline.json', 'strict.tape.json', 'strict.toml']);
        const listed = await tapedeck(project, 'check');
        assert.match(listed.stdout, /ignored/, 'what is hidden is counted');
      },
    ));

  it('are those by which a decision is made, so that a part of a tape can be taken back', () =>
    inRepository({ 'a.toml': caseOf('a.tape.json', RULES), 'a.tape.json': OLD }, async (project) => {
      await project.write('a.tape.json', weather('It snows in Paris today', 12, 'gpt-5'));
      assert.deepEqual(await pending(project), ['a.tape.json']);
      const reviews = createReviewApi();
      const subject = { kind: 'tape', path: 'a.tape.json' } as const;
      const shown = await reviews.review({ root: project.root, subject });
      assert.deepEqual(
        shown?.changes.map(({ subject }) => subject),
        ['model'],
      );
      const changes = shown?.changes.map(({ id }) => id) ?? [];
      await reviews.decide({ root: project.root, subject, verdict: 'rejected', changes, stamp: shown?.stamp ?? '' });
      assert.deepEqual(await pending(project), []);
      const before = { root: project.root, path: 'a.tape.json', revision: 'HEAD' };
      await project.write('a.tape.json', NEW);
      const compared = await comparisonsApi.comparison({ before, after: { root: project.root, path: 'a.tape.json' } });
      assert.deepEqual([compared.changes.length, compared.hidden.length > 0], [0, true]);
    }));

  it('hold for a tape of several cases where all of them have them', () =>
    inRepository({ 'a.toml': caseOf('a.tape.json', RULES), 'a.tape.json': OLD }, async (project) => {
      await project.write('a.tape.json', NEW);
      assert.deepEqual(await pending(project), []);
      await project.write('b.toml', caseOf('a.tape.json'));
      assert.deepEqual(await pending(project), ['a.tape.json'], 'the other case sees its change');
      await project.write('b.toml', caseOf('a.tape.json', SOME_RULES));
      assert.deepEqual(await pending(project), []);
      await project.write('b.toml', '[normalise\n');
      assert.deepEqual(await pending(project), [], 'a case that cannot be read uses no tape');
      await project.write(
        'b.toml',
        caseOf('a.tape.json', '[normalise]\nignore = ["response.*"]\nusage_tolerance = "x"\n'),
      );
      assert.deepEqual(await pending(project), []);
      await project.write('scenarios/s.yaml', 'agent_id: p\ntape: ../a.tape.json\nturns:\n  - user: hi\n');
      assert.ok((await pending(project)).includes('a.tape.json'), 'a scenario has no rules');
    }));

  it('hide nothing of the commits that bring them', () =>
    inRepository(
      {
        'a.toml': caseOf('a.tape.json'),
        'b.toml': caseOf('b.tape.json', RULES),
        'a.tape.json': OLD,
        'b.tape.json': OLD,
      },
      async (project) => {
        const commit = async (files: Readonly<Record<string, string | undefined>>): Promise<readonly string[]> => {
          for (const [path, text] of Object.entries(files))
            if (text === undefined) await rm(project.path(path));
            else await project.write(path, text);
          git(project, 'add', '-A');
          git(project, 'commit', '-qm', 'change');
          const found = await pending(project, '--since', 'HEAD~1');
          git(project, 'reset', '-q', '--hard', 'HEAD~1');
          return found;
        };
        const changed = { 'a.tape.json': NEW };
        assert.deepEqual(await commit({ 'b.tape.json': NEW }), [], 'the rules were there');
        assert.deepEqual(await commit({ 'b.tape.json': NEW, 'b.toml': caseOf('b.tape.json') }), []);
        assert.deepEqual(await commit(changed), ['a.tape.json']);
        assert.deepEqual(await commit({ ...changed, 'a.toml': caseOf('a.tape.json', RULES) }), ['a.tape.json']);
        assert.deepEqual(await commit({ ...changed, 'c.toml': caseOf('a.tape.json', RULES) }), ['a.tape.json']);
        assert.deepEqual(
          await commit({ ...changed, 'a.toml': undefined, 'b.toml': caseOf('a.tape.json', RULES) }),
          ['a.tape.json'],
          'nor by the lax case that takes the place of the strict one',
        );
        assert.deepEqual(
          await commit({ ...changed, 'a.toml': undefined, 'moved.toml': caseOf('a.tape.json', RULES) }),
          ['a.tape.json'],
        );
      },
    ));
});
