import assert from 'node:assert/strict';
import { inProject, scripted } from '../../harness/builtEngine';
import { tapedeck } from '../../harness/inProcess';

const turn = (question: string, answer: string) => ({
  request: { messages: [{ role: 'user', content: question }] },
  response: answer,
});
const file = (...interactions: unknown[]): string => JSON.stringify({ version: 1, case_name: 'n', interactions });

describe('diff', function () {
  this.timeout(30_000);

  it('shows what changed between two tapes, and ends with 1', async () => {
    const files = {
      'old.json': file(turn('a', 'one'), turn('How many are there', 'two of them')),
      'new.json': file(
        turn('a', 'one'),
        turn('Which way is north', 'Behind you'),
        turn('How many are there', 'TWO of them'),
      ),
    };
    await inProject(files, async (project) => {
      const { code, stdout } = await tapedeck(project, 'diff', 'old.json', 'new.json');
      assert.equal(code, 1);
      assert.equal(
        stdout,
        `+ Interaction added · interaction 2
  + {
  +   "kind": "llm",
  +   "asked": [
  +     {
  +       "role": "user",
  +       "text": "Which way is north",
  +       "parts": [],
  +       "calls": []
  +     }
  +   ],
  +   "answered": {
  +     "text": "Behind you",
  +     "parts": [],
  +     "calls": []
  +   }
  + }
~ Response · interaction 3 (was 2)
  - two of them
  + TWO of them
2 differences
`,
      );
      const json = JSON.parse((await tapedeck(project, 'diff', 'old.json', 'new.json', '--json')).stdout);
      assert.deepEqual([json.kind, json.matches, json.hidden, json.notices], ['tapes', false, [], []]);
      const shapes = json.changes.map((change: Record<string, unknown>) => [change.kind, change.subject, change.place]);
      assert.deepEqual(shapes, [
        ['added', 'interaction', { after: 1, path: '' }],
        ['edited', 'text', { before: 1, after: 2, path: 'response.content' }],
      ]);
    });
  });

  it('clips long lines, and has all of them as JSON', async () => {
    const answer = (last: string) => file(turn('a', `${'words '.repeat(5000)}${last}`));
    await inProject({ 'old.json': answer('one'), 'new.json': answer('two') }, async (project) => {
      const { stdout } = await tapedeck(project, 'diff', 'old.json', 'new.json');
      assert.match(stdout, /… and 10,003 more characters\n/);
      const [change] = JSON.parse((await tapedeck(project, 'diff', 'old.json', 'new.json', '--json')).stdout).changes;
      assert.equal(change.after.length, 30_003);
    });
  });

  it('tells in text and JSON that tapes are too large to compare in detail', async () => {
    const answers = (word: string) => file(...Array.from({ length: 5001 }, (_, index) => turn(`a ${index}`, word)));
    await inProject({ 'old.json': answers('yes'), 'new.json': answers('no') }, async (project) => {
      const text = await tapedeck(project, 'diff', 'old.json', 'new.json');
      assert.equal(text.code, 1);
      assert.match(text.stdout, /~ 4,001 more interactions differ; too many to compare in detail · interaction 1001\n/);
      assert.match(text.stdout, /\nThese tapes are too large to compare in detail: .*\n1,001 differences\n$/);
      const { ok, notices } = JSON.parse((await tapedeck(project, 'diff', 'old.json', 'new.json', '--json')).stdout);
      assert.deepEqual([ok, notices.length], [false, 1]);
    });
  });

  it('ends with 0 where there is no difference', async () => {
    await inProject({ 'a.json': file(turn('a', 'one')), 'b.json': file(turn('a', 'one')) }, async (project) => {
      const { code, stdout } = await tapedeck(project, 'diff', 'a.json', 'b.json');
      assert.deepEqual([code, stdout], [0, 'no differences\n']);
      const json = JSON.parse((await tapedeck(project, 'diff', 'a.json', 'b.json', '--json')).stdout);
      assert.deepEqual(json, { ok: true, kind: 'tapes', matches: true, changes: [], hidden: [], notices: [] });
    });
  });

  it('reads equal files once, and refuses them like others where they cannot be read as a whole', async () => {
    const tape = file(turn('a', 'é one'));
    const broken = '{"version": 1, "case_name": "n", "interactions": [{"request": 5}]}';
    const files = {
      'a.json': tape,
      'b.json': tape,
      'c.json': broken,
      'd.json': broken,
      'e.md': 'no tape',
      'f.md': 'no tape',
    };
    await inProject(files, async (project) => {
      const same = await tapedeck(project, 'diff', 'a.json', 'b.json', '--json');
      assert.deepEqual([same.code, JSON.parse(same.stdout).changes], [0, []]);
      const itself = await tapedeck(project, 'diff', 'a.json', 'a.json');
      assert.deepEqual([itself.code, itself.stdout], [0, 'no differences\n']);
      for (const [left, right] of [
        ['c.json', 'd.json'],
        ['e.md', 'f.md'],
        ['none.json', 'none.json'],
      ] as const) {
        const { code, stderr } = await tapedeck(project, 'diff', left, right);
        assert.equal(code, 2);
        assert.ok(stderr.includes(left) && !stderr.includes('d.json'), stderr);
      }
    });
  });

  it('compares two artifacts field by field', async () => {
    await inProject({ 'a.toml': scripted('a', ['one']) }, async (project) => {
      await tapedeck(project, 'run', '--update-baselines');
      const artifact = '.tapedeck/runs/a.artifact.json';
      const same = await tapedeck(project, 'diff', 'a.baseline.json', artifact);
      assert.equal(same.code, 0);
      assert.equal(same.stdout, 'no differences; 1 ignored by rules (run): --all shows them\n');
      await project.write('a.toml', scripted('a', ['two']));
      await tapedeck(project, 'run');
      const { code, stdout } = await tapedeck(project, 'diff', 'a.baseline.json', artifact);
      assert.equal(code, 1);
      assert.match(
        stdout,
        /^~ Output, and in 2 places that repeat it\n {2}- one\n {2}\+ two\n1 difference; \d+ ignored/,
      );
      const json = JSON.parse((await tapedeck(project, 'diff', 'a.baseline.json', artifact, '--json')).stdout);
      assert.deepEqual([json.kind, json.matches, json.changes.length], ['artifacts', false, 1]);
      const [{ title, before, after }] = json.changes;
      assert.deepEqual([title, before, after], ['Output', 'one', 'two']);
    });
  });

  it('ends with 2 for what cannot be compared', async () => {
    const files = {
      'a.toml': scripted('a', ['x']),
      't.json': file(turn('a', 'b')),
      'broken.json': file({ response: 3 }),
    };
    await inProject(files, async (project) => {
      await tapedeck(project, 'run', '--update-baselines', 'a.toml');
      const mixed = await tapedeck(project, 'diff', 't.json', 'a.baseline.json');
      assert.equal(mixed.code, 2);
      assert.match(
        mixed.stderr,
        /t\.json is a tape and a\.baseline\.json an artifact\n {2}Compare two tapes, or two artifacts/,
      );
      const broken = await tapedeck(project, 'diff', 't.json', 'broken.json');
      assert.equal(broken.code, 2);
      assert.match(
        broken.stderr,
        /broken\.json: .response. must be a string\n {2}For details: tapedeck inspect broken\.json/,
      );
    });
  });
});
