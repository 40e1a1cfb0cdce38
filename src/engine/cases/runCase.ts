import { basename } from 'node:path';
import type { Artifact } from '../../core/model/artifact';
import type { Failure, RequestedMode, RunResult } from '../../core/model/run';
import { parseCaseAddress } from '../../core/project/caseAddress';
import { baselinePath, STATE_FOLDER } from '../../core/project/layout';
import { Normaliser } from '../../core/review/compare/normaliser';
import { t } from '../../core/text/l10n';
import { CaseError } from '../errors/failures';
import type { CaseStart, ExecuteOptions, Execution } from '../execution/runnableCase';
import { withLock } from '../files/lock';
import { fromRoot } from '../files/projectPaths';
import { type CaseFiles, caseFiles } from '../project/caseFiles';
import { OwnState } from '../project/ownState';
import { hideFailure } from '../recording/hideError';
import type { Recorders } from '../recording/openRecorder';
import type { RecordedContent } from '../recording/recordedContent';
import type { Recorder } from '../recording/recorder';
import { writeRecorded } from '../recording/writeRecorded';
import { compareWithBaseline, readStoredArtifact, replaceBaseline, type StoredArtifact } from '../review/baseline';
import { ReviewRules } from '../review/reviewRules';
import { checksNothing, describeComparison, NOT_RUN } from './describeComparison';
import { executionFailures, failuresOf } from './judgeExecution';
import { openCase } from './openCase';
import { keepRunRecord, readRunInputs } from './runRecord';

export interface RunCaseOptions extends Omit<ExecuteOptions, 'casePath' | 'recorder' | 'permitStart'> {
  /** Asked before anything of the user's is started or called. Rejects if that may not be. */
  permitStart(start: CaseStart): Promise<void>;
  readonly recorders: Recorders;
  readonly mode: RequestedMode;
  /** Makes a run without an error the baseline, where it differs. */
  readonly updateBaseline?: boolean;
}

/**
 * Runs one case: runs its agent, judges the run, compares it with the baseline and writes its artifact. Errors become
 * failures of the result, and an abort its status; the promise rejects only for a bug.
 */
export async function runCase(casePath: string, options: RunCaseOptions): Promise<RunResult> {
  // Of thousands of cases, those that had not begun when the user interrupted are not even read.
  if (options.signal.aborted) return { ...resultBeforeRun(casePath, options), status: 'cancelled' };
  const started = performance.now();
  const permission = new Permission(options.permitStart);
  const inputs = await readRunInputs(options.root, casePath);
  let result = resultBeforeRun(casePath, options);
  try {
    const permitted = { ...options, permitStart: permission.ask };
    for await (const part of partsOfRun(casePath, inputs.text, permitted)) result = { ...result, ...part };
    result = { ...result, status: result.failures.length === 0 ? 'passed' : 'failed' };
  } catch (error) {
    if (options.signal.aborted) result = { ...result, status: 'cancelled' };
    else result = { ...result, failures: [...result.failures, ...failuresOf(error)] };
  }
  result = { ...result, durationMs: Math.round(performance.now() - started) };
  // Nothing of a run that is refused stays behind, and a run that was cancelled changes nothing.
  if (!permission.isRefused) await keepRunRecord(result, inputs, options);
  return result;
}

/** Remembers whether a run was refused. */
class Permission {
  isRefused = false;

  constructor(private readonly permit: RunCaseOptions['permitStart']) {}

  readonly ask = async (start: CaseStart): Promise<void> => {
    try {
      await this.permit(start);
    } catch (error) {
      this.isRefused = true;
      throw error;
    }
  };
}

function resultBeforeRun(casePath: string, { mode }: RunCaseOptions): RunResult {
  return {
    casePath,
    name: basename(parseCaseAddress(casePath).path).replace(/\.toml$/i, ''),
    mode,
    status: 'failed',
    durationMs: 0,
    failures: [],
    ...NOT_RUN,
    toolCalls: [],
    baselinePath: baselinePath(casePath),
    hasBaseline: false,
  };
}

/** Yields the parts of a result as they become known, so that the parts before an error stay in the result. */
async function* partsOfRun(
  casePath: string,
  text: string | undefined,
  options: RunCaseOptions,
): AsyncGenerator<Partial<RunResult>> {
  const { root, mode } = options;
  const files = caseFiles(root, casePath);
  const baseline = await readStoredArtifact(files.baseline, fromRoot(root, files.baseline));
  yield { hasBaseline: baseline.type !== 'none' };
  const runnable = await openCase(casePath, files.name, text);
  yield { name: runnable.name };
  for (const notice of runnable.notices ?? []) options.onNotice?.(notice);
  const plan = await runnable.plan(mode, root);
  yield { mode: plan.mode };
  const recorder = await options.recorders(root);
  const permitStart: ExecuteOptions['permitStart'] = (agent) =>
    options.permitStart({ casePath, text: runnable.file.text, agent });
  // Also before the first step: nothing of a run that is refused stays behind.
  if (plan.starts !== undefined) await permitStart(plan.starts);
  const execution = await plan.execute({ ...options, permitStart, recorder, casePath });
  const judged = judge(execution, casePath);
  yield judged;
  yield* compare(execution, judged.failures, baseline, files, { ...options, recorder });
  const isKept = await keepArtifact(files.artifact, recorder.artifact(withUses(execution, root)), options);
  if (isKept) yield { artifactPath: files.artifact };
}

/** False where git tracks the file, so that it is not ours to write. That fails no run. */
async function keepArtifact(
  path: string,
  content: RecordedContent,
  { root, onNotice }: Pick<RunCaseOptions, 'root' | 'onNotice'>,
): Promise<boolean> {
  const name = fromRoot(root, path);
  const isCommitted = await new OwnState(root).isCommitted(name);
  if (isCommitted)
    onNotice?.(() =>
      t('{0} is committed, so it stays as it is. Remove it from git: git rm -r --cached {1}', name, STATE_FOLDER),
    );
  else await writeRecorded(root, path, content, { durable: false });
  return !isCommitted;
}

/** Adds the recordings that a replay used to the artifact, for `verify`. */
function withUses({ artifact, tapeUses }: Execution, root: string): Artifact {
  if (tapeUses === undefined || artifact.tapedeck === undefined) return artifact;
  const uses = tapeUses.map(({ tapePath, recorded, used }) => ({ tape: fromRoot(root, tapePath), recorded, used }));
  return { ...artifact, tapedeck: { ...artifact.tapedeck, tape_uses: uses } };
}

/** The failures and facts of an execution. */
function judge(execution: Execution, casePath: string): Pick<RunResult, 'failures'> & Partial<RunResult> {
  const { run, recording, tapeUses, untapedServers, interactions } = execution;
  return {
    failures: executionFailures(execution, casePath),
    toolCalls: run.toolCallOrder,
    ...(run.outputText !== null && { outputText: run.outputText }),
    recording,
    tapeUses,
    untapedServers,
    interactions,
  };
}

/** The rules for a case. Where the project's configuration is broken, the default ones: others report that. */
async function normaliserOf(root: string, casePath: string): Promise<Normaliser> {
  try {
    return await (await ReviewRules.of(root)).ofCase(casePath);
  } catch (error) {
    if (error instanceof CaseError) return new Normaliser();
    throw error;
  }
}

async function* compare(
  { run, artifact, recorded, interactions: verdicts, notes = [] }: Execution,
  judged: readonly Failure[],
  stored: StoredArtifact,
  files: CaseFiles,
  { root, recorder, updateBaseline = false }: RunCaseOptions & { readonly recorder: Recorder },
): AsyncGenerator<Partial<RunResult>> {
  const check = compareWithBaseline(
    stored,
    artifact,
    await normaliserOf(root, files.name),
    updateBaseline && run.error === null,
  );
  if (check.state === 'written') {
    await withLock(root, files.baseline, () => replaceBaseline(root, files.baseline, artifact, recorder));
    yield { hasBaseline: true, baselineUpdated: true };
  }
  // The baseline may have been recorded by another tool.
  if (check.comparison !== undefined) yield { comparison: recorder.value(check.comparison) };
  if (run.error === null) {
    const replay = recorded === undefined ? {} : { replay: { recorded, used: run.interactions, verdicts } };
    const basis = { assertions: artifact.assertions.length, baseline: check.state };
    const { differences = [], ignored } = check.comparison ?? {};
    const compared = describeComparison({ ...basis, differences: differences.length, ignored, ...replay }, notes);
    yield { ...compared, ...(checksNothing(basis) && { checkedNothing: true }) };
  }
  if (run.error === null || check.state === 'unreadable')
    yield { failures: [...judged, ...check.failures.map((failure) => hideFailure(failure, recorder))] };
}

/**
 * Runs `run` for each item, at most `jobs` at a time, and returns the results in the order of the items. After an
 * abort the remaining items still run: each ends at once, and its result is cancelled.
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
