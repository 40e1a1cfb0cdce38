import { omitUndefined } from '../../../json/fields';
import { isRecord, type Json } from '../../../json/json';
import { isNull } from '../../../json/nodeReader';
import { exactText, exactValue, member } from '../../../json/readJson';
import type { HttpExchange } from '../../../model/http';
import type { Interaction } from '../../../model/interaction';
import type { ChatRequest, ChatResponse, Message } from '../../../model/message';
import type { Usage } from '../../../model/usage';
import { type ExchangeReading, readExchange } from '../../../wire/read/readExchange';
import type { InteractionContent } from '../../lazyTape';
import { responseTextNode } from '../shared/responseText';
import type { CassetteCall, CassetteRequest, CassetteResponse } from './cassette';

/** A short description of a recorded call. */
export function readCall(call: CassetteCall, recordedAt: string): InteractionContent {
  const timing = omitUndefined({ recordedAt: recordedAt || undefined, durationMs: call.response.durationMs });
  return omitUndefined({
    ...(call.request.kind === 'tool' ? toolCall(call) : modelCall(call)),
    timing: Object.keys(timing).length === 0 ? undefined : timing,
    id: call.id || undefined,
  });
}

type CallContent = Pick<Interaction, 'kind' | 'request' | 'response' | 'api'>;

/** The recorded method is the name of the tool, and the body has its arguments. */
function toolCall({ request, response }: CassetteCall): CallContent {
  const call = { id: '', name: request.method, arguments: exactValue(request.body) };
  const message: Message = { role: 'assistant', content: null, toolCalls: [call] };
  return {
    kind: 'tool',
    request: { messages: [message], tools: [], params: {} },
    response: response.status === 'error' ? errorResponse(response) : toolResult(response),
  };
}

function modelCall({ request, response }: CassetteCall): CallContent {
  const body = exactValue(response.body);
  const reading = readExchange(exchangeOf(request, isRecord(body) || Array.isArray(body) ? body : undefined));
  return omitUndefined({
    kind: reading.kind === 'embedding' ? ('embedding' as const) : ('llm' as const),
    api: reading.api,
    request: requestOf(request, reading),
    response: response.status === 'error' ? errorResponse(response) : modelResponse(response, body, reading),
  });
}

/** The paths of the SDK methods that are usually recorded, which determine how the bodies are read. */
const METHOD_PATHS: readonly (readonly [RegExp, string])[] = [
  [/chat\.completions/, '/v1/chat/completions'],
  [/responses\.(create|parse|stream)/, '/v1/responses'],
  [/embed/, '/v1/embeddings'],
  [/messages\.(create|stream)/, '/v1/messages'],
  [/generate_?content/i, '/v1beta/models/m:generateContent'],
];

function exchangeOf({ method, body }: CassetteRequest, response: Json | undefined): HttpExchange {
  return {
    method: 'POST',
    url: METHOD_PATHS.find(([pattern]) => pattern.test(method))?.[1] ?? '/',
    requestHeaders: [],
    requestBody: { type: 'json', json: exactValue(body) },
    responseHeaders: [],
    responseBody: response === undefined ? { type: 'none' } : { type: 'json', json: response },
  };
}

function requestOf({ model, body }: CassetteRequest, { request }: ExchangeReading): ChatRequest {
  const isRead = request !== undefined && (request.messages.length > 0 || member(body, 'messages') !== undefined);
  const read = isRead ? request : plainRequest(exactValue(body));
  return model === undefined ? read : { ...read, model };
}

/** A body of an unknown protocol: `ca_cassette.arun` and others store a plain prompt. */
function plainRequest(body: Json): ChatRequest {
  const record = isRecord(body) ? body : {};
  const prompt = [record.prompt, record.input, record.query, record.message].find((value) => typeof value === 'string');
  const content = typeof prompt === 'string' ? prompt : null;
  const message: Message = omitUndefined({
    role: 'user',
    content,
    parts: content === null ? [{ type: 'unknown' as const, raw: body }] : undefined,
    toolCalls: [],
  });
  return { messages: [message], tools: [], params: {} };
}

function modelResponse(response: CassetteResponse, body: Json, reading: ExchangeReading): ChatResponse {
  const usage = usageOf(response);
  const read = reading.kind === 'http' ? undefined : reading.response;
  const reply = read === undefined || isUnread(reading) ? plainResponse(response, body) : read;
  return usage === undefined ? reply : { ...reply, usage };
}

/** A body in another shape than that of its method's responses. */
function isUnread({ response, problems }: ExchangeReading): boolean {
  return response?.content === null && response.toolCalls.length === 0 && problems.length > 0;
}

function plainResponse(response: CassetteResponse, body: Json): ChatResponse {
  const content = responseTextNode(response.body)?.value ?? null;
  const isUnknown = content === null && body !== null;
  return omitUndefined({
    content,
    parts: isUnknown ? [{ type: 'unknown' as const, raw: body }] : undefined,
    toolCalls: [],
  });
}

function toolResult(response: CassetteResponse): ChatResponse {
  const content = plainText(response);
  const isJson = content !== null && response.body.type !== 'string' ? (true as const) : undefined;
  return omitUndefined({ content, isJson, toolCalls: [] });
}

/** The result of a tool, as text. */
function plainText({ body }: CassetteResponse): string | null {
  if (body.type === 'string') return body.value;
  return isNull(body) ? null : exactText(body);
}

function errorResponse(response: CassetteResponse): ChatResponse {
  const usage = usageOf(response);
  const error = responseTextNode(response.body)?.value ?? plainText(response) ?? 'the call failed';
  return omitUndefined({ content: null, toolCalls: [], usage, error });
}

function usageOf({ promptTokens, completionTokens }: CassetteResponse): Usage | undefined {
  if (promptTokens === undefined && completionTokens === undefined) return undefined;
  const prompt = Number(promptTokens ?? 0n);
  const completion = Number(completionTokens ?? 0n);
  return { promptTokens: prompt, completionTokens: completion, totalTokens: prompt + completion };
}
