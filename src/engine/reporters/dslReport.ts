import { prettyJson } from '../../core/json/json';
import type { Artifact } from '../../core/model/artifact';

/** MoFA's test report (`tests/src/report`), for the one case of a `test-dsl` run. */
export interface DslReport {
  readonly artifact: Artifact;
  /** Why the test failed, if it did. */
  readonly error: string | undefined;
  /** Milliseconds since 1970. */
  readonly timestamp: number;
  readonly totalMs: number;
}

export function dslReportJson({ artifact, error, timestamp, totalMs }: DslReport): string {
  const failed = error === undefined ? 0 : 1;
  return prettyJson({
    suite: 'dsl',
    timestamp,
    total_duration_ms: totalMs,
    summary: { total: 1, passed: 1 - failed, failed, skipped: 0, pass_rate: 1 - failed },
    results: [
      {
        name: artifact.case_name,
        status: error === undefined ? 'passed' : 'failed',
        duration_ms: artifact.duration_ms,
        error,
        metadata: {
          execution_id: artifact.execution_id,
          workspace_root: artifact.workspace_root,
          tool_calls: artifact.tool_calls.map(({ tool_name }) => tool_name).join(', '),
        },
      },
    ],
  });
}

export function dslReportText({ artifact, error, totalMs }: DslReport): string {
  const failed = error === undefined ? 0 : 1;
  return [
    '=== dsl ===',
    `[${failed ? 'x' : '+'}] ${artifact.case_name} .. ${artifact.duration_ms}ms`,
    ...(error === undefined ? [] : [`     error: ${error}`]),
    '',
    `Total: 1 | Passed: ${1 - failed} | Failed: ${failed} | Skipped: 0`,
    `Pass rate: ${(100 * (1 - failed)).toFixed(1)}% | Duration: ${totalMs}ms`,
    '',
  ].join('\n');
}
