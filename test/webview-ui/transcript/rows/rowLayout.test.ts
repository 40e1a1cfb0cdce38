import * as assert from 'node:assert/strict';
import fc from 'fast-check';
import { RowLayout, RowOffsets } from '../../../../webview-ui/transcript/rows/rowLayout';
import { EMPTY_LISTING, extendListing, type Row, visibleRows } from '../../../../webview-ui/transcript/rows/rows';
import { initialViewState } from '../../../../webview-ui/transcript/state/viewState';
import { interactions } from '../transcriptFixtures';

const heights = fc.integer({ min: 0, max: 500 });
const change = fc.oneof(
  fc.record({ type: fc.constant('push' as const), height: heights }),
  fc.record({ type: fc.constant('set' as const), at: fc.nat(), height: heights }),
  fc.record({ type: fc.constant('cut' as const), at: fc.nat() }),
);

describe('the offsets of rows', () => {
  it('are the sums of the heights before, whatever was added, changed and cut', () => {
    fc.assert(
      fc.property(fc.array(heights), fc.array(change), fc.nat({ max: 20_000 }), (first, changes, place) => {
        const offsets = new RowOffsets();
        const known = [...first];
        for (const height of first) offsets.push(height);
        for (const one of changes) {
          const at = one.type === 'push' || known.length === 0 ? 0 : one.at % known.length;
          if (one.type === 'push') offsets.push(known[known.push(one.height) - 1] ?? 0);
          else if (one.type === 'cut') {
            known.splice(at);
            offsets.cut(known.length);
          } else if (known.length > 0) {
            known[at] = one.height;
            offsets.setHeight(at, one.height);
          }
        }
        const sums = [0];
        for (const height of known) sums.push((sums.at(-1) ?? 0) + height);
        assert.deepEqual(
          sums.map((_, index) => offsets.offset(index)),
          sums,
        );
        assert.equal(offsets.total, sums.at(-1));
        const covering = sums.slice(1).findIndex((end) => end > place);
        assert.equal(offsets.at(place), covering === -1 ? Math.max(0, known.length - 1) : covering);
        assert.equal(offsets.at(-1), 0);
      }),
    );
  });
});

describe('the layout of rows', () => {
  const rows = (count: number): readonly Row[] => visibleRows(interactions(...people(count)), initialViewState);

  it('guesses a height once, and trusts what was measured', () => {
    const layout = new RowLayout();
    const all = rows(10);
    let guesses = 0;
    const guess = (): number => {
      guesses += 1;
      return 50;
    };
    layout.show(all.slice(0, 12), guess);
    assert.ok(layout.measure('1.0', 80));
    assert.ok(!layout.measure('1.0', 80.4));
    layout.show(all, guess);
    assert.equal(guesses, 20);
    assert.deepEqual([layout.above(3), layout.above(20), layout.from(19)], [180, 1030, 50]);
    assert.deepEqual(layout.between(60, 170), { start: 1, end: 3 });
    assert.deepEqual(layout.between(5000, 9000), { start: 19, end: 20 });
  });

  it('knows a row by its key wherever it has moved, and what was measured while it was away', () => {
    const layout = new RowLayout();
    const all = rows(3);
    layout.show(all, () => 50);
    layout.show(all.slice(2), () => 50);
    layout.measure('0.0', 90);
    assert.equal(layout.placeOf('0.0'), undefined);
    assert.equal(layout.placeOf('2.0'), 2);
    layout.show(all, () => 50);
    assert.deepEqual([layout.placeOf('2.0'), layout.above(4)], [4, 240]);
    assert.deepEqual([layout.height('0.0'), layout.height('2.0'), layout.height('9.0')], [90, 50, 0]);
  });

  it('has no rows where there are none', () => {
    assert.deepEqual(new RowLayout().between(0, 900), { start: 0, end: 0 });
  });
});

describe('a listing', () => {
  it('goes on from the rows that are as they were, and is what listing all at once gives', () => {
    fc.assert(
      fc.property(fc.nat({ max: 8 }), fc.nat({ max: 8 }), fc.nat({ max: 8 }), (count, more, changed) => {
        const known = interactions(...people(count));
        const now = interactions(...people(count + more)).map((one, at) => (at === changed ? one : (known[at] ?? one)));
        const earlier = extendListing(EMPTY_LISTING, known, initialViewState);
        const { rows } = extendListing(earlier, now, initialViewState);
        assert.deepEqual(rows, visibleRows(now, initialViewState));
        for (const [at, row] of earlier.rows.slice(0, 2 * changed).entries()) assert.equal(rows[at], row);
      }),
    );
  });
});

function people(count: number): readonly (readonly string[])[] {
  return Array.from({ length: count }, () => ['user', 'assistant']);
}
