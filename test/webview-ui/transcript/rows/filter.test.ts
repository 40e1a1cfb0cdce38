import * as assert from 'node:assert/strict';
import { parseFilter, suggestFilters } from '../../../../webview-ui/transcript/rows/filter';
import { visibleRows } from '../../../../webview-ui/transcript/rows/rows';
import { viewInteractions } from '../../../../webview-ui/transcript/state/viewModel';
import { initialViewState } from '../../../../webview-ui/transcript/state/viewState';
import { entry, summary } from '../transcriptFixtures';

const views = viewInteractions([
  summary(0, {
    model: 'gpt-4o',
    title: 'Where is my order?',
    conversation: 0,
    entries: [entry('system'), entry('user'), entry('assistant', { tools: ['find_order'] })],
  }),
  summary(1, { model: 'gpt-4o', title: 'And the other?', conversation: 1, changes: 2, entries: [entry('assistant')] }),
  summary(2, { kind: 'http', title: 'GET /files', failed: true, entries: [entry('http', { origin: 'response' })] }),
]);

const passes = (text: string): string[] =>
  visibleRows(views, initialViewState, parseFilter(text)).map(({ view }) => view.key);

describe('the filter', () => {
  it('lets through what all of its terms hold for', () => {
    assert.deepEqual(passes('role:user'), ['0.1']);
    assert.deepEqual(passes('-role:system tool:order'), ['0.1', '0.response']);
    assert.deepEqual(passes('is:error'), ['2.response']);
    assert.deepEqual(passes('is:changed'), ['1.response']);
    assert.deepEqual(passes('-is:http model:GPT in:2'), ['1.response']);
    assert.deepEqual(passes('"the other"'), ['1.response']);
    assert.deepEqual(passes('order -tool:order'), []);
  });

  it('is none while nothing is typed', () => {
    assert.equal(parseFilter('  '), undefined);
    assert.equal(passes('').length, 5);
  });

  it('does not hide anything for a term that is still being typed', () => {
    for (const text of ['role:', 'tool:', '-role:', '-', 'is:', '"', 'in:""'])
      assert.equal(parseFilter(text), undefined, text);
    assert.deepEqual(passes('role:user model:'), ['0.1']);
  });

  it('suggests terms that separate the interactions of a tape', () => {
    assert.deepEqual(
      suggestFilters(views).map(({ text, count }) => `${text} ${count}`),
      ['is:error 1', 'is:changed 1', 'is:http 1', '-is:http 2', 'tool:find_order 1', 'model:gpt-4o 2'],
    );
  });
});
