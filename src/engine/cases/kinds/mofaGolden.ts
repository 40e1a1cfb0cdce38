import { defaultTape } from '../../../core/cases/caseKind';
import type { TurnResult } from '../../../core/cases/mofa/agentScenario';
import { differsFromGolden, type GoldenResponses, readGolden } from '../../../core/cases/mofa/golden';
import type { Case } from '../../../core/model/case';
import { t } from '../../../core/text/l10n';
import { executeCase } from '../../execution/executeCase';
import { planAtSpan } from '../../execution/planRun';
import type { CaseFile, RunnableCase } from '../../execution/runnableCase';
import { type Judgement, requireValid, syntheticCase, withJudgements } from '../../execution/syntheticCase';
import { withSlashes } from '../../files/projectPaths';

/** Opens golden responses: the same prompts are sent again, and each turn is compared with the recorded one. */
export function openGolden(file: CaseFile): RunnableCase {
  const golden = requireValid(file, () => readGolden(file.text));
  const testCase = caseOf(golden, defaultTape(withSlashes(file.path)));
  return {
    name: golden.name,
    async plan(mode, root) {
      const plan = await planAtSpan(testCase.llm, mode, root, file, { start: 0, end: 0 });
      return {
        mode: plan.mode,
        starts: undefined,
        async execute(options) {
          const execution = await executeCase(testCase, plan, options);
          return withJudgements(execution, () => judgeTurns(golden.turns, execution.run.turns ?? []));
        },
      };
    },
  };
}

function caseOf({ name, turns }: GoldenResponses, tape: string): Case {
  const [first, ...later] = turns;
  const tools = new Set(turns.flatMap(({ toolCalls }) => toolCalls.map((call) => call.name)));
  return syntheticCase({
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
}

function judgeTurns(golden: GoldenResponses['turns'], turns: readonly TurnResult[]): readonly Judgement[] {
  return golden.map((expected, index) => {
    const turn = turns[index];
    const difference = turn === undefined ? t('not reached') : differsFromGolden(expected, turn);
    return {
      result: {
        kind: 'golden',
        expected: expected.response,
        actual: turn?.response ?? null,
        passed: difference === undefined,
        details: t('turn {0}: {1}', index + 1, difference ?? t('as recorded')),
      },
    };
  });
}
