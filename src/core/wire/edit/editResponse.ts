import type { HttpExchange } from '../../model/http';
import { message, t } from '../../text/l10n';
import { decodeBody } from '../body/body';
import { readFrames } from '../body/frames';
import { readExchange } from '../read/readExchange';
import { candidateEdits, type FrameEdit } from './candidateEdits';
import { type BodyEdit, type EditRefusal, editBody } from './editBody';
import { differsOnlyBy, type ResponseEdit, type ResponseValueEdit } from './responseEdit';
import { type ResponseEditor, textEditor } from './textEdits';

/** Edits a recorded response in its body. The new body is read again, to verify that nothing else has changed. */
export function editResponse(exchange: HttpExchange, edit: ResponseEdit): BodyEdit | EditRefusal {
  return edit.type === 'response-text' ? editResponseText(exchange, edit.text) : editValue(exchange, edit);
}

function editValue(exchange: HttpExchange, valueEdit: ResponseValueEdit): BodyEdit | EditRefusal {
  const { response } = readExchange(exchange);
  if (response === undefined) return { refused: t(NOT_A_MODEL_RESPONSE) };
  const { responseBody: body, responseHeaders } = exchange;
  const decoded = decodeBody(body, responseHeaders);
  const frames = readFrames(body, decoded)?.frames.map(({ json }) => json) ?? [decoded.json];
  for (const candidate of candidateEdits(frames, response, valueEdit)) {
    const edit = editBody(exchange, editorOf(candidate, frames.length));
    if ('refused' in edit) return edit;
    if (differsOnlyBy(response, readExchange({ ...exchange, responseBody: edit.body }).response, valueEdit))
      return edit;
  }
  return { refused: t(EDIT_REFUSALS[valueEdit.type]) };
}

function editorOf(edits: readonly FrameEdit[], frames: number): ResponseEditor {
  return {
    inJson: () => edits,
    inFrames: () => Array.from({ length: frames }, (_, index) => edits.filter(({ frame }) => frame === index)),
  };
}

const NOT_A_MODEL_RESPONSE = message('This is not a readable model response.');

/** The refusals for values that are not found in the body. */
export const EDIT_REFUSALS: Readonly<Record<ResponseEdit['type'], string>> = {
  'response-text': message('The text of this response is split across several places; edit it in the text editor.'),
  reasoning: message('This reasoning is not in the response as shown; edit it in the text editor.'),
  arguments: message('These arguments are not in the response as shown; edit them in the text editor.'),
  usage: message('This response does not report these token counts; edit them in the text editor.'),
};

/**
 * Replaces the text of a recorded response. In a stream, it changes as few pieces as possible, in every place where the
 * stream repeats the text. The new body is read again, to verify that it has exactly the new text.
 */
export function editResponseText(exchange: HttpExchange, text: string): BodyEdit | EditRefusal {
  const { api, response } = readExchange(exchange);
  if (api === undefined || response === undefined) return { refused: t(NOT_A_MODEL_RESPONSE) };
  const { content } = response;
  if (content === null) return { refused: t('This response has no text to edit.') };
  const edit = editBody(exchange, textEditor({ api, content, text }));
  if ('refused' in edit) return edit;
  const after = readExchange({ ...exchange, responseBody: edit.body }).response;
  if (after?.content === text) return edit;
  return { refused: t('The text of this response is not in its body as shown; edit the body directly.') };
}
