import assert from 'node:assert/strict';
import fc from 'fast-check';
import { alignTapes } from '../../src/core/review/alignTapes';
import type { Interaction } from '../../src/core/tapes/tape';
import { buildEngine, inProject, scripted } from './builtEngine';

function interactionOf(index: number, question: string, answer: string): Interaction {
  return {
    index,
    kind: 'llm',
    request: { messages: [{ role: 'user', content: question, toolCalls: [] }], tools: [], params: {} },
    response: { content: answer, toolCalls: [] },
    source: { start: 0, end: 0 },
  };
}

/** A tape of `question:answer` pairs. */
const tape = (...turns: string[]): Interaction[] =>
  turns.map((turn, index) => interactionOf(index, ...(turn.split(':') as [string, string])));

const summary = (before: string[], after: string[]): string[] =>
  alignTapes(tape(...before), tape(...after)).map(
    ({ type, before: left, after: right }) => `${type} ${left?.index ?? '-'} ${right?.index ?? '-'}`,
  );

describe('two aligned tapes', function () {
  this.timeout(30_000);

  it('keep their pairs when an interaction comes in between', () => {
    assert.deepEqual(summary(['a:1', 'b:2', 'c:3'], ['a:1', 'x:9', 'b:2', 'c:3']), [
      'same 0 0',
      'added - 1',
      'same 1 2',
      'same 2 3',
    ]);
  });

  it('pair what asks the same, also where something came in between', () => {
    assert.deepEqual(summary(['a:1', 'b:2'], ['x:9', 'a:one', 'b:two']), ['added - 0', 'changed 0 1', 'changed 1 2']);
  });

  it('pair what is left by position', () => {
    assert.deepEqual(summary(['a:1', 'b:2', 'c:3'], ['x:1', 'y:2']), ['changed 0 0', 'changed 1 1', 'removed 2 -']);
    assert.deepEqual(summary([], ['a:1']), ['added - 0']);
    assert.deepEqual(summary([], []), []);
  });

  it('say what changed', () => {
    const [pair] = alignTapes(tape('a:1'), tape('a:2'));
    assert.deepEqual(pair?.differences, [{ field: 'response.content', before: '1', after: '2' }]);
  });

  it('hold every interaction of both, once and in order', () => {
    const turns = fc.array(fc.stringMatching(/^[ab]:[12]$/), { maxLength: 12 });
    fc.assert(
      fc.property(turns, turns, (left, right) => {
        const [before, after] = [tape(...left), tape(...right)];
        const pairs = alignTapes(before, after);
        assert.deepEqual(
          pairs.flatMap((pair) => pair.before ?? []),
          before,
        );
        assert.deepEqual(
          pairs.flatMap((pair) => pair.after ?? []),
          after,
        );
        for (const { type, differences, before: one, after: other } of pairs) {
          assert.equal(type === 'same' || type === 'changed', one !== undefined && other !== undefined);
          assert.equal(type === 'changed', differences.length > 0);
        }
        assert.equal(
          alignTapes(before, before).every(({ type }) => type === 'same'),
          true,
        );
      }),
    );
  });
});

const turn = (question: string, answer: string) => ({
  request: { messages: [{ role: 'user', content: question }] },
  response: answer,
});
const file = (...interactions: unknown[]): string => JSON.stringify({ version: 1, case_name: 'n', interactions });

describe('diff', function () {
  this.timeout(30_000);
  before(buildEngine);

  it('shows what changed between two tapes, and ends with 1', async () => {
    const files = {
      'old.json': file(turn('a', 'one'), turn('b', 'two')),
      'new.json': file(turn('a', 'one'), turn('x', 'new'), turn('b', 'TWO')),
    };
    await inProject(files, async (project) => {
      const { code, stdout } = await project.engine(['diff', 'old.json', 'new.json']);
      assert.equal(code, 1);
      assert.equal(
        stdout,
        `+ interaction 2 added
  x
  new
~ interaction 3 changed (was 2)
  response.content
    - two
    + TWO
2 differences; 1 interaction the same
`,
      );
      const json = JSON.parse((await project.engine(['diff', 'old.json', 'new.json', '--json'])).stdout);
      assert.deepEqual(json, {
        kind: 'tapes',
        matches: false,
        changes: [
          { type: 'added', before: null, after: 1, differences: [] },
          {
            type: 'changed',
            before: 1,
            after: 2,
            differences: [{ field: 'response.content', before: 'two', after: 'TWO' }],
          },
        ],
      });
    });
  });

  it('ends with 0 where there is no difference', async () => {
    await inProject({ 'a.json': file(turn('a', 'one')), 'b.json': file(turn('a', 'one')) }, async (project) => {
      const { code, stdout } = await project.engine(['diff', 'a.json', 'b.json']);
      assert.deepEqual([code, stdout], [0, 'no differences; 1 interaction the same\n']);
      const json = JSON.parse((await project.engine(['diff', 'a.json', 'b.json', '--json'])).stdout);
      assert.deepEqual(json, { kind: 'tapes', matches: true, changes: [] });
    });
  });

  it('compares two artifacts field by field', async () => {
    await inProject({ 'a.toml': scripted('a', ['one']) }, async (project) => {
      await project.engine(['run', '--update-baselines']);
      const artifact = '.tapedeck/runs/a.artifact.json';
      const same = await project.engine(['diff', 'a.baseline.json', artifact]);
      assert.deepEqual(
        [same.code, same.stdout],
        [0, 'no differences in status, output_text, runner_error, assertions, tool_calls\n'],
      );
      await project.write('a.toml', scripted('a', ['two']));
      await project.engine(['run']);
      const { code, stdout } = await project.engine(['diff', 'a.baseline.json', artifact]);
      assert.deepEqual([code, stdout], [1, 'output_text\n  - one\n  + two\n']);
      const json = JSON.parse((await project.engine(['diff', 'a.baseline.json', artifact, '--json'])).stdout);
      assert.deepEqual(json, {
        kind: 'artifacts',
        matches: false,
        differences: [{ field: 'output_text', expected: 'one', actual: 'two' }],
      });
    });
  });

  it('ends with 2 for what cannot be compared', async () => {
    const files = {
      'a.toml': scripted('a', ['x']),
      't.json': file(turn('a', 'b')),
      'broken.json': file({ response: 3 }),
    };
    await inProject(files, async (project) => {
      await project.engine(['run', '--update-baselines', 'a.toml']);
      const mixed = await project.engine(['diff', 't.json', 'a.baseline.json']);
      assert.equal(mixed.code, 2);
      assert.match(mixed.stderr, /t\.json is a tape and a\.baseline\.json an artifact\n {2}Compare two of a kind/);
      const broken = await project.engine(['diff', 't.json', 'broken.json']);
      assert.equal(broken.code, 2);
      assert.match(
        broken.stderr,
        /broken\.json: .response. must be a string\n {2}See .* tapedeck inspect broken\.json/,
      );
    });
  });
});
