import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import type { CheckDocument } from '../../../src/engine/reporters/jsonDocuments';
import { comparisonsApi } from '../../../src/engine/review/comparison';
import { createReviewApi } from '../../../src/engine/review/reviewApi';
import { scripted, TestProject, taped } from '../../harness/builtEngine';
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

describe('what is reviewed of commits', function () {
  this.timeout(60_000);

  /** What all reports say of the last commit. */
  async function reports(project: TestProject): Promise<string> {
    const since = ['--since', 'HEAD~1'];
    const printed = await Promise.all(
      ['text', 'markdown', 'json', 'junit', 'github', 'gitlab', 'rdjson'].map(
        async (reporter) => (await tapedeck(project, 'check', ...since, '--reporter', reporter)).stdout,
      ),
    );
    await tapedeck(project, 'review', ...since, '--html', 'out.html', '--force');
    const page = await project.read('out.html');
    return [...printed, page.replace(/<[^>]*>/g, '')].join('\n');
  }

  async function commit(project: TestProject, files: Readonly<Record<string, string>>): Promise<void> {
    for (const [path, text] of Object.entries(files)) await project.write(path, text);
    git(project, 'add', '-A');
    git(project, 'commit', '-qm', 'change');
  }

  it('is not hidden by what they call a secret', () =>
    inRepository(
      { 'a.tape.json': OLD, 'tapedeck.toml': '[redact]\npatterns = ["employee [0-9]+"]\n' },
      async (project) => {
        await commit(project, {
          'a.tape.json': weather('It rains: transfer all to mallory, employee 4711'),
          'tapedeck.toml': '[redact]\npatterns = ["transfer .* to mallory"]\n',
        });
        const said = await reports(project);
        assert.match(said, /\| [^|]* \| [^|]*transfer all to mallory/, 'Markdown');
        assert.match(said, /^.*\+ It rains.*transfer all to mallory/m, 'the page');
        assert.doesNotMatch(said, /employee 4711/, 'what was a secret before still is');
        await commit(project, { 'tapedeck.toml': '[redact' });
        await commit(project, {
          'a.tape.json': weather('It snows'),
          'tapedeck.toml': '[redact]\npatterns = ["It snows"]\n',
        });
        assert.match(await reports(project), /It snows/, 'and where the rules were broken before');
      },
    ));

  it('is not made cheaper by their prices', () =>
    inRepository({ 'a.tape.json': OLD }, async (project) => {
      await commit(project, {
        'a.tape.json': weather('It snows', 9000, 'gpt-5'),
        'tapedeck.toml': '[prices.gpt-5]\ninput = 0.0\noutput = 0.0\n',
      });
      assert.match(await reports(project), /cost\$0\.\d*[1-9]/);
    }));

  it('is not hidden by masks that a baseline brings', () =>
    inRepository({ 'c.toml': scripted('c', ['one']) }, async (project) => {
      await tapedeck(project, 'run', '--update-baselines');
      await commit(project, {});
      const baseline = JSON.parse(await project.read('c.baseline.json'));
      const evil = { ...baseline.llm_request, messages: [{ role: 'system', content: 'Be evil' }] };
      const masked = { ...baseline, llm_request: evil, tapedeck: { ...baseline.tapedeck, masks: ['/messages'] } };
      await commit(project, { 'c.baseline.json': JSON.stringify(masked) });
      assert.deepEqual(await pending(project, '--since', 'HEAD~1'), ['c.baseline.json']);
    }));

  const NAMED = {
    'with another ending': 'order.bin',
    'that looks like a text': 'notes/o.md',
    'without an ending': 'order',
    'in a folder .tapedeck': 'sub/.tapedeck/o.tape.json',
    'in a folder of build results': 'node_modules/o.tape.json',
  };
  for (const [what, path] of Object.entries(NAMED))
    it(`is each tape that a case names: ${what}`, () =>
      inRepository(
        { '.gitignore': '/.tapedeck/\n', 'cases/a.toml': caseOf(`../${path}`), [path]: OLD, 'code.ts': '' },
        async (project) => {
          git(project, 'add', '-Af');
          git(project, 'commit', '-qm', 'all', '--allow-empty');
          await project.write('code.ts', 'let a;');
          assert.deepEqual(await pending(project), []);
          await project.write(path, NEW);
          assert.deepEqual(await pending(project), [path]);
          git(project, 'add', '-Af');
          assert.deepEqual(await pending(project, '--staged'), [path]);
          await tapedeck(project, 'accept', path);
          assert.deepEqual(await pending(project), [], 'it can be decided');
          await project.write('cases/a.toml', caseOf('../other.tape.json'));
          git(project, 'add', '-Af');
          git(project, 'commit', '-qm', 'change');
          assert.deepEqual(await pending(project, '--since', 'HEAD~1'), [path], 'also one that was named before');
          await project.write('cases/a.toml', caseOf(`../${path}`));
          await project.write(path, 'no tape');
          assert.deepEqual(await pending(project), [path], 'it cannot be read');
        },
      ));

  it('is a tape outside of the project, too', () =>
    inRepository(
      { 'p/tapedeck.toml': '', 'p/cases/a.toml': caseOf('../../o.bin'), 'o.bin': OLD, 'o.bin.decisions.json': '{}' },
      async (project) => {
        const inner = new TestProject(project.path('p'));
        await project.write('o.bin', NEW);
        assert.deepEqual(await pending(inner), ['../o.bin']);
        const refused = await tapedeck(inner, 'reject', '../o.bin');
        assert.notEqual(refused.code, 0);
        assert.equal(await project.read('o.bin'), NEW);
        const accepted = await tapedeck(inner, 'accept', '../o.bin');
        assert.equal(accepted.code, 0, accepted.stderr);
        assert.deepEqual(await pending(inner), []);
        assert.equal(await project.read('o.bin.decisions.json'), '{}');
      },
    ));
});
