import type { HeldRelease } from '../../../contracts/holds';
import type { HttpExchange } from '../../../core/model/http';
import type { TapeEdit, TapeResponseEdit } from '../../../core/tapes/format';
import { editExchange } from '../../../core/tapes/formats/shared/editExchange';
import { t } from '../../../core/text/l10n';
import { UserError } from '../../errors/userError';

/** The exchange with an edited response; a stream stays one. Throws a `UserError` if an edit is impossible. */
export function editedExchange(
  exchange: HttpExchange,
  { edits = [], body }: Pick<HeldRelease, 'edits' | 'body'>,
): HttpExchange {
  const start = body === undefined ? exchange : withBody(exchange, body);
  return edits.filter(isOfResponse).reduce((edited, edit) => {
    const outcome = editExchange(edited, edit);
    if ('refused' in outcome)
      throw new UserError(
        () => refusalOf(edited, edit),
        () => t('Change another part, or continue without a change.'),
      );
    return outcome.exchange;
  }, start);
}

function withBody(exchange: HttpExchange, text: string): HttpExchange {
  const length = String(Buffer.byteLength(text));
  const responseHeaders = exchange.responseHeaders
    .filter(([name]) => !/^content-encoding$/i.test(name))
    .map(([name, value]) => (/^content-length$/i.test(name) ? ([name, length] as const) : ([name, value] as const)));
  return { ...exchange, responseHeaders, responseBody: { type: 'text', text } };
}

function isOfResponse(edit: TapeEdit): edit is TapeResponseEdit {
  switch (edit.type) {
    case 'response-text':
    case 'reasoning':
    case 'arguments':
    case 'usage':
    case 'status':
      return true;
    default:
      return false;
  }
}

function refusalOf(exchange: HttpExchange, edit: Parameters<typeof editExchange>[1]): string {
  const outcome = editExchange(exchange, edit);
  return 'refused' in outcome ? outcome.refused : '';
}
