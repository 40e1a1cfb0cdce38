import type { LlmSpec } from '../../core/model/case';
import type { RequestedMode } from '../../core/model/run';
import type { Span } from '../../core/text/source';
import { projectProvider } from '../project/projectConfig';
import { UserError } from '../project/userError';
import { CaseError, problemsInCase } from './failures';
import type { CaseFile } from './openCase';
import { planRun, type RunPlan } from './planRun';

/** `planRun` for the case at `span` of a file. Rejects with a `CaseError` that shows the place. */
export async function planAtPlace(
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
    const { message, fix } = error;
    throw new CaseError(problemsInCase(name, text, [{ severity: 'error', message, ...(fix && { fix }), span }]));
  }
}
