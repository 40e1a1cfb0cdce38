import type { Interaction } from '../tapes/tape';
import type { AnswerEdit } from '../tapes/tapeFormat';
import { reasoningOf } from '../wire/answerChange';
import { compactJson } from '../wire/compactJson';
import { hideValues } from './hideValues';
import type { Substitution } from './substitution';

/**
 * The edits that hide values in an answer by its meaning: in its text, its reasoning and the arguments of its calls, of
 * which each may have come in pieces that do not have a whole value.
 */
export function hidingEdits({ index: interaction, response }: Interaction, substitution: Substitution): AnswerEdit[] {
  if (response === undefined) return [];
  const hidden = (text: string | null | undefined): string | undefined => {
    const changed = hideValues(text ?? '', substitution).text;
    return changed === (text ?? '') ? undefined : changed;
  };
  const text = hidden(response.content);
  return [
    ...(text === undefined ? [] : [{ type: 'response-text' as const, interaction, text }]),
    ...reasoningOf(response).flatMap((part, index) => {
      const thought = hidden(part.text);
      return thought === undefined ? [] : [{ type: 'reasoning' as const, interaction, part: index, text: thought }];
    }),
    ...response.toolCalls.flatMap(({ arguments: args, argumentsText }, call) => {
      const json = hidden(argumentsText ?? (typeof args === 'string' ? args : compactJson(args)));
      return json === undefined ? [] : [{ type: 'arguments' as const, interaction, call, json }];
    }),
  ];
}
