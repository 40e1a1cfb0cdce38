import * as assert from 'node:assert/strict';
import { matchesIn, queryPattern } from '../../../src/core/transcript/searchTranscript';
import type { TranscriptEntry } from '../../../src/core/transcript/transcript';

function places(entries: readonly Partial<TranscriptEntry>[], query: string): string[] {
  const pattern = queryPattern(query);
  if (pattern === undefined) return [];
  const whole = entries.map(
    (entry): TranscriptEntry => ({
      ...{ interaction: 0, origin: 'request', role: 'user', text: '', toolCalls: [] },
      ...entry,
    }),
  );
  return matchesIn({ index: 0, entries: whole, changes: [], details: [] }, pattern).map(
    ({ entry, part, nth }) => `${entry} ${part} ${nth}`,
  );
}

describe('searching a transcript', () => {
  it('looks through messages, tool calls and errors, in reading order', () => {
    const call = { id: 'a', name: 'find_order', arguments: '{ "order": 1 }', result: '{"order":{"order":2}}' };
    assert.deepEqual(
      places([{ text: 'My order, that Order' }, { origin: 'response', toolCalls: [call], error: 'no order' }], 'ORDER'),
      [
        '0 text 0',
        '0 text 1',
        '1 call0.name 0',
        '1 call0.arguments 0',
        '1 call0.result 0',
        '1 call0.result 1',
        '1 error 0',
      ],
    );
  });

  it('finds what the reader sees of emphasised words and broken lines', () => {
    assert.deepEqual(places([{ text: 'a **bold** word' }], 'a bold word'), ['0 text 0']);
    assert.deepEqual(places([{ text: 'over two\nlines' }], 'two lines'), ['0 text 0']);
  });

  it('takes every character of a query for itself', () => {
    assert.deepEqual(places([{ text: 'a.c $x (y) [z] \\w a-b a/b' }], '.'), ['0 text 0']);
    for (const query of ['$x', '(y)', '[z]', 'a-b', 'a/b', '{', '*', '+?', '\\']) places([{ text: 'abc' }], query);
    assert.deepEqual(places([{ text: 'İstanbul ISTANBUL' }], 'istanbul'), ['0 text 0']);
  });

  it('looks into the bodies of plain HTTP, and not into what every call of a model repeats', () => {
    const found = (role: string) => {
      const entry: TranscriptEntry = { interaction: 0, origin: 'response', role, text: '', toolCalls: [] };
      const body = { index: 0, entries: [entry], changes: [], details: [{ label: 'Response body', text: 'needle' }] };
      return matchesIn(body, /needle/g).map(({ part }) => part);
    };
    assert.deepEqual(found('http'), ['detail0.text']);
    assert.deepEqual(found('assistant'), []);
  });

  it('finds nothing for nothing', () => assert.deepEqual(places([{ text: 'abc' }], ' '), []));

  it('ends at a number that nobody steps through', () => {
    assert.equal(places([{ text: 'e'.repeat(30_000) }], 'e').length, 1000);
  });
});
