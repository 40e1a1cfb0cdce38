import { readFile } from 'node:fs/promises';
import type { Case } from '../../core/cases/case';
import { readCase } from '../../core/cases/readCase';
import type { RequestedMode } from '../../core/runs/run';
import { isSystemError, systemReason, UserError } from '../project/userError';
import { CaseError, caseFailure, problemsInCase } from './failures';
import { loadConfig } from './loadConfig';
import { planRun, type RunPlan } from './planRun';

export interface LoadedCase {
  readonly testCase: Case;
  plan(mode: RequestedMode, root: string): Promise<RunPlan>;
}

/** Reads a case that messages call `name`. Rejects with a `CaseError` that says where it cannot be understood. */
export async function loadCase(path: string, name: string): Promise<LoadedCase> {
  const text = await readText(path, name);
  const { value: testCase, problems } = readCase(text);
  if (testCase === undefined) throw new CaseError(problemsInCase(name, text, problems));
  const plan = async (mode: RequestedMode, root: string): Promise<RunPlan> => {
    try {
      return await planRun(testCase.llm, mode, async () => (await loadConfig(root)).provider);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      const { message, fix } = error;
      const problem = { severity: 'error' as const, message, ...(fix && { fix }), span: testCase.nameSpan };
      throw new CaseError(problemsInCase(name, text, [problem]));
    }
  };
  return { testCase, plan };
}

async function readText(path: string, name: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new CaseError([caseFailure(`${name}: ${systemReason(error)}`, 'Correct the path of the case.')]);
  }
}
