import type { Holding, RecordedInteraction, TapeFormat } from '../tapeFormat';

/** A call of a model, or a step of a script that says what is answered. */
export function isAnswer({ kind = 'llm', response }: RecordedInteraction): boolean {
  return kind === 'llm' || (kind === 'script' && response !== undefined);
}

/** For formats that are played in order: anything else on them would be taken for the next answer of the model. */
export const ANSWERS: Holding = {
  what: 'answers of a model',
  of: (interactions) => interactions.filter(isAnswer),
};

/** For formats of HTTP: what was recorded without it can be told as a call of a model, where it was one. */
export const EXCHANGES: Holding = {
  what: 'HTTP exchanges and calls of models',
  of: (interactions) => interactions.filter((one) => one.http !== undefined || isAnswer(one)),
};

type Writing = Required<Pick<TapeFormat, 'serialise' | 'holds'>>;

/** The members of a format that writes what it holds, and nothing else. */
export function writing(holds: Holding, write: Writing['serialise']): Writing {
  return { holds, serialise: (name, interactions) => write(name, holds.of(interactions)) };
}
