import { prettyJson } from '../../core/json/json';
import type { Artifact } from '../../core/model/artifact';
import type { BaselineComparison } from '../../core/model/run';

/** What `mofa test-dsl` prints. `status` says only that the run ended without an error, whatever the assertions say. */
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

/** The same as JSON; `success` on the outside is always true, as in MoFA. */
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
