import type { RunEvent } from '../../contracts/engine/engine';
import type { ForkParams, ForkPlanParams, ForkPlanView, ForkView } from '../../contracts/engine/forks';
import { readForkDocument, writeForkDocument } from '../../core/forks/forkDocument';
import type { ForkEdits } from '../../core/forks/forkEdits';
import { t } from '../../core/text/l10n';
import { inWords, says } from '../../core/text/notice';
import { LineIndex, type Problem } from '../../core/text/source';
import { failureText } from '../errors/failures';
import { UserError } from '../errors/userError';
import { startedByUser } from '../execution/runnableCase';
import { fromRoot } from '../files/projectPaths';
import { inTheirLanguage } from '../language';
import type { NetworkPolicy } from '../network/policy';
import type { AskEditor } from '../providers/editorModel';
import { createRecorders } from '../recording/openRecorder';
import { forkCase } from './forkCase';
import { type ForkPlan, forkCost, planFork } from './planFork';

export async function forkPlan({ document, ...place }: ForkPlanParams): Promise<ForkPlanView> {
  const { root } = place;
  const plan = await planFork(place);
  const { value: edits = {}, problems } = document === undefined ? { problems: [] } : editsOf(document, plan);
  return {
    document: forkDocument(root, plan),
    target: plan.target,
    cost: await forkCost(place, plan, edits.model),
    model: edits.model,
    problems: problems.map(({ message, fix, span }) => ({ message: withFix(message, fix), ...span })),
  };
}

function editsOf(document: string, plan: ForkPlan): { value?: ForkEdits | undefined; problems: readonly Problem[] } {
  return readForkDocument(document, plan.values);
}

interface ForkCall {
  readonly signal: AbortSignal;
  readonly network: NetworkPolicy;
  readonly askEditor: AskEditor;
  emit(event: RunEvent): void;
}

/** A fork for the editor. */
export async function runFork(params: ForkParams, { signal, network, askEditor, emit }: ForkCall): Promise<ForkView> {
  const { runId, document, target, keys, ...place } = params;
  const { root, casePath } = place;
  const edits = requireEdits(document, await planFork(place), t('the fork'));
  const { interactions, failures, replays } = await forkCase({
    ...place,
    ...{ signal, network, askEditor, edits, target, permitStart: startedByUser },
    recorder: await createRecorders(process.env, keys)(root),
    onInteraction: (index, summary) => emit({ runId, type: 'interaction', casePath, index, summary }),
    onNotice: (notice) => inTheirLanguage(() => console.error(`${casePath}: ${inWords(notice)}`)),
  });
  return inTheirLanguage(() => ({
    interactions,
    failures: failures.map((failure) => failureText(failure, 'message')),
    ...(replays && { replays: says(replays) }),
  }));
}

/** The document in which a fork is edited. */
export function forkDocument(root: string, { stored, values }: ForkPlan): string {
  return writeForkDocument(values, fromRoot(root, stored.path));
}

/** What a document changes. Throws a `UserError` at the first thing that is wrong in it. */
export function requireEdits(document: string, plan: ForkPlan, name: string): ForkEdits {
  const { value, problems } = editsOf(document, plan);
  const [problem] = problems;
  if (value !== undefined && problem === undefined) return value;
  const { line, column } = new LineIndex(document).position(problem?.span.start ?? 0);
  throw new UserError(`${name}:${line}:${column}: ${problem?.message}`, () => problem?.fix ?? t('Correct this line.'));
}

function withFix(message: string, fix: string | undefined): string {
  return fix === undefined ? message : `${message}. ${fix}`;
}
