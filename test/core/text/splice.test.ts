import assert from 'node:assert/strict';
import fc from 'fast-check';
import { applySplices, composeSplices, type Splice } from '../../../src/core/text/splice';

/** Splices for a text of this length that do not overlap. */
const splicesOf = (length: number): fc.Arbitrary<Splice[]> =>
  fc
    .array(fc.tuple(fc.nat(length), fc.string({ maxLength: 3 }), fc.boolean()), { maxLength: 6 })
    .map((cuts) => cuts.sort(([left], [right]) => left - right))
    .map((cuts) =>
      cuts.flatMap(([start, text, isLong], index) => {
        const limit = cuts[index + 1]?.[0] ?? length;
        return index > 0 && cuts[index - 1]?.[0] === start ? [] : [{ start, end: isLong ? limit : start, text }];
      }),
    );

describe('splices', () => {
  it('refuse to overlap', () => {
    const overlapping = [
      { start: 0, end: 2, text: '' },
      { start: 1, end: 3, text: '' },
    ];
    assert.throws(() => applySplices('abcd', overlapping), RangeError);
  });

  it('applied in succession equal their composition', () => {
    const both = fc
      .string({ maxLength: 20 })
      .chain((text) => splicesOf(text.length).map((first) => ({ text, first, between: applySplices(text, first) })))
      .chain((known) => splicesOf(known.between.length).map((second) => ({ ...known, second })));
    fc.assert(
      fc.property(both, ({ text, first, between, second }) => {
        assert.equal(applySplices(text, composeSplices(text, first, second)), applySplices(between, second));
      }),
      { numRuns: 2000 },
    );
  });

  it('stay unchanged in a composition if they do not touch', () => {
    const first = [{ start: 0, end: 1, text: 'AAA' }];
    const second = [{ start: 5, end: 6, text: '' }];
    assert.deepEqual(composeSplices('abcdef', first, second), [...first, { start: 3, end: 4, text: '' }]);
  });
});
