import { dirname } from 'node:path';
import { defaultTape } from '../../core/cases/caseKind';
import { promptTape } from '../../core/cases/flakestorm/kinds';
import { caseKindOf } from '../../core/cases/registry';
import { type FlakestormConfig, readFlakestormConfig } from '../../core/flakestorm/config';
import { type Cell, percentText } from '../../core/flakestorm/score';
import { readSessions } from '../../core/flakestorm/session';
import type { AgentProgram } from '../../core/model/case';
import type { RequestedMode } from '../../core/model/run';
import { t } from '../../core/text/l10n';
import { noticeOf } from '../../core/text/notice';
import { CaseError, caseFailure } from '../errors/failures';
import { UserError } from '../errors/userError';
import type { CaseFile, ExecuteOptions, Execution, RunnableCase } from '../execution/runnableCase';
import { type Judgement, requireValid, withJudgements } from '../execution/syntheticCase';
import { withSlashes } from '../files/projectPaths';
import { quantity } from '../terminal/visibleText';
import { pythonAgent } from './agents';
import { AgentUnderTest, type PromptResult } from './agentUnderTest';
import { findConfig, resolveContract } from './findConfig';
import { type MatrixRun, runMatrix } from './runMatrix';
import { type PromptsRun, runPrompts } from './runPrompts';
import { runSession } from './runSession';

/** The user's agent, where the configuration has one that is a program. */
function agentProgram(
  config: FlakestormConfig | undefined,
  casePath: string,
  configPath?: string,
): AgentProgram | undefined {
  const agent = config?.agent;
  if (agent?.type !== 'python' && agent?.type !== 'langchain') return undefined;
  return pythonAgent({ type: agent.type, endpoint: agent.endpoint }, casePath, configPath);
}

type Run = (mode: RequestedMode, options: ExecuteOptions) => Promise<Execution>;

/** Opens one of the cases of `flakestorm.yaml`. */
export function openFlakestorm(file: CaseFile): RunnableCase {
  const config = requireValid(file, () => readFlakestormConfig(file.text));
  const { id = 'prompts' } = file;
  const { name, run } = partOf(config, file, id);
  return {
    name,
    async plan(mode) {
      if (mode === 'record' && (id === 'chaos' || id === 'contract')) {
        const fix = () =>
          t('Re-record its golden prompts: {0}#prompts. This case replays their tapes under chaos.', file.name);
        throw new UserError(() => t('{0}#{1} has no tape of its own to record', file.name, id), fix);
      }
      return { mode, starts: agentProgram(config, file.path), execute: (options) => run(mode, options) };
    },
  };
}

function partOf(config: FlakestormConfig, file: CaseFile, id: string): { readonly name: string; readonly run: Run } {
  const prompts = goldenTestPrompts(config, file);
  const subject = (mode: RequestedMode, options: ExecuteOptions) => new AgentUnderTest(config, mode, file, options);
  const { chaos, contract } = config;
  if (id === 'prompts') {
    const run: Run = async (mode, options) =>
      promptsExecution(await runPrompts(subject(mode, options), config.invariants, prompts), []);
    return { name: 'golden prompts', run };
  }
  if (id === 'chaos' && chaos !== undefined) {
    const run: Run = async (mode, options) => {
      const agent = subject(mode, options);
      const chaosState = agent.startChaos(chaos);
      const result = await runPrompts(agent, config.invariants, prompts, chaosState);
      return promptsExecution(result, chaosState.faults);
    };
    return { name: 'golden prompts under chaos', run };
  }
  if (id === 'contract' && contract !== undefined) {
    const run: Run = async (mode, options) =>
      matrixExecution(await runMatrix(subject(mode, options), contract, prompts, chaos));
    return { name: contract.name || 'contract', run };
  }
  return sessionPart(config, file, id);
}

function sessionPart(config: FlakestormConfig, file: CaseFile, id: string) {
  const found = config.sessions.find(({ session }) => `session:${session.id}` === id);
  if (found === undefined) {
    const { cases = [] } = caseKindOf(file.text, withSlashes(file.path))?.list(file.text, withSlashes(file.path)) ?? {};
    const lacks = cases.find((listed) => listed.id === id)?.lacks;
    if (lacks !== undefined) throw new CaseError([caseFailure(`${file.name}: ${lacks}`)]);
    throw new CaseError([
      caseFailure(
        () => t('{0} has no case {1}', file.name, id),
        () => t('Use prompts, chaos, contract or session:ID.'),
      ),
    ]);
  }
  const { session } = found;
  const run: Run = async (mode, options) => {
    const contract = await resolveContract(session.contract, config, dirname(file.path));
    const tape = defaultTape(withSlashes(file.path), session.id);
    const agent = new AgentUnderTest(config, mode, file, options);
    return runSession(agent, { session, tape, chaosState: agent.configuredChaos(), contract });
  };
  return { name: session.name || session.id, run };
}

/** The golden prompts, each with its tape. */
export function goldenTestPrompts({ goldenPrompts }: FlakestormConfig, { path }: Pick<CaseFile, 'path'>) {
  return goldenPrompts.map(({ text }, index) => ({
    name: `golden prompt ${index + 1}`,
    prompt: text,
    tape: promptTape(path, index),
  }));
}

/** Opens a replay session in a file of its own. Its contract is read from the same folder, as in `flakestorm replay run`. */
export function openSession(file: CaseFile): RunnableCase {
  const sessions = requireValid(file, () => readSessions(file.text));
  const found = sessions.length === 1 ? sessions[0] : sessions.find(({ session }) => session.id === file.id);
  if (found === undefined) {
    const ids = sessions.map(({ session }) => session.id).join(', ');
    throw new CaseError([caseFailure(() => t('{0}: pass one of its sessions: {1}', file.name, ids))]);
  }
  const { session } = found;
  const tape = found.tape ?? defaultTape(withSlashes(file.path), sessions.length === 1 ? undefined : session.id);
  const folder = dirname(file.path);
  return {
    name: session.name || session.id,
    async plan(mode, root) {
      const { config, path: configPath } = (await findConfig(folder, root)) ?? {};
      return {
        mode,
        starts: agentProgram(config, file.path, configPath),
        async execute(options) {
          const contract = await resolveContract(session.contract, config, folder);
          const agent = new AgentUnderTest(config, mode, file, options, configPath);
          return runSession(agent, { session, tape, chaosState: agent.configuredChaos(), contract });
        },
      };
    },
  };
}

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

function promptsExecution({ results, judgements, score }: PromptsRun, faults: readonly string[]): Execution {
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
function matrixExecution({ cells, results, notes, ...verdict }: MatrixRun): Execution {
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
