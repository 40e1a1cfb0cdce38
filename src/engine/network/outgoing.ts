import { type ClientRequest, request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { debuglog } from 'node:util';
import type { NetworkPolicy, NetworkReason } from './policy';
import { proxyFor, requestThrough } from './userProxy';

/** Lists outgoing requests on stderr with `NODE_DEBUG=tapedeck-network`; paths and headers may hold keys. */
const log = debuglog('tapedeck-network');

/**
 * Starts a request over a connection of its own, through the proxy that the user's environment names for its address; throws where
 * the policy forbids it. `fetch` costs more than twice as much,
 * and hides socket errors.
 */
export function startRequest(
  policy: NetworkPolicy,
  reason: Extract<NetworkReason, 'provider' | 'proxy-upstream'>,
  url: URL,
  options: RequestOptions,
): ClientRequest {
  policy.requireRecording(reason, url.host);
  log('%s: %s', reason, url.origin);
  const proxy = proxyFor(url);
  if (proxy !== undefined) return requestThrough(proxy, url, options);
  return (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, { ...options, agent: false });
}

/**
 * `fetch`, for services whose responses are short, and for clients that bring everything but the connection. It rejects
 * where the policy forbids the request, and follows no redirect: that would reach a host nobody asked the policy for.
 */
export function fetchFor(
  policy: NetworkPolicy,
  reason: Extract<NetworkReason, 'agent-service' | 'flakestorm-agent' | 'langsmith'>,
): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : String(input));
    await policy.admit(reason, url);
    log('%s: %s', reason, url.origin);
    return fetch(input instanceof Request ? input : url, { ...init, redirect: 'manual' });
  };
}

/** The reason why `fetch` failed, which it wraps in an error of its own. */
export function fetchErrorReason(error: unknown): string {
  const { cause } = error instanceof Error ? error : { cause: undefined };
  return cause instanceof Error ? cause.message : String(error);
}
