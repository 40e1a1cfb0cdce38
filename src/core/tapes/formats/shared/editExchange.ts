import { utf8Length } from '../../../bytes/utf8';
import type { HttpBody, HttpExchange } from '../../../model/http';
import { contentBytes } from '../../../wire/body/body';
import { editResponse } from '../../../wire/edit/editResponse';
import type { TapeResponseEdit } from '../../format';

interface EditedExchange {
  readonly exchange: HttpExchange;
  readonly dependents: readonly string[];
}

/** Edits the response of an exchange; or why that is impossible, as a sentence. */
export function editExchange(
  exchange: HttpExchange,
  edit: TapeResponseEdit,
): EditedExchange | { readonly refused: string } {
  if (edit.type === 'status') return { exchange: { ...exchange, status: edit.status }, dependents: [] };
  const outcome = editResponse(exchange, edit);
  if ('refused' in outcome) return outcome;
  const { exchange: after, changed } = withLength({ ...exchange, responseBody: outcome.body }, exchange);
  return { exchange: after, dependents: [...outcome.dependents, ...(changed ? ['content-length'] : [])] };
}

/** A `content-length` is updated if it was right. */
function withLength(
  after: HttpExchange,
  before: HttpExchange,
): { readonly exchange: HttpExchange; readonly changed: boolean } {
  const was = lengthOf(before.responseBody);
  const is = lengthOf(after.responseBody);
  let changed = false;
  const responseHeaders = after.responseHeaders.map(([name, value]) => {
    if (name.toLowerCase() !== 'content-length' || value !== was || was === is) return [name, value] as const;
    changed = true;
    return [name, is] as const;
  });
  return { exchange: { ...after, responseHeaders }, changed };
}

/** The length of a body in bytes, as a header says it. */
export function lengthOf(body: HttpBody): string {
  return `${body.type === 'text' ? utf8Length(body.text) : contentBytes(body, []).length}`;
}
