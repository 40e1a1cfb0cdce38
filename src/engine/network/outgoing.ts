import { type ClientRequest, request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { debuglog } from 'node:util';

/** Why a request leaves this process. A replay has none of these reasons. */
export type NetworkReason = 'provider' | 'proxy-upstream' | 'agent-service' | 'flakestorm-agent' | 'langsmith';

/** Lists outgoing requests on stderr with `NODE_DEBUG=tapedeck-network`; paths and headers may hold keys. */
const log = debuglog('tapedeck-network');

/** Starts a request over a connection of its own. `fetch` costs more than twice as much, and hides socket errors. */
export function startRequest(reason: NetworkReason, url: URL, options: RequestOptions): ClientRequest {
  log('%s: %s', reason, url.origin);
  return (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, { ...options, agent: false });
}

/** `fetch`, for services whose responses are short, and for clients that bring everything but the connection. */
export function fetchFor(reason: NetworkReason): typeof fetch {
  return (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    log('%s: %s', reason, URL.canParse(url) ? new URL(url).origin : 'not a URL');
    return fetch(input, init);
  };
}

/** The reason why `fetch` failed, which it wraps in an error of its own. */
export function fetchErrorReason(error: unknown): string {
  const { cause } = error instanceof Error ? error : { cause: undefined };
  return cause instanceof Error ? cause.message : String(error);
}
