import type { HttpExchange } from '../tapes/tape';
import { type AnswerChange, isChanged, type ValueChange } from './answerChange';
import { decodeBody } from './body';
import type { AnswerChanger } from './changeText';
import { type BodyEdit, editBody, type Refusal } from './editBody';
import { editResponseText } from './editResponseText';
import { readFrames } from './frames';
import { readExchange } from './readExchange';
import { type FrameChange, waysToChange } from './valueChanges';

/** Changes a value of a recorded answer in its body. The new body is read before it is handed out: nothing else has changed. */
export function editAnswer(exchange: HttpExchange, change: AnswerChange): BodyEdit | Refusal {
  return change.type === 'response-text' ? editResponseText(exchange, change.text) : editValue(exchange, change);
}

function editValue(exchange: HttpExchange, change: ValueChange): BodyEdit | Refusal {
  const { response } = readExchange(exchange);
  if (response === undefined) return { refused: 'This is no answer of a model that can be read.' };
  const { responseBody: body, responseHeaders } = exchange;
  const decoded = decodeBody(body, responseHeaders);
  const frames = readFrames(body, decoded)?.frames.map(({ json }) => json) ?? [decoded.json];
  for (const changes of waysToChange(frames, response, change)) {
    const edit = editBody(exchange, changerOf(changes, frames.length));
    if ('refused' in edit) return edit;
    if (isChanged(response, readExchange({ ...exchange, responseBody: edit.body }).response, change)) return edit;
  }
  return { refused: REFUSALS[change.type] };
}

function changerOf(changes: readonly FrameChange[], frames: number): AnswerChanger {
  return {
    inJson: () => changes,
    inFrames: () => Array.from({ length: frames }, (_, index) => changes.filter(({ frame }) => frame === index)),
  };
}

/** Where no way was found. */
export const REFUSALS: Readonly<Record<AnswerChange['type'], string>> = {
  'response-text': 'The text of this answer does not stand in one place; change it in the text editor.',
  reasoning: 'This reasoning does not stand in the answer as it is shown; change it in the text editor.',
  arguments: 'These arguments do not stand in the answer as they are shown; change them in the text editor.',
  usage: 'This answer does not report these token counts; change them in the text editor.',
};
