import assert from 'node:assert/strict';
import { runOutcome, summaryLine } from '../../../src/core/cases/runSummary';
import { driftCauses } from '../../../src/core/match/driftCauses';
import type { Failure, ReplayMiss, RunResult } from '../../../src/core/model/run';

const miss = (given: Partial<ReplayMiss> = {}): ReplayMiss => ({
  tapePath: '/t.json',
  kind: 'drifted',
  line: 'user: 2026-11-22 → 2026-11-23',
  at: 0,
  recorded: 2,
  retake: { calls: 2 },
  masks: ['date'],
  ...given,
});

function result(given: Partial<RunResult> = {}): RunResult {
  const about = { casePath: '/a.toml', name: 'a', mode: 'replay', status: 'passed', durationMs: 1 } as const;
  return { ...about, failures: [], compared: '', toolCalls: [], baselinePath: '', hasBaseline: true, ...given };
}

const failed = (...kinds: readonly Partial<Failure>[]): RunResult =>
  result({ status: 'failed', failures: kinds.map((one) => ({ kind: 'assertion', message: '', ...one })) });

describe('the outcome of a run in a summary', () => {
  it('is drifted, failed, to review, passed, or passed with nothing compared', () => {
    assert.equal(runOutcome(failed({ kind: 'replay', miss: miss() })), 'drifted');
    assert.equal(runOutcome(failed({ kind: 'difference' }, {})), 'failed');
    assert.equal(runOutcome(failed({ kind: 'difference' })), 'review');
    assert.equal(runOutcome(result()), 'passed');
    assert.equal(runOutcome(result({ checkedNothing: true })), 'unchecked');
    assert.equal(runOutcome(result({ status: 'cancelled' })), 'cancelled');
  });

  it('is summed up in one line, which says what compared nothing', () => {
    assert.equal(summaryLine([result(), result()]), '2 cases: 2 passed.');
    assert.equal(
      summaryLine([result({ checkedNothing: true }), failed({}), failed({ kind: 'replay', miss: miss() })]),
      '3 cases: 1 passed, 1 drifted, 1 failed. 1 compared nothing: accept a baseline for it.',
    );
  });
});

describe('the causes of drifts', () => {
  it('are the masks that would fix them, whatever the words, else the same change', () => {
    const model = miss({ masks: [], line: 'model: gpt-4o → gpt-5' });
    const causes = driftCauses([
      { miss: model },
      { miss: miss() },
      { miss: model },
      { miss: model },
      { miss: miss({ line: 'user: 1 → 2' }) },
      { miss: miss({ masks: [], line: 'temperature: 0 → 1' }) },
      { miss: miss({ masks: [], kind: 'missing', line: 'No recording resembles this request: "a"' }) },
      { miss: miss({ masks: [], kind: 'missing', line: 'No recording resembles this request: "b"' }) },
      { miss: miss({ masks: ['uuid', 'date'] }) },
    ]);
    assert.deepEqual(
      causes.map(({ title, masks }) => [title, masks]),
      [
        ['2 cases drifted because dates changed', ['date']],
        ['1 case drifted because UUIDs and dates changed', ['uuid', 'date']],
        ['3 cases drifted in the same way', []],
        ['2 cases sent a request that was not recorded', []],
        ['1 case drifted', []],
      ],
    );
  });
});
