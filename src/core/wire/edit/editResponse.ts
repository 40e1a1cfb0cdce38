import type { HttpExchange } from '../../model/http';
import { decodeBody } from '../body/body';
import { readFrames } from '../body/frames';
import { readExchange } from '../read/readExchange';
import { candidateEdits, type FrameEdit } from './candidateEdits';
import { type BodyEdit, type EditRefusal, editBody } from './editBody';
import { differsOnlyBy, type ResponseEdit, type ResponseValueEdit } from './responseEdit';
import { type ResponseEditor, textEditor } from './textEdits';

/** Changes a value of a recorded answer in its body. The new body is read before it is handed out: nothing else has changed. */
export function editResponse(exchange: HttpExchange, change: ResponseEdit): BodyEdit | EditRefusal {
  return change.type === 'response-text' ? editResponseText(exchange, change.text) : editValue(exchange, change);
}

function editValue(exchange: HttpExchange, change: ResponseValueEdit): BodyEdit | EditRefusal {
  const { response } = readExchange(exchange);
  if (response === undefined) return { refused: 'This is no answer of a model that can be read.' };
  const { responseBody: body, responseHeaders } = exchange;
  const decoded = decodeBody(body, responseHeaders);
  const frames = readFrames(body, decoded)?.frames.map(({ json }) => json) ?? [decoded.json];
  for (const changes of candidateEdits(frames, response, change)) {
    const edit = editBody(exchange, editorOf(changes, frames.length));
    if ('refused' in edit) return edit;
    if (differsOnlyBy(response, readExchange({ ...exchange, responseBody: edit.body }).response, change)) return edit;
  }
  return { refused: EDIT_REFUSALS[change.type] };
}

function editorOf(changes: readonly FrameEdit[], frames: number): ResponseEditor {
  return {
    inJson: () => changes,
    inFrames: () => Array.from({ length: frames }, (_, index) => changes.filter(({ frame }) => frame === index)),
  };
}

/** Where no way was found. */
export const EDIT_REFUSALS: Readonly<Record<ResponseEdit['type'], string>> = {
  'response-text': 'The text of this answer does not stand in one place; change it in the text editor.',
  reasoning: 'This reasoning does not stand in the answer as it is shown; change it in the text editor.',
  arguments: 'These arguments do not stand in the answer as they are shown; change them in the text editor.',
  usage: 'This answer does not report these token counts; change them in the text editor.',
};

/**
 * Changes the text of a recorded answer, and of its body only what tells this text: in a stream as few pieces as
 * possible, and all places where the stream repeats it. The new body is read before it is handed out: it tells exactly
 * the text.
 */
export function editResponseText(exchange: HttpExchange, text: string): BodyEdit | EditRefusal {
  const { api, response } = readExchange(exchange);
  if (api === undefined || response === undefined) return { refused: 'This is no answer of a model that can be read.' };
  const { content } = response;
  if (content === null) return { refused: 'This answer has no text that could be changed.' };
  const edit = editBody(exchange, textEditor({ api, content, text }));
  if ('refused' in edit) return edit;
  const after = readExchange({ ...exchange, responseBody: edit.body }).response;
  if (after?.content === text) return edit;
  return { refused: 'The text of this answer does not stand in its body as it is; change the body itself.' };
}
