import assert from 'node:assert/strict';
import { movedIndexes } from '../../../../src/core/tapes/edits/movedIndexes';

describe('indexes of interactions', () => {
  it('follow an edit of the list', () => {
    const before = [0, 2, 3];
    assert.deepEqual(movedIndexes(before, { type: 'delete', interaction: 2 }), [0, 2]);
    assert.deepEqual(movedIndexes(before, { type: 'delete', interaction: 1 }), [0, 1, 2]);
    assert.deepEqual(movedIndexes(before, { type: 'add', interaction: 0 }), [0, 3, 4]);
    assert.deepEqual(movedIndexes(before, { type: 'duplicate', interaction: 2 }), [0, 2, 4]);
    assert.deepEqual(movedIndexes(before, { type: 'move', interaction: 0, by: 1 }), [1, 2, 3]);
    assert.deepEqual(movedIndexes(before, { type: 'move', interaction: 2, by: -1 }), [0, 1, 3]);
    assert.deepEqual(movedIndexes(before, { type: 'status', interaction: 2, status: 429 }), before);
  });
});
