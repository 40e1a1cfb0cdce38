import type { Cell } from '../../core/flakestorm/score';
import { UserError } from '../errors/userError';
import type { Execution } from '../execution/runnableCase';
import { type Judgement, withJudgements } from '../execution/syntheticCase';
import type { PromptResult } from './agentUnderTest';
import type { MatrixRun } from './runMatrix';
import type { PromptsRun } from './runPrompts';

/** Several runs of the agent as one execution: of the last run there is all, of the others what was judged. */
function combineExecutions(answers: readonly PromptResult[], outputText: string): Execution {
  const last = answers.at(-1);
  if (last === undefined) throw new UserError('there are no golden prompts to ask', 'Add golden_prompts: to the file.');
  const runs = answers.map(({ execution }) => execution.run);
  const artifacts = answers.map(({ execution }) => execution.artifact);
  const recording = answers.findLast(({ execution }) => execution.recording !== undefined)?.execution.recording;
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
    ...(recording && { recording }),
    interactions: answers.flatMap(({ execution }) => execution.interactions ?? []),
    tapeUses: answers.flatMap(({ execution }) => execution.tapeUses ?? []),
  };
}

export function promptsExecution({ answers, judgements, score }: PromptsRun, struck: readonly string[]): Execution {
  const output = answers.map(({ text, error }) => (error === undefined ? text : `error: ${error}`)).join('\n\n');
  const execution = combineExecutions(answers, output);
  // Under chaos the agent is expected to ask for something else than was recorded.
  const failures = struck.length > 0 ? [] : answers.flatMap(({ execution: one }) => one.failures ?? []);
  const notes = [
    'golden prompts were asked as they are: Tapedeck generates no mutations of them',
    ...(struck.length > 0 ? [`chaos struck ${struck.length} times: ${[...new Set(struck)].join(', ')}`] : []),
  ];
  return withJudgements({ ...execution, failures }, judgements, { details: { score, struck }, notes });
}

/** Critical cells that fail are failed assertions; the others lower the score, as in Flakestorm. */
export function matrixExecution({ cells, answers, notes, ...verdict }: MatrixRun): Execution {
  const output = [`resilience score ${verdict.resilienceScore.toFixed(1)}%`, ...cells.map(lineOf)].join('\n');
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
  const score = `resilience score ${verdict.resilienceScore.toFixed(1)}%`;
  return withJudgements(combineExecutions(answers, output), judgements, { details, notes: [score, ...notes] });
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
