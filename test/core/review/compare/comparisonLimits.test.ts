import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { RecordedInteraction } from '../../../../src/core/model/interaction';
import { compareTapes } from '../../../../src/core/review/compare/compareTapes';
import { COMPARISON_LIMITS, type ComparisonLimits } from '../../../../src/core/review/compare/comparisonScope';
import { Normaliser } from '../../../../src/core/review/compare/normaliser';
import { mergeTapes } from '../../../../src/core/review/merge/mergeTapes';
import { lines, recorded, say, turn } from '../recordings';

const NORMALISER = new Normaliser();
const asked = (question: string, answer: string) => turn([say('user', question)], answer);
const answers = (count: number, word: string) =>
  Array.from({ length: count }, (_, index) => asked(`Question ${index}`, `${word} ${index}`));

function limited(
  old: readonly RecordedInteraction[],
  now: readonly RecordedInteraction[],
  limits: Partial<ComparisonLimits>,
) {
  const [before, after] = [recorded(old), recorded(now)];
  const comparison = compareTapes(before.tape, after.tape, NORMALISER, { ...COMPARISON_LIMITS, ...limits });
  return { before, after, comparison, merge: mergeTapes(before, after, comparison, NORMALISER) };
}

describe('the limits of comparing tapes', () => {
  it('compare the first interactions that differ, and tell the others as one change', () => {
    const { comparison } = limited(answers(6, 'Yes'), answers(6, 'No'), { aligned: 4, detailed: 2 });
    assert.deepEqual(lines(comparison), [
      'edited text 0>0 response.content',
      'edited text 1>1 response.content',
      'edited interaction 2>2',
    ]);
    const rest = comparison.changes[2];
    assert.equal(rest?.title, '4 more interactions differ; too many to compare in detail');
    assert.equal(rest?.weight, 'behaviour');
    assert.match(rest?.before ?? '', /^4 interactions, from interaction 3 to 6; digest \w+$/);
    assert.deepEqual(comparison.notices, [
      'These tapes are too large to compare in detail: only equal interactions are aligned, and of those that differ, only the first are compared.',
    ]);
  });

  it('align what is equal behind an inserted interaction', () => {
    const old = answers(9, 'Yes');
    const { comparison } = limited(old, [asked('Hello', 'Hi'), ...old], { aligned: 4 });
    assert.deepEqual(lines(comparison), ['added interaction >0']);
    assert.deepEqual(lines(limited(old, [...old].reverse(), { aligned: 4, detailed: 0 }).comparison).length, 1);
  });

  it('count interactions that differ in times only as ignored', () => {
    const timed = (durationMs: number) => ({
      tape: {
        format: 'x',
        problems: [],
        interactions: answers(6, 'Yes').map((one, index) => ({
          ...{ kind: 'llm' as const, index, source: { start: 0, end: 0 } },
          ...one,
          timing: { durationMs },
        })),
      },
    });
    const compare = (normaliser: Normaliser) =>
      compareTapes(timed(1).tape, timed(2).tape, normaliser, { ...COMPARISON_LIMITS, aligned: 4, detailed: 0 });
    const { changes, hidden, notices } = compare(NORMALISER);
    assert.deepEqual([changes.length, notices.length], [0, 1]);
    assert.deepEqual(
      hidden.map(({ title, rules }) => [title, rules]),
      [['6 more interactions differ in times and ids; too many to compare in detail', ['timing']]],
    );
    const strict = new Normaliser({ ...NORMALISER.rules, timingTolerance: 0.1 });
    assert.equal(compare(strict).changes.length, 1);
  });

  it('show where a value differs that is too large', () => {
    const long = 'word '.repeat(2000);
    const old = [asked('Hi', `${long}a${long}`), asked('Bye', 'Goodbye')];
    const now = [asked('Hi', `${long}b${long}`), asked('Bye', 'See you')];
    const { comparison } = limited(old, now, { valueSize: 10_000 });
    assert.deepEqual(lines(comparison), ['edited interaction 0>0', 'edited text 1>1 response.content']);
    const [large] = comparison.changes;
    assert.equal(large?.title, 'Interaction changed; too large to compare in detail');
    assert.match(
      large?.after ?? '',
      /"response\.content": "\(9,900 characters\)….*word bword .*…\(9,801 more characters\)"/,
    );
    assert.match(comparison.notices.join(), /^An interaction is too large to compare in detail/);
  });

  it('ignore nothing in what is too large', () => {
    const long = 'word '.repeat(2000);
    const at = (time: string) => [turn([say('tool', `${long} at ${time}`)], 'Done')];
    const [old, now] = [at('2026-01-02T03:04:05Z'), at('2026-01-02T03:04:06Z')];
    assert.equal(limited(old, now, {}).comparison.changes.length, 0);
    const { changes } = limited(old, now, { valueSize: 10_000 }).comparison;
    assert.equal(changes.length, 1);
    const other = limited(old, at('2026-01-02T03:04:07Z'), { valueSize: 10_000 }).comparison;
    assert.notEqual(other.changes[0]?.id, changes[0]?.id);
  });

  it('let changes be decided together only', () => {
    const { comparison, merge, before, after } = limited(answers(6, 'Yes'), answers(6, 'No'), {
      aligned: 4,
      detailed: 2,
    });
    const ids = comparison.changes.map(({ id }) => id);
    assert.deepEqual(merge.take(new Set(ids)), { bytes: after.file.bytes });
    assert.deepEqual(merge.take(new Set()), { bytes: before.file.bytes });
    assert.deepEqual(merge.take(new Set(ids.slice(0, 1))), { torn: ids });
  });

  it('never tell a change as none', () => {
    const word = fc.constantFrom(
      'yes',
      'no',
      'It rains',
      '2026-01-02T03:04:05Z',
      'x'.repeat(3000),
      `y${'x'.repeat(3000)}`,
    );
    const tape = fc.array(fc.tuple(word, word), { minLength: 1, maxLength: 8 });
    const limits = fc.record({
      aligned: fc.integer({ min: 0, max: 12 }),
      detailed: fc.integer({ min: 0, max: 4 }),
      alignedSize: fc.constantFrom(2000, 20_000, 1_000_000),
      detailedSize: fc.constantFrom(0, 10_000, 1_000_000),
      valueSize: fc.constantFrom(5000, 1_000_000),
    });
    fc.assert(
      fc.property(tape, tape, limits, (old, now, some) => {
        const [before, after] = [old, now].map((words) => words.map(([question, answer]) => asked(question, answer)));
        const { comparison } = limited(before ?? [], after ?? [], some);
        const exact = limited(before ?? [], after ?? [], {}).comparison;
        if (exact.changes.length > 0) assert.notEqual(comparison.changes.length, 0);
        if (JSON.stringify(old) === JSON.stringify(now)) assert.deepEqual(comparison.changes, []);
        if (!comparison.isLimited) assert.deepEqual(comparison.changes, exact.changes);
        assert.equal(new Set(comparison.changes.map(({ id }) => id)).size, comparison.changes.length);
      }),
      { numRuns: 40 },
    );
  });
});
