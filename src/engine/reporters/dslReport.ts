import { prettyJson } from '../../core/json/json';
import type { Artifact } from '../../core/model/artifact';
import type { BaselineComparison } from '../../core/model/run';

/** MoFA's test report (`tests/src/report`), for the one case of a `test-dsl` run, as JSON. */
export function dslReportJson(artifact: Artifact): string {
  const failed = hasPassed(artifact) ? 0 : 1;
  const error = errorOf(artifact);
  const report = {
    suite: 'dsl',
    timestamp: artifact.started_at_ms,
    total_duration_ms: artifact.duration_ms,
    summary: { total: 1, passed: 1 - failed, failed, skipped: 0, pass_rate: 1 - failed },
    results: [
      {
        name: artifact.case_name,
        status: artifact.status,
        duration_ms: artifact.duration_ms,
        error,
        metadata: {
          execution_id: artifact.execution_id,
          workspace_root: artifact.workspace_root,
          tool_calls: `${artifact.tool_calls.length}`,
        },
      },
    ],
  };
  // The rate is a float, which JavaScript writes without its decimals.
  return prettyJson(report).replace(/^( *"pass_rate": \d)$/m, '$1.0');
}

export function dslReportText(artifact: Artifact): string {
  const failed = hasPassed(artifact) ? 0 : 1;
  const error = errorOf(artifact);
  return [
    '=== dsl ===',
    `[${failed ? 'x' : '+'}] ${artifact.case_name} .. ${artifact.duration_ms}ms`,
    ...(error === undefined ? [] : [`     error: ${error}`]),
    '',
    `Total: 1 | Passed: ${1 - failed} | Failed: ${failed} | Skipped: 0`,
    `Pass rate: ${(100 * (1 - failed)).toFixed(1)}% | Duration: ${artifact.duration_ms}ms`,
    '',
  ].join('\n');
}

function hasPassed({ status }: Artifact): boolean {
  return status === 'passed';
}

/** The reason that a report gives: the error of the run, or else the kind of the first assertion that failed. */
function errorOf({ runner_error, assertions }: Artifact): string | undefined {
  if (runner_error !== null) return runner_error;
  const failed = assertions.find(({ passed }) => !passed);
  return failed && `assertion failed: ${failed.kind}`;
}

/** The summary that `mofa test-dsl` prints. `status` means only that the run ended without an error, not that the assertions hold. */
export function dslSummaryText(artifact: Artifact, comparison: BaselineComparison | undefined): string {
  const { case_name, output_text, duration_ms } = artifact;
  const tools = toolNames(artifact);
  return [
    `case: ${case_name}`,
    `status: ${succeeded(artifact) ? 'passed' : 'failed'}`,
    ...(output_text === null ? [] : [`output: ${output_text}`]),
    ...(tools.length === 0 ? [] : [`tool_calls: ${tools.join(', ')}`]),
    `duration_ms: ${duration_ms}`,
    ...(comparison === undefined ? [] : [`baseline: ${comparison.matches ? 'matched' : 'mismatch'}`]),
    ...(comparison?.differences ?? []).map(({ field }) => `difference: ${field}`),
  ]
    .join('\n')
    .concat('\n');
}

/** The summary as JSON; the outer `success` is always true, as in MoFA. */
export function dslSummaryJson(artifact: Artifact, comparison: BaselineComparison | undefined): string {
  const summary = {
    name: artifact.case_name,
    success: succeeded(artifact),
    output_text: artifact.output_text,
    duration_ms: artifact.duration_ms,
    tool_calls: toolNames(artifact),
    workspace_root: artifact.workspace_root,
    baseline_matches: comparison?.matches ?? null,
  };
  return `${prettyJson({ success: true, case: summary, baseline: comparison ?? null })}\n`;
}

function succeeded({ runner_error }: Artifact): boolean {
  return runner_error === null;
}

function toolNames({ tool_calls }: Artifact): readonly string[] {
  return tool_calls.map(({ tool_name }) => tool_name);
}
