import type { JsonRecord } from '../json/json';
import { recordsOf } from './fields';

/** Where answers of generated text keep their choices, by who gives them. */
export const CHOICE_LISTS = [
  'choices',
  'completions',
  'generations',
  'results',
  'outputs',
  'predictions',
  'candidates',
];

/** The choices of an answer of generated text, or of a piece of one. */
export function generatedChoices(answer: JsonRecord): readonly JsonRecord[] {
  return CHOICE_LISTS.map((name) => recordsOf(answer[name])).find((choices) => choices.length > 0) ?? [];
}
