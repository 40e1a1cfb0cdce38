import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parse, stringify } from 'yaml';
import type { RecordedInteraction } from '../../../../src/core/model/interaction';
import { reviewBytes } from '../../../soak/edits/reviewBytes';
import { type Reviewed, recorded, review, say, turn } from '../recordings';

const ask = (question: string, answer: string, more = {}): RecordedInteraction =>
  turn([say('user', question)], answer, more);

const FIRST = [
  ask('Name a river of France', 'The Loire is one'),
  ask('Name a city of Spain', 'Sevilla is one of them'),
  ask('Name a mountain of Italy', 'Monte Rosa comes to mind'),
];
const LATER = [
  ask('Name a river of France', 'The Rhone is one', { model: 'gpt-5' }),
  ask('Which lakes freeze every winter', 'Saimaa and Ladoga do'),
  ask('Name a mountain of Italy', 'Monte Rosa comes to mind'),
];

function idsOf({ comparison }: Reviewed, ...subjects: readonly string[]): ReadonlySet<string> {
  return new Set(
    comparison.changes
      .filter(({ subject, kind }) => subjects.includes(subject) || subjects.includes(kind))
      .map(({ id }) => id),
  );
}

function textOf(merged: ReturnType<Reviewed['merge']['take']>): string {
  assert.ok('bytes' in merged, 'torn' in merged ? merged.torn.join() : '');
  return new TextDecoder().decode(merged.bytes);
}

describe('mergeTapes', () => {
  const both = review(FIRST, LATER);

  it('gives the later file for all and the earlier one for none', () => {
    assert.equal(textOf(both.merge.take(new Set(both.comparison.changes.map(({ id }) => id)))), both.after.file.text);
    assert.equal(textOf(both.merge.take(new Set())), both.before.file.text);
  });

  it('takes one change of an interaction without the other', () => {
    const expected = recorded([ask('Name a river of France', 'The Rhone is one'), ...FIRST.slice(1)]);
    assert.equal(textOf(both.merge.take(idsOf(both, 'text'))), expected.file.text);
    const model = recorded([ask('Name a river of France', 'The Loire is one', { model: 'gpt-5' }), ...FIRST.slice(1)]);
    assert.equal(textOf(both.merge.take(idsOf(both, 'model'))), model.file.text);
  });

  it('takes what is new without losing what is gone, and the other way round', () => {
    const [river, city, mountain] = FIRST;
    const lake = LATER[1];
    assert.ok(river && city && mountain && lake);
    assert.equal(textOf(both.merge.take(idsOf(both, 'removed'))), recorded([river, mountain]).file.text);
    const withLake = textOf(both.merge.take(idsOf(both, 'added')));
    assert.ok(
      [recorded([river, lake, city, mountain]), recorded([river, city, lake, mountain])].some(
        ({ file }) => file.text === withLake,
      ),
    );
  });

  it('moves an interaction alone', () => {
    const [river, city, mountain] = FIRST;
    assert.ok(river && city && mountain);
    const moved = review(FIRST, [city, mountain, ask('Name a river of France', 'The Rhone is one')]);
    const expected = recorded([city, mountain, river]);
    assert.equal(textOf(moved.merge.take(idsOf(moved, 'moved'))), expected.file.text);
  });

  it('never leaves a tape empty that is not to be', () => {
    const { merge, comparison } = review(
      [
        ask('Name a river of France', 'The Loire is one'),
        ask('Which lakes freeze every winter', 'Saimaa and Ladoga do'),
      ],
      [ask('Count the parcels of today', 'Seven of them'), ask('Why is the sky blue', 'Because of Rayleigh')],
    );
    const [removed, added] = [idsOf({ comparison } as Reviewed, 'removed'), idsOf({ comparison } as Reviewed, 'added')];
    assert.deepEqual([removed.size, added.size], [2, 2]);
    assert.ok('torn' in merge.take(removed));
  });

  it('decides each part of a short interaction in which nearly everything was edited', () => {
    const edited = review(
      [ask('What is 2+2?', '4', { tokens: 9 })],
      [ask('What is 2+3?', '5', { tokens: 11, model: 'gpt-5' })],
    );
    assert.deepEqual(
      edited.comparison.changes.map(({ title }) => title),
      ['Model', 'Text of message 1', 'Response'],
    );
    assert.deepEqual(edited.comparison.changes[2]?.usage?.after?.promptTokens, 11);
    const taken = textOf(edited.merge.take(idsOf(edited, 'model')));
    assert.equal(taken, recorded([ask('What is 2+2?', '4', { tokens: 9, model: 'gpt-5' })]).file.text);
    const said = edited.comparison.changes.filter(({ title }) => title === 'Response').map(({ id }) => id);
    const answered = textOf(edited.merge.take(new Set(said)));
    assert.equal(answered, recorded([ask('What is 2+2?', '5', { tokens: 11 })]).file.text);
  });

  it('changes a response and the request that repeats it together, where all requests stand before the responses', () => {
    const written = (answer: string, temperature: number): string => {
      const history = [say('user', 'Name a river'), say('assistant', answer), say('user', 'And another?')];
      const asked = (messages: readonly object[]) => ({
        method: 'POST',
        uri: 'https://api.openai.com/v1/chat/completions',
        headers: {},
        body: JSON.stringify({ model: 'gpt-4o', messages, temperature }),
      });
      const answered = (content: string) => ({
        status: { code: 200, message: 'OK' },
        headers: { 'content-type': ['application/json'] },
        body: { string: JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content } }] }) },
      });
      return stringify({
        requests: [asked(history.slice(0, 1)), asked(history)],
        responses: [answered(answer), answered('The Seine')],
      });
    };
    const [loire, rhone] = ['The Loire is one: April 4', 'The Loire is one: April 7'];
    const bytes = (text: string) => new TextEncoder().encode(text);
    const reviewed = reviewBytes('a.yaml', bytes(written(loire, 0.5)), bytes(written(rhone, 0.9)));
    assert.deepEqual(reviewed.shown, ['Temperature', 'Response']);
    for (const group of reviewed.groups) {
      const result = reviewed.take(group);
      const wanted = written(group.includes('Response') ? rhone : loire, group.includes('Temperature') ? 0.9 : 0.5);
      assert.deepEqual(parse(textOf(result)), parse(wanted), group.join());
    }
  });

  it('holds for any two tapes and any part of their changes', () => {
    const words = fc.constantFrom('alpha', 'beta', 'gamma', 'delta', 'epsilon');
    const interaction = fc
      .tuple(words, fc.array(words, { minLength: 1, maxLength: 4 }), fc.nat(3))
      .map(([question, answer, tokens]) => ask(`Tell me about ${question}`, answer.join(' '), { tokens: 10 + tokens }));
    const tape = fc.array(interaction, { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(tape, tape, fc.infiniteStream(fc.boolean()), (old, now, picks) => {
        const reviewed = review(old, now);
        const groups = reviewed.merge.groups.filter(() => picks.next().value);
        const merged = reviewed.merge.take(new Set(groups.flat()));
        assert.ok('bytes' in merged, 'a part of the changes was refused');
        const tapeOf = reviewed.before.format.read({ ...reviewed.before.file, text: textOf(merged) });
        assert.deepEqual(
          tapeOf.problems.filter(({ severity }) => severity === 'error'),
          [],
        );
      }),
      {
        numRuns: 150,
        examples: [
          [
            [ask('Tell me about alpha', 'alpha', { tokens: 10 })],
            [ask('Tell me about epsilon', 'epsilon', { tokens: 11 })],
            fc.stream([false, true][Symbol.iterator]()),
          ],
        ],
      },
    );
  });
});
