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
} from '../../protocol/engine';
import { caseFiles, fromRoot } from '../project/caseFiles';
import { UserError } from '../project/userError';
import type { AskEditor } from '../providers/editorModel';
import { spanSince } from '../review/changedFiles';
import { changedReviews, reviewsOf } from '../review/check';
import { projectReviews } from '../review/projectReviews';
import { restoreRejected } from '../review/restoreRejected';
import { stageAccepted, stageReviewed } from '../review/stageAccepted';
import { caseDecision, DecisionHistory } from '../runs/decisionHistory';
import { acceptCase, rejectCase } from '../runs/decisions';
import { runCase } from '../runs/runCase';
import { runCases } from '../runs/runCases';
import { version } from '../version';
import { keyEnvironment } from './keyEnvironment';
import { serveStability } from './serveStability';

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
    reviews: (params) => tracked(speaking(reviews.reviews(params))),
    fileReview: (params) => tracked(speaking(reviews.fileReview(params))),
    earlierNumbers: (params) => tracked(speaking(reviews.earlierNumbers(params))),
    fileTexts: (params) => tracked(speaking(reviews.fileTexts(params))),
    acceptFile: (params) => tracked(speaking(reviews.acceptFile(params))),
    rejectFile: (params) => tracked(speaking(reviews.rejectFile(params))),
    undoFile: (params) => tracked(speaking(reviews.undoFile(params))),
    stageFile: (params) => tracked(speaking(reviews.stageFile(params))),
    hello: () => ({ protocol: ENGINE_PROTOCOL, version }),
    run: (params, signal) => tracked(run(params, signal, askEditor, (event) => emit(RUN_EVENT, event))),
    accept: (params) => tracked(speaking(history.during(caseDecision(params), () => acceptCase(params)))),
    reject: (params) => tracked(speaking(history.during(caseDecision(params), () => rejectCase(params)))),
    undo: (params) => tracked(speaking(history.undo(caseDecision(params)))),
    stage: (params) => tracked(speaking(stageBaseline(params))),
    stageAccepted: ({ root }) => tracked(speaking(stageAccepted(root))),
    restoreRejected: ({ root }) => tracked(speaking(restoreRejected(root))),
    changesSince: (params) => tracked(speaking(changesSince(params))),
    stability: (params, signal) =>
      tracked(speaking(serveStability(params, signal, askEditor, (event) => emit(RUN_EVENT, event)))),
    callTool: ({ name, input, root }, signal) => tracked(speaking(tool(name, input, root, signal))),
  };
  return { api, settled: async () => void (await Promise.allSettled(running)) };
}

async function stageBaseline({ root, casePath }: CaseParams): Promise<void> {
  const path = fromRoot(root, caseFiles(root, casePath).baseline);
  await stageReviewed(root, await changedReviews(root, [path]));
}

async function changesSince({ root, revision }: SinceParams): Promise<string> {
  const { checkMarkdown } = await import('../reporters/checkReport');
  return checkMarkdown(await reviewsOf(root, spanSince(revision)));
}

async function tool(name: string, input: unknown, root: string, signal: AbortSignal): Promise<string> {
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
async function speaking<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof UserError) || error.fix === undefined) throw error;
    throw new Error(`${error.message}. ${error.fix}`);
  }
}
