import { type ClientRequest, request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect as connectTls } from 'node:tls';
import { t } from '../../core/text/l10n';
import { isLoopback, parseHttpUrl } from './hosts';

/** How long a proxy may take to open a tunnel. */
const TUNNEL_MS = 60_000;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy by which the user's network reaches an address, as their environment names it; undefined if it is reached directly.
 * What is on this machine always is.
 */
export function proxyFor(url: URL, environment: Environment = process.env): URL | undefined {
  const setTo = (name: string): string => (environment[name.toLowerCase()] ?? environment[name])?.trim() ?? '';
  if (isLoopback(url) || isExcluded(url, setTo('NO_PROXY'))) return undefined;
  const named = setTo(url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY') || setTo('ALL_PROXY');
  if (named === '') return undefined;
  return parseHttpUrl(/^\w+:\/\//.test(named) ? named : `http://${named}`);
}

/** `NO_PROXY`: hosts and domains, with a port where it counts, or `*`. */
function isExcluded({ hostname, host }: URL, list: string): boolean {
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .map((entry) => entry.replace(/^\*?\./, ''))
    .some((entry) => entry === '*' || (entry !== '' && isBelow(entry.includes(':') ? host : hostname, entry)));
}

function isBelow(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

/** Starts a request that goes through a proxy: by a tunnel over TLS, else with its whole address. */
export function requestThrough(proxy: URL, url: URL, options: RequestOptions): ClientRequest {
  if (url.protocol === 'https:')
    return httpsRequest(url, { ...options, createConnection: tunnelThrough(proxy, url, options) });
  const { headers = {} } = options;
  const own = { host: url.host, ...credentialsOf(proxy) };
  return requestTo(proxy)({
    ...options,
    ...addressOf(proxy),
    path: url.href,
    headers: Array.isArray(headers) ? [...Object.entries(own).flat(), ...withoutHost(headers)] : { ...headers, ...own },
    agent: false,
  });
}

/** What connects with an address by a tunnel over TLS. */
export function tunnelThrough(
  proxy: URL,
  url: URL,
  options: TunnelOptions = {},
): NonNullable<RequestOptions['createConnection']> {
  return (_, done) => {
    openTunnel(url, proxy, options, done);
    return undefined;
  };
}

type Connected = Parameters<NonNullable<RequestOptions['createConnection']>>[1];

interface TunnelOptions {
  readonly signal?: AbortSignal | undefined;
  /** What is to be spoken through it, if not HTTP/1.1. */
  readonly ALPNProtocols?: string[];
}

function openTunnel(url: URL, proxy: URL, { signal, ALPNProtocols }: TunnelOptions, done: Connected): void {
  const fail = (error: Error): void => done(error, undefined as never);
  const authority = `${url.hostname}:${url.port || '443'}`;
  const request = requestTo(proxy)({
    ...addressOf(proxy),
    method: 'CONNECT',
    path: authority,
    headers: { host: authority, ...credentialsOf(proxy) },
    timeout: TUNNEL_MS,
    agent: false,
    signal,
  });
  request.once('timeout', () => request.destroy(new Error(t('it does not respond'))));
  request.once('error', (error) =>
    fail(new Error(t('the proxy at {0} cannot be reached: {1}', proxy.host, error.message))),
  );
  request.once('connect', ({ statusCode }, socket) => {
    if (statusCode !== 200) {
      socket.destroy();
      return fail(new Error(t('the proxy at {0} refused the connection with status {1}', proxy.host, statusCode ?? 0)));
    }
    const servername = /^[\d.]+$|:/.test(url.hostname) ? '' : url.hostname;
    const secure = connectTls({ socket, servername, ALPNProtocols });
    secure.once('error', fail);
    secure.once('secureConnect', () => {
      secure.off('error', fail);
      done(null, secure);
    });
  });
  request.end();
}

function requestTo({ protocol }: URL): typeof httpRequest {
  return protocol === 'https:' ? httpsRequest : httpRequest;
}

function addressOf({ protocol, hostname, port }: URL): Pick<RequestOptions, 'hostname' | 'port'> {
  return { hostname: hostname.replace(/^\[|\]$/g, ''), port: port || (protocol === 'https:' ? 443 : 80) };
}

/** Of `http://user:password@proxy`. */
function credentialsOf({ username, password }: URL): Record<string, string> {
  if (username === '') return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` };
}

function withoutHost(headers: readonly string[]): string[] {
  return headers.filter((_, at) => headers[at - (at % 2)]?.toLowerCase() !== 'host');
}
