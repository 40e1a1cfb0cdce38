import { NO_CHAOS } from '../../core/flakestorm/chaos';
import type { Invariant } from '../../core/flakestorm/contract';
import { appliesUnder } from '../../core/flakestorm/invariants';
import type { Judgement } from '../runs/kinds/synthetic';
import { judgement } from './runSession';
import type { Answered, Question, Subject } from './subject';
import type { Trouble } from './trouble';

export interface PromptsRun {
  readonly answers: readonly Answered[];
  readonly judgements: readonly Judgement[];
  /** The share of prompts for which everything held, 0 to 1. */
  readonly score: number;
}

/** Asks every golden prompt once, under chaos or not, and holds the answers to the invariants of the configuration. */
export async function runPrompts(
  subject: Subject,
  invariants: readonly Invariant[],
  questions: readonly Question[],
  trouble?: Trouble,
): Promise<PromptsRun> {
  const meant = invariants.filter(({ when }) => appliesUnder(when, trouble?.chaos ?? NO_CHAOS));
  const answers: Answered[] = [];
  const judgements: Judgement[][] = [];
  for (const question of questions) {
    const answer = await subject.ask(question, trouble);
    answers.push(answer);
    judgements.push(answer.error === undefined ? meant.map((one) => judgement(one, answer)) : [failed(answer.error)]);
  }
  const won = judgements.filter((some) => some.every(({ result }) => result.passed)).length;
  return { answers, judgements: judgements.flat(), score: questions.length === 0 ? 1 : won / questions.length };
}

function failed(error: string): Judgement {
  return { result: { kind: 'completes', expected: 'an answer', actual: null, passed: false, details: error } };
}
