import { availableParallelism } from 'node:os';
import { forward, type Served } from '../../contracts/contract';
import { agentCasesCalls } from '../../contracts/engine/agentCases';
import type { AgentDebugger } from '../../contracts/engine/agentDebugger';
import { comparisonsCalls } from '../../contracts/engine/comparisons';
import {
  ENGINE_PROTOCOL,
  type EngineApi,
  type engine,
  type RunEvent,
  type RunParams,
  type SinceParams,
  type StabilityParams,
} from '../../contracts/engine/engine';
import { type EngineReviewsApi, engineReviewsCalls } from '../../contracts/engine/engineReviews';
import { hooksCalls } from '../../contracts/engine/hooks';
import { interruptedRecordingsCalls } from '../../contracts/engine/interruptedRecordings';
import { makeCaseCalls } from '../../contracts/engine/makeCase';
import type { ProxySessionsApi } from '../../contracts/engine/proxySessions';
import { recordingCostsCalls } from '../../contracts/engine/recordingCosts';
import type { SearchApi, SearchEvent } from '../../contracts/engine/search';
import type { StabilityReport } from '../../contracts/engine/stability';
import { takesCalls } from '../../contracts/engine/takes';
import type { TrialEvent, TrialsApi } from '../../contracts/engine/trials';
import type { HoldsApi } from '../../contracts/holds';
import type { RequestedMode, RunResult } from '../../core/model/run';
import { shownRun, shownTrial } from '../../core/runs/shownRun';
import { t } from '../../core/text/l10n';
import { inWords, says, type Words } from '../../core/text/notice';
import { UserError } from '../errors/userError';
import { startedByUser } from '../execution/runnableCase';
import { allowMachineOf } from '../files/machines';
import { inEnglish, inTheirLanguage } from '../language';
import type { NetworkPolicy } from '../network/policy';
import { declareLayoutsOf } from '../project/declareLayouts';
import type { AskEditor } from '../providers/editorModel';
import type { LastingRecorders } from '../recording/openRecorder';
import type { ProxySessions } from '../sessions/proxySessions';
import { version } from '../version';

type Shown = { readonly [M in keyof EngineApi]?: (result: Awaited<ReturnType<EngineApi[M]>>) => unknown };

/**
 * The calls whose texts are stored in files, or read by agents and models: these texts are made in English. The editor gets what they say
 * in its language.
 */
const KEPT: Shown = {
  run: (results) => results.map(shownRun),
  fork: (fork) => fork,
  trial: shownTrial,
  adoptTrial: (result) => result,
  openSession: (result) => result,
  releaseHeld: () => undefined,
  closeSession: (closed) => closed,
};
/** Read by a model, errors included. */
const TOLD_TO_MODELS = 'callTool';
/** Read from files that others of these calls wrote. */
const READ: Shown = { storedTrial: (trial) => trial && shownTrial(trial) };

type CallLanguage = 'english' | 'kept' | 'shown';

function languageOfCall(call: string): CallLanguage {
  if (call === TOLD_TO_MODELS) return 'english';
  return Object.hasOwn(KEPT, call) ? 'kept' : 'shown';
}

/** The result of a call in the language of the editor. */
function shownResult(call: string, result: unknown): unknown {
  const shown: Readonly<Record<string, ((result: never) => unknown) | undefined>> = { ...KEPT, ...READ };
  return shown[call]?.(result as never) ?? result;
}

interface ServedApi {
  readonly api: EngineApi;
  /** Resolves when no call is running any more. */
  idle(): Promise<void>;
}

/**
 * The calls that the engine serves to the editor. Keys that come with a call are forgotten with it, or, of a tool, with the
 * next one that brings others. The code behind a call is
 * loaded by the first one, so that the engine says hello early.
 */
export function createApi(
  emit: Served<typeof engine>['emit'],
  askEditor: AskEditor,
  agentDebugger: AgentDebugger,
): ServedApi {
  const emitRun = (event: RunEvent): void => emit('run', event);
  let reviews: Promise<EngineReviewsApi> | undefined;
  const loadReviews = (): Promise<EngineReviewsApi> => {
    reviews ??= import('../review/reviewApi').then(({ createReviewApi }) => createReviewApi());
    return reviews;
  };
  const callTool = createToolCalls();
  return served({
    ...forward(engineReviewsCalls, loadReviews),
    hello: async () => ({ protocol: ENGINE_PROTOCOL, version }),
    run: (params, signal) => run(params, signal, { askEditor, agentDebugger }, emitRun),
    createRepository: async ({ root, message }) =>
      (await import('../git/createRepository')).createRepository(root, message),
    changesSince,
    selfCheck: async ({ folder, storedKeys }, signal) => {
      const { selfCheck, selfCheckText } = await import('../selfCheck/selfCheck');
      return selfCheckText(await selfCheck(folder, signal, storedKeys));
    },
    stability: (params, signal) => runStability(params, signal, askEditor, emitRun),
    ...forward(takesCalls, async () => (await import('../recording/storedTakes')).takesApi),
    ...forward(comparisonsCalls, async () => (await import('../review/comparison')).comparisonsApi),
    ...forward(agentCasesCalls, async () => (await import('../agentTools/agentCases')).agentCasesApi),
    ...forward(interruptedRecordingsCalls, async () => (await import('./interruptedRecordings')).calls),
    ...forward(makeCaseCalls, async () => (await import('../recording/makeCase')).makeCaseApi),
    recordingTargets: async (params) => (await import('../cases/recordingTargets')).recordingTargets(params),
    ...forward(recordingCostsCalls, async () => (await import('../cases/estimateRecording')).recordingCostsApi),
    confirmKeys: async ({ root, targets }) => (await import('../network/confirmations')).rememberTargets(root, targets),
    callTool,
    forkPlan: async (params) => (await import('../forks/forksApi')).forkPlan(params),
    fork: async (params, signal) => {
      const network = await policyFor(params.root, 'record', params.keys);
      return (await import('../forks/forksApi')).runFork(params, { signal, network, askEditor, emit: emitRun });
    },
    ...searchCalls((event) => emit('search', event)),
    ...trialCalls(askEditor, (event) => emit('trial', event)),
    ...forward(hooksCalls, async () => (await import('../hooks/preCommit')).hooksApi),
    ...sessionCalls(
      (event) => emit('session', event),
      (event) => emit('held', event),
    ),
  });
}

function searchCalls(emit: (event: SearchEvent) => void): SearchApi {
  let loading: Promise<SearchApi> | undefined;
  const api = (): Promise<SearchApi> => {
    loading ??= import('../search/searchApi').then(({ createSearchApi }) => createSearchApi(emit));
    return loading;
  };
  return {
    search: async (params, signal) => (await api()).search(params, signal),
    overview: async (params, signal) => (await api()).overview(params, signal),
  };
}

function trialCalls(askEditor: AskEditor, emit: (event: TrialEvent) => void): TrialsApi {
  const trials = () => import('../trials/trialsApi');
  return {
    trialPlan: async (params) => (await trials()).trialPlan(params),
    storedTrial: async (params) => (await trials()).storedTrial(params),
    adoptTrial: async (params, signal) => {
      const network = await policyFor(params.root, 'replay', {});
      return (await trials()).adoptTrial(params, { signal, network });
    },
    trial: async (params, signal) => {
      const network = await policyFor(params.root, 'record', params.keys);
      return (await trials()).runTrial(params, { signal, askEditor, network, emit });
    },
  };
}

function sessionCalls(...emit: ConstructorParameters<typeof ProxySessions>): ProxySessionsApi & HoldsApi {
  let loading: Promise<ProxySessions> | undefined;
  const sessions = (): Promise<ProxySessions> => {
    loading ??= import('../sessions/proxySessions').then((module) => new module.ProxySessions(...emit));
    return loading;
  };
  return {
    sessionTargets: async (params) => (await import('../cases/recordingTargets')).sessionTargets(params),
    openSession: async (params) => {
      const network = await policyFor(params.root, params.mode, params.keys);
      return (await sessions()).open({ ...params, network });
    },
    sessionTape: async ({ session }) => (await sessions()).tape(session),
    setHolds: async (params) => (await sessions()).setHolds(params),
    releaseHeld: async (params) => (await sessions()).releaseHeld(params),
    closeSession: async ({ session, outcome }) => (await sessions()).close(session, outcome),
  };
}

type Handler = (params: never, signal: AbortSignal) => Promise<unknown>;

/** The same calls, followed while they run; their errors carry the fix, because only the message crosses the channel. */
function served(calls: EngineApi): ServedApi {
  const running = new Set<Promise<unknown>>();
  const follow = (name: string, call: Handler): Handler => {
    return async (params, signal) => {
      const work = told(name, async () => {
        await openProject(params);
        return call(params, signal);
      });
      running.add(work);
      try {
        return await work;
      } finally {
        running.delete(work);
      }
    };
  };
  const api = Object.fromEntries(Object.entries<Handler>(calls).map(([name, call]) => [name, follow(name, call)]));
  return { api: api as unknown as EngineApi, idle: async () => void (await Promise.allSettled(running)) };
}

/** The files of a call are read from the machine of its project, and by its layouts. */
async function openProject(params: { readonly root?: unknown } | undefined): Promise<void> {
  if (typeof params?.root !== 'string') return;
  allowMachineOf(params.root);
  await declareLayoutsOf(params.root);
}

async function changesSince({ root, revision }: SinceParams): Promise<string> {
  const { checkMarkdown } = await import('../reporters/checkReport');
  const { listReviews } = await import('../review/changedReviews');
  const { revisionSince } = await import('../git/revision');
  const { hideChanges } = await import('../recording/hideChanges');
  const { recorderOfSpan } = await import('../review/earlierRules');
  const span = revisionSince(revision);
  const reviews = await listReviews(root, span);
  const recorder = await recorderOfSpan(root, span, process.env);
  return checkMarkdown(reviews.map((review) => hideChanges(review, recorder)));
}

/** The agents' tools, whose search of secrets is made once, and again where what it searches for has changed. */
function createToolCalls(): EngineApi['callTool'] {
  let recorders: LastingRecorders | undefined;
  return async ({ name, input, root, keys }, signal) => {
    const { callTool } = await import('../agentTools/callTool');
    const { createLastingRecorders } = await import('../recording/openRecorder');
    recorders ??= createLastingRecorders(process.env);
    const opened = recorders;
    return callTool(name, input, root, signal, (project) => opened(project, keys));
  };
}

interface EditorCalls {
  readonly askEditor: AskEditor;
  readonly agentDebugger: AgentDebugger;
}

async function run(
  { runId, root, casePaths, mode, from, debug, keys }: RunParams,
  signal: AbortSignal,
  { askEditor, agentDebugger }: EditorCalls,
  emit: (event: RunEvent) => void,
): Promise<readonly RunResult[]> {
  const { runCase, runCases } = await import('../cases/runCase');
  const { createRecorders } = await import('../recording/openRecorder');
  const recorders = createRecorders(process.env, keys);
  const network = await policyFor(root, mode, keys);
  return runCases(casePaths, debug ? 1 : availableParallelism(), async (casePath) => {
    emit({ runId, type: 'started', casePath });
    const result = await runCase(casePath, {
      root,
      permitStart: startedByUser,
      recorders,
      mode,
      from,
      signal,
      network,
      ...(mode !== 'replay' && { askEditor }),
      ...(debug && { agentDebugger }),
      onInteraction: (index, summary) => emit({ runId, type: 'interaction', casePath, index, summary }),
      onNotice: (notice) => logNotice(casePath, notice),
    });
    emit({ runId, type: 'finished', casePath, result: inTheirLanguage(() => shownRun(result)) });
    return result;
  });
}

/** The result of a call, in the language of the editor. Rejections include the fix. */
async function told(name: string, call: () => Promise<unknown>): Promise<unknown> {
  const how = languageOfCall(name);
  try {
    return shownResult(name, await (how === 'shown' ? call() : inEnglish(call)));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const { message, fix, said } = error;
    if (how === 'english') throw new Error(fix === undefined ? message : `${message}. ${fix}`);
    throw new Error(fix === undefined ? says(said.message) : t('{0}. {1}', says(said.message), says(said.fix)));
  }
}

/** Shows a notice of a run in the log of the editor. */
function logNotice(casePath: string, notice: Words): void {
  inTheirLanguage(() => console.error(`${casePath}: ${inWords(notice)}`));
}

/** Records a case several times for the editor; the page says what the command line prints. */
async function runStability(
  { runId, root, casePath, times, keys }: StabilityParams,
  signal: AbortSignal,
  askEditor: AskEditor,
  emit: (event: RunEvent) => void,
): Promise<StabilityReport> {
  const { checkStability } = await import('../stability/checkStability');
  const { stabilityView } = await import('../reporters/stabilityView');
  const { createRecorders } = await import('../recording/openRecorder');
  const recorder = await createRecorders(process.env, keys)(root);
  const network = await policyFor(root, 'record', keys);
  const onTake = (index: number): void =>
    emit({ runId, type: 'interaction', casePath, index, summary: t('take {0} of {1}', index + 1, times) });
  const onNotice = (notice: Words): void => logNotice(casePath, notice);
  const options = { root, times, signal, recorder, askEditor, network, onTake, onNotice };
  const found = await inEnglish(() => checkStability(casePath, options));
  return stabilityView(found);
}

async function policyFor(
  root: string,
  mode: RequestedMode,
  keys: Readonly<Record<string, string>>,
): Promise<NetworkPolicy> {
  const { NetworkPolicy } = await import('../network/policy');
  const { KeyRing } = await import('../network/keyRing');
  return NetworkPolicy.for(mode, KeyRing.of(root, keyEnvironment(keys)));
}

/** Reads a variable from the environment or, where it is not set there, from the keys that came with a call. */
function keyEnvironment(keys: Readonly<Record<string, string>>): (name: string) => string | undefined {
  return (name) => process.env[name] || (Object.hasOwn(keys, name) ? keys[name] : undefined);
}
