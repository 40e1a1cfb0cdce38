import { type Cell, percentText } from '../../core/flakestorm/score';
import { t } from '../../core/text/l10n';
import { noticeOf } from '../../core/text/notice';
import { UserError } from '../errors/userError';
import type { Execution } from '../execution/runnableCase';
import { type Judgement, withJudgements } from '../execution/syntheticCase';
import { quantity } from '../terminal/visibleText';
import type { PromptResult } from './agentUnderTest';
import type { MatrixRun } from './runMatrix';
import type { PromptsRun } from './runPrompts';

/** Combines several runs of the agent into one execution: the last run in full, the judged parts of the others. */
function combineExecutions(results: readonly PromptResult[], outputText: string): Execution {
  const last = results.at(-1);
  if (last === undefined)
    throw new UserError(
      () => t('there are no golden prompts'),
      () => t('Add golden_prompts: to the file.'),
    );
  const runs = results.map(({ execution }) => execution.run);
  const artifacts = results.map(({ execution }) => execution.artifact);
  const recording = results.findLast(({ execution }) => execution.recording !== undefined)?.execution.recording;
  return {
    run: {
      outputText,
      error: null,
      toolCallOrder: runs.flatMap(({ toolCallOrder }) => toolCallOrder),
      interactions: runs.reduce((sum, { interactions }) => sum + interactions, 0),
    },
    artifact: {
      ...last.execution.artifact,
      output_text: outputText,
      runner_error: null,
      tool_calls: artifacts.flatMap(({ tool_calls }) => tool_calls),
      duration_ms: artifacts.reduce((sum, { duration_ms }) => sum + duration_ms, 0),
    },
    recording,
    interactions: results.flatMap(({ execution }) => execution.interactions ?? []),
    tapeUses: results.flatMap(({ execution }) => execution.tapeUses ?? []),
  };
}

export function promptsExecution({ results, judgements, score }: PromptsRun, faults: readonly string[]): Execution {
  const output = results.map(({ text, error }) => (error === undefined ? text : `error: ${error}`)).join('\n\n');
  const execution = combineExecutions(results, output);
  // Under chaos, requests are expected to differ from the recorded ones.
  const failures = faults.length > 0 ? [] : results.flatMap(({ execution: one }) => one.failures ?? []);
  const notes = [
    noticeOf(() => t('golden prompts were sent unchanged: Tapedeck generates no mutations')),
    ...(faults.length > 0
      ? [noticeOf(() => t('{0} injected: {1}', quantity(faults.length, 'fault'), [...new Set(faults)].join(', ')))]
      : []),
  ];
  return withJudgements({ ...execution, failures }, () => judgements, { details: { score, struck: faults }, notes });
}

/** Failed critical cells become failed assertions; other failed cells only lower the score, as in Flakestorm. */
export function matrixExecution({ cells, results, notes, ...verdict }: MatrixRun): Execution {
  const output = [`resilience score ${percentText(verdict.resilienceScore)}`, ...cells.map(lineOf)].join('\n');
  const judgements = cells.filter(({ outcome }) => outcome !== 'not judged').map(judgementOf);
  const details = {
    resilience_score: verdict.resilienceScore,
    passed: verdict.passed,
    critical_failed: verdict.criticalFailed,
    cells: cells.map(({ invariantId, scenario, severity, outcome, details: found }) => ({
      invariant_id: invariantId,
      scenario_name: scenario,
      severity,
      passed: outcome === 'passed',
      outcome,
      details: found,
    })),
  };
  const score = `resilience score ${percentText(verdict.resilienceScore)}`;
  return withJudgements(combineExecutions(results, output), () => judgements, { details, notes: [score, ...notes] });
}

function lineOf({ invariantId, scenario, severity, outcome, details }: Cell): string {
  return `${outcome}: ${invariantId} (${severity}) under ${scenario}: ${details}`;
}

function judgementOf(cell: Cell): Judgement {
  const { invariantId, scenario, severity, outcome, details } = cell;
  const isFailure = outcome === 'failed' && severity === 'critical';
  const lowered = outcome === 'failed' && !isFailure ? ' (it lowers the score)' : '';
  const expected = `${severity} under ${scenario}`;
  const words = `${invariantId} under ${scenario}: ${details}${lowered}`;
  return { result: { kind: invariantId, expected, actual: outcome, passed: !isFailure, details: words } };
}
