import { availableParallelism } from 'node:os';
import type { RunResult } from '../../core/model/run';
import {
  type CaseParams,
  ENGINE_PROTOCOL,
  type EngineApi,
  RUN_EVENT,
  type RunEvent,
  type RunParams,
  type SinceParams,
  type StabilityParams,
  type StabilityReport,
} from '../../protocol/engine';
import { runCase, runCases } from '../cases/runCase';
import { UserError } from '../errors/userError';
import { fromRoot } from '../files/projectPaths';
import { revisionSince } from '../git/changedFiles';
import { caseFiles } from '../project/caseFiles';
import type { AskEditor } from '../providers/editorModel';
import { changedReviews, listReviews } from '../review/changedReviews';
import { reapplyRejections } from '../review/decideFile';
import { caseDecision, DecisionHistory } from '../review/decisionHistory';
import { projectReviews } from '../review/projectReviews';
import { acceptRun, rejectRun } from '../review/runReview';
import { stageAccepted, stageReviewed } from '../review/staging';
import { createPaint } from '../terminal/paint';
import { version } from '../version';

export interface ServedApi {
  readonly api: EngineApi;
  /** Resolves when nothing runs any more. */
  settled(): Promise<void>;
}

/** What the engine does for the editor. Keys that come with a call are forgotten with it. */
export function createApi(emit: (event: string, params: RunEvent) => void, askEditor: AskEditor): ServedApi {
  const running = new Set<Promise<unknown>>();
  const history = new DecisionHistory();
  const tracked = async <T>(work: Promise<T>): Promise<T> => {
    running.add(work);
    try {
      return await work;
    } finally {
      running.delete(work);
    }
  };
  const reviews = projectReviews(history);
  const api: EngineApi = {
    reviews: (params) => tracked(withFixText(reviews.reviews(params))),
    fileReview: (params) => tracked(withFixText(reviews.fileReview(params))),
    previousTotals: (params) => tracked(withFixText(reviews.previousTotals(params))),
    fileTexts: (params) => tracked(withFixText(reviews.fileTexts(params))),
    acceptFile: (params) => tracked(withFixText(reviews.acceptFile(params))),
    rejectFile: (params) => tracked(withFixText(reviews.rejectFile(params))),
    undoFile: (params) => tracked(withFixText(reviews.undoFile(params))),
    stageFile: (params) => tracked(withFixText(reviews.stageFile(params))),
    hello: () => ({ protocol: ENGINE_PROTOCOL, version }),
    run: (params, signal) => tracked(run(params, signal, askEditor, (event) => emit(RUN_EVENT, event))),
    accept: (params) => tracked(withFixText(history.during(caseDecision(params), () => acceptRun(params)))),
    reject: (params) => tracked(withFixText(history.during(caseDecision(params), () => rejectRun(params)))),
    undo: (params) => tracked(withFixText(history.undo(caseDecision(params)))),
    stage: (params) => tracked(withFixText(stageBaseline(params))),
    stageAccepted: ({ root }) => tracked(withFixText(stageAccepted(root))),
    restoreRejected: ({ root }) => tracked(withFixText(reapplyRejections(root))),
    changesSince: (params) => tracked(withFixText(changesSince(params))),
    stability: (params, signal) =>
      tracked(withFixText(runStability(params, signal, askEditor, (event) => emit(RUN_EVENT, event)))),
    callTool: ({ name, input, root }, signal) => tracked(withFixText(runTool(name, input, root, signal))),
  };
  return { api, settled: async () => void (await Promise.allSettled(running)) };
}

async function stageBaseline({ root, casePath }: CaseParams): Promise<void> {
  const path = fromRoot(root, caseFiles(root, casePath).baseline);
  await stageReviewed(root, await changedReviews(root, [path]));
}

async function changesSince({ root, revision }: SinceParams): Promise<string> {
  const { checkMarkdown } = await import('../reporters/checkReport');
  return checkMarkdown(await listReviews(root, revisionSince(revision)));
}

async function runTool(name: string, input: unknown, root: string, signal: AbortSignal): Promise<string> {
  const { callTool } = await import('../agentTools/callTool');
  return callTool(name, input, root, signal);
}

function run(
  { runId, root, casePaths, mode, from, keys }: RunParams,
  signal: AbortSignal,
  askEditor: AskEditor,
  emit: (event: RunEvent) => void,
): Promise<readonly RunResult[]> {
  return runCases(casePaths, availableParallelism(), async (casePath) => {
    emit({ runId, type: 'started', casePath });
    const result = await runCase(casePath, {
      root,
      mode,
      ...(from === undefined ? {} : { from }),
      signal,
      askEditor,
      env: keyEnvironment(keys),
      onInteraction: (index, summary) => emit({ runId, type: 'interaction', casePath, index, summary }),
      onNotice: (notice) => console.error(`${casePath}: ${notice}`),
    });
    emit({ runId, type: 'finished', casePath, result });
    return result;
  });
}

/** Only the message of an error crosses the channel, so the way out goes into it. */
async function withFixText<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof UserError) || error.fix === undefined) throw error;
    throw new Error(`${error.message}. ${error.fix}`);
  }
}

/** Records a case several times for the editor, and tells what came of it as the command line does. */
export async function runStability(
  { runId, root, casePath, times, keys }: StabilityParams,
  signal: AbortSignal,
  askEditor: AskEditor,
  emit: (event: RunEvent) => void,
): Promise<StabilityReport> {
  const { checkStability } = await import('../stability/checkStability');
  const { stabilitySummary, stabilityText } = await import('../reporters/stabilityText');
  const found = await checkStability(casePath, {
    root,
    times,
    signal,
    askEditor,
    env: keyEnvironment(keys),
    onTake: (index) => emit({ runId, type: 'interaction', casePath, index, summary: `take ${index + 1} of ${times}` }),
    onNotice: (notice) => console.error(`${casePath}: ${notice}`),
  });
  return {
    report: stabilityText(found, createPaint(false)),
    summary: stabilitySummary(found),
    snippets: found.stability?.suggestion?.snippets ?? [],
  };
}

/** The variables of the environment, and where it has none the keys that came with a call. */
export function keyEnvironment(keys: Readonly<Record<string, string>>): (name: string) => string | undefined {
  return (name) => process.env[name] || (Object.hasOwn(keys, name) ? keys[name] : undefined);
}
