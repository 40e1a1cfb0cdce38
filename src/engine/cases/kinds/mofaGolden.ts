import { defaultTape } from '../../../core/cases/caseKind';
import { differsFromGolden, readGolden } from '../../../core/cases/mofa/golden';
import { executeCase } from '../../execution/executeCase';
import { planAtSpan } from '../../execution/planRun';
import type { CaseFile, RunnableCase } from '../../execution/runnableCase';
import { type Judgement, requireValid, syntheticCase, withJudgements } from '../../execution/syntheticCase';

/** A golden response: what the user said is said again, and each turn is held against the recorded one. */
export function openGolden(file: CaseFile): RunnableCase {
  const { name, turns } = requireValid(file, readGolden(file.text));
  const tape = defaultTape(file.path);
  const [first, ...later] = turns;
  const tools = new Set(turns.flatMap(({ toolCalls }) => toolCalls.map((call) => call.name)));
  const testCase = syntheticCase({
    name,
    prompt: first?.user ?? '',
    laterPrompts: later.map(({ user }) => user),
    tools: [...tools].map((tool) => ({
      name: tool,
      description: '',
      schema: { type: 'object' },
      result: null,
      delayMs: 0,
    })),
    llm: { tape, recordTape: tape },
  });
  return {
    name,
    async plan(mode, root) {
      const plan = await planAtSpan(testCase.llm, mode, root, file, { start: 0, end: 0 });
      return {
        mode: plan.mode,
        async execute(options) {
          const execution = await executeCase(testCase, plan, options);
          const held = execution.run.turns ?? [];
          const judgements = turns.map((golden, index): Judgement => {
            const turn = held[index];
            const differs = turn === undefined ? 'it was not reached' : differsFromGolden(golden, turn);
            const details = `turn ${index + 1}: ${differs ?? 'as recorded'}`;
            const actual = turn?.answer ?? null;
            return {
              result: { kind: 'golden', expected: golden.response, actual, passed: differs === undefined, details },
            };
          });
          return withJudgements(execution, judgements);
        },
      };
    },
  };
}
