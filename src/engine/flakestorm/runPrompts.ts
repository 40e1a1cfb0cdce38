import { NO_CHAOS } from '../../core/flakestorm/chaos';
import type { Invariant } from '../../core/flakestorm/contract';
import { appliesUnder } from '../../core/flakestorm/invariants';
import type { Judgement } from '../execution/syntheticCase';
import type { AgentUnderTest, PromptResult, TestPrompt } from './agentUnderTest';
import type { ChaosState } from './chaosState';
import { judgeInvariant } from './runSession';

export interface PromptsRun {
  readonly results: readonly PromptResult[];
  readonly judgements: readonly Judgement[];
  /** The share of prompts for which all invariants held, 0 to 1. */
  readonly score: number;
  /** The error of the first prompt, at which Flakestorm ends the run. */
  readonly firstError?: string;
}

/** Sends every golden prompt once, under chaos or not, and judges the results by the invariants of the configuration. */
export async function runPrompts(
  subject: AgentUnderTest,
  invariants: readonly Invariant[],
  prompts: readonly TestPrompt[],
  chaosState?: ChaosState,
): Promise<PromptsRun> {
  const meant = invariants.filter(({ when }) => appliesUnder(when, chaosState?.chaos ?? NO_CHAOS));
  const states = chaosState === undefined ? [] : [chaosState];
  // Flakestorm sends the first prompt once more, before the others, to see whether the agent responds. Chaos may begin later.
  const trial = chaosState && prompts[0] && (await subject.ask(prompts[0], chaosState));
  const results: PromptResult[] = [];
  const judgements: Judgement[][] = [];
  for (const testPrompt of prompts) {
    const result = await subject.ask(testPrompt, ...states);
    results.push(result);
    judgements.push(
      result.error === undefined ? meant.map((one) => judgeInvariant(one, result)) : [failed(result.error)],
    );
  }
  const passed = judgements.filter((some) => some.every(({ result }) => result.passed)).length;
  const score = prompts.length === 0 ? 1 : passed / prompts.length;
  const firstError = (trial ?? results[0])?.error;
  return { results, judgements: judgements.flat(), score, firstError };
}

function failed(error: string): Judgement {
  return { result: { kind: 'completes', expected: 'an answer', actual: null, passed: false, details: error } };
}
