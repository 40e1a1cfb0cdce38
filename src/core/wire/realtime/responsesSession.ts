import { asRecord, asString, omitKeys, omitUndefined } from '../../json/fields';
import type { JsonRecord } from '../../json/json';
import type { ChatRequest, Message } from '../../model/message';
import type { Span } from '../../text/source';
import { readResponsesRequest, readResponsesResponse } from '../openaiResponses/read';
import { joinResponseEvents } from '../openaiResponses/stream';
import type { StreamEvent } from '../protocol';
import { responseError } from '../shared/errors';
import type { RealtimeSession, SocketEvent, Turn } from './session';

/**
 * OpenAI's Responses over a WebSocket: `response.create` has the members of a request, and the events of a stream follow. A request
 * that names the response before it only says what is new.
 */
export class ResponsesSession implements RealtimeSession {
  readonly turns: Turn[] = [];
  #history: readonly Message[] = [];
  #request: ChatRequest | undefined;
  #events: StreamEvent[] = [];
  #since: Span | undefined;

  take({ direction, data, source }: SocketEvent): void {
    const type = asString(data.type) ?? '';
    if (direction === 'sent' && type === 'response.create') {
      this.#end();
      this.#request = this.#continued(data);
    }
    if (this.#request === undefined) return;
    this.#since = { start: this.#since?.start ?? source.start, end: source.end };
    if (direction === 'sent') return;
    this.#events.push({ event: type, data: JSON.stringify(data), json: data });
    if (/^response\.(?:completed|incomplete|failed|cancelled|done)$/.test(type) || type === 'error') this.#end();
  }

  close(reason?: string): void {
    this.#end(reason);
  }

  #continued(event: JsonRecord): ChatRequest {
    const request = readResponsesRequest(omitKeys(event, 'type', 'event_id'));
    const isContinued = asString(event.previous_response_id) !== undefined;
    return isContinued ? { ...request, messages: [...this.#history, ...request.messages] } : request;
  }

  #end(reason?: string): void {
    const request = this.#request;
    if (request === undefined) return;
    const events = this.#events;
    const failed = events.find(({ json }) => json.type === 'error');
    const read = events.length === 0 ? undefined : readResponsesResponse(joinResponseEvents(events));
    const error = reason ?? (failed && (responseError(asRecord(failed.json)) ?? 'unknown error'));
    const chunks = events.map(({ event, data }) => omitUndefined({ event, data }));
    const response =
      read === undefined && error === undefined
        ? undefined
        : omitUndefined({ ...(read ?? { content: null, toolCalls: [] }), ...(error && { error }), chunks });
    const source = this.#since ?? { start: 0, end: 0 };
    const api = 'openai-responses';
    this.turns.push(omitUndefined({ kind: 'llm' as const, api, request, response, source }));
    if (response !== undefined) {
      const { content, parts, toolCalls } = response;
      this.#history = [...request.messages, { role: 'assistant', content, parts, toolCalls }];
    }
    this.#request = undefined;
    this.#events = [];
    this.#since = undefined;
  }
}
