import assert from 'node:assert/strict';
import fc from 'fast-check';
import { changePieces, textChanges } from '../../../src/core/text/pieces';
import { applySplices } from '../../../src/core/text/splice';

const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\u{1f600}', '\u{1f601}', 'é'), maxLength: 30 });
/** Of a character that was cut in two. */
const LONE_SURROGATE = /[\ud800-\udfff]/u;

describe('what changes between two texts', () => {
  it('makes the one of the other', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        assert.equal(applySplices(before, textChanges(before, after)), after);
      }),
    );
  });

  it('cuts no character in two', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        for (const { start, end, text: inserted } of textChanges(before, after)) {
          for (const part of [before.slice(0, start), before.slice(end), inserted])
            assert.doesNotMatch(part, LONE_SURROGATE);
        }
      }),
    );
  });

  it('is found line by line where the lines are the same', () => {
    assert.deepEqual(textChanges('one\ntwo\nthree', 'ome\ntwo\nthrew'), [
      { start: 1, end: 2, text: 'm' },
      { start: 12, end: 13, text: 'w' },
    ]);
    assert.deepEqual(textChanges('same', 'same'), []);
  });
});

describe('the pieces of a text', () => {
  it('together make the changed text, and stay the same number', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 6 }), text, (pieces, changed) => {
        const after = changePieces(pieces, changed);
        assert.equal(after.join(''), changed);
        assert.equal(after.length, pieces.length);
      }),
    );
  });

  it('stay as they are where nothing changes', () => {
    assert.deepEqual(changePieces(['data: a', 'b\n', 'data: c\n'], 'data: aXb\ndata: c\n'), [
      'data: a',
      'Xb\n',
      'data: c\n',
    ]);
    assert.deepEqual(changePieces(['ab', 'cd', 'ef'], 'aZf'), ['aZ', '', 'f']);
    assert.deepEqual(changePieces(['ab', '', ''], 'abc'), ['abc', '', '']);
    assert.deepEqual(changePieces(['', ''], 'x'), ['', 'x']);
  });
});
