import type { HttpExchange, NotKept } from '../model/http';
import type { Interaction } from '../model/interaction';
import { t } from '../text/l10n';
import type { Problem, Span } from '../text/source';
import { isTalk } from '../wire/realtime/talk';

/** The code of a problem that says: the response of this interaction is not on the tape. The others are replayed. */
const NOT_KEPT = 'not-kept';

/** Why a tape does not have the response of an interaction; undefined if it has it. A replay serves no other. */
export function lackOf({ http, response }: Pick<Interaction, 'http' | 'response'>): NotKept | undefined {
  if (http === undefined) return response === undefined ? NONE : undefined;
  return http.notKept ?? (isFinal(http.status) || isTalk(http) ? undefined : NONE);
}

const NONE: NotKept = { why: 'absent' };

function isFinal(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status <= 599;
}

/** What a recorder says of the body of a response, besides the body itself. */
export interface StatedBody {
  /** Its length in bytes, or whatever else is counted; none if that is not told. */
  readonly size?: number | undefined;
  /** Whether a body that is neither there nor told to be empty was not kept. Otherwise none is an empty one. */
  readonly isAlwaysTold?: boolean | undefined;
}

/** Why the response of a stored exchange without the text of a body was not kept; undefined if it had no body. */
export function droppedBody(
  { method, status }: Pick<HttpExchange, 'method' | 'status'>,
  { size, isAlwaysTold = false }: StatedBody,
): NotKept | undefined {
  if (method === 'HEAD' || !isFinal(status) || hasNoBody(status)) return undefined;
  if (size === undefined) return isAlwaysTold ? { why: 'dropped' } : undefined;
  return size > 0 ? { why: 'dropped', size } : undefined;
}

/** Nobody reads the body of a redirection, and recorders cannot get it. */
function hasNoBody(status = 0): boolean {
  return status === 204 || status === 205 || (status >= 300 && status < 400);
}

/** Why an interaction is not replayed, as a clause. */
export function notKeptText(lack: NotKept): string {
  switch (lack.why) {
    case 'failed':
      return lack.reason === undefined
        ? t('the request failed when it was recorded')
        : t('the request failed when it was recorded: {0}', lack.reason);
    case 'elsewhere':
      return t('the body of its response is in another file, {0}', lack.file);
    case 'dropped':
      return lack.size === undefined
        ? t('the body of its response was not kept')
        : t('the body of its response, {0} bytes, was not kept', lack.size);
    case 'absent':
      return t('no response was recorded');
  }
}

/** The problem of an interaction that is not replayed. That a request failed is no defect of the tape. */
export function notKept(index: number, lack: NotKept, { start, end }: Span, fix: string): Problem {
  const message = t('interaction {0} is not replayed: {1}', index + 1, notKeptText(lack));
  const problem = { code: NOT_KEPT, message, span: { start, end: Math.min(end, start + 1) } };
  return lack.why === 'failed' ? { ...problem, severity: 'info' } : { ...problem, severity: 'error', fix };
}

export function isNotKept({ code }: Problem): boolean {
  return code === NOT_KEPT;
}
