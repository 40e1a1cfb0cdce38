import { tapeToRecord, tapeToReplay } from '../../core/cases/toml/kind';
import type { LlmSpec, ProviderSpec } from '../../core/model/case';
import type { RequestedMode } from '../../core/model/run';
import { message, t } from '../../core/text/l10n';
import { inWords } from '../../core/text/notice';
import type { Problem, Span } from '../../core/text/source';
import { CaseError, problemsInCase, textsOf } from '../errors/failures';
import { UserError } from '../errors/userError';
import { projectProvider } from '../project/projectConfig';
import type { CaseFile } from './runnableCase';

/** The source of the model's responses in one run. Tapes are as the case writes them. */
export type RunPlan =
  | { readonly mode: 'scripted' }
  | { readonly mode: 'replay'; readonly tape: string }
  | {
      readonly mode: 'record';
      readonly tape: string;
      readonly provider: ProviderSpec;
      /** The tape is replayed where it has a recording, and only other requests go to the provider. */
      readonly onMiss?: 'record' | 'passthrough';
    }
  | { readonly mode: 'live'; readonly provider: ProviderSpec };

const ADD_PROVIDER = message('Add [llm.provider] to the case, or [provider] to tapedeck.toml.');

/**
 * Plans a run of a case. `projectProvider` is called only where the case has no provider of its own. Rejects with a
 * `UserError` when the case has nothing to do in this mode.
 */
export async function planRun(
  llm: LlmSpec,
  requested: RequestedMode,
  projectProvider: () => Promise<ProviderSpec | undefined>,
): Promise<RunPlan> {
  if (llm.script !== undefined) return { mode: 'scripted' };
  if (requested === 'replay') {
    const tape = tapeToReplay(llm);
    if (tape !== undefined) return { mode: 'replay', tape };
    const fix = () => t('Add responses = ["…"] or tape = "NAME.tape.json" under [llm].');
    throw new UserError(() => t('there is nothing to replay: the case has neither responses nor a tape'), fix);
  }
  const tape = tapeToRecord(llm);
  if (requested === 'record' && tape === undefined) {
    const fix = () => t('Add record_tape = "NAME.tape.json" under [llm].');
    throw new UserError(() => t('the case has no tape to record to'), fix);
  }
  const provider = llm.provider ?? (await projectProvider());
  if (provider === undefined)
    throw new UserError(
      () => t('no provider is configured'),
      () => t(ADD_PROVIDER),
    );
  if (requested === 'live' || tape === undefined) return { mode: 'live', provider };
  const { onMiss = 'fail' } = llm.replay ?? {};
  return { mode: 'record', tape, provider, ...(onMiss !== 'fail' && { onMiss }) };
}

/** `planRun` for the case at `span` of a file. Rejects with a `CaseError` at that place. */
export async function planAtSpan(
  llm: LlmSpec,
  mode: RequestedMode,
  root: string,
  { name, text }: CaseFile,
  span: Span,
): Promise<RunPlan> {
  try {
    return await planRun(llm, mode, () => projectProvider(root));
  } catch (error) {
    if (!(error instanceof UserError) || error instanceof CaseError) throw error;
    const { message, fix } = textsOf(error);
    const problem = (): Problem => ({
      severity: 'error',
      message: inWords(message),
      ...(fix && { fix: inWords(fix) }),
      span,
    });
    throw new CaseError(problemsInCase(name, text, () => [problem()]));
  }
}
