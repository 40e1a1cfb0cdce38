import { dirname, resolve } from 'node:path';
import type { Artifact } from '../../core/model/artifact';
import type { Case, ReplayRules } from '../../core/model/case';
import type { RecordedTake } from '../../core/model/run';
import { NO_CONFIG, type ProjectConfig } from '../../core/project/projectConfig';
import { CaseError } from '../errors/failures';
import { ProviderError } from '../errors/runErrors';
import { fromRoot } from '../files/projectPaths';
import { projectConfig } from '../project/projectConfig';
import type { ChatProvider } from '../providers/chatProvider';
import { createLive, createScripted } from '../providers/createProvider';
import { HidingProvider, OnMissProvider, RecordingProvider, ResumeProvider } from '../providers/recorder';
import { type ReplayOptions, ReplayProvider } from '../providers/replay';
import { claimTape } from '../recording/claimTape';
import { loadTapeForReplay, type StoredTape } from '../recording/readTape';
import { replaceTape, requireReplaceable, withTape } from '../recording/replaceTape';
import { takeCount } from '../recording/takes';
import { newTape, resumedTape, type TakeContent } from '../recording/writeTake';
import type { AgentRun } from './agentRun';
import { buildArtifact } from './buildArtifact';
import type { RunPlan } from './planRun';
import { ageNotes, replayFindings } from './replayFindings';
import { runAgent } from './runAgent';
import { type ExecuteOptions, type Execution, recordingPath } from './runnableCase';

/** An execution by the built-in agent. */
export interface AgentExecution extends Execution {
  readonly run: AgentRun;
}

/**
 * Runs the agent of a case as planned, and replaces the tape when a recording ended without an error. Rejects with a
 * `ProviderError` when there is no provider, and with the signal's reason.
 */
export async function executeCase(testCase: Case, plan: RunPlan, given: ExecuteOptions): Promise<AgentExecution> {
  const options = { ...given, network: given.network.narrowedTo(plan.mode) };
  if (plan.mode === 'replay') return replayCase(testCase, plan, options);
  if (plan.mode === 'record') return claimAndRecord(testCase, plan, options);
  if (plan.mode === 'scripted') return runWith(createScripted(testCase), testCase, plan, options);
  const live = options.live ?? (await createLive(plan.provider, liveOptions(options, 0)));
  return runWithTools(new HidingProvider(live, options.recorder), testCase, plan, options, { saves: false });
}

async function replayCase(testCase: Case, plan: ReplayPlan, options: ExecuteOptions): Promise<AgentExecution> {
  const path = tapePath(plan.tape, options);
  const stored = await loadTapeForReplay(path);
  const replay = new ReplayProvider(stored, await replayOptions(testCase, path, options));
  const execution = withVerdicts(await runWith(replay, testCase, plan, options), replay, stored);
  const failures = replayFindings(testCase.llm.replay, replay.verdicts, fromRoot(options.root, path));
  const notes = [...(execution.notes ?? []), ...ageNotes(testCase.llm.replay, replay.verdicts, stored.tape)];
  return { ...execution, failures, ...(notes.length > 0 && { notes }) };
}

type ReplayPlan = Extract<RunPlan, { mode: 'replay' }>;
type RecordPlan = Extract<RunPlan, { mode: 'record' }>;

/** A recording that keeps the tape, and calls the provider only for requests that it lacks: the `on_miss` of the case. */
async function recordMisses(
  testCase: Case,
  plan: RecordPlan,
  live: ChatProvider,
  stored: StoredTape,
  options: ExecuteOptions,
): Promise<AgentExecution> {
  const path = tapePath(plan.tape, options);
  const { recorder } = options;
  const records = plan.onMiss === 'record';
  // A request that is not as recorded is the one to record, in whatever order.
  const given = await replayOptions(testCase, path, options);
  const before: ReplayRules = { match: testCase.llm.replay?.match ?? 'exact', onDrift: 'fail', masks: [] };
  const replay = new ReplayProvider(stored, { ...given, rules: { ...given.rules, before } });
  const recording = new RecordingProvider(live, recorder);
  const provider = new OnMissProvider(replay, recording, records ? 'recorded' : 'passed');
  const ran = await runWithTools(provider, testCase, plan, options, { saves: records });
  const execution = withVerdicts(ran, replay, stored);
  const { interactions } = recording;
  const noted = { ...execution, notes: [...(execution.notes ?? []), missNote(plan, interactions.length)] };
  if (!records || execution.run.error !== null || interactions.length === 0 || options.signal.aborted) return noted;
  const take = { tapePath: path, caseName: testCase.name, interactions, model: live.model, recorder };
  return withRecording(noted, await appendTake(take, options));
}

function withRecording(execution: AgentExecution, recording: RecordedTake): AgentExecution {
  return { ...execution, recording: { ...recording, ...(execution.wroteResults && { wroteResults: true }) } };
}

/** The artifact with the recording of each step at which an assertion fails, by the number of its request. */
function withSteps(artifact: Artifact, indexOf: (request: number) => number | undefined): Artifact {
  const assertions = artifact.assertions.map((result) => {
    const index = result.step && indexOf(result.step.number);
    return result.step === undefined || index === undefined ? result : { ...result, step: { ...result.step, index } };
  });
  return { ...artifact, assertions };
}

function missNote({ onMiss }: RecordPlan, count: number): string {
  const requests = `${count} ${count === 1 ? 'request' : 'requests'} without a recording`;
  return onMiss === 'record'
    ? `on_miss = "record": ${requests} recorded, the rest of the tape kept`
    : `on_miss = "passthrough": ${requests} passed on, the tape is unchanged`;
}

/** The execution of a replay, with the outcome of each request and the recordings it used. */
function withVerdicts(
  execution: AgentExecution,
  { verdicts, masks }: ReplayProvider,
  { path, tape }: StoredTape,
): AgentExecution {
  const { tapedeck } = execution.artifact;
  const declared = masks.length === 0 ? {} : { masks };
  const recorded = tape.interactions.length;
  const artifact = withSteps(execution.artifact, (request) => verdicts.find(({ number }) => number === request)?.index);
  const used = new Set(verdicts.flatMap(({ verdict, index }) => (verdict === 'unused' ? [] : (index ?? []))));
  return {
    ...execution,
    artifact: { ...artifact, ...(tapedeck && { tapedeck: { ...tapedeck, verdicts, ...declared } }) },
    recorded,
    tapeUses: [{ tapePath: path, recorded, used: [...used].sort((left, right) => left - right) }],
    interactions: verdicts,
  };
}

/** Adds the recorded misses of a replay to its tape. */
async function appendTake(take: TakeContent, { root }: ExecuteOptions): Promise<RecordedTake> {
  const { tapePath, interactions } = take;
  return withTape({ root, tapePath }, async (tape) => {
    // As it is now: another run may have added to it meanwhile.
    const stored = await loadTapeForReplay(tapePath);
    const kept = stored.tape.interactions.length;
    const replaced = await tape.replace(resumedTape(take, stored, kept));
    return { tapePath, interactions: kept + interactions.length, kept, ...replaced };
  });
}

async function claimAndRecord(testCase: Case, plan: RecordPlan, options: ExecuteOptions): Promise<AgentExecution> {
  // A take for comparison has a place of its own.
  if (options.aside !== undefined) return recordCase(testCase, plan, options);
  const place = { root: options.root, tapePath: tapePath(plan.tape, options) };
  await requireReplaceable(place.root, place.tapePath);
  const release = await claimTape(place, (line) => options.onNotice?.(line));
  try {
    return await recordCase(testCase, plan, options);
  } finally {
    await release();
  }
}

async function recordCase(testCase: Case, plan: RecordPlan, options: ExecuteOptions): Promise<AgentExecution> {
  const { root, from, aside } = options;
  const path = tapePath(plan.tape, options);
  const target = recordingPath(path, aside);
  await requireReplaceable(root, target);
  const round = (await takeCount(root, path)) + (aside?.round ?? 0);
  const live = options.live ?? (await createLive(plan.provider, liveOptions(options, round)));
  const old = from === undefined ? await existingTape(path) : await loadTapeForReplay(path);
  if (plan.onMiss !== undefined && old !== undefined && from === undefined && aside === undefined)
    return recordMisses(testCase, plan, live, old, options);
  const recording = new RecordingProvider(live, options.recorder);
  const given = await replayOptions(testCase, path, options);
  const rules = { ...given.rules, before: { match: 'sequence', masks: [] } } as const;
  const replay = old && new ReplayProvider(old, { ...given, rules });
  const resumed = from !== undefined && replay ? new ResumeProvider(replay, recording, from) : undefined;
  const isAnew = resumed === undefined && aside === undefined;
  const tools = { saves: aside === undefined, isAnew };
  const execution = await runWithTools(resumed ?? recording, testCase, plan, options, tools);
  if (execution.run.error !== null || options.signal.aborted) return execution;
  const kept = resumed?.replayed ?? 0;
  const { interactions: calls } = recording;
  const take = {
    tapePath: path,
    caseName: testCase.name,
    interactions: calls,
    model: live.model,
    recorder: options.recorder,
  };
  const content = resumed && old ? resumedTape(take, old, kept) : newTape(take, old);
  const replaced = await replaceTape({ root, tapePath: target, content });
  const interactions = kept + calls.length;
  const taken = { tapePath: target, interactions, ...(kept > 0 && { kept }), ...replaced };
  // A take has one recording for each request, in their order.
  return withRecording({ ...execution, artifact: withSteps(execution.artifact, (request) => request) }, taken);
}

/** The tape that is about to be replaced, for its format; undefined where none can be read. */
async function existingTape(path: string): Promise<StoredTape | undefined> {
  try {
    return await loadTapeForReplay(path);
  } catch (error) {
    if (error instanceof ProviderError) return undefined;
    throw error;
  }
}

async function replayOptions(
  { llm }: Case,
  path: string,
  { root, recorder, casePath }: ExecuteOptions,
): Promise<ReplayOptions> {
  const names = { caseName: fromRoot(root, casePath), tapeName: fromRoot(root, path) };
  const rules = { after: (await validConfig(root)).replay };
  return { recorder, replay: llm.replay, rules, ...names, model: llm.provider?.model };
}

/** The configuration. Where it is broken, the default one, whose rules are the strictest: others report that. */
async function validConfig(root: string): Promise<ProjectConfig> {
  try {
    return await projectConfig(root);
  } catch (error) {
    if (error instanceof CaseError) return NO_CONFIG;
    throw error;
  }
}

interface ToolUse {
  /** What tools return is written into the case, when the run ends without an error. */
  readonly saves: boolean;
  /** Every call is made. Otherwise only those without a recorded result. */
  readonly isAnew?: boolean;
}

/** Runs with the tools as they really are, where the case says how they are called. */
async function runWithTools(
  provider: ChatProvider,
  testCase: Case,
  plan: RunPlan,
  options: ExecuteOptions,
  { saves, isAnew = false }: ToolUse,
): Promise<AgentExecution> {
  const isLive = options.tools === undefined && testCase.tools.some(({ source }) => source !== undefined);
  if (!isLive) return runWith(provider, testCase, plan, options);
  const { LiveTools, textForResults } = await import('./liveTools');
  const text = saves ? await textForResults(testCase, options.casePath) : undefined;
  const tools = new LiveTools(testCase, { ...options, keepsResults: !isAnew });
  try {
    const execution = await runWith(provider, testCase, plan, { ...options, tools: tools.run });
    // Before the tape is replaced: a case that was changed meanwhile keeps its old one.
    if (text === undefined || execution.run.error !== null || options.signal.aborted) return execution;
    return (await tools.save(text)) ? { ...execution, wroteResults: true } : execution;
  } finally {
    await tools.close();
  }
}

async function runWith(
  provider: ChatProvider,
  testCase: Case,
  plan: RunPlan,
  options: ExecuteOptions,
): Promise<AgentExecution> {
  const run = await runAgent(testCase, options.wrap?.(provider) ?? provider, options);
  const assertionSpans = testCase.assertions.map(({ span }) => span);
  const { prices } = await validConfig(options.root);
  return { run, artifact: buildArtifact(testCase, run, plan, { recorder: options.recorder, prices }), assertionSpans };
}

function tapePath(written: string, { casePath }: ExecuteOptions): string {
  return resolve(dirname(casePath), written);
}

function liveOptions({ network, recorder, onNotice, askEditor }: ExecuteOptions, seed: number) {
  return { network, recorder, seed, ...(onNotice && { onRetry: onNotice }), ...(askEditor && { askEditor }) };
}
