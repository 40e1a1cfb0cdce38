import assert from 'node:assert/strict';
import type { RunResult } from '../../../src/core/model/run';
import { textReporter } from '../../../src/engine/reporters/textReporter';
import { createPaint } from '../../../src/engine/terminal/paint';

const RESULT: RunResult = {
  casePath: '/p/a.toml',
  name: 'a',
  mode: 'replay',
  status: 'cancelled',
  durationMs: 0,
  failures: [],
  compared: 'not run',
  toolCalls: [],
  baselinePath: '/p/a.baseline.json',
  hasBaseline: false,
};

describe('the report of an interrupted run', () => {
  it('names the cases that had begun, and counts the others', () => {
    const printed: string[] = [];
    const terminal = {
      cwd: '/p',
      env: {},
      signal: AbortSignal.abort(),
      paint: createPaint(false),
      columns: undefined,
      print: (text: string) => printed.push(text),
      note: assert.fail,
      progress: () => {},
    };
    const reporter = textReporter(terminal, 3);
    const results = [
      { ...RESULT, durationMs: 12 },
      { ...RESULT, name: 'b' },
      { ...RESULT, name: 'c' },
    ];
    for (const [index, result] of results.entries()) reporter.finished(index, result);
    assert.equal(printed.length, 1);
    assert.match(printed[0] ?? '', /a {2}replay/);
    reporter.done(results, 20);
    assert.match(printed[1] ?? '', /3 cases: 3 cancelled/);
  });
});
