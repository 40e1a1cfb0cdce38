import { readCase } from '../../../core/cases/readCase';
import { executeCase } from '../executeCase';
import { CaseError, problemsInCase } from '../failures';
import type { CaseFile } from '../openCase';
import { planAtPlace } from '../planAtPlace';
import type { RunnableCase } from '../runnableCase';

/** A `test-dsl` case with the built-in agent. */
export function openToml(file: CaseFile): RunnableCase {
  const { value: testCase, problems } = readCase(file.text);
  if (testCase === undefined) throw new CaseError(problemsInCase(file.name, file.text, problems));
  return {
    name: testCase.name,
    async plan(mode, root) {
      const plan = await planAtPlace(testCase.llm, mode, root, file, testCase.nameSpan);
      return { mode: plan.mode, execute: (options) => executeCase(testCase, plan, options) };
    },
  };
}
