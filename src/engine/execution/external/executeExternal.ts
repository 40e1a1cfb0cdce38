import { dirname, resolve } from 'node:path';
import { DEFAULT_REPLAY_SPEC, joinRules } from '../../../core/cases/toml/replaySpec';
import type { Case, ExternalAgent, ReplaySpec } from '../../../core/model/case';
import type { RecordedTake, RequestedMode, TapeUse } from '../../../core/model/run';
import type { ProjectConfig } from '../../../core/project/projectConfig';
import { counted, plural } from '../../../core/text/counts';
import { t } from '../../../core/text/l10n';
import { noticeOf } from '../../../core/text/notice';
import { shellWord } from '../../../core/text/shellWord';
import type { RequestEdits } from '../../../core/wire/edit/editRequest';
import { textsOf } from '../../errors/failures';
import { ProviderError } from '../../errors/runErrors';
import { unlessMissing } from '../../errors/systemError';
import { UserError } from '../../errors/userError';
import { type FileIdentity, fileIdentity, pathExists } from '../../files/fileStatus';
import { pathOfUser } from '../../files/pathOfUser';
import { fromRoot } from '../../files/projectPaths';
import type { McpServers } from '../../mcpTape/mcpServers';
import { type ProcessCommand, type ProcessExit, runProcess } from '../../process/runProcess';
import { projectConfig } from '../../project/projectConfig';
import type { BesideRun } from '../../proxy/addressedMcp';
import { type OpenProxy, openProxy, type ProxyOptions } from '../../proxy/openProxy';
import { describeUpstreams } from '../../proxy/routes/upstreams';
import type { InteractionReport } from '../../proxy/session/report';
import { reachedText } from '../../proxy/silentAgent';
import { claimTape } from '../../recording/claimTape';
import { Journal } from '../../recording/journal';
import { LazyRecorder } from '../../recording/openRecorder';
import { loadTape } from '../../recording/readTape';
import type { Recorder } from '../../recording/recorder';
import { requireWritable, saveRecording } from '../../recording/saveRecording';
import { usageAdvice } from '../../recording/streamsWithoutUsage';
import { leftOutText } from '../../recording/unhiddenError';
import type { ResumeAt } from '../../recording/writeTake';
import { buildArtifact } from '../buildArtifact';
import { ageNotes, replayFindings } from '../replayFindings';
import { type ExecuteOptions, type Execution, type PlannedRun, recordingPath } from '../runnableCase';
import { withWorkspace } from '../workspace';
import { callService } from './agentService';
import { externalRun } from './externalRun';
import { externalVerdicts, requestVerdicts, requireSuccess } from './outcome';
import {
  agentEnvironment,
  type ExternalPlan,
  planExternalRun,
  planWithTape,
  runVariables,
  upstreamChoices,
  userEnvironment,
} from './plan';

/** A run of the user's own agent. Throws a `UserError` when the case has nothing to do in this mode. */
export function planExternal(testCase: Case, agent: ExternalAgent, mode: RequestedMode): PlannedRun {
  const plan = planExternalRun(testCase.llm, mode);
  return { mode: plan.mode, starts: agent, execute: (options) => executeExternal(testCase, agent, plan, options) };
}

/** One run of the user's own agent, before the proxy is open. */
interface ExternalRunContext {
  readonly testCase: Case;
  readonly agent: ExternalAgent;
  readonly plan: ExternalPlan;
  readonly options: ExecuteOptions;
  readonly config: ProjectConfig;
  /** Absolute. */
  readonly tapePath: string;
  readonly replay: ReplaySpec;
  /** In a recording: where the new take begins. */
  readonly resume: ResumeAt | undefined;
  /** The tape that is continued, as it was before. */
  readonly resumed: FileIdentity | undefined;
  /** Absent if nothing is recorded. */
  readonly journal?: Journal;
  /** Of the user, and what the case adds to it. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Knows that environment as well, and where the proxy listens. */
  readonly recorder: Recorder;
}

async function executeExternal(
  testCase: Case,
  agent: ExternalAgent,
  planned: ExternalPlan,
  given: ExecuteOptions,
): Promise<Execution> {
  const options = { ...given, network: given.network.narrowedTo(planned.mode) };
  const { root, casePath } = options;
  await options.permitStart(agent);
  const tapePath = options.fork?.base ?? pathOfUser(dirname(casePath), planned.tape);
  const plan = pathExists(tapePath) ? planWithTape(planned, options) : planned;
  const resume = plan.mode === 'record' ? options.from : undefined;
  const own = agent.kind === 'program' ? agent.environment : {};
  const environment = { ...userEnvironment(options.network.keys), ...own };
  const context: ExternalRunContext = {
    testCase,
    agent,
    plan,
    options,
    config: await projectConfig(root),
    tapePath,
    replay: testCase.llm.replay ?? DEFAULT_REPLAY_SPEC,
    resume,
    resumed: resume === undefined ? undefined : await unlessMissing(fileIdentity(tapePath)),
    environment,
    recorder: options.recorder.withEnvironment(environment),
  };
  const target = options.fork?.target ?? tapePath;
  if (plan.saves) await requireWritable(root, target, context.config.proxy.format);
  // A take for comparison has a place of its own, and is made again with the others.
  if (!plan.saves || options.aside !== undefined) return behindProxy(context);
  const release = await claimTape({ root, tapePath: target }, (line) => options.onNotice?.(line));
  const journal = journalOf(context);
  try {
    return await behindProxy({ ...context, journal });
  } finally {
    await journal.end();
    await release();
  }
}

function journalOf({ plan, options, config, tapePath, resumed }: ExternalRunContext): Journal {
  return new Journal({
    root: options.root,
    tapePath: recordingPath(tapePath, options),
    format: config.proxy.format,
    append: plan.proxyMode === 'auto',
    continues: resumed,
    ...(options.fork && { base: options.fork.base }),
    onProblem: (message) => options.onNotice?.(message),
  });
}

async function behindProxy(context: ExternalRunContext): Promise<Execution> {
  const { agent } = context;
  const options = proxyOptions(context);
  let command = agent.kind === 'program' ? agent.command : [];
  const openMcp = async (run: BesideRun): Promise<McpServers> => {
    const servers = await openServers(options, context, run);
    command = servers.command(command);
    return servers;
  };
  const proxy = await openProxy(agent.kind === 'program' ? { ...options, openMcp } : options);
  if (context.plan.proxyMode !== 'replay') tellWhereItSends(proxy, context);
  try {
    return await executeBehind(proxy, { ...context, recorder: await proxy.recorder.get() }, command);
  } finally {
    await proxy.close();
  }
}

/** Names the addresses that files of the project give, before the first request goes there. */
function tellWhereItSends({ upstreams }: OpenProxy, { options }: ExternalRunContext): void {
  const turned = [...upstreams.values()].some(({ isOfProject, overruled }) => isOfProject || overruled !== undefined);
  if (turned) for (const line of describeUpstreams(upstreams)) options.onNotice?.(line);
}

function proxyOptions(context: ExternalRunContext): ProxyOptions {
  const { testCase, agent, plan, options, config, tapePath, replay, resume, journal, environment, recorder } = context;
  return {
    root: options.root,
    tapePath,
    mode: resume === undefined ? plan.proxyMode : 'auto',
    resume,
    isFork: options.fork && true,
    edits: requestEdits(context),
    journal,
    config,
    ...(agent.kind === 'service' && agent.proxy),
    environment,
    network: options.network,
    recorder: new LazyRecorder(
      { environments: [environment], keys: {}, patterns: config.proxy.redactPatterns },
      async () => recorder,
    ),
    repeat: replay.repeat,
    rules: joinRules([replay, config.replay]),
    upstreams: upstreamChoices(testCase, config),
    rerecord: t('Re-record the case if the change is intended.'),
    masksIn: 'case',
    // A service has the environment that it was started with.
    forward: agent.kind === 'program',
    onReport: ({ number, verdict, explanation }) => {
      options.onInteraction?.(number, verdict);
      if (verdict === 'passed' && explanation !== undefined) options.onNotice?.(explanation);
    },
    onFault: (message) => options.onNotice?.(message),
  };
}

/** Runs the agent with its traffic going through the proxy, and saves its recording where the plan has one. */
async function executeBehind(
  proxy: OpenProxy,
  context: ExternalRunContext,
  command: readonly string[],
): Promise<Execution> {
  const { testCase, agent, plan, options, tapePath, replay, recorder } = context;
  const startedAtMs = Date.now();
  let exit: ProcessExit | undefined;
  const workspace = await withWorkspace(testCase, async (folder) => {
    exit = await executeAgent(folder, proxy, context, command);
    await proxy.drain();
    const { tally, abandoned } = proxy;
    const { prices } = context.config;
    await requireSuccess({ agent, exit, reports: tally.reports, abandoned, tapePath, recorder, replay, prices });
  });
  options.signal.throwIfAborted();
  const { saves: keeps } = plan;
  const run = await externalRun({ testCase, workspace, exit, proxy, tapePath, saves: keeps, startedAtMs, recorder });
  const artifact = buildArtifact(testCase, run, plan, { recorder, prices: context.config.prices });
  const process = exit && processRecord(agent, exit, recorder);
  const isReplay = plan.mode === 'replay';
  const started = await proxy.startedServers();
  if (!isReplay || started.length > 0) await tellOfServers(started, context);
  const verdicts = isReplay ? await externalVerdicts(proxy, tapePath, replay.maxAgeDays) : requestVerdicts(proxy.tally);
  const saves = plan.saves && run.error === null && proxy.recorded.length > 0;
  if (run.error !== null) await keepFailed(context);
  return {
    run,
    artifact: { ...artifact, tapedeck: { mode: plan.mode, tape: plan.tape, process } },
    assertionSpans: testCase.assertions.map(({ span }) => span),
    interactions: verdicts,
    ...(isReplay && started.length > 0 && { untapedServers: started }),
    notes: [
      noticeOf(() => t('requests: {0}', proxy.tally.text())),
      ...(isReplay && started.length > 0 ? [noticeOf(() => untapedNote(started.length))] : []),
      noticeOf(() => reachedText(plan.proxyMode, exit?.reached) ?? ''),
      noticeOf(() => proxy.tally.telemetryText({ isReplay }) ?? ''),
      noticeOf(() => usageAdvice(proxy.recorded) ?? ''),
      ...(isReplay && replay.maxAgeDays !== undefined
        ? ageNotes(replay, verdicts, (await loadTape(tapePath)).tape)
        : []),
    ],
    ...(isReplay && {
      tapeUses: [await tapeUse(proxy, tapePath)],
      failures: replayFindings(replay, verdicts, plan.tape),
    }),
    ...(saves && { recording: await save(proxy, context) }),
  };
}

async function save(proxy: OpenProxy, context: ExternalRunContext): Promise<RecordedTake> {
  const { plan, options, config, tapePath, resume, resumed, journal, recorder } = context;
  const target = recordingPath(tapePath, options);
  // Where it cannot be saved, it can be recovered.
  journal?.keep();
  const { leftOut = [], ...saved } = await saveRecording({
    root: options.root,
    path: tapePath,
    target,
    format: config.proxy.format,
    recorded: proxy.recorded,
    recorder,
    append: plan.proxyMode === 'auto',
    keep: resume === undefined ? undefined : keptInteractions(proxy.tally.reports, tapePath, options),
    keptOf: resumed,
    journal,
  });
  journal?.forget();
  for (const one of leftOut) options.onNotice?.(() => leftOutText(one));
  return { tapePath: target, ...saved };
}

/** Tells of MCP servers of the agent that are not on the tape. */
async function tellOfServers(started: readonly string[], { agent, plan, options }: ExternalRunContext): Promise<void> {
  if (agent.kind !== 'program') return;
  const { untapedAdvice } = await import('../../mcpTape/untapedServers');
  const from = dirname(options.casePath);
  const { command, mcpConfig: taped } = agent;
  const where = { command, cwd: resolve(from, agent.cwd), from, taped, namedIn: 'case' } as const;
  const mode = plan.mode === 'live' ? 'passthrough' : plan.proxyMode;
  const advice = await untapedAdvice({ ...where, mode, started });
  if (advice !== undefined) options.onNotice?.(advice);
}

function untapedNote(count: number): string {
  return counted(
    count,
    '{0} MCP server was started, and not replayed',
    '{0} MCP servers were started, and not replayed',
  );
}

/** Leaves what a failed run recorded to be recovered, and says how. */
async function keepFailed({ options, tapePath, journal }: ExternalRunContext): Promise<void> {
  const kept = (await journal?.keepFailed()) ?? 0;
  if (kept === 0) return;
  const tape = fromRoot(options.root, recordingPath(tapePath, options));
  options.onNotice?.(() =>
    t(
      'the tape is unchanged: the run failed. Kept: {0}. To save them as the tape: tapedeck recover --save {1}',
      plural(kept, 'interaction'),
      shellWord(tape),
    ),
  );
}

/** The output and exit code of a program; a service has only its response. */
function processRecord(agent: ExternalAgent, { code, stdout, stderr }: ProcessExit, recorder: Recorder) {
  if (agent.kind === 'service') return undefined;
  return { command: agent.command, exit_code: code, stdout: recorder.text(stdout), stderr: recorder.text(stderr) };
}

async function executeAgent(
  workspace: string,
  proxy: OpenProxy,
  context: ExternalRunContext,
  command: readonly string[],
): Promise<ProcessExit> {
  const { testCase, agent, plan, options, config } = context;
  const { casePath, signal, network, agentDebugger } = options;
  if (agent.kind === 'service') {
    const variables = { ...runVariables(testCase), ...modelVariable(context), ...proxy.variables };
    return callService(agent, { testCase, workspace, variables, signal, network });
  }
  const { upstreams } = proxy;
  const { keys } = network;
  const environment = await agentEnvironment({ testCase, agent, mode: plan.mode, config, upstreams, keys });
  try {
    const program: ProcessCommand = {
      command,
      cwd: resolve(dirname(casePath), agent.cwd),
      environment: { ...environment, ...modelVariable(context), ...proxy.variables, TAPEDECK_WORKSPACE: workspace },
      stdio: 'captured',
      input: testCase.prompt,
      timeoutMs: agent.timeoutMs,
      signal,
      isWatched: true,
    };
    if (agentDebugger === undefined) return await runProcess(program);
    return await (await import('./runDebugged')).runDebugged(program, casePath, agentDebugger);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const { message, fix = '' } = textsOf(error);
    throw new ProviderError('unreachable', message, fix);
  }
}

async function tapeUse({ onTape, unused }: OpenProxy, tapePath: string): Promise<TapeUse> {
  const idle = new Set(await unused());
  const used = Array.from({ length: onTape }, (_, index) => index).filter((index) => !idle.has(index));
  return { tapePath, recorded: onTape, used };
}

interface AgentOfCase {
  readonly agent: ExternalAgent;
  readonly options: Pick<ExecuteOptions, 'casePath' | 'onNotice'>;
}

/** The MCP servers of the user's own agent, led through the tape. */
async function openServers(
  { mode, root, tapePath, config, rules, network, environment, journal }: ProxyOptions,
  { agent, options: { casePath, onNotice } }: AgentOfCase,
  run: BesideRun,
): Promise<McpServers> {
  const { openMcpServers } = await import('../../mcpTape/mcpServers');
  const given = {
    file: agent.kind === 'program' ? agent.mcpConfig : undefined,
    plan: { mode, root, tapePath, format: config.proxy.format, rules, network },
    cwd: dirname(casePath),
    environment,
    journal,
    onProblem: (message: string) => onNotice?.(message),
  };
  return openMcpServers(given, run);
}

interface PlannedAgent {
  readonly plan: ExternalPlan;
  readonly options: ExecuteOptions;
}

/** What is changed in the requests that a recording sends. */
function requestEdits({ plan, options: { fork, model } }: PlannedAgent): RequestEdits | undefined {
  if (plan.mode === 'replay' || (fork === undefined && model === undefined)) return undefined;
  return { ...fork?.edits, ...(model !== undefined && { model }) };
}

/** The model of the run, where it is not the agent's own. */
function modelVariable({ plan, options: { model } }: PlannedAgent): Record<string, string> {
  return plan.mode === 'replay' || model === undefined ? {} : { TAPEDECK_MODEL: model };
}

/** How many interactions of the tape a resumed take keeps. Throws a `UserError` unless it used the first ones, in order. */
function keptInteractions(
  reports: readonly InteractionReport[],
  tapePath: string,
  { fork, from }: ExecuteOptions,
): number {
  const served = reports.flatMap(({ index }) => index ?? []).sort((left, right) => left - right);
  const isWhole = fork === undefined || served.length === from;
  if (isWhole && served.every((index, at) => index === at)) return served.length;
  const message = () => t('{0}: the agent did not make the first requests of the tape in the recorded order', tapePath);
  const fix = () =>
    fork === undefined ? t('Record the whole tape: leave out --from.') : t('Re-record the tape, and fork the new one.');
  throw new UserError(message, fix);
}
