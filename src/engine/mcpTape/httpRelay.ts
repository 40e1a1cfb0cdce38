import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { StringDecoder } from 'node:string_decoder';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { startRequest } from '../network/outgoing';
import type { NetworkPolicy } from '../network/policy';

/** A longer response is passed on, and is no message. */
const MAX_HEARD_BYTES = 64 * 1024 * 1024;

/** What a server says over HTTP, as it passes. */
interface RelayListener {
  /** The head of the response is there. */
  head(headers: IncomingMessage['headers']): void;
  /** The text of a message, or of a list of messages. */
  message(text: string): void;
  /** A server of the older transport announces where it takes messages; returns the announcement for the client. */
  endpoint(address: string): string;
}

interface RelayedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly target: URL;
  readonly body: Buffer;
}

const NOT_FORWARDED =
  /^(?:host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-length|accept-encoding|expect)$/i;
const NOT_RETURNED = /^(?:connection|keep-alive|transfer-encoding|proxy-.*|trailer|upgrade|content-length)$/i;

/**
 * Passes a request of a client on to the server, and the response back as it comes, while the listener hears every message.
 * Resolves when the response has ended; with the reason where the server cannot be reached.
 */
export function relay(
  policy: NetworkPolicy,
  { request, response, target, body }: RelayedRequest,
  listener: RelayListener,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const method = request.method ?? 'GET';
    const headers = forwardedHeaders(request, target);
    const call = startRequest(policy, 'proxy-upstream', target, {
      method,
      headers: body.length > 0 ? { ...headers, 'content-length': body.length } : headers,
    });
    response.once('close', () => call.destroy());
    call.once('error', (error) => resolve(response.headersSent || response.destroyed ? undefined : error.message));
    call.once('response', (incoming) => {
      call.on('error', () => undefined);
      listener.head(incoming.headers);
      response.writeHead(incoming.statusCode ?? 502, kept(incoming.headers, NOT_RETURNED));
      response.flushHeaders();
      const pass = passing(incoming.headers['content-type'] ?? '', method, response, listener);
      incoming.on('data', (chunk: Buffer) => pass.data(chunk));
      incoming.once('close', () => {
        pass.end();
        response.end();
        resolve(undefined);
      });
    });
    call.end(body);
  });
}

/** The headers of a client's request, for the server itself. */
export function forwardedHeaders({ headers }: IncomingMessage, target: URL): OutgoingHttpHeaders {
  return { ...kept(headers, NOT_FORWARDED), host: target.host, 'accept-encoding': 'identity' };
}

function kept(headers: IncomingMessage['headers'], without: RegExp): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !without.test(name)));
}

interface Passing {
  data(chunk: Buffer): void;
  end(): void;
}

function passing(type: string, method: string, response: ServerResponse, listener: RelayListener): Passing {
  const decoder = new StringDecoder('utf8');
  if (/event-stream/i.test(type)) {
    // The stream of a GET is written anew, because the address in it is another one for the client.
    const isOwn = method === 'GET';
    const onEvent = (event: EventSourceMessage): void => {
      const isEndpoint = event.event === 'endpoint';
      if (!isEndpoint) listener.message(event.data);
      if (isOwn) response.write(eventText(isEndpoint ? { ...event, data: listener.endpoint(event.data) } : event));
    };
    const parser = createParser({ onEvent });
    return {
      data: (chunk) => {
        parser.feed(decoder.write(chunk));
        if (!isOwn) response.write(chunk);
      },
      end: () => undefined,
    };
  }
  const isHeard = /json/i.test(type);
  const parts: string[] = [];
  let length = 0;
  return {
    data: (chunk) => {
      length += chunk.length;
      if (isHeard && length <= MAX_HEARD_BYTES) parts.push(decoder.write(chunk));
      response.write(chunk);
    },
    end: () => {
      if (isHeard && length <= MAX_HEARD_BYTES) listener.message(parts.join(''));
    },
  };
}

function eventText({ id, event, data }: EventSourceMessage): string {
  const lines = data.split('\n').map((line) => `data: ${line}\n`);
  return [id === undefined ? '' : `id: ${id}\n`, event === undefined ? '' : `event: ${event}\n`, ...lines, '\n'].join(
    '',
  );
}
