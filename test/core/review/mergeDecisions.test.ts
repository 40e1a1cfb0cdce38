import assert from 'node:assert/strict';
import type { Decision, Decisions } from '../../../src/core/review/decisions';
import { mergeDecisions } from '../../../src/core/review/mergeDecisions';

const decided = (verdicts: Readonly<Record<string, Decision>>): Decisions =>
  Object.fromEntries(Object.entries(verdicts).map(([id, verdict]) => [id, { verdict }]));

describe('the decisions on what a decision leaves', () => {
  it('are those that there were', () => {
    const before = decided({ 'a-1': 'accepted' });
    const after = decided({ 'a-1': 'accepted', 'b-1': 'rejected' });
    const remainder = { shown: ['a-1', 'b-1', 'c-1'], decided: ['b-1'], left: ['a-1', 'c-1'] };
    assert.deepEqual(mergeDecisions(before, after, remainder), after);
  });

  it('go with a change that has the id of an equal one now, which takes the one that is free', () => {
    const before = decided({ 'a-2': 'accepted' });
    const after = decided({ 'a-1': 'rejected', 'a-2': 'accepted' });
    const remainder = { shown: ['a-1', 'a-2'], decided: ['a-1'], left: ['a-1'] };
    assert.deepEqual(mergeDecisions(before, after, remainder), decided({ 'a-1': 'accepted', 'a-2': 'rejected' }));
  });

  it('never leave a rejection on what was not rejected', () => {
    const after = decided({ 'a-1': 'rejected' });
    const remainder = { shown: ['a-1', 'a-2'], decided: ['a-1'], left: ['a-1'] };
    assert.deepEqual(mergeDecisions({}, after, remainder), decided({ 'a-2': 'rejected' }));
  });

  it('are that on all the others where changes are told otherwise, and none where these differ', () => {
    const remainder = { shown: ['a-1', 'b-1', 'c-1'], decided: ['c-1'], left: ['d-1'] };
    const rejected = decided({ 'c-1': 'rejected' });
    const all = decided({ 'a-1': 'accepted', 'b-1': 'accepted' });
    assert.deepEqual(mergeDecisions(all, { ...all, ...rejected }, remainder)['d-1'], { verdict: 'accepted' });
    const one = decided({ 'a-1': 'accepted' });
    assert.equal(mergeDecisions(one, { ...one, ...rejected }, remainder)['d-1'], undefined);
  });
});
