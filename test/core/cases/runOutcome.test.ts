import assert from 'node:assert/strict';
import { EXIT_CODES, exitCode } from '../../../src/core/cases/runOutcome';
import type { FailureKind, RunResult, RunStatus } from '../../../src/core/model/run';

function result(status: RunStatus, ...kinds: FailureKind[]): RunResult {
  return {
    casePath: 'a.toml',
    name: 'a',
    mode: 'replay',
    status,
    durationMs: 1,
    failures: kinds.map((kind) => ({ kind, message: kind })),
    compared: '',
    toolCalls: [],
    baselinePath: 'a.baseline.json',
    hasBaseline: false,
  };
}

describe('exitCode', () => {
  it('is 0 when everything passed, and when nothing ran', () => {
    assert.equal(exitCode([]), 0);
    assert.equal(exitCode([result('passed'), result('passed')]), 0);
  });

  const codes: Record<FailureKind, number> = {
    assertion: 1,
    difference: 1,
    agent: 1,
    provider: 1,
    case: 2,
    unreachable: 3,
    replay: 4,
    unused: 5,
  };
  for (const [kind, code] of Object.entries(codes)) {
    it(`is ${code} after a failure of kind ${kind}`, () =>
      assert.equal(exitCode([result('passed'), result('failed', kind as FailureKind)]), code));
  }

  it('is never 0 when a case failed, even for no stated reason', () => {
    assert.equal(exitCode([result('failed')]), EXIT_CODES.failed);
  });

  it('names the cause to look at first', () => {
    const all = result('failed', 'assertion', 'replay', 'unreachable', 'case');
    assert.equal(exitCode([all]), EXIT_CODES.notUnderstood);
    assert.equal(
      exitCode([result('failed', 'assertion', 'replay'), result('failed', 'unreachable')]),
      EXIT_CODES.unreachable,
    );
    assert.equal(exitCode([result('failed', 'assertion'), result('failed', 'replay')]), EXIT_CODES.drifted);
  });

  it('is 130 when a run was cancelled, whatever else happened', () => {
    assert.equal(exitCode([result('failed', 'case'), result('cancelled')]), 130);
  });
});
