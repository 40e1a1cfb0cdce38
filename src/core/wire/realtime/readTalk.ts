import { asRecord, omitUndefined } from '../../json/fields';
import { parseJson } from '../../json/readJson';
import type { HttpExchange } from '../../model/http';
import type { InteractionKind, ProtocolId } from '../../model/interaction';
import type { ChatRequest, ChatResponse } from '../../model/message';
import { addUsage } from '../../model/usage';
import { counted } from '../../text/counts';
import { t } from '../../text/l10n';
import { modelInPath } from '../endpoints';
import { urlPath } from '../http';
import { assignCallIds } from '../shared/toolCalls';
import { GeminiLiveSession } from './geminiLive';
import { OpenaiRealtimeSession } from './openaiRealtime';
import { ResponsesSession } from './responsesSession';
import type { RealtimeSession, SocketEvent, Turn } from './session';
import type { Talk, TalkClose } from './talk';

/** The session that understands these messages, by what only its protocol says. OpenAI's Realtime is spoken by several. */
export function sessionOf(events: readonly Pick<SocketEvent, 'data' | 'direction'>[]): RealtimeSession {
  if (events.some(({ data }) => 'setup' in data || 'serverContent' in data || 'setupComplete' in data))
    return new GeminiLiveSession();
  const isResponses = events.some(
    ({ data, direction }) => direction === 'sent' && data.type === 'response.create' && 'input' in data,
  );
  return isResponses ? new ResponsesSession() : new OpenaiRealtimeSession();
}

/** What a talk says, as one call of a model: the conversation up to its last response, and that response. */
export interface TalkReading {
  readonly kind: InteractionKind;
  readonly api?: ProtocolId;
  readonly request?: ChatRequest;
  readonly response?: ChatResponse;
  readonly summary?: string;
}

const NOWHERE = { start: 0, end: 0 };

/** Reads the messages of a WebSocket. What is no conversation with a model is `http`, with a few words about it. */
export function readTalk(exchange: HttpExchange, talk: Talk): TalkReading {
  const events = talk.messages.map(({ from, data, base64 }): SocketEvent => {
    const direction = from === 'client' ? 'sent' : 'received';
    return { direction, data: asRecord(base64 ? undefined : parseJson(data)), source: NOWHERE };
  });
  const session = sessionOf(events);
  for (const event of events) session.take(event);
  session.close(closingReason(talk.close));
  const { turns } = session;
  const last = turns.at(-1);
  if (last?.request === undefined) return { kind: 'http', summary: summaryOf(talk) };
  const { request, response, api } = last;
  const model = request.model ?? modelOf(exchange.url);
  return omitUndefined({
    kind: 'llm' as const,
    api,
    ...assignCallIds(
      omitUndefined({
        request: omitUndefined({ ...request, model, messages: request.messages }),
        response: response && withWhole(response, turns),
      }),
    ),
  });
}

/** The last response, with the usage of all. Its events are those of the exchange. */
function withWhole({ chunks: _, ...response }: ChatResponse, turns: readonly Turn[]): ChatResponse {
  const usages = turns.flatMap((turn) => turn.response?.usage ?? []);
  return usages.length === 0 ? response : { ...response, usage: usages.reduce(addUsage) };
}

function modelOf(url: string): string | undefined {
  const named = /[?&]model=([^&#]+)/.exec(url)?.[1];
  return named === undefined ? modelInPath(urlPath(url)) : decodeURIComponent(named);
}

/** Undefined for a connection that was closed as it should be. */
function closingReason(close: TalkClose | undefined): string | undefined {
  if (close === undefined || close.from === 'client' || close.code < 1002) return undefined;
  return `the connection was closed: ${close.code} ${close.reason}`.trim();
}

function summaryOf({ messages, close }: Talk): string {
  const count = counted(messages.length, 'WebSocket, {0} message', 'WebSocket, {0} messages');
  return close === undefined ? count : t('{0}, closed with {1}', count, `${close.code} ${close.reason}`.trim());
}
