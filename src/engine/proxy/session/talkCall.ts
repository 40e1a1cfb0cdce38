import type { Drift } from '../../../core/match/explainDrift';
import type { TalkDrift } from '../../../core/match/talkReplay';
import { t } from '../../../core/text/l10n';
import { noticeOf, type Said, says } from '../../../core/text/notice';
import type { CapturedResponse } from '../../network/capturedResponse';
import type { Upgraded } from '../../network/webSocket';
import type { HiddenInteraction, HiddenRequest } from '../../recording/hidden';
import type { Call } from './call';
import type { InteractionReport, MissedRequest } from './report';

/** A request for a talk. Its response is there for what is refused. */
export interface TalkCall extends Call {
  /** Of a WebSocket; a call of gRPC has none. */
  readonly upgraded: Upgraded | undefined;
}

/** What a session does for its talks. */
export interface TalkDoor {
  report(call: Call, how: Omit<InteractionReport, 'number' | 'path'>): Promise<void>;
  /** Keeps what was said so far; later, what was said in all. */
  keep(number: number, interaction: HiddenInteraction): Promise<void>;
  /** Records the response to a handshake that the upstream refused. */
  recordRefusal(call: Call, target: URL, captured: CapturedResponse, startedAt: Date): Promise<void>;
  /** What is said of the first miss of a run. */
  missed(describe: () => Promise<MissedRequest>): Promise<{ readonly missed?: MissedRequest }>;
  wire(call: Call): Promise<HiddenRequest>;
}

/** Why a message of a client is not what is on the tape, as people are told. */
export async function explainTalkDrift(
  { number, name = 'message', drift }: Pick<TalkDrift, 'number' | 'name' | 'drift'>,
  explain: (drift: Drift) => Promise<Said>,
): Promise<Said> {
  if (drift === 'unsent') return unsentText(number, name);
  if (drift === 'none')
    return noticeOf(() => t('message {0} of the agent, {1}, is one more than were recorded', number, name));
  const why = await explain(drift);
  return noticeOf(() => t('message {0} of the agent, {1}: {2}', number, name, says(why)));
}

/** Why a connection that the client closed was not played to its end. */
export function unsentText(number: number, name = 'message'): Said {
  return noticeOf(() =>
    t('the agent closed the connection before it sent what was recorded as its message {0}, {1}', number, name),
  );
}
