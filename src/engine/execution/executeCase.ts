import { dirname } from 'node:path';
import type { Artifact, AssertionResult } from '../../core/model/artifact';
import type { Case, ReplayRules } from '../../core/model/case';
import type { RecordedTake } from '../../core/model/run';
import { counted } from '../../core/text/counts';
import { t } from '../../core/text/l10n';
import { noticeBeside, noticeOf } from '../../core/text/notice';
import { ProviderError } from '../errors/runErrors';
import { pathOfUser } from '../files/pathOfUser';
import { fromRoot } from '../files/projectPaths';
import { validConfig } from '../project/projectConfig';
import type { ChatProvider } from '../providers/chatProvider';
import { createLive, createScripted } from '../providers/createProvider';
import {
  ForkedProvider,
  HidingProvider,
  OnMissProvider,
  RecordingProvider,
  ResumeProvider,
} from '../providers/recorder';
import { type ReplayOptions, ReplayProvider } from '../providers/replay';
import { claimTape } from '../recording/claimTape';
import { loadTapeForReplay, type StoredTape } from '../recording/readTape';
import { replaceTape, requireRecordable, requireReplaceable, withTape } from '../recording/replaceTape';
import { takeCount } from '../recording/takes';
import { newTape, resumedTape, type TakeContent } from '../recording/writeTake';
import type { AgentRun } from './agentRun';
import { buildArtifact } from './buildArtifact';
import type { RunPlan } from './planRun';
import { ageNotes, replayFindings } from './replayFindings';
import { type RunAgentOptions, runAgent } from './runAgent';
import { type ExecuteOptions, type Execution, recordingPath } from './runnableCase';

/** An execution by the built-in agent. */
interface AgentExecution extends Execution {
  readonly run: AgentRun;
}

/**
 * Runs the agent of a case as planned, and replaces the tape when a recording ended without an error. Rejects with a
 * `ProviderError` when there is no provider, and with the signal's reason.
 */
export async function executeCase(written: Case, planned: RunPlan, given: ExecuteOptions): Promise<AgentExecution> {
  const { testCase, plan } =
    given.model === undefined ? { testCase: written, plan: planned } : withModel(written, planned, given.model);
  const options = { ...given, network: given.network.narrowedTo(plan.mode) };
  if (plan.mode === 'replay') return replayCase(testCase, plan, options);
  if (plan.mode === 'record') return claimAndRecord(testCase, plan, options, written);
  if (plan.mode === 'scripted') return runWith(createScripted(testCase), testCase, plan, options);
  const live = options.live ?? (await createLive(plan.provider, liveOptions(options, 0)));
  return runWithTools(new HidingProvider(live, options.recorder), testCase, plan, options, { saves: false });
}

/** The case and its plan with another model at the same provider. */
function withModel(testCase: Case, plan: RunPlan, model: string): { readonly testCase: Case; readonly plan: RunPlan } {
  if (plan.mode !== 'record' && plan.mode !== 'live') return { testCase, plan };
  const provider = { ...plan.provider, model };
  return { testCase: { ...testCase, llm: { ...testCase.llm, provider } }, plan: { ...plan, provider } };
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
  const noted = {
    ...execution,
    notes: [...(execution.notes ?? []), noticeOf(() => missNote(plan, interactions.length))],
  };
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
  const requests = counted(count, '{0} request without a recording', '{0} requests without a recording');
  return onMiss === 'record'
    ? t('on_miss = "record": {0} recorded, the rest of the tape kept', requests)
    : t('on_miss = "passthrough": {0} passed on, the tape is unchanged', requests);
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
    const replaced = await tape.replace(await resumedTape(take, stored, kept));
    return { tapePath, interactions: kept + interactions.length, kept, ...replaced };
  });
}

/** `written`: the case with its own model, whose requests those on the tape match. */
async function claimAndRecord(
  testCase: Case,
  plan: RecordPlan,
  options: ExecuteOptions,
  written: Case,
): Promise<AgentExecution> {
  // A take for comparison has a place of its own.
  if (options.aside !== undefined) return recordCase(testCase, plan, options, written);
  const place = { root: options.root, tapePath: recordingPath(tapePath(plan.tape, options), options) };
  await requireRecordable(place.root, place.tapePath);
  const release = await claimTape(place, (line) => options.onNotice?.(line));
  try {
    return await recordCase(testCase, plan, options, written);
  } finally {
    await release();
  }
}

async function recordCase(
  testCase: Case,
  plan: RecordPlan,
  options: ExecuteOptions,
  written: Case,
): Promise<AgentExecution> {
  const { root, from, aside, fork } = options;
  const path = tapePath(plan.tape, options);
  const target = recordingPath(path, options);
  await requireReplaceable(root, target);
  const round = (await takeCount(root, path)) + (aside?.round ?? 0);
  const live = options.live ?? (await createLive(plan.provider, liveOptions(options, round)));
  const old = from === undefined ? await existingTape(path) : await loadTapeForReplay(path);
  if (plan.onMiss !== undefined && old !== undefined && from === undefined && aside === undefined)
    return recordMisses(testCase, plan, live, old, options);
  const recording = new RecordingProvider(live, options.recorder);
  const given = await replayOptions(written, path, options);
  const rules = { ...given.rules, before: { match: 'sequence', masks: [] } } as const;
  const replay = old && new ReplayProvider(old, { ...given, rules });
  const recorded = fork === undefined ? recording : new ForkedProvider(recording, fork.edits);
  const resumed = from !== undefined && replay ? new ResumeProvider(replay, recorded, from) : undefined;
  const isAnew = resumed === undefined && aside === undefined;
  const tools = { saves: aside === undefined && fork === undefined, isAnew };
  const execution = await runWithTools(resumed ?? recording, testCase, plan, options, tools);
  if (execution.run.error !== null || options.signal.aborted) return execution;
  if (fork !== undefined && recording.interactions.length === 0) return execution;
  const kept = resumed?.replayed ?? 0;
  const { interactions: calls } = recording;
  const take = {
    tapePath: path,
    caseName: testCase.name,
    interactions: calls,
    model: live.model,
    recorder: options.recorder,
  };
  const content = await (resumed && old ? resumedTape(take, old, kept) : newTape(take, old));
  const replaced = await replaceTape({ root, tapePath: target, content });
  const interactions = kept + calls.length;
  const taken = { tapePath: target, interactions, ...(kept > 0 && { kept }), ...replaced };
  // A take has one recording for each request, in their order.
  return withRecording({ ...execution, artifact: withSteps(execution.artifact, (request) => request) }, taken);
}

/** The tape that is about to be replaced, for its format; undefined if none can be read. */
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
  const { replay, provider, prices } = await validConfig(root);
  const pricing = { provider: llm.provider ?? provider, prices };
  return { recorder, replay: llm.replay, rules: { after: replay }, ...names, model: llm.provider?.model, pricing };
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
  const { prices } = await validConfig(options.root);
  const artifactOf = (run: AgentRun) => buildArtifact(testCase, run, plan, { recorder: options.recorder, prices });
  const { sampling, assertions } = testCase;
  // A recording apart from the tape is one sample.
  const isSampled = sampling !== undefined && sampling.samples > 1 && options.aside === undefined;
  const { sampling: _, ...once } = testCase;
  const asked = options.wrap?.(provider) ?? provider;
  const execution = await runSampled(isSampled ? testCase : once, asked, options, artifactOf);
  const assertionSpans = isSampled ? [sampling.span] : assertions.map(({ span }) => span);
  return { ...execution, assertionSpans };
}

function tapePath(written: string, { casePath, fork }: ExecuteOptions): string {
  return fork?.base ?? pathOfUser(dirname(casePath), written);
}

function liveOptions({ network, recorder, onNotice, askEditor }: ExecuteOptions, seed: number) {
  return { network, recorder, seed, ...(onNotice && { onRetry: onNotice }), ...(askEditor && { askEditor }) };
}

/** One run of several, with its artifact. */
interface Sample {
  readonly run: AgentRun;
  readonly artifact: Artifact;
}

/**
 * Runs the agent of a case once for each sample, one after the other, with one provider, so that a tape serves each the next of
 * its recordings. The result is the first sample's, judged by how many pass. An error in one ends all of them.
 */
async function runSampled(
  testCase: Case,
  provider: ChatProvider,
  options: RunAgentOptions,
  artifactOf: (run: AgentRun) => Artifact,
): Promise<Sample> {
  const { samples: count = 1 } = testCase.sampling ?? {};
  const samples: Sample[] = [];
  for (let made = 0; samples.length < count; ) {
    const offset = made;
    const { onInteraction } = options;
    const told = onInteraction && {
      onInteraction: (index: number, summary: string) => onInteraction.call(options, offset + index, summary),
    };
    const run = await runAgent(testCase, provider, { ...options, ...told });
    samples.push({ run, artifact: artifactOf(run) });
    made += run.interactions;
    if (run.error !== null) break;
  }
  return judged(testCase, samples);
}

function judged({ sampling }: Case, samples: readonly Sample[]): Sample {
  const [first] = samples;
  const last = samples.at(-1);
  if (first === undefined || last === undefined) throw new Error('a case has at least one sample');
  if (samples.length === 1) return first;
  const interactions = samples.reduce((sum, { run }) => sum + run.interactions, 0);
  if (last.run.error !== null) return { ...last, run: { ...last.run, interactions } };
  const run = { ...first.run, interactions };
  if (first.artifact.assertions.length === 0) return { run, artifact: first.artifact };
  const judge = () => passRate(samples, sampling?.passRate ?? 1);
  const said = noticeBeside(() => judge().details ?? '');
  const result = { ...judge(), ...(said && { said }) };
  const status = result.passed ? 'passed' : 'failed';
  return { run, artifact: { ...first.artifact, status, assertions: [result] } };
}

/** The verdict on all samples, with the first step at which one fails. */
function passRate(samples: readonly Sample[], needed: number): AssertionResult {
  const failed = samples.flatMap(({ artifact }, index) => {
    const unmet = artifact.assertions.filter((assertion) => !assertion.passed);
    return unmet.length === 0 ? [] : [{ index, unmet }];
  });
  const passed = samples.length - failed.length;
  const which = failed.map(({ index, unmet }) =>
    t('sample {0} ({1})', index + 1, unmet.map(({ kind }) => kind).join(', ')),
  );
  const [first] = failed;
  const step = first?.unmet.find((assertion) => assertion.step !== undefined)?.step;
  const before = samples.slice(0, first?.index ?? 0).reduce((sum, { run }) => sum + run.interactions, 0);
  const percent = Math.round(needed * 1000) / 10;
  const details =
    failed.length === 0
      ? t('{0} of {1} samples passed', passed, samples.length)
      : t('{0} of {1} samples passed, and {2}% must; failed: {3}', passed, samples.length, percent, which.join(', '));
  return {
    kind: 'pass_rate',
    expected: needed,
    actual: passed / samples.length,
    passed: passed / samples.length >= needed,
    details,
    ...(step && { step: { number: before + step.number } }),
  };
}
