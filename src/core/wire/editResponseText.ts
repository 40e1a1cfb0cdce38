import type { HttpExchange } from '../tapes/tape';
import { textChanger } from './changeText';
import { type BodyEdit, editBody, type Refusal } from './editBody';
import { readExchange } from './readExchange';

/**
 * Changes the text of a recorded answer, and of its body only what tells this text: in a stream as few pieces as
 * possible, and all places where the stream repeats it. The new body is read before it is handed out: it tells exactly
 * the text.
 */
export function editResponseText(exchange: HttpExchange, text: string): BodyEdit | Refusal {
  const { api, response } = readExchange(exchange);
  if (api === undefined || response === undefined) return { refused: 'This is no answer of a model that can be read.' };
  const { content } = response;
  if (content === null) return { refused: 'This answer has no text that could be changed.' };
  const edit = editBody(exchange, textChanger({ api, content, text }));
  if ('refused' in edit) return edit;
  const after = readExchange({ ...exchange, responseBody: edit.body }).response;
  if (after?.content === text) return edit;
  return { refused: 'The text of this answer does not stand in its body as it is; change the body itself.' };
}
