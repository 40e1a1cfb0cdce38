import type { Json } from '../json/json';
import type { ChatRequest, ChatResponse, HttpExchange, InteractionKind } from '../tapes/tape';
import { compactJson } from '../wire/compactJson';
import { editResponseText } from '../wire/editResponseText';
import { parseJson } from '../wire/parseJson';
import { readExchange } from '../wire/readExchange';
import type { Redactor } from './redactor';

export interface RedactedExchange {
  readonly exchange: HttpExchange;
  readonly kind: InteractionKind;
  readonly request: ChatRequest | undefined;
  readonly response: ChatResponse | undefined;
}

/**
 * An exchange, whose bodies are redacted already, without the secrets that a streamed answer says piece by piece: they
 * are whole only where the pieces are put together. With it, what it says, redacted in the same way.
 */
export function redactExchange(exchange: HttpExchange, redactor: Redactor): RedactedExchange {
  const { response } = readExchange(exchange);
  const text = response?.content ?? '';
  const redacted = redactor.text(text);
  const edit = redacted === text ? undefined : editResponseText(exchange, redacted);
  const clean = edit === undefined || 'refused' in edit ? exchange : { ...exchange, responseBody: edit.body };
  const { kind, request, response: answer } = readExchange(clean);
  return { exchange: clean, kind, request: redactValue(request, redactor), response: redactValue(answer, redactor) };
}

/** The same value without secrets, found as they would be in its JSON: by their shapes, and by the names of members. */
function redactValue<T extends object>(value: T | undefined, redactor: Redactor): T | undefined {
  if (value === undefined) return undefined;
  const text = compactJson(value as Json);
  const redacted = redactor.text(text);
  return redacted === text ? value : ((parseJson(redacted) as T | undefined) ?? value);
}
