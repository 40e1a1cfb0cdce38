import { NO_CHAOS } from '../../core/flakestorm/chaos';
import type { Invariant } from '../../core/flakestorm/contract';
import { appliesUnder } from '../../core/flakestorm/invariants';
import type { Judgement } from '../execution/syntheticCase';
import type { AgentUnderTest, PromptResult, TestPrompt } from './agentUnderTest';
import type { ChaosState } from './chaosState';
import { judgeInvariant } from './runSession';

export interface PromptsRun {
  readonly answers: readonly PromptResult[];
  readonly judgements: readonly Judgement[];
  /** The share of prompts for which everything held, 0 to 1. */
  readonly score: number;
}

/** Asks every golden prompt once, under chaos or not, and holds the answers to the invariants of the configuration. */
export async function runPrompts(
  subject: AgentUnderTest,
  invariants: readonly Invariant[],
  questions: readonly TestPrompt[],
  trouble?: ChaosState,
): Promise<PromptsRun> {
  const meant = invariants.filter(({ when }) => appliesUnder(when, trouble?.chaos ?? NO_CHAOS));
  const answers: PromptResult[] = [];
  const judgements: Judgement[][] = [];
  for (const question of questions) {
    const answer = await subject.ask(question, trouble);
    answers.push(answer);
    judgements.push(
      answer.error === undefined ? meant.map((one) => judgeInvariant(one, answer)) : [failed(answer.error)],
    );
  }
  const won = judgements.filter((some) => some.every(({ result }) => result.passed)).length;
  return { answers, judgements: judgements.flat(), score: questions.length === 0 ? 1 : won / questions.length };
}

function failed(error: string): Judgement {
  return { result: { kind: 'completes', expected: 'an answer', actual: null, passed: false, details: error } };
}
