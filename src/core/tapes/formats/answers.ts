import type { Holding, RecordedInteraction } from '../tapeFormat';

/** A call of a model, or a step of a script that says what is answered. */
export function isAnswer({ kind = 'llm', response }: RecordedInteraction): boolean {
  return kind === 'llm' || (kind === 'script' && response !== undefined);
}

/** For formats that are played in order: anything else on them would be taken for the next answer of the model. */
export const ANSWERS: Holding = {
  what: 'answers of a model',
  of: (interactions) => interactions.filter(isAnswer),
};
