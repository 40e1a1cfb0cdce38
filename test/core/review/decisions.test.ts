import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Decisions, readDecisions, writeDecisions } from '../../../src/core/review/decisions';

const anyDecisions: fc.Arbitrary<Decisions> = fc.dictionary(
  fc.string(),
  fc.record(
    { verdict: fc.constantFrom('accepted' as const, 'rejected' as const), reason: fc.string() },
    { requiredKeys: ['verdict'], noNullPrototype: true },
  ),
  { noNullPrototype: true },
);

describe('a file of decisions', () => {
  it('reads as it was written', () => {
    fc.assert(
      fc.property(anyDecisions, (decisions) => assert.deepEqual(readDecisions(writeDecisions(decisions)), decisions)),
    );
  });

  it('decides nothing by what is damaged', () => {
    const accepted = { verdict: 'accepted', reason: 'right' };
    const damaged = { a: { verdict: 'Accepted' }, b: 'accepted', c: { reason: 'right' }, d: null, e: ['accepted'] };
    const unclear = { f: { ...accepted, reason: 3 } };
    const source = JSON.stringify({ version: 1, decisions: { ...damaged, ...unclear, whole: accepted } });
    assert.deepEqual(readDecisions(source), { whole: accepted });
    for (const text of ['', 'null', '[]', '{}', '{"decisions":["accepted"]}', source.slice(0, -1)])
      assert.deepEqual(readDecisions(text), {}, text);
  });
});
