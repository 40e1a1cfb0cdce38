import { type ForkEdits, responseEdits } from '../../core/forks/forkEdits';
import type { Failure } from '../../core/model/run';
import { listed } from '../../core/text/counts';
import { message, t } from '../../core/text/l10n';
import { noticeOf, noticesIn, type Said, says } from '../../core/text/notice';
import { decodeBody } from '../../core/wire/body/body';
import { editRequest } from '../../core/wire/edit/editRequest';
import { executionFailures, failuresOf } from '../cases/judgeExecution';
import { openCase } from '../cases/openCase';
import { CaseError, caseFailure } from '../errors/failures';
import { UserError } from '../errors/userError';
import type { CaseStart, ExecuteOptions, Execution, PlannedRun } from '../execution/runnableCase';
import { pathExists } from '../files/fileStatus';
import { fromRoot } from '../files/projectPaths';
import { caseFiles } from '../project/caseFiles';
import { releaseForkBase, writeForkBase } from '../recording/forkBase';
import { requireReplaceable } from '../recording/replaceTape';
import { type ForkPlace, type ForkPlan, planFork } from './planFork';

type Passed = 'signal' | 'recorder' | 'network' | 'onInteraction' | 'onNotice' | 'askEditor';

interface ForkOptions extends ForkPlace, Pick<ExecuteOptions, Passed> {
  readonly edits: ForkEdits;
  /** The new tape, absolute; by default a file beside the tape. */
  readonly target?: string | undefined;
  permitStart(start: CaseStart): Promise<void>;
}

/** A fork. Paths are absolute. */
export interface Fork {
  readonly tapePath: string;
  readonly forkPath: string;
  readonly shared: number;
  /** The number of interactions of the fork. */
  readonly interactions: number;
  /** Assertions of the case that do not hold in the fork. It was recorded nevertheless. */
  readonly failures: readonly Failure[];
  readonly outputText?: string;
  /** How to replay the fork, as a sentence; absent if its requests were not changed. */
  readonly replays?: Said;
}

/**
 * Records a new tape that shares the first interactions of a case's tape, which stays as it is, like baseline, run and case.
 * Rejects with a `UserError`, a `CaseError`, or the error of the run; nothing is left then but a recording that can be recovered.
 */
export async function forkCase(options: ForkOptions): Promise<Fork> {
  const { root, casePath, recorder, target } = options;
  const edits = recorder.value(options.edits);
  const { name } = caseFiles(root, casePath);
  const plan = await planFork(options);
  const forkPath = target ?? plan.target;
  await requireNew(root, forkPath);
  requireChanges(plan, edits);
  const opened = await openCase(casePath, name);
  const run = await opened.plan('record', root);
  if (run.mode !== 'record')
    throw new CaseError([
      caseFailure(
        () => `${name}: ${SCRIPTED}`,
        () => t(ADD_PROVIDER),
      ),
    ]);
  if (run.starts !== undefined) requireEditable(plan, edits);
  const changed = responseEdits(edits, plan.values.shared);
  if (run.starts !== undefined) await options.permitStart({ casePath, text: opened.file.text, agent: run.starts });
  const tapePath = plan.stored.path;
  const base = changed.length === 0 ? tapePath : await writeForkBase(root, plan.stored, changed);
  try {
    const take = { base, target: forkPath, edits };
    return conclude(await execute(run, opened.file.text, take, options), plan, options, edits);
  } finally {
    await releaseForkBase(root, base);
  }
}

const SCRIPTED = message('its responses are in the case, so there is no model to record');
const ADD_PROVIDER = message('Only a case with a tape can be forked: add [llm.provider] and a tape.');

async function requireNew(root: string, path: string): Promise<void> {
  if (pathExists(path))
    throw new UserError(
      () => t('{0} already exists', fromRoot(root, path)),
      () => t('Choose another name for the fork: it is a new tape.'),
    );
  await requireReplaceable(root, path);
}

/** After the last interaction, only another response keeps an agent going. */
function requireChanges({ stored, values: { shared } }: ForkPlan, { response = [] }: ForkEdits): void {
  if (shared < stored.tape.interactions.length || response.length > 0) return;
  throw new UserError(
    () => t('there is nothing to record after the last interaction'),
    () => t('Edit its response, or fork at an earlier one.'),
  );
}

/** Applies the edits to the recorded request, before anything is started or sent. */
function requireEditable({ stored, values: { shared } }: ForkPlan, edits: ForkEdits): void {
  const http = stored.tape.interactions[shared]?.http;
  const { text } = http === undefined ? { text: undefined } : decodeBody(http.requestBody, http.requestHeaders);
  if (http === undefined || text === undefined || http.method !== 'POST') return;
  const { made, saidIn } = noticesIn(() => editRequest({ url: http.url, body: text }, edits));
  if (!('refused' in made)) return;
  const { refused } = made;
  throw new UserError(
    () => says(saidIn(refused)),
    () => t('Fork without editing this part.'),
  );
}

async function execute(
  run: PlannedRun,
  text: string,
  fork: NonNullable<ExecuteOptions['fork']>,
  options: ForkOptions,
): Promise<Execution> {
  const { root, casePath, shared, permitStart } = options;
  const { signal, recorder, network, onInteraction, onNotice, askEditor } = options;
  const { model, ...others } = fork.edits;
  return run.execute({
    ...{ root, casePath, signal, recorder, network, from: shared, fork: { ...fork, edits: others } },
    model,
    permitStart: (agent) => permitStart({ casePath, text, agent }),
    onInteraction,
    onNotice,
    askEditor,
  });
}

function conclude(execution: Execution, { stored, values }: ForkPlan, options: ForkOptions, edits: ForkEdits): Fork {
  const { casePath, signal } = options;
  const { run, recording } = execution;
  signal.throwIfAborted();
  if (run.error !== null) throw new CaseError(failuresOf(run.error));
  if (recording === undefined)
    throw new CaseError([
      caseFailure(() => t('the agent made no request after the fork, so there is nothing to record')),
    ]);
  const replays = noticeOf(() => replayAdvice(edits) ?? '');
  return {
    tapePath: stored.path,
    forkPath: recording.tapePath,
    shared: values.shared,
    interactions: recording.interactions,
    failures: executionFailures(execution, casePath),
    ...(run.outputText !== null && { outputText: run.outputText }),
    ...(replays !== '' && { replays }),
  };
}

function replayAdvice({ model, system, tools, toolResults }: ForkEdits): string | undefined {
  const changed = [
    ...(model === undefined ? [] : [t('model')]),
    ...(system === undefined ? [] : [t('system prompt')]),
    ...(tools === undefined ? [] : [t('tools')]),
    ...(toolResults === undefined ? [] : [t('tool results')]),
  ];
  if (changed.length === 0) return undefined;
  const parts = listed(changed);
  const isModel = changed.length === 1 && model !== undefined;
  const rules = isModel ? 'mask = ["/model"]' : 'match = "sequence" and on_drift = "warn"';
  return t(
    'Its requests have the edited {0}. To replay it with the unchanged agent, set {1} under [llm.replay].',
    parts,
    rules,
  );
}
