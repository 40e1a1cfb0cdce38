import * as assert from 'node:assert/strict';
import { PRICES_DATE } from '../../../../src/core/prices/pricesDate';
import type { TapeTotals } from '../../../../src/core/transcript/metrics';
import type { InteractionSummary } from '../../../../src/core/transcript/summary';
import { commandOf, type KeyPress } from '../../../../webview-ui/transcript/keyboard';
import { visibleRows } from '../../../../webview-ui/transcript/rows/rows';
import { entryLabel, viewInteractions } from '../../../../webview-ui/transcript/state/viewModel';
import { initialViewState, parseViewState, updateViewState } from '../../../../webview-ui/transcript/state/viewState';
import { tapeFacts } from '../../../../webview-ui/transcript/toolbar/tapeFacts';
import { entry, interactions, summaries, summary } from '../transcriptFixtures';

const roles = [
  ['system', 'user', 'assistant'],
  ['user', 'assistant'],
] as const;

describe('the view of a transcript', () => {
  it('groups by interaction, each message under a key of its own', () => {
    const [first, second] = interactions(...roles);
    assert.deepEqual(
      first?.entries.map(({ key }) => key),
      ['0.0', '0.1', '0.response'],
    );
    assert.deepEqual(
      second?.entries.map(({ summary: { role } }) => role),
      ['user', 'assistant'],
    );
  });

  it('keeps what an edit left alone, so that it is not rendered again', () => {
    const before = interactions(...roles);
    const edited = summaries(...roles).map((known, index) => (index === 1 ? { ...known, title: 'other' } : known));
    const after = viewInteractions(edited, before);
    assert.equal(after[0], before[0]);
    assert.notEqual(after[1], before[1]);
    assert.equal(viewInteractions(summaries(...roles), before), before);
  });

  it('keeps the response under the same key when the request grows', () => {
    assert.equal(interactions(['user', 'user', 'assistant'])[0]?.entries.at(-1)?.key, '0.response');
  });

  it('says who speaks, where, and for how many tokens', () => {
    const view = interactions([], [], ['user', 'assistant'])[2]?.entries;
    assert.equal(view?.[1] && entryLabel(view[1], 340), 'Assistant, interaction 3, 340 tokens');
    assert.equal(view?.[0] && entryLabel(view[0], undefined), 'User, interaction 3');
  });

  it('takes the names of prototype members for the roles they are', () => {
    const [view] = interactions(['constructor'])[0]?.entries ?? [];
    assert.equal(view && entryLabel(view, undefined), 'constructor, interaction 1');
  });
});

describe('the rows', () => {
  const view = interactions(...roles);
  const keys = (state: Parameters<typeof visibleRows>[1]) => visibleRows(view, state).map((row) => row.view.key);

  it('are all messages, the first of each interaction with its head', () => {
    const rows = visibleRows(view, initialViewState);
    assert.deepEqual(
      rows.map(({ head }) => head?.index),
      [0, undefined, undefined, 1, undefined],
    );
  });

  it('leave instructions out of a summary until they are asked for', () => {
    const summary = updateViewState(initialViewState, { type: 'mode', mode: 'summary' });
    assert.deepEqual(keys(summary), ['0.1', '0.response', '1.0', '1.response']);
    assert.equal(visibleRows(view, summary)[0]?.head?.index, 0);
    const asked = updateViewState(summary, { type: 'open', key: '0.0', parts: ['entry'], open: true });
    assert.equal(keys(asked)[0], '0.0');
  });

  it('are one for an interaction that shows its source', () => {
    const withSource = updateViewState(initialViewState, { type: 'source', index: 0, shown: true });
    assert.deepEqual(keys(withSource), ['0.0', '1.0', '1.response']);
    assert.equal(keys(updateViewState(withSource, { type: 'source', index: 0, shown: false })).length, 5);
  });
});

describe('the state of the view', () => {
  it('starts afresh with each mode', () => {
    const opened = updateViewState(initialViewState, {
      type: 'open',
      key: '0.0',
      parts: ['entry', 'text'],
      open: true,
    });
    assert.deepEqual(opened.opened, { '0.0': { entry: true, text: true } });
    assert.deepEqual(updateViewState(opened, { type: 'mode', mode: 'verbose' }).opened, {});
  });

  it('comes back as it was saved', () => {
    const state = {
      mode: 'verbose',
      opened: { '0.0': { entry: false } },
      sources: [3],
      current: '0.1',
      speed: '5',
    } as const;
    assert.deepEqual(parseViewState(JSON.parse(JSON.stringify(state))), state);
  });

  it('drops what is not its own', () => {
    for (const odd of [undefined, null, 7, [], 'x', {}]) assert.deepEqual(parseViewState(odd), initialViewState);
    assert.deepEqual(parseViewState(undefined, { mode: 'summary', speed: 'max' }), {
      ...initialViewState,
      mode: 'summary',
      speed: 'max',
    });
    assert.deepEqual(parseViewState(undefined, { mode: 1, speed: '7' }), initialViewState);
    const mixed = { mode: 'loud', opened: { a: { entry: 'yes' }, b: { entry: true } }, sources: ['x', 1], current: 5 };
    assert.deepEqual(parseViewState(mixed), { mode: 'normal', opened: { b: { entry: true } }, sources: [1] });
    assert.deepEqual(parseViewState({ raw: [2] }).sources, [2], 'version 0.1.0 called them raw');
  });
});

describe('the numbers of a tape', () => {
  const facts = (known: readonly boolean[], more: Partial<TapeTotals> = {}, length = known.length) => {
    const usage = { promptTokens: 1000, completionTokens: 5, totalTokens: 1005 };
    return tapeFacts({
      formatLabel: 'Test tape',
      length,
      interactions: known.map((isKnown, index) =>
        summary(index, { entries: [entry('assistant')], numbers: isKnown ? { usage } : {} }),
      ),
      totals: { interactions: known.length, toolCalls: 0, usage, ...more },
    });
  };
  const fact = (list: ReturnType<typeof facts>, wanted: string) => list.find(({ name }) => name === wanted);

  it('are exact when every response says what it used', () =>
    assert.equal(fact(facts([true, true]), 'Tokens in')?.value, '1,000'));

  it('are at least what those say that do', () => {
    assert.deepEqual(fact(facts([true, false]), 'Tokens in'), {
      name: 'Tokens in',
      value: '1,000+',
      note: '1 of 2 responses do not report tokens',
    });
    assert.equal(fact(facts([true], {}, 2), 'Tokens in')?.value, '1,000+');
  });

  it('are a dash, not a zero, when none does', () =>
    assert.equal(fact(facts([false, false]), 'Tokens in')?.value, '–'));

  it('are those of answers: plain HTTP and requests that failed have none', () => {
    const usage = { promptTokens: 10, completionTokens: 5, totalTokens: 15 };
    const tape = (...interactions: InteractionSummary[]) =>
      tapeFacts({
        formatLabel: 'Test tape',
        length: interactions.length,
        interactions,
        totals: { interactions: interactions.length, toolCalls: 0, usage },
      });
    const entries = [entry('assistant')];
    const http = summary(0, { kind: 'http', entries });
    const failed = summary(1, { failed: true, entries });
    const answered = summary(2, { entries, numbers: { usage } });
    assert.equal(fact(tape(http, failed, answered), 'Tokens in')?.value, '10');
    assert.deepEqual(
      tape(http).map(({ name }) => name),
      ['Format', 'Interactions'],
    );
  });

  it('have a cost only where a price is known, with the date of the prices', () => {
    assert.equal(fact(facts([true]), 'Cost'), undefined);
    assert.deepEqual(fact(facts([true], { cost: 0.00421 }), 'Cost'), {
      name: 'Cost',
      value: '$0.0042',
      note: `$0.00421 at list prices of ${PRICES_DATE}`,
    });
    assert.match(fact(facts([true], { cost: 1.5, unpriced: 2 }), 'Cost')?.value ?? '', /^\$1\.50\+$/);
  });

  it('say how long the answers took', () => {
    assert.equal(fact(facts([true], { durationMs: 65_000 }), 'Time')?.value, '1 min 5 s');
    assert.equal(fact(facts([true], { durationMs: 340 }), 'Time')?.value, '340 ms');
  });
});

describe('the keys', () => {
  const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
    key,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    shiftKey: false,
    ...more,
  });

  it('move on a message, and leave the arrows to the page elsewhere', () => {
    assert.deepEqual(commandOf(press('ArrowDown'), 'entry'), 'next');
    assert.equal(commandOf(press('ArrowDown'), 'page'), undefined);
    assert.deepEqual(commandOf(press('j'), 'page'), 'next');
    assert.equal(commandOf(press('Enter'), 'page'), undefined);
  });

  it('are letters while something is typed', () => {
    for (const key of ['j', 'e', '?', '/', '1', 'Enter']) assert.equal(commandOf(press(key), 'text'), undefined);
    assert.deepEqual(commandOf(press('Escape'), 'text'), 'back');
    assert.deepEqual(commandOf(press('F3', { shiftKey: true }), 'text'), 'previousMatch');
  });

  it('leave other chords to VS Code', () => {
    assert.deepEqual(commandOf(press('f', { ctrlKey: true }), 'page'), 'find');
    assert.deepEqual(commandOf(press('f', { metaKey: true }), 'text'), 'find');
    for (const key of ['c', 'j', 'e', 'r', '1'])
      assert.equal(commandOf(press(key, { ctrlKey: true }), 'entry'), undefined);
    assert.equal(commandOf(press('constructor'), 'entry'), undefined);
  });
});
