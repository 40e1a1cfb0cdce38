import assert from 'node:assert/strict';
import { describeRun, foldRun } from '../../../../webview-ui/transcript/rows/asideRuns';
import { RowLayout } from '../../../../webview-ui/transcript/rows/rowLayout';
import {
  EMPTY_LISTING,
  extendListing,
  headsOf,
  type Row,
  rowOf,
  visibleRows,
} from '../../../../webview-ui/transcript/rows/rows';
import { viewInteractions } from '../../../../webview-ui/transcript/state/viewModel';
import { initialViewState, updateViewState } from '../../../../webview-ui/transcript/state/viewState';
import { entry, summary } from '../transcriptFixtures';

const aside = (index: number, text: string, server = 'orders') =>
  summary(index, { kind: 'mcp', entries: [entry('mcp', { origin: 'response', aside: { server, text } })] });
const said = (index: number) => summary(index, { entries: [entry('user'), entry('assistant')] });

const TAPE = viewInteractions([
  aside(0, 'initialize'),
  aside(1, 'initialized'),
  aside(2, 'tools/list'),
  aside(3, 'initialize', 'files'),
  said(4),
  aside(5, 'tools/call lookup, called in #5'),
]);

const keys = (rows: readonly Row[]) => rows.map(({ view }) => view.key);

describe('what is no step of the conversation', () => {
  const folded = visibleRows(TAPE, initialViewState);
  const [run] = folded;
  assert.ok(run?.aside);

  it('is one line, until it is opened', () => {
    assert.deepEqual(keys(folded), ['0.response', '4.0', '4.response', '5.response']);
    assert.ok(run.aside);
    assert.equal(describeRun(run.aside), 'orders: initialize, initialized, tools/list · files: initialize');
    const open = updateViewState(initialViewState, foldRun(run.aside));
    const rows = visibleRows(TAPE, open);
    assert.deepEqual(keys(rows).slice(0, 4), ['0.response', '1.response', '2.response', '3.response']);
    const [first] = rows;
    assert.ok(first?.aside?.isOpen);
    assert.deepEqual(visibleRows(TAPE, updateViewState(open, foldRun(first.aside))), folded);
  });

  it('opens where something in it was found, and is whole in verbose mode and under a filter', () => {
    const found = updateViewState(initialViewState, { type: 'open', key: '2.response', parts: ['entry'], open: true });
    assert.equal(visibleRows(TAPE, found).length, 7);
    const verbose = visibleRows(TAPE, { ...initialViewState, mode: 'verbose' });
    assert.deepEqual([verbose.length, verbose.some((row) => row.aside !== undefined)], [7, false]);
    const all = { interaction: () => true, entry: () => true };
    assert.equal(visibleRows(TAPE, initialViewState, all).length, 7);
  });

  it('is found by each of its interactions', () => {
    assert.equal(rowOf(folded, 2), run);
    assert.deepEqual(
      folded.flatMap(headsOf).map(({ head }) => head.index),
      [0, 1, 2, 3, 4, 5],
    );
    const layout = new RowLayout();
    layout.show(folded, () => 10);
    assert.deepEqual([layout.placeOf('3.response'), layout.shownKey('3.response')], [0, '0.response']);
    assert.equal(layout.shownKey('4.0'), '4.0');
  });

  it('is folded on while the tape grows', () => {
    let listing = EMPTY_LISTING;
    for (let length = 1; length <= TAPE.length; length += 1)
      listing = extendListing(listing, TAPE.slice(0, length), initialViewState);
    assert.deepEqual(listing.rows, folded);
  });
});
