import { dirname, join } from 'node:path';
import { readCase } from '../../../core/cases/toml/readCase';
import type { Case } from '../../../core/model/case';
import type { RequestedMode } from '../../../core/model/run';
import { errorsIn } from '../../../core/text/source';
import { CaseError, problemNotices, problemsInCase } from '../../errors/failures';
import { executeCase } from '../../execution/executeCase';
import { planAtSpan } from '../../execution/planRun';
import type { CaseFile, Execution, PlannedRun, RunnableCase } from '../../execution/runnableCase';
import { withJudgements } from '../../execution/syntheticCase';
import { judgeSemanticFile } from './mofaAgentScenario';

/** Adds the judgements of the semantic assertions that the case names. */
async function withSemantic(
  execution: Execution,
  semantic: string | undefined,
  { path }: CaseFile,
): Promise<Execution> {
  if (semantic === undefined) return execution;
  const { artifact, assertionSpans = [], run } = execution;
  const own = artifact.assertions.map((result, index) => {
    const span = assertionSpans[index];
    return { result, span };
  });
  const more = await judgeSemanticFile(join(dirname(path), semantic), semantic, run.outputText ?? '');
  return withJudgements(execution, () => [...own, ...more]);
}

async function planBuiltIn(testCase: Case, mode: RequestedMode, root: string, file: CaseFile): Promise<PlannedRun> {
  const plan = await planAtSpan(testCase.llm, mode, root, file, testCase.nameSpan);
  return { mode: plan.mode, starts: undefined, execute: (options) => executeCase(testCase, plan, options) };
}

/** Opens a `test-dsl` case: with the built-in agent, or with the user's own. */
export function openToml(file: CaseFile): RunnableCase {
  const { value: testCase, problems } = readCase(file.text);
  if (testCase === undefined)
    throw new CaseError(problemsInCase(file.name, file.text, () => errorsIn(readCase(file.text).problems)));
  return {
    name: testCase.name,
    notices: problemNotices(file.text, problems),
    async plan(mode, root) {
      const { external } = testCase.agent;
      const plan =
        external === undefined
          ? await planBuiltIn(testCase, mode, root, file)
          : (await import('../../execution/external/executeExternal')).planExternal(testCase, external, mode);
      return {
        ...plan,
        execute: async (options) => withSemantic(await plan.execute(options), testCase.semantic, file),
      };
    },
  };
}
