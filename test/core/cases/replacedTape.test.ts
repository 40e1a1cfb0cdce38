import assert from 'node:assert/strict';
import { describeReplacedTape, replacedTape } from '../../../src/core/cases/replacedTape';
import { tapeFileFromText } from '../../../src/core/tapes/tapeFile';

const NOW = Date.parse('2026-03-10T12:00:00Z');

describe('what a recording replaces', () => {
  const tape = (interactions: number, models: readonly string[], recordedAt?: string) => ({
    formatLabel: 'MoFA tape',
    interactions,
    models,
    ...(recordedAt !== undefined && { recordedAt: Date.parse(recordedAt) }),
  });

  it('is described with its size, models, format and age', () => {
    for (const [replaced, changedAt, text] of [
      [tape(1, ['m'], '2026-03-08T12:00:00Z'), NOW, '1 interaction with m (MoFA tape), recorded 2 days ago'],
      [tape(2, []), NOW - 3_600_000, '2 interactions (MoFA tape), last changed 1 hour ago'],
      [tape(2, ['a', 'b', 'c', 'd', 'e']), undefined, '2 interactions with a, b, c, 2 other models (MoFA tape)'],
      [tape(0, [], '2027-01-01T00:00:00Z'), NOW, '0 interactions (MoFA tape), recorded less than a minute ago'],
    ] as const)
      assert.equal(describeReplacedTape(replaced, changedAt, NOW), text);
  });

  it('is read from a tape of any format, and is nothing for another file', () => {
    const text = '{"version":1,"case_name":"a","interactions":[{"response":"x"}]}';
    assert.deepEqual(replacedTape(tapeFileFromText(text, 'a.tape.json')), tape(1, []));
    assert.equal(replacedTape(tapeFileFromText('hello', 'a.txt')), undefined);
  });
});
