import assert from 'node:assert/strict';
import fc from 'fast-check';
import { applySplices } from '../../../src/core/text/splice';
import { rewritePieces, splicesBetween } from '../../../src/core/text/splicesBetween';

const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\u{1f600}', '\u{1f601}', 'é'), maxLength: 30 });
/** Half of a surrogate pair. */
const LONE_SURROGATE = /[\ud800-\udfff]/u;

describe('the splices between two texts', () => {
  it('turn one into the other', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        assert.equal(applySplices(before, splicesBetween(before, after)), after);
      }),
    );
  });

  it('split no character', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        for (const { start, end, text: inserted } of splicesBetween(before, after)) {
          for (const part of [before.slice(0, start), before.slice(end), inserted])
            assert.doesNotMatch(part, LONE_SURROGATE);
        }
      }),
    );
  });

  it('are found line by line if the number of lines is the same', () => {
    assert.deepEqual(splicesBetween('one\ntwo\nthree', 'ome\ntwo\nthrew'), [
      { start: 1, end: 2, text: 'm' },
      { start: 12, end: 13, text: 'w' },
    ]);
    assert.deepEqual(splicesBetween('same', 'same'), []);
  });
});

describe('the pieces of a text', () => {
  it('make up the edited text, and keep their number', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 6 }), text, (pieces, changed) => {
        const after = rewritePieces(pieces, changed);
        assert.equal(after.join(''), changed);
        assert.equal(after.length, pieces.length);
      }),
    );
  });

  it('stay unchanged if nothing changes', () => {
    assert.deepEqual(rewritePieces(['data: a', 'b\n', 'data: c\n'], 'data: aXb\ndata: c\n'), [
      'data: a',
      'Xb\n',
      'data: c\n',
    ]);
    assert.deepEqual(rewritePieces(['ab', 'cd', 'ef'], 'aZf'), ['aZ', '', 'f']);
    assert.deepEqual(rewritePieces(['ab', '', ''], 'abc'), ['abc', '', '']);
    assert.deepEqual(rewritePieces(['', ''], 'x'), ['', 'x']);
  });
});
