import assert from 'node:assert/strict';
import { ExactPlaces } from '../../../../src/engine/proxy/tape/exactPlaces';

describe('The places of recordings by the bytes of their requests', () => {
  /** Each request: its key, its likeness, and its meaning. */
  const placesOf = (requests: readonly (readonly [key: string, likeness: string, meaning: string])[]) => {
    const read: number[] = [];
    const places = new ExactPlaces((index) => {
      read.push(index);
      return requests[index]?.[2] ?? '';
    });
    for (const [index, [key, likeness]] of requests.entries()) places.add(index, key, likeness);
    return { places, read };
  };

  it('are those of equal ones in their order, for which none is read', () => {
    const { places, read } = placesOf([
      ['a', '1', 'm'],
      ['b', '2', 'n'],
      ['a', '1', 'm'],
    ]);
    assert.deepEqual([places.find('a'), places.find('b'), places.find('c')], [[0, 2], [1], []]);
    assert.equal(places.find('a'), places.find('a'), 'the same list');
    assert.deepEqual(read, []);
  });

  it('are none where requests that mean the same differ in their bytes', () => {
    const { places, read } = placesOf([
      ['a', '1', 'm'],
      ['b', '1', 'm'],
      ['c', '1', 'n'],
      ['d', '2', 'o'],
      ['c', '1', 'n'],
    ]);
    assert.deepEqual([places.find('a'), places.find('b'), places.find('c'), places.find('d')], [[], [], [2, 4], [3]]);
    assert.deepEqual(read, [0, 1, 2], 'each of those that are alike once');
  });
});
