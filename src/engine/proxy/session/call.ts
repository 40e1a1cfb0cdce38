import type { IncomingMessage, ServerResponse } from 'node:http';
import { t } from '../../../core/text/l10n';
import { UserError } from '../../errors/userError';
import type { Route } from '../routes/route';
import type { ReplayTape } from '../tape/replayTape';
import type { ServedResponse } from '../tape/servedResponse';
import { refusal, sendRefusal } from './refusal';
import type { InteractionReport } from './report';

/** One request in progress. */
export interface Call {
  /** From 0, by arrival. */
  readonly number: number;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly route: Route;
  readonly body: Buffer;
}

/** The recording for a request, or why there is none. */
export type Taken = Awaited<ReturnType<ReplayTape['take']>>;

export const NOTHING_RECORDED: Taken = {
  kind: 'missing',
  explain: () => ({ kind: 'missing', recorded: 0, same: [], masks: [] }),
};

export function refuseIgnored(response: ServerResponse, { upstream }: Route): void {
  const message = t('Tapedeck: {0} is under [proxy] ignore, and a replay sends nothing.', upstream.name);
  sendRefusal(response, upstream.errors, { status: 502, code: 'tapedeck_ignored_host', message });
}

export function refuse({ response, route }: Call, status: number, code: string, message: string): void {
  sendRefusal(response, route.upstream.errors, { status, code: `tapedeck_${code}`, message: `Tapedeck: ${message}` });
}

/** Why a request has a key in it that may not go to `target`; undefined if it has none. */
export async function foreignKeyIn(
  { rawHeaders }: IncomingMessage,
  target: URL,
  { requireOwnKeys }: { requireOwnKeys(target: URL, headers: readonly string[]): Promise<void> },
): Promise<UserError | undefined> {
  try {
    await requireOwnKeys(target, rawHeaders);
    return undefined;
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
}

/** In place of a response that can no longer be read, since the files of the replay changed meanwhile. */
export function withoutResponse({ upstream }: Route, index: number): ServedResponse {
  const message = `Tapedeck: ${unreadText(index)}`;
  return refusal(upstream.errors, { status: 400, code: 'tapedeck_no_answer', message });
}

/** The report on it. */
export function unreadResponse(index: number): Pick<InteractionReport, 'verdict' | 'explanation'> {
  return { verdict: 'missing', explanation: unreadText(index) };
}

function unreadText(index: number): string {
  return t('the response of interaction {0} can no longer be read. Restart the replay, or record again.', index + 1);
}
