import { asRecord, omitUndefined } from '../../json/fields';
import { compactJson, type JsonRecord } from '../../json/json';
import { parseJson } from '../../json/readJson';
import type { Chunk, HttpExchange } from '../../model/http';
import type { ChatRequest, ChatResponse } from '../../model/message';
import { counted } from '../../text/counts';
import { t } from '../../text/l10n';
import { gemini } from '../gemini';
import type { TalkReading } from '../realtime/readTalk';
import type { Talk } from '../realtime/talk';
import { assignCallIds } from '../shared/toolCalls';
import { knownMethod, methodName } from './methods';
import { joinXaiChunks, readXaiRequest, readXaiResponse } from './readXai';
import { grpcStatus } from './status';

/** Reads a call of gRPC. What is no conversation with a model is `http`, with a few words about it. */
export function readGrpc({ url }: HttpExchange, talk: Talk): TalkReading {
  const said = (end: 'client' | 'server') =>
    talk.messages.flatMap(({ from, data, base64, isLast }) =>
      from !== end || base64 || isLast ? [] : [asRecord(parseJson(data))],
    );
  const api = knownMethod(url)?.api;
  const [asked] = said('client');
  if (api === undefined || asked === undefined) return { kind: 'http', summary: summaryOf(url, talk) };
  const error = errorOf(talk);
  const answered = said('server');
  const request = api === 'xai' ? readXaiRequest(asked) : geminiRequest(asked);
  const read = answered.length === 0 ? undefined : api === 'xai' ? xaiResponse(answered) : geminiResponse(answered);
  const response =
    read === undefined && error === undefined
      ? undefined
      : omitUndefined({ ...(read ?? { content: null, toolCalls: [] }), ...(error && { error }) });
  return omitUndefined({
    kind: 'llm' as const,
    api: api === 'gemini' ? gemini.id : undefined,
    ...assignCallIds(omitUndefined({ request, response })),
  });
}

function geminiRequest(asked: JsonRecord): ChatRequest {
  const request = gemini.readRequest(asked);
  // `projects/P/locations/L/publishers/google/models/M`
  return omitUndefined({
    ...request,
    model: typeof asked.model === 'string' ? asked.model.replace(/^.*\//, '') : undefined,
  });
}

function geminiResponse(answered: readonly JsonRecord[]): ChatResponse {
  const [only] = answered;
  if (only !== undefined && answered.length === 1) return gemini.readResponse(only);
  const events = answered.map((json) => ({ data: compactJson(json), json }));
  return { ...gemini.readResponse(gemini.joinStream(events)), chunks: chunksOf(answered) };
}

function xaiResponse(answered: readonly JsonRecord[]): ChatResponse {
  const [only] = answered;
  if (only !== undefined && answered.length === 1 && !compactJson(only).includes('"delta":'))
    return readXaiResponse(only);
  return { ...readXaiResponse(joinXaiChunks(answered)), chunks: chunksOf(answered) };
}

function chunksOf(answered: readonly JsonRecord[]): Chunk[] {
  return answered.map((json) => ({ data: compactJson(json) }));
}

/** Undefined for a call that ended well, or that the client gave up. */
function errorOf({ close }: Talk): string | undefined {
  if (close === undefined) return t('the connection broke off');
  if (close.code === 0 || close.from === 'client') return undefined;
  return `${grpcStatus(close.code)}: ${close.reason}`;
}

function summaryOf(url: string, { messages, close }: Talk): string {
  const count = messages.filter(({ isLast }) => !isLast).length;
  const said = counted(count, 'gRPC, {0} message', 'gRPC, {0} messages');
  const ended = close === undefined || close.code === 0 ? said : t('{0}, ended with {1}', said, endedText(close));
  return `${methodName(url)}: ${ended}`;
}

function endedText({ code, reason }: NonNullable<Talk['close']>): string {
  return `${grpcStatus(code)} ${reason}`.trim();
}
