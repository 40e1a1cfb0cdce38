import { basename } from 'node:path';
import { writeArtifact, writeBaseline } from '../../core/cases/artifactFile';
import type { Artifact } from '../../core/model/artifact';
import type { Failure, RequestedMode, RunResult } from '../../core/model/run';
import { parseCaseAddress } from '../../core/project/caseAddress';
import { baselinePath } from '../../core/project/layout';
import { Normaliser } from '../../core/review/compare/normaliser';
import { CaseError, errorFailures } from '../errors/failures';
import type { ExecuteOptions, Execution } from '../execution/runnableCase';
import { fromRoot } from '../files/projectPaths';
import { type CaseFiles, caseFiles } from '../project/caseFiles';
import { projectConfig } from '../project/projectConfig';
import { writeRecorded } from '../recording/writeRecorded';
import { compareWithBaseline, readStoredArtifact, type StoredArtifact } from '../review/baseline';
import { assertionFailure } from './assertionFailures';
import { describeComparison, NOT_RUN } from './describeComparison';
import { openCase } from './openCase';

export interface RunCaseOptions extends Omit<ExecuteOptions, 'casePath' | 'strict'> {
  readonly mode: RequestedMode;
  /** Makes a run without an error the baseline, where it is not already. */
  readonly updateBaseline?: boolean;
}

/** The result while it comes about. */
type ResultDraft = { -readonly [K in keyof RunResult]: RunResult[K] };

/**
 * Runs one case: runs its agent, judges it, compares it with the baseline and keeps its artifact. Whatever goes wrong
 * is a failure in the result, and an abort its status; the promise rejects only for a bug.
 */
export async function runCase(casePath: string, options: RunCaseOptions): Promise<RunResult> {
  const started = performance.now();
  const draft = emptyDraft(casePath, options);
  try {
    await executeInto(draft, options);
    draft.status = draft.failures.length === 0 ? 'passed' : 'failed';
  } catch (error) {
    if (options.signal.aborted) draft.status = 'cancelled';
    else draft.failures = [...draft.failures, ...failuresOf(error)];
  }
  draft.durationMs = Math.round(performance.now() - started);
  return draft;
}

function emptyDraft(casePath: string, { mode }: RunCaseOptions): ResultDraft {
  return {
    casePath,
    name: basename(parseCaseAddress(casePath).path).replace(/\.toml$/i, ''),
    mode,
    status: 'failed',
    durationMs: 0,
    failures: [],
    compared: NOT_RUN,
    toolCalls: [],
    baselinePath: baselinePath(casePath),
    hasBaseline: false,
  };
}

function failuresOf(error: unknown): readonly Failure[] {
  const failures = errorFailures(error);
  if (failures === undefined) throw error;
  return failures;
}

async function executeInto(draft: ResultDraft, options: RunCaseOptions): Promise<void> {
  const { root, mode } = options;
  const { casePath } = draft;
  const files = caseFiles(root, casePath);
  const baseline = await readStoredArtifact(files.baseline, fromRoot(root, files.baseline));
  draft.hasBaseline = baseline.type !== 'none';
  const runnable = await openCase(casePath, files.name);
  draft.name = runnable.name;
  for (const notice of runnable.notices ?? []) options.onNotice?.(notice);
  const plan = await runnable.plan(mode, root);
  draft.mode = plan.mode;
  const execution = await plan.execute({ ...options, casePath, strict: true });
  judge(draft, execution);
  await compare(draft, execution, baseline, files, options);
  await writeRecorded(root, files.artifact, writeArtifact(withUses(execution, root)), { durable: false });
  draft.artifactPath = files.artifact;
}

/** What a replay used is kept for `verify`. */
function withUses({ artifact, tapeUses }: Execution, root: string): Artifact {
  if (tapeUses === undefined || artifact.tapedeck === undefined) return artifact;
  const uses = tapeUses.map(({ tapePath, recorded, used }) => ({ tape: fromRoot(root, tapePath), recorded, used }));
  return { ...artifact, tapedeck: { ...artifact.tapedeck, tape_uses: uses } };
}

/** An error of the agent is the cause of whatever else is not as it should be, so it stands alone. */
function judge(draft: ResultDraft, execution: Execution): void {
  const { run, artifact, recording, tapeUses, interactions, assertionSpans = [], failures = [] } = execution;
  const { assertions } = artifact;
  draft.failures = run.error
    ? failuresOf(run.error)
    : [...assertions.flatMap((result, index) => assertionFailure(result, assertionSpans[index]) ?? []), ...failures];
  draft.toolCalls = run.toolCallOrder;
  if (run.outputText !== null) draft.outputText = run.outputText;
  if (recording !== undefined) draft.recording = recording;
  if (tapeUses !== undefined) draft.tapeUses = tapeUses;
  if (interactions !== undefined) draft.interactions = interactions;
}

/** By the rules of the project. What is wrong with its configuration is said by those who cannot do without it. */
async function normaliserOf(root: string): Promise<Normaliser> {
  try {
    return new Normaliser((await projectConfig(root)).normalise);
  } catch (error) {
    if (error instanceof CaseError) return new Normaliser();
    throw error;
  }
}

async function compare(
  draft: ResultDraft,
  { run, artifact, recorded, interactions: verdicts, notes = [] }: Execution,
  stored: StoredArtifact,
  files: CaseFiles,
  { root, updateBaseline = false }: RunCaseOptions,
): Promise<void> {
  const verdict = compareWithBaseline(stored, artifact, await normaliserOf(root), updateBaseline && run.error === null);
  if (verdict.state === 'written') {
    await writeRecorded(root, files.baseline, writeBaseline(artifact));
    Object.assign(draft, { hasBaseline: true, baselineUpdated: true });
  }
  if (verdict.comparison !== undefined) draft.comparison = verdict.comparison;
  if (run.error === null) {
    const replay = recorded === undefined ? {} : { replay: { recorded, used: run.interactions, verdicts } };
    const compared = describeComparison({ assertions: artifact.assertions.length, baseline: verdict.state, ...replay });
    draft.compared = [compared, ...notes].join('; ');
  }
  if (run.error === null || verdict.state === 'unreadable') draft.failures = [...draft.failures, ...verdict.failures];
}

/**
 * Runs `run` for each item, at most `jobs` at a time, and gives the results in the order of the items. After an
 * abort the rest still gets its turn: a cancelled run ends at once, and says so in its result.
 */
export async function runCases<T>(
  items: readonly T[],
  jobs: number,
  run: (item: T, index: number) => Promise<RunResult>,
): Promise<readonly RunResult[]> {
  const results: RunResult[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) results[index] = await run(items[index] as T, index);
  };
  await Promise.all(Array.from({ length: Math.min(jobs, items.length) }, work));
  return results;
}
