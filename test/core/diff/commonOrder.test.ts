import assert from 'node:assert/strict';
import fc from 'fast-check';
import { commonEnds, commonSubsequence, gapsBetween } from '../../../src/core/diff/commonOrder';
import { KeyedQueues } from '../../../src/core/diff/keyedQueues';
import { bestOrderedPairs, pairSimilar } from '../../../src/core/diff/orderedPairs';

const items = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 });

describe('two sequences', () => {
  it('have ends in common that do not overlap', () => {
    const ends = (before: string, after: string) =>
      commonEnds(before.length, after.length, (from, to) => before[from] === after[to]);
    assert.deepEqual(ends('abcd', 'abxd'), { start: 2, end: 1 });
    assert.deepEqual(ends('aa', 'aaa'), { start: 2, end: 0 });
    assert.deepEqual(ends('', 'a'), { start: 0, end: 0 });
  });

  it('are made of common items and the gaps between them', () => {
    fc.assert(
      fc.property(items, items, (before, after) => {
        const pairs = commonSubsequence(before, after, { timeout: 1000 });
        for (const [from, to] of pairs) assert.equal(before[from], after[to]);
        const gaps = gapsBetween(pairs, before.length, after.length);
        assert.equal(gaps.length, pairs.length + 1);
        const places = gaps.flatMap((gap, index) => [...gap.before, ...(pairs[index] ? [pairs[index][0]] : [])]);
        assert.deepEqual(places, [...before.keys()]);
      }),
    );
  });

  it('have nothing in common beyond the limit', () =>
    assert.deepEqual(commonSubsequence(['a', 'b'], ['c', 'd'], { maxEditLength: 1 }), []));
});

describe('pairs in order', () => {
  it('have the highest total score, without those below the least', () => {
    const scores = [
      [0.4, 0.9],
      [0.9, 0.4],
    ];
    const score = (row: number, column: number) => scores[row]?.[column] ?? 0;
    assert.deepEqual(bestOrderedPairs(2, 2, score, 0.5), [[1, 0]], 'of equals, the left item is left out');
    assert.deepEqual(
      bestOrderedPairs(2, 2, (row, column) => (row === column ? 0.8 : 0.9)),
      [
        [0, 0],
        [1, 1],
      ],
    );
    assert.deepEqual(
      bestOrderedPairs(2, 2, () => 0.1, 0.5),
      [],
    );
  });

  it('leave out items that are too far from each other', () => {
    const distance = (left: number, right: number) => (left === right ? 0 : Number.POSITIVE_INFINITY);
    assert.deepEqual(pairSimilar([1, 2, 3], [2, 3, 4], distance), [
      [2, 2],
      [3, 3],
    ]);
  });
});

describe('items by key', () => {
  it('are taken in order, each once', () => {
    const queues = new KeyedQueues<string, number>([
      ['a', 1],
      ['b', 2],
      ['a', 3],
    ]);
    assert.deepEqual([queues.take('a'), queues.take('c'), queues.rest()], [1, undefined, [3, 2]]);
  });
});
