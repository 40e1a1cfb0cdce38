import { dirname, resolve } from 'node:path';
import { DEFAULT_REPLAY_SPEC } from '../../../core/cases/toml/replaySpec';
import type { Case, ExternalAgent } from '../../../core/model/case';
import type { RequestedMode } from '../../../core/model/run';
import type { Redactor } from '../../../core/secrets/redactor';
import { ProviderError } from '../../errors/runErrors';
import { UserError } from '../../errors/userError';
import { type ProcessExit, runProcess } from '../../process/runProcess';
import { projectConfig } from '../../project/projectConfig';
import { type OpenProxy, openProxy } from '../../proxy/openProxy';
import type { InteractionReport } from '../../proxy/report';
import { requireWritable, saveRecording } from '../../recording/saveRecording';
import { buildArtifact } from '../buildArtifact';
import { replayFindings } from '../replayFindings';
import { type ExecuteOptions, type Execution, type PlannedRun, recordingPath } from '../runnableCase';
import { withWorkspace } from '../workspace';
import { callService } from './agentService';
import { externalRun } from './externalRun';
import { externalVerdicts, requestVerdicts, requireSuccess } from './outcome';
import { agentEnvironment, type ExternalPlan, planExternalRun, runVariables, upstreamsOf } from './plan';

/** A run of the user's own agent. Throws a `UserError` when the case has nothing to do in this mode. */
export function planExternal(testCase: Case, agent: ExternalAgent, mode: RequestedMode): PlannedRun {
  const plan = planExternalRun(testCase.llm, mode);
  return { mode: plan.mode, execute: (options) => executeExternal(testCase, agent, plan, options) };
}

async function executeExternal(
  testCase: Case,
  agent: ExternalAgent,
  plan: ExternalPlan,
  options: ExecuteOptions,
): Promise<Execution> {
  const { root, casePath, signal } = options;
  const tapePath = resolve(dirname(casePath), plan.tape);
  const config = await projectConfig(root);
  const { format } = config.proxy;
  if (plan.saves) await requireWritable(root, tapePath, format);
  const environment = agentEnvironment(testCase, agent, options.env);
  const { replay = DEFAULT_REPLAY_SPEC } = testCase.llm;
  const resume = plan.mode === 'record' ? options.from : undefined;
  const proxy = await openProxy({
    root,
    tapePath,
    mode: resume === undefined ? plan.proxyMode : 'auto',
    resume,
    config,
    ...(agent.kind === 'service' && agent.proxy),
    environment,
    repeat: replay.repeat,
    rules: { match: replay.match ?? 'exact', masks: replay.masks },
    upstreams: upstreamsOf(testCase.llm.provider ?? config.provider),
    rerecord: 'Re-record the case when the change is wanted.',
    onReport: ({ number, verdict, explanation }) => {
      options.onInteraction?.(number, verdict);
      if (verdict === 'passed' && explanation !== undefined) options.onNotice?.(explanation);
    },
    onFault: (message) => options.onNotice?.(message),
  });
  let end: ProcessExit | undefined;
  try {
    const startedAtMs = Date.now();
    const redactor = await proxy.redactor.get();
    const place = await withWorkspace(testCase, async (workspace) => {
      end = await executeAgent(workspace, testCase, agent, proxy, environment, options);
      await proxy.settled();
      await requireSuccess({ agent, end, reports: proxy.tally.reports, tapePath, redactor });
    });
    signal.throwIfAborted();
    const run = await externalRun({ testCase, place, end, proxy, tapePath, startedAtMs });
    const artifact = buildArtifact(testCase, run, { mode: plan.mode, tape: plan.tape });
    const verdicts =
      plan.mode === 'replay'
        ? await externalVerdicts(proxy, tapePath, replay.maxAgeDays)
        : requestVerdicts(proxy.tally);
    const process = end && processRecord(agent, end, redactor);
    return {
      run,
      artifact: { ...artifact, tapedeck: { mode: plan.mode, tape: plan.tape, ...(process && { process }) } },
      assertionSpans: testCase.assertions.map(({ span }) => span),
      interactions: verdicts,
      notes: [`requests: ${proxy.tally.text()}`],
      ...(plan.mode === 'replay' && tapeUse(proxy, tapePath)),
      ...(plan.mode === 'replay' && { failures: replayFindings(replay, verdicts, plan.tape) }),
      ...(plan.saves && run.error === null && proxy.recorded.length > 0 && { recording: await save() }),
    };
  } finally {
    await proxy.close();
  }

  async function save() {
    const { recorded } = proxy;
    const keep = resume === undefined ? undefined : keptBy(proxy.tally.reports, tapePath);
    const target = recordingPath(tapePath, options.aside);
    const saved = await saveRecording({
      root,
      path: tapePath,
      target,
      format,
      recorded,
      append: plan.proxyMode === 'auto',
      keep,
    });
    return { tapePath: target, ...saved };
  }
}

/** How many interactions of the tape a resumed take has used: they are its first, or there is nothing to put it behind. */
function keptBy(reports: readonly InteractionReport[], tapePath: string): number {
  const served = reports.flatMap(({ index }) => index ?? []).sort((left, right) => left - right);
  if (served.every((index, at) => index === at)) return served.length;
  const message = `${tapePath}: the agent did not ask for the start of the tape in the recorded order`;
  throw new UserError(message, 'Record the whole tape: leave --from away.');
}

/** What a program wrote and how it ended; of a service there is the answer alone. */
function processRecord(agent: ExternalAgent, { code, stdout, stderr }: ProcessExit, redactor: Redactor) {
  if (agent.kind === 'service') return undefined;
  return { command: agent.command, exit_code: code, stdout: redactor.text(stdout), stderr: redactor.text(stderr) };
}

async function executeAgent(
  workspace: string,
  testCase: Case,
  agent: ExternalAgent,
  proxy: OpenProxy,
  environment: Readonly<Record<string, string | undefined>>,
  { casePath, signal }: ExecuteOptions,
): Promise<ProcessExit> {
  if (agent.kind === 'service') {
    const variables = { ...runVariables(testCase), ...proxy.variables };
    return callService(agent, { testCase, workspace, variables, signal });
  }
  try {
    return await runProcess({
      command: agent.command,
      cwd: resolve(dirname(casePath), agent.cwd),
      environment: { ...environment, ...proxy.variables, TAPEDECK_WORKSPACE: workspace },
      stdio: 'captured',
      input: testCase.prompt,
      timeoutMs: agent.timeoutMs,
      signal,
    });
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new ProviderError('unreachable', error.message, error.fix ?? '');
  }
}

function tapeUse({ onTape, unused }: OpenProxy, tapePath: string) {
  const idle = new Set(unused());
  const used = Array.from({ length: onTape }, (_, index) => index).filter((index) => !idle.has(index));
  return { tapeUses: [{ tapePath, recorded: onTape, used }] };
}
