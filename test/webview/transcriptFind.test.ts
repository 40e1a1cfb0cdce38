import * as assert from 'node:assert/strict';
import { findMatches, MAX_MATCHES, stepMatch } from '../../webview-ui/transcript/find';
import { openersOf } from '../../webview-ui/transcript/parts';
import { interactions } from './transcriptFixtures';

const places = (entries: Parameters<typeof interactions>[0], query: string): string[] =>
  findMatches(interactions(entries), query).map(({ key, part, nth }) => `${key} ${part} ${nth}`);

describe('find', () => {
  it('looks through messages, tool calls and errors, in reading order', () => {
    const call = { id: 'a', name: 'find_order', arguments: '{ "order": 1 }', result: '{"order":{"order":2}}' };
    assert.deepEqual(
      places([{ text: 'My order, that Order' }, { origin: 'response', toolCalls: [call], error: 'no order' }], 'ORDER'),
      [
        '0.0 text 0',
        '0.0 text 1',
        '0.response call0.name 0',
        '0.response call0.arguments 0',
        '0.response call0.result 0',
        '0.response call0.result 1',
        '0.response error 0',
      ],
    );
  });

  it('finds what the reader sees, not how it was written', () => {
    assert.deepEqual(places([{ text: 'a **bold** word, [linked](https://hidden.example)' }], 'a bold word'), [
      '0.0 text 0',
    ]);
    assert.deepEqual(places([{ text: 'a **bold** word, [linked](https://hidden.example)' }], 'hidden.example'), []);
    assert.deepEqual(places([{ toolCalls: [{ id: 'a', name: 'x', arguments: '', result: '{"a":1}' }] }], '"a": 1'), [
      '0.0 call0.result 0',
    ]);
  });

  it('takes every character of a query for itself', () => {
    assert.deepEqual(places([{ text: 'a.c $x (y) [z] \\w a-b a/b' }], '.'), ['0.0 text 0']);
    for (const query of ['$x', '(y)', '[z]', 'a-b', 'a/b', '{', '*', '+?', '\\']) places([{ text: 'abc' }], query);
    assert.deepEqual(places([{ text: 'İstanbul ISTANBUL' }], 'istanbul'), ['0.0 text 0']);
  });

  it('finds nothing for nothing', () => assert.deepEqual(places([{ text: 'abc' }], ''), []));

  it('ends at a number that nobody steps through', () => {
    assert.equal(findMatches(interactions([{ text: 'e'.repeat(30_000) }]), 'e').length, MAX_MATCHES);
  });

  it('steps round in both directions', () => {
    assert.equal(stepMatch(3, 2, 1), 0);
    assert.equal(stepMatch(3, 0, -1), 2);
    assert.equal(stepMatch(0, 0, 1), 0);
  });

  it('knows what to open for a match to be seen', () => {
    assert.deepEqual(openersOf('text'), ['entry', 'text']);
    assert.deepEqual(openersOf('call12.result'), ['entry', 'call12', 'call12.result']);
  });
});
