import type { ChatRequest, HttpExchange } from '../tapes/tape';
import type { StoredFields } from '../tapes/tapeFormat';
import { readExchange } from '../wire/readExchange';
import { wireBody } from '../wire/wireBody';
import { comparableChat } from './chatComparable';
import { type ComparableRequest, comparableWire } from './comparable';
import type { WireRequest } from './wireRequest';

/** A request as an agent makes it: over HTTP, or to the provider of the built-in agent. */
export type AgentRequest = WireRequest | ChatRequest;

export function isChat(request: AgentRequest): request is ChatRequest {
  return 'messages' in request;
}

/** In which form requests are compared: as they go over the wire, or by what they mean. */
export type RequestForm = 'wire' | 'chat';

/** What has no such form says nothing. */
export const NO_REQUEST: ComparableRequest = { body: null };

/** The request in a form; undefined where it has none, such as traffic that is no call of a model. */
export function inForm(request: AgentRequest, form: RequestForm, stored?: StoredFields): ComparableRequest | undefined {
  if (form === 'wire') return isChat(request) ? undefined : comparableWire(request);
  const chat = chatOf(request);
  return chat && comparableChat(chat, stored);
}

/** What a request means; undefined where it is no call of a model. */
export function chatOf(request: AgentRequest): ChatRequest | undefined {
  return isChat(request) ? request : readExchange(exchangeOf(request)).request;
}

function exchangeOf({ method, url, headers, body }: WireRequest): HttpExchange {
  const requestBody = wireBody(body);
  return { method, url, requestHeaders: headers, requestBody, responseHeaders: [], responseBody: { type: 'none' } };
}
