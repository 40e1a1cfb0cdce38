import { dirname, resolve } from 'node:path';
import type { Case } from '../../core/model/case';
import { ProviderError } from '../errors/runErrors';
import { fromRoot } from '../files/projectPaths';
import type { ChatProvider } from '../providers/chatProvider';
import { createLive, createScripted } from '../providers/createProvider';
import { OnMissProvider, RecordingProvider, ResumeProvider } from '../providers/recorder';
import { type ReplayOptions, ReplayProvider } from '../providers/replay';
import { loadTapeForReplay, type StoredTape } from '../recording/readTape';
import { replaceTape, requireReplaceable } from '../recording/replaceTape';
import { takeCount } from '../recording/takes';
import { newTape, resumedTape } from '../recording/writeTake';
import type { AgentRun } from './agentRun';
import { buildArtifact } from './buildArtifact';
import type { RunPlan } from './planRun';
import { replayFindings } from './replayFindings';
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
export async function executeCase(testCase: Case, plan: RunPlan, options: ExecuteOptions): Promise<AgentExecution> {
  if (plan.mode === 'replay') return replayCase(testCase, plan, options);
  if (plan.mode === 'record') return recordCase(testCase, plan, options);
  const provider =
    plan.mode === 'scripted'
      ? createScripted(testCase, options)
      : (options.live ?? createLive(plan.provider, liveOptions(options, 0)));
  return runWith(provider, testCase, plan, options);
}

async function replayCase(
  testCase: Case,
  plan: Extract<RunPlan, { mode: 'replay' }>,
  options: ExecuteOptions,
): Promise<AgentExecution> {
  const path = tapePath(plan.tape, options);
  const stored = await loadTapeForReplay(path);
  const provider = new ReplayProvider(stored, replayOptions(testCase, path, options));
  const { onMiss } = plan;
  const live = onMiss && (options.live ?? createLive(onMiss.provider, liveOptions(options, 0)));
  const recorder = live && new RecordingProvider(live);
  const source = recorder && new OnMissProvider(provider, recorder, onMiss?.records ? 'recorded' : 'passed');
  const execution = await runWith(source ?? provider, testCase, plan, options);
  const { verdicts } = provider;
  const recorded = stored.tape.interactions.length;
  const used = new Set(verdicts.flatMap(({ verdict, index }) => (verdict === 'unused' ? [] : (index ?? []))));
  const tapeUses = [{ tapePath: path, recorded, used: [...used].sort((left, right) => left - right) }];
  const { tapedeck } = execution.artifact;
  const artifact = { ...execution.artifact, ...(tapedeck && { tapedeck: { ...tapedeck, verdicts } }) };
  const findings = replayFindings(testCase.llm.replay, verdicts, fromRoot(options.root, path));
  const outcome = { ...execution, artifact, recorded, tapeUses, interactions: verdicts, failures: findings };
  const added = onMiss?.records && execution.run.error === null ? (recorder?.interactions ?? []) : [];
  if (added.length === 0 || options.signal.aborted) return outcome;
  const take = { tapePath: path, caseName: testCase.name, interactions: added, model: live?.model };
  const replaced = await replaceTape({ root: options.root, tapePath: path, text: resumedTape(take, stored, recorded) });
  const recording = { tapePath: path, interactions: recorded + added.length, kept: recorded, ...replaced };
  return { ...outcome, recording };
}

async function recordCase(
  testCase: Case,
  plan: Extract<RunPlan, { mode: 'record' }>,
  options: ExecuteOptions,
): Promise<AgentExecution> {
  const { root, from, aside } = options;
  const path = tapePath(plan.tape, options);
  const target = recordingPath(path, aside);
  await requireReplaceable(root, target);
  const round = (await takeCount(root, path)) + (aside?.round ?? 0);
  const live = options.live ?? createLive(plan.provider, liveOptions(options, round));
  const recorder = new RecordingProvider(live);
  const old = from === undefined ? await existingTape(path) : await loadTapeForReplay(path);
  const replay = old && new ReplayProvider(old, { ...replayOptions(testCase, path, options), replay: undefined });
  const resumed = from !== undefined && replay ? new ResumeProvider(replay, recorder, from) : undefined;
  const execution = await runWith(resumed ?? recorder, testCase, plan, options);
  if (execution.run.error !== null || options.signal.aborted) return execution;
  const kept = resumed?.replayed ?? 0;
  const take = { tapePath: path, caseName: testCase.name, interactions: recorder.interactions, model: live.model };
  const text = resumed && old ? resumedTape(take, old, kept) : newTape(take, old);
  const replaced = await replaceTape({ root, tapePath: target, text });
  const interactions = kept + recorder.interactions.length;
  return { ...execution, recording: { tapePath: target, interactions, ...(kept > 0 && { kept }), ...replaced } };
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

function replayOptions({ llm }: Case, path: string, { strict, root }: ExecuteOptions): ReplayOptions {
  return { strict, replay: llm.replay, tapeName: fromRoot(root, path), model: llm.provider?.model };
}

async function runWith(
  provider: ChatProvider,
  testCase: Case,
  plan: RunPlan,
  options: ExecuteOptions,
): Promise<AgentExecution> {
  const run = await runAgent(testCase, options.wrap?.(provider) ?? provider, options);
  const assertionSpans = testCase.assertions.map(({ span }) => span);
  return { run, artifact: buildArtifact(testCase, run, plan), assertionSpans };
}

function tapePath(written: string, { casePath }: ExecuteOptions): string {
  return resolve(dirname(casePath), written);
}

function liveOptions({ env, onNotice, askEditor }: ExecuteOptions, seed: number) {
  return { env, seed, ...(onNotice && { onRetry: onNotice }), ...(askEditor && { askEditor }) };
}
