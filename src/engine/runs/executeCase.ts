import { dirname, resolve } from 'node:path';
import type { Case } from '../../core/cases/case';
import type { Artifact } from '../../core/runs/artifact';
import type { Recording } from '../../core/runs/run';
import { type AgentRun, runAgent } from '../agent/runAgent';
import type { ChatProvider } from '../providers/chatProvider';
import { createLive, createScripted } from '../providers/createProvider';
import { ReplayProvider, readTapeFile } from '../providers/replay';
import { Recorder } from '../recording/recorder';
import { replaceTape, takeCount } from '../recording/replaceTape';
import { buildArtifact } from './buildArtifact';
import type { RunPlan } from './planRun';

export interface ExecuteOptions {
  /** The project's root. */
  readonly root: string;
  readonly casePath: string;
  /** False: beyond the end of a script or tape, what MoFA does. */
  readonly strict: boolean;
  readonly signal: AbortSignal;
  env(name: string): string | undefined;
  onInteraction?(index: number, summary: string): void;
  /** One line for the user, such as that a provider is asked again. */
  onNotice?(notice: string): void;
}

export interface Execution {
  readonly run: AgentRun;
  readonly artifact: Artifact;
  readonly recording?: Recording;
  /** In a replay: how many interactions the tape has. */
  readonly recorded?: number;
}

/**
 * Runs the agent of a case as planned, and replaces the tape when a recording came to its end without an error.
 * Rejects with a `ProviderError` when there is no provider to begin with, and with the signal's reason.
 */
export async function executeCase(testCase: Case, plan: RunPlan, options: ExecuteOptions): Promise<Execution> {
  if (plan.mode === 'replay') return replayCase(testCase, plan, options);
  if (plan.mode === 'record') return recordCase(testCase, plan, options);
  const provider =
    plan.mode === 'scripted' ? createScripted(testCase, options) : createLive(plan.provider, liveOptions(options, 0));
  return runWith(provider, testCase, plan, options);
}

async function replayCase(
  testCase: Case,
  plan: Extract<RunPlan, { mode: 'replay' }>,
  options: ExecuteOptions,
): Promise<Execution> {
  const path = tapePath(plan.tape, options);
  const tape = await readTapeFile(path);
  const provider = new ReplayProvider(path, tape, options.strict);
  return { ...(await runWith(provider, testCase, plan, options)), recorded: tape.interactions.length };
}

async function recordCase(
  testCase: Case,
  plan: Extract<RunPlan, { mode: 'record' }>,
  options: ExecuteOptions,
): Promise<Execution> {
  const { root } = options;
  const path = tapePath(plan.tape, options);
  const recorder = new Recorder(createLive(plan.provider, liveOptions(options, await takeCount(root, path))));
  const execution = await runWith(recorder, testCase, plan, options);
  if (execution.run.error !== null || options.signal.aborted) return execution;
  const replaced = await replaceTape({ root, tapePath: path, text: recorder.tapeText(testCase.name) });
  const interactions = recorder.interactions.length;
  return { ...execution, recording: { tapePath: path, interactions, ...replaced } };
}

async function runWith(
  provider: ChatProvider,
  testCase: Case,
  plan: RunPlan,
  options: ExecuteOptions,
): Promise<Execution> {
  const run = await runAgent(testCase, provider, options);
  return { run, artifact: buildArtifact(testCase, run, plan) };
}

function tapePath(written: string, { casePath }: ExecuteOptions): string {
  return resolve(dirname(casePath), written);
}

function liveOptions({ env, onNotice }: ExecuteOptions, seed: number) {
  return { env, seed, ...(onNotice && { onRetry: onNotice }) };
}
