import { encodeBase64 } from '../bytes/base64';
import { decodeLatin1 } from '../bytes/latin1';
import { omitUndefined } from '../json/fields';
import type { Json } from '../json/json';
import type { HttpBody, HttpExchange, HttpHeader, HttpRequest } from '../model/http';
import type { ProtocolId } from '../model/interaction';
import type { ChatRequest, Message, ToolCall, ToolDefinition } from '../model/message';
import type { StoredFields } from '../tapes/format';
import { bodyFromBytes, type DecodedBody, decodeContent } from '../wire/body/body';
import { boundaryOf, formFields, multipartType } from '../wire/body/formFields';
import { endpointOf } from '../wire/endpoints';
import { headerOf } from '../wire/http';
import { protocolOfRequest } from '../wire/read/detectProtocol';
import { readExchange } from '../wire/read/readExchange';

/** An HTTP request as the agent made it, redacted. */
export interface WireRequest {
  readonly method: string;
  /** Path and query; a host before them is ignored. */
  readonly url: string;
  readonly headers: readonly HttpHeader[];
  readonly body: Uint8Array;
  /** Where only recordings of this host match, or those without one; by default the host does not count. */
  readonly host?: string;
}

/** The compared parts of a request: everything but the host, the headers, and keys in the query. */
export interface ComparableRequest {
  /** Of a model call. It is not compared: it says which members have a default, and which are ids of tool calls. */
  readonly protocol?: ProtocolId;
  /** Method and endpoint, such as `POST /chat/completions`; absent on tapes that keep messages only. */
  readonly address?: string;
  /** The model, where it is part of the address. */
  readonly model?: string;
  /** Parameters of the query. */
  readonly query?: Readonly<Record<string, string>>;
  /** The body as JSON; a body in any other format as a string. */
  readonly body: Json;
}

/** A request that an agent makes now. */
export function comparableFromWire({ method, url, headers, body }: WireRequest): ComparableRequest {
  return comparable(method, url, headers, bodyFromBytes(body));
}

/** A recorded request. */
export function comparableFromExchange(exchange: HttpRequest): ComparableRequest {
  return comparable(exchange.method, exchange.url, exchange.requestHeaders, exchange.requestBody);
}

function comparable(method: string, url: string, headers: readonly HttpHeader[], stored: HttpBody): ComparableRequest {
  const decoded = decodeContent(stored, headers);
  const json = decoded.json;
  const { model } = endpointOf(url);
  const query = queryOf(url);
  return omitUndefined({
    protocol: json === undefined ? undefined : protocolOfRequest(url, json),
    address: addressOf(method, url),
    model,
    query: Object.keys(query).length === 0 ? undefined : query,
    body: json ?? comparableText(decoded, headerOf(headers, 'content-type')),
  });
}

/** A body that is not JSON. Some formats do not store the headers of requests. */
function comparableText(decoded: DecodedBody, contentType: string | undefined): Json {
  const type = contentType ?? multipartType(decoded.bytes) ?? '';
  return formFields(decoded.bytes, type) ?? withoutBoundary(decoded, type);
}

/** Method and endpoint, the same on every host. */
export function addressOf(method: string, url: string): string {
  return `${method.toUpperCase()} ${endpointOf(url).path}`;
}

/** Query parameters that authenticate the caller. */
const CREDENTIAL_PARAMETER = /^(?:.*[-_])?(?:key|token|signature|sig|secret|credential)$|^x-(?:amz|goog)-|^code$/i;

function queryOf(url: string): Record<string, string> {
  const text = /\?([^#]*)/.exec(url)?.[1] ?? '';
  return Object.fromEntries([...new URLSearchParams(text)].filter(([name]) => !CREDENTIAL_PARAMETER.test(name)));
}

/** The body as a text, without the boundary between its parts, which clients generate for each request. */
function withoutBoundary({ text, bytes }: Pick<DecodedBody, 'text' | 'bytes'>, type: string): string {
  const boundary = boundaryOf(type);
  if (boundary === undefined) return text ?? encodeBase64(bytes);
  return (text ?? decodeLatin1(bytes)).replaceAll(boundary, 'boundary');
}

/** The fields of a request that a format without HTTP stores; by default, everything in our model. */
const EVERYTHING_STORED: StoredFields = { tools: 'definitions', parts: true };

/** A request by its meaning, for tapes that keep messages and not HTTP. */
export function comparableFromChat(request: ChatRequest, stored: StoredFields = EVERYTHING_STORED): ComparableRequest {
  const { model, messages, tools, params } = request;
  const kept = stored.params;
  return {
    // In this form, messages and tools are as that protocol writes them.
    protocol: 'openai-chat',
    body: omitUndefined({
      model,
      messages: messages.map((message) => messageJson(message, stored)),
      tools: tools.length === 0 ? undefined : tools.map((tool) => toolJson(tool, stored)),
      ...(kept === undefined
        ? params
        : Object.fromEntries(Object.entries(params).filter(([key]) => kept.includes(key)))),
    }) as Json,
  };
}

/** Absent and empty text are the same, with tool calls and without. */
function messageJson({ role, content, parts, toolCalls, toolCallId, name }: Message, stored: StoredFields): Json {
  const text = content ?? '';
  return omitUndefined({
    role,
    content: role === 'system' ? (stored.systemPrompt?.(text) ?? text) : text,
    parts: stored.parts ? (parts as Json | undefined) : undefined,
    name: stored.parts ? name : undefined,
    tool_calls: toolCalls.length === 0 ? undefined : toolCalls.map(callJson),
    tool_call_id: toolCallId,
  }) as Json;
}

function callJson({ id, name, arguments: args }: ToolCall): Json {
  return { type: 'function', id, name, arguments: args };
}

function toolJson({ name, description, schema, settings }: ToolDefinition, stored: StoredFields): Json {
  return stored.tools === 'names'
    ? { name }
    : (omitUndefined({ name, description, parameters: schema, settings }) as Json);
}

/** A request of an agent: over HTTP, or to the provider of the built-in agent. */
export type AgentRequest = WireRequest | ChatRequest;

export function isChatRequest(request: AgentRequest): request is ChatRequest {
  return 'messages' in request;
}

/** The form in which requests are compared: as sent over HTTP, or by their meaning. */
export type RequestForm = 'wire' | 'chat';

/** Stands for a request without the form in question. */
export const EMPTY_REQUEST: ComparableRequest = { body: null };

/** The request in a form; undefined if it has none, such as traffic other than model calls. */
export function requestInForm(
  request: AgentRequest,
  form: RequestForm,
  stored?: StoredFields,
): ComparableRequest | undefined {
  if (form === 'wire') return isChatRequest(request) ? undefined : comparableFromWire(request);
  const chat = chatRequestOf(request);
  return chat && comparableFromChat(chat, stored);
}

/** The request as a model call; undefined for other traffic. */
export function chatRequestOf(request: AgentRequest): ChatRequest | undefined {
  return isChatRequest(request) ? request : readExchange(exchangeOf(request)).request;
}

/** The same as aimock reads it, which takes a developer's instructions for the system's in Responses alone (`src/responses.ts`). */
export function ruledRequestOf(request: AgentRequest): ChatRequest | undefined {
  if (isChatRequest(request)) return request;
  const { api, request: chat } = readExchange(exchangeOf(request));
  if (chat === undefined || api !== 'openai-responses') return chat;
  const messages = chat.messages.map((one) => (one.role === 'developer' ? { ...one, role: 'system' as const } : one));
  return { ...chat, messages };
}

function exchangeOf({ method, url, headers, body }: WireRequest): HttpExchange {
  const requestBody = bodyFromBytes(body);
  return { method, url, requestHeaders: headers, requestBody, responseHeaders: [], responseBody: { type: 'none' } };
}
