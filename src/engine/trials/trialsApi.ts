import { availableParallelism } from 'node:os';
import type { RootParams } from '../../contracts/engine/engineReviews';
import type { RunTrialParams, TrialEvent, TrialParams, TrialPlan } from '../../contracts/engine/trials';
import type { Trial } from '../../core/model/trial';
import { inWords } from '../../core/text/notice';
import { inTheirLanguage } from '../language';
import type { NetworkPolicy } from '../network/policy';
import type { AskEditor } from '../providers/editorModel';
import { createRecorders } from '../recording/openRecorder';
import { lastTrial, openTrial, readTrial } from './openTrial';
import { planTrial } from './planTrial';
import { recordTrial } from './recordTrial';

export { adoptTrial } from './adoptTrial';

export async function trialPlan({ root, ...asked }: TrialParams): Promise<TrialPlan> {
  return planTrial(await openTrial(root, asked));
}

export async function storedTrial({ root }: RootParams): Promise<Trial | null> {
  const last = await lastTrial(root);
  return last === undefined ? null : readTrial(await openTrial(root, last));
}

interface TrialCall {
  readonly signal: AbortSignal;
  readonly askEditor: AskEditor;
  readonly network: NetworkPolicy;
  emit(event: TrialEvent): void;
}

/** A trial for the editor. */
export async function runTrial(
  { trialId, keys, again, ...params }: RunTrialParams,
  { signal, askEditor, network, emit }: TrialCall,
): Promise<Trial> {
  return recordTrial(params, {
    signal,
    askEditor,
    network,
    again,
    recorder: await createRecorders(process.env, keys)(params.root),
    jobs: availableParallelism(),
    onEvent: (event) => emit({ trialId, ...event }),
    onNotice: (notice) => inTheirLanguage(() => console.error(inWords(notice))),
  });
}
