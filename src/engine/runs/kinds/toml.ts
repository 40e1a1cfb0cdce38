import { dirname, join } from 'node:path';
import { readCase } from '../../../core/cases/readCase';
import { type AgentExecution, executeCase } from '../executeCase';
import { CaseError, problemsInCase } from '../failures';
import type { CaseFile } from '../openCase';
import { planAtPlace } from '../planAtPlace';
import type { RunnableCase } from '../runnableCase';
import { judgeSemanticFile } from './mofaAgentScenario';
import { judged } from './synthetic';

/** The execution, also judged by the semantic assertions that the case names. */
async function withSemantic(execution: AgentExecution, semantic: string, { path }: CaseFile): Promise<AgentExecution> {
  const { artifact, assertionSpans = [], run } = execution;
  const own = artifact.assertions.map((result, index) => {
    const span = assertionSpans[index];
    return { result, ...(span && { span }) };
  });
  const more = await judgeSemanticFile(join(dirname(path), semantic), semantic, run.outputText ?? '');
  return judged(execution, [...own, ...more]);
}

/** A `test-dsl` case with the built-in agent. */
export function openToml(file: CaseFile): RunnableCase {
  const { value: testCase, problems } = readCase(file.text);
  if (testCase === undefined) throw new CaseError(problemsInCase(file.name, file.text, problems));
  return {
    name: testCase.name,
    async plan(mode, root) {
      const { external } = testCase.agent;
      if (external !== undefined) return (await import('../executeExternal')).planExternal(testCase, external, mode);
      const plan = await planAtPlace(testCase.llm, mode, root, file, testCase.nameSpan);
      return {
        mode: plan.mode,
        async execute(options) {
          const execution = await executeCase(testCase, plan, options);
          return testCase.semantic === undefined ? execution : withSemantic(execution, testCase.semantic, file);
        },
      };
    },
  };
}
