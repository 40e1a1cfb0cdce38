import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { RecordedInteraction } from '../../../../src/core/model/interaction';
import { fewestTold } from '../../diff/shortestAlignment';
import { lines, review, say, turn } from '../recordings';

/** What an agent asks, and how often the answer was edited: `a0` and `a1` are two versions of one interaction. */
type Asked = string;

const QUESTIONS: Readonly<Record<string, string>> = {
  a: 'Which parcels have arrived at the harbour since Monday',
  b: 'Translate the greeting of our newsletter into Finnish',
  c: 'Who repaired the second printer on the upper floor',
  z: 'Describe how yeast makes bread dough rise overnight',
};

function interactionOf([question = '', edit]: Asked): RecordedInteraction {
  const text = QUESTIONS[question] ?? '';
  const edited = edit === '0' ? 'as ever' : `as edited ${['', 'once', 'twice', 'thrice'][Number(edit)]}`;
  return turn([say('user', text)], `An answer to the question: ${text}, ${edited}`);
}

const editsOf = (before: Asked, after: Asked): number =>
  before === after ? 0 : before[0] === after[0] ? 1 : Number.POSITIVE_INFINITY;

function told(before: readonly Asked[], after: readonly Asked[]): string[] {
  return lines(review(before.map(interactionOf), after.map(interactionOf)).comparison);
}

describe('equal interactions', () => {
  it('keep their places where others of them were edited, added or removed', () => {
    assert.deepEqual(told(['c0', 'a0', 'a0', 'a0', 'a0', 'a0'], ['c0', 'a1', 'a0', 'a0', 'a2', 'a0']), [
      'edited text 1>1 response.content',
      'edited text 4>4 response.content',
    ]);
    assert.deepEqual(told(['a0', 'a0', 'b0', 'a0', 'c0'], ['a0', 'a1', 'b0', 'z0', 'a0']), [
      'edited text 1>1 response.content',
      'added interaction >3',
      'removed interaction 4>',
    ]);
  });

  it('are told with no more changes than any other pairing would', () => {
    const asked = fc.array(fc.constantFrom('a0', 'a0', 'b0', 'c0'), { minLength: 1, maxLength: 5 });
    const now = fc.array(fc.constantFrom('a0', 'a0', 'a1', 'b0', 'b2', 'c0', 'z0'), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(asked, now, (before, after) =>
        assert.ok(told(before, after).length <= fewestTold(before, after, editsOf), `${before} → ${after}`),
      ),
      { numRuns: 200 },
    );
  });
});
