import * as assert from 'node:assert/strict';
import type { Transcript } from '../../src/core/transcript/transcript';
import { tapeFacts } from '../../webview-ui/transcript/facts';
import { commandOf, type KeyPress } from '../../webview-ui/transcript/keys';
import { visibleRows } from '../../webview-ui/transcript/rows';
import { entryLabel, viewInteractions } from '../../webview-ui/transcript/viewModel';
import { initialViewState, parseViewState, updateViewState } from '../../webview-ui/transcript/viewState';
import { interactions, transcript } from './transcriptFixtures';

const conversation = [
  { role: 'system', text: 'Be brief.' },
  { role: 'user', text: 'Hello' },
  { origin: 'response', role: 'assistant', text: 'Hi', model: 'm-1' },
  { interaction: 1, role: 'user', text: 'Bye' },
  { interaction: 1, origin: 'response', role: 'assistant', text: 'Bye' },
] as const;

describe('the view of a transcript', () => {
  it('groups by interaction and heads each with what its response says', () => {
    const [first, second] = interactions(conversation);
    assert.deepEqual(
      first?.entries.map(({ key }) => key),
      ['0.0', '0.1', '0.response'],
    );
    assert.equal(first?.model, 'm-1');
    assert.deepEqual(
      second?.entries.map(({ entry }) => entry.text),
      ['Bye', 'Bye'],
    );
  });

  it('keeps what an edit left alone, so that it is not rendered again', () => {
    const before = viewInteractions(transcript(conversation));
    const edited = conversation.map((entry, index) => (index === 4 ? { ...entry, text: 'Bye bye' } : entry));
    const after = viewInteractions(transcript(edited), before);
    assert.equal(after[0], before[0]);
    assert.notEqual(after[1], before[1]);
    assert.equal(after[1]?.entries[1]?.entry.text, 'Bye bye');
  });

  it('keeps the response under the same key when the request grows', () => {
    const grown = interactions([{ role: 'system', text: 'New' }, ...conversation]);
    assert.equal(grown[0]?.entries.at(-1)?.key, '0.response');
  });

  it('says who speaks, where, and for how many tokens', () => {
    const [entry] = transcript([
      { interaction: 2, role: 'assistant', usage: { promptTokens: 300, completionTokens: 40, totalTokens: 340 } },
    ]).entries;
    assert.equal(entry && entryLabel(entry), 'Assistant, interaction 3, 340 tokens');
  });

  it('takes the names of prototype members for the roles they are', () => {
    const [entry] = transcript([{ role: 'constructor' }]).entries;
    assert.equal(entry && entryLabel(entry), 'constructor, interaction 1');
  });
});

describe('the rows', () => {
  const view = interactions(conversation);
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
    const asked = updateViewState(summary, { type: 'open', key: '0.0', whats: ['entry'], open: true });
    assert.equal(keys(asked)[0], '0.0');
  });

  it('are one for an interaction that shows its source', () => {
    const raw = updateViewState(initialViewState, { type: 'raw', index: 0, raw: true });
    assert.deepEqual(keys(raw), ['0.0', '1.0', '1.response']);
    assert.equal(keys(updateViewState(raw, { type: 'raw', index: 0, raw: false })).length, 5);
  });
});

describe('the state of the view', () => {
  it('starts afresh with each mode', () => {
    const opened = updateViewState(initialViewState, {
      type: 'open',
      key: '0.0',
      whats: ['entry', 'text'],
      open: true,
    });
    assert.deepEqual(opened.opened, { '0.0': { entry: true, text: true } });
    assert.deepEqual(updateViewState(opened, { type: 'mode', mode: 'verbose' }).opened, {});
  });

  it('comes back as it was saved', () => {
    const state = { mode: 'verbose', opened: { '0.0': { entry: false } }, raw: [3], current: '0.1' } as const;
    assert.deepEqual(parseViewState(JSON.parse(JSON.stringify(state))), state);
  });

  it('drops what is not its own', () => {
    for (const odd of [undefined, null, 7, [], 'x', {}]) assert.deepEqual(parseViewState(odd), initialViewState);
    const mixed = { mode: 'loud', opened: { a: { entry: 'yes' }, b: { entry: true } }, raw: ['x', 1], current: 5 };
    assert.deepEqual(parseViewState(mixed), { mode: 'normal', opened: { b: { entry: true } }, raw: [1] });
  });
});

describe('the numbers of a tape', () => {
  const withUsage = (...known: boolean[]): Transcript => ({
    ...transcript(
      known.map((isKnown, interaction) => ({
        interaction,
        origin: 'response',
        ...(isKnown ? { usage: { promptTokens: 1000, completionTokens: 5, totalTokens: 1005 } } : {}),
      })),
    ),
    totals: { interactions: 2, toolCalls: 0, usage: { promptTokens: 1000, completionTokens: 5, totalTokens: 1005 } },
  });
  const tokensIn = (subject: Transcript) => tapeFacts(subject).find(({ name }) => name === 'Tokens in');

  it('are exact when every response says what it used', () =>
    assert.equal(tokensIn(withUsage(true, true))?.value, '1,000'));

  it('are at least what those say that do', () => {
    assert.deepEqual(tokensIn(withUsage(true, false)), {
      name: 'Tokens in',
      value: '1,000+',
      note: '1 of 2 responses do not say',
    });
  });

  it('are a dash, not a zero, when none does', () => assert.equal(tokensIn(withUsage(false, false))?.value, '–'));
});

describe('the keys', () => {
  const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
    ...{ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false },
    ...more,
  });

  it('move on a message, and leave the arrows to the page elsewhere', () => {
    assert.deepEqual(commandOf(press('ArrowDown'), 'entry'), { type: 'move', to: 'next' });
    assert.equal(commandOf(press('ArrowDown'), 'page'), undefined);
    assert.deepEqual(commandOf(press('j'), 'page'), { type: 'move', to: 'next' });
    assert.equal(commandOf(press('Enter'), 'page'), undefined);
  });

  it('are letters while something is typed', () => {
    for (const key of ['j', 'e', '?', '/', '1', 'Enter']) assert.equal(commandOf(press(key), 'text'), undefined);
    assert.deepEqual(commandOf(press('Escape'), 'text'), { type: 'closeFind' });
    assert.deepEqual(commandOf(press('F3', { shiftKey: true }), 'text'), { type: 'step', to: 'previous' });
  });

  it('leave other chords to VS Code', () => {
    assert.deepEqual(commandOf(press('f', { ctrlKey: true }), 'page'), { type: 'find' });
    assert.deepEqual(commandOf(press('f', { metaKey: true }), 'text'), { type: 'find' });
    for (const key of ['c', 'j', 'e', 'r', '1'])
      assert.equal(commandOf(press(key, { ctrlKey: true }), 'entry'), undefined);
    assert.equal(commandOf(press('constructor'), 'entry'), undefined);
  });
});
