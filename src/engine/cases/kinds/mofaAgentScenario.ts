import { dirname, join } from 'node:path';
import { FILE_LIMITS } from '../../../core/bytes/fileLimits';
import { defaultTape } from '../../../core/cases/caseKind';
import { type AgentScenario, judgeExpectation, readAgentScenarios } from '../../../core/cases/mofa/agentScenario';
import { judgeSemantic, readSemanticAssertions } from '../../../core/cases/mofa/semanticAssertions';
import { valueAt } from '../../../core/json/jsonPath';
import { t } from '../../../core/text/l10n';
import { noticeBeside } from '../../../core/text/notice';
import { CaseError, caseFailure, problemFailures } from '../../errors/failures';
import { isSystemError, systemReason } from '../../errors/systemError';
import { UserError } from '../../errors/userError';
import type { AgentRun } from '../../execution/agentRun';
import { executeCase } from '../../execution/executeCase';
import { planAtSpan } from '../../execution/planRun';
import type { CaseFile, RunnableCase } from '../../execution/runnableCase';
import { type Judgement, requireValid, syntheticCase, withJudgements } from '../../execution/syntheticCase';
import { withSlashes } from '../../files/projectPaths';
import { readText } from '../../files/readFile';

/** Opens an agent scenario: the conversation runs turn by turn, and each turn is judged by its expectations. */
export function openAgentScenario(file: CaseFile): RunnableCase {
  const { scenarios, span } = requireValid(file, () => readAgentScenarios(file.text));
  const scenario = scenarios.find(({ variant }) => variant === file.id);
  if (scenario === undefined) throw new CaseError([caseFailure(() => `${file.name}: ${missing(file.id, scenarios)}`)]);
  const { agentId, variant } = scenario;
  const name = variant === undefined ? agentId : `${agentId}: ${variant}`;
  const testCase = caseOf(scenario, name, file);
  return {
    name,
    async plan(mode, root) {
      const plan = await planAtSpan(testCase.llm, mode, root, file, span);
      return {
        mode: plan.mode,
        starts: undefined,
        async execute(options) {
          const execution = await executeCase(testCase, plan, options);
          const extra = await semanticJudgements(scenario, execution.run, file);
          return withJudgements(execution, () => [...judgeTurns(scenario, execution.run), ...extra]);
        },
      };
    },
  };
}

function missing(id: string | undefined, scenarios: readonly AgentScenario[]): string {
  const variants = scenarios.map(({ variant }) => variant).join(', ');
  return id === undefined
    ? t('name one of its variants: {0}', variants)
    : t('there is no variant {0}. Available variants: {1}', id, variants);
}

function caseOf(scenario: AgentScenario, name: string, { path }: CaseFile) {
  const {
    agentId,
    variant,
    systemPrompt,
    tools,
    turns,
    toolResults,
    tape = defaultTape(withSlashes(path), variant),
  } = scenario;
  const [first, ...later] = turns;
  const base = syntheticCase({
    name,
    prompt: first?.user ?? '',
    laterPrompts: later.map(({ user }) => user),
    tools: tools.map((tool) => ({
      name: tool,
      description: '',
      schema: { type: 'object' },
      result: valueAt(toolResults, [tool]) ?? null,
      delayMs: 0,
    })),
    llm: { tape, recordTape: tape },
  });
  return { ...base, agent: { ...base.agent, name: agentId, ...(systemPrompt && { system: systemPrompt }) } };
}

function judgeTurns({ turns }: AgentScenario, run: AgentRun): readonly Judgement[] {
  return turns.flatMap(({ expectations }, index) =>
    expectations.map((expectation): Judgement => {
      const turn = run.turns?.[index];
      const where = t('turn {0}', index + 1);
      if (turn === undefined) {
        const details = t('{0} was not reached', where);
        return { result: { kind: expectation.kind, expected: where, actual: null, passed: false, details } };
      }
      const { passed, expected, found } = judgeExpectation(expectation, turn);
      const details = t('{0} expects {1}; it {2}', where, expected, found);
      return { result: { kind: expectation.kind, expected, actual: found, passed, details } };
    }),
  );
}

/** The judgements of the scenario's semantic assertions on the last response. */
async function semanticJudgements(
  { assertions }: AgentScenario,
  { outputText }: AgentRun,
  { path }: CaseFile,
): Promise<readonly Judgement[]> {
  if (assertions === undefined) return [];
  return judgeSemanticFile(join(dirname(path), assertions), assertions, outputText ?? '');
}

/** Judges a response by a file of semantic assertions, which messages call `name`. */
export async function judgeSemanticFile(path: string, name: string, response: string): Promise<readonly Judgement[]> {
  const text = await readText(path, FILE_LIMITS.case).catch((error: unknown) => {
    if (!isSystemError(error)) throw error;
    throw new UserError(
      () => `${name}: ${systemReason(error)}`,
      () => t('Correct the path of the semantic assertions.'),
    );
  });
  const { value } = readSemanticAssertions(text);
  if (value === undefined)
    throw new CaseError(problemFailures(name, text, () => readSemanticAssertions(text).problems));
  return value.map((assertion) => {
    const { passed, details } = judgeSemantic(assertion, response);
    const said = noticeBeside(() => judgeSemantic(assertion, response).details);
    const result = { kind: assertion.kind, expected: name, actual: response, passed, details };
    return { result: { ...result, ...(said && { said }) } };
  });
}
