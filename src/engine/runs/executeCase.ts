import { dirname, resolve } from 'node:path';
import type { Case } from '../../core/cases/case';
import { type AgentRun, runAgent } from '../agent/runAgent';
import type { ChatProvider } from '../providers/chatProvider';
import { createLive, createScripted } from '../providers/createProvider';
import { ReplayProvider, readTapeFile } from '../providers/replay';
import { Recorder } from '../recording/recorder';
import { replaceTape, takeCount } from '../recording/replaceTape';
import { buildArtifact } from './buildArtifact';
import type { RunPlan } from './planRun';
import type { ExecuteOptions, Execution } from './runnableCase';

/** An execution by the built-in agent. */
export interface AgentExecution extends Execution {
  readonly run: AgentRun;
}

/**
 * Runs the agent of a case as planned, and replaces the tape when a recording came to its end without an error.
 * Rejects with a `ProviderError` when there is no provider to begin with, and with the signal's reason.
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
  const tape = await readTapeFile(path);
  const provider = new ReplayProvider(path, tape, options.strict);
  const execution = await runWith(provider, testCase, plan, options);
  const recorded = tape.interactions.length;
  const used = Array.from({ length: Math.min(recorded, execution.run.interactions) }, (_, index) => index);
  return { ...execution, recorded, tapeUses: [{ tapePath: path, recorded, used }] };
}

async function recordCase(
  testCase: Case,
  plan: Extract<RunPlan, { mode: 'record' }>,
  options: ExecuteOptions,
): Promise<AgentExecution> {
  const { root } = options;
  const path = tapePath(plan.tape, options);
  const recorder = new Recorder(
    options.live ?? createLive(plan.provider, liveOptions(options, await takeCount(root, path))),
  );
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
): Promise<AgentExecution> {
  const run = await runAgent(testCase, options.wrap?.(provider) ?? provider, options);
  const assertionSpans = testCase.assertions.map(({ span }) => span);
  return { run, artifact: buildArtifact(testCase, run, plan), assertionSpans };
}

function tapePath(written: string, { casePath }: ExecuteOptions): string {
  return resolve(dirname(casePath), written);
}

function liveOptions({ env, onNotice }: ExecuteOptions, seed: number) {
  return { env, seed, ...(onNotice && { onRetry: onNotice }) };
}
