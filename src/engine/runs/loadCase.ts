import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Case, ProviderSpec } from '../../core/cases/case';
import { readCase } from '../../core/cases/readCase';
import { CONFIG_FILE } from '../../core/project/layout';
import { readConfig } from '../../core/project/readConfig';
import type { RequestedMode } from '../../core/runs/run';
import { isSystemError, systemReason, UserError } from '../project/userError';
import { CaseError, caseFailure, problemFailures, problemsInCase } from './failures';
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
      return await planRun(testCase.llm, mode, () => projectProvider(root));
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

/** The provider of `tapedeck.toml`, for cases without one. */
async function projectProvider(root: string): Promise<ProviderSpec | undefined> {
  let text: string;
  try {
    text = await readFile(join(root, CONFIG_FILE), 'utf8');
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return undefined;
    throw error;
  }
  const { value, problems } = readConfig(text);
  if (value === undefined) throw new CaseError(problemFailures(CONFIG_FILE, text, problems));
  return value.provider;
}
