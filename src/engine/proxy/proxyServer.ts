import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { t } from '../../core/text/l10n';
import { composePattern, escapePattern } from '../../core/text/pattern';
import { ProviderError } from '../errors/runErrors';
import { UserError } from '../errors/userError';
import { listenOnLoopback } from '../network/listen';
import type { McpBeside } from './addressedMcp';
import type { ForwardDoor, ForwardOptions } from './forwardDoor';
import { type AddressedRequest, hostRoute } from './hostRoute';
import { baseOf } from './links';
import { type RefusalContent, sendRefusal } from './refusal';
import { inSignedRegion, leavesBase, type Route, routeOf } from './route';
import type { ProxySession } from './session';
import type { Upstream, Upstreams } from './upstreams';

export interface RunningProxy {
  /** `http://127.0.0.1:PORT/TOKEN`; an API's base URL is this with its name. */
  readonly base: string;
  /** The address of the forward proxy, with its secret; absent if there is none. */
  readonly forward?: string;
  readonly port: number;
  /** Serves connections to a Unix socket as well. */
  listenAt(socket: string): Promise<void>;
  /** Settles when the connections of clients that have ended are closed. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

export interface ProxyServerOptions {
  readonly session: ProxySession;
  /** The session of a lane, where each has its own. Rejects with a `UserError` or `ProviderError` where its tape cannot be opened. */
  sessionOf?: ((lane: string | undefined) => Promise<ProxySession>) | undefined;
  readonly upstreams: Upstreams;
  /** The upstream of a name that has none, where there may be one. */
  otherUpstream?: ((name: string) => Upstream) | undefined;
  /** Where agents may use the own addresses of what they call. */
  readonly forward?: ForwardOptions | undefined;
  /** Takes requests to hosts that speak MCP. */
  readonly takesMcp?: McpBeside['takes'];
  /** 0, the default, takes a free one. */
  readonly port?: number | undefined;
  /** By default a new random one. */
  readonly token?: string | undefined;
  /** A bug, as its stack. */
  onFault?: ((message: string) => void) | undefined;
}

/** Gives a refused client time to read the refusal before its connection is closed. */
const CLOSE_DELAY_MS = 1_000;
const MAX_ROUTES = 1_000;

/** Serves a session on the loopback address, under a secret path that only the agent gets. */
export async function startProxy(options: ProxyServerOptions): Promise<RunningProxy> {
  const token = options.token ?? randomBytes(18).toString('base64url');
  // TLS takes a while to load, which a replay by base URLs does without.
  const forward = options.forward && { ...(await import('./forwardDoor')), options: options.forward };
  const server = await listenOnLoopback(options.port ?? 0);
  const door = forward && new forward.ForwardDoor(server.http, token, forward.options);
  const gate = new RequestGate(server.port, `/${token}`, options, door);
  server.http.on('request', (request, response) => gate.enter(request, response));
  return {
    base: `http://127.0.0.1:${server.port}/${token}`,
    ...(forward && { forward: `http://${forward.PROXY_USER}:${token}@127.0.0.1:${server.port}` }),
    port: server.port,
    listenAt: (socket) => server.listenAt(socket),
    settled: async () => door?.settled(),
    close: () => {
      door?.close();
      return server.close();
    },
  };
}

/** Admits only requests that an agent on this machine makes with the secret path. */
class RequestGate {
  /** By the hosts that this proxy may be called by, the routes of URLs: agents use few, again and again. */
  readonly #routes: ReadonlyMap<string | undefined, Map<string, Route>>;
  readonly #prefix: string;
  /** What every address of this proxy has, as bytes. */
  readonly #sought: Buffer;
  readonly #options: ProxyServerOptions;
  readonly #door: ForwardDoor | undefined;
  /** The address of an API at this proxy. */
  readonly #ownAddress: RegExp;

  constructor(port: number, prefix: string, options: ProxyServerOptions, door: ForwardDoor | undefined) {
    this.#door = door;
    this.#routes = new Map(loopbackHosts(port).map((host) => [host, new Map()]));
    this.#prefix = prefix;
    this.#sought = Buffer.from(`${prefix}/`);
    this.#ownAddress = composePattern(
      `http://(?:${LOOPBACK_NAMES}):${port}${escapePattern(prefix)}(?:/~[\\w.-]{1,80})?/([a-z][a-z0-9-]*)`,
      'g',
    );
    this.#options = options;
  }

  enter(request: IncomingMessage, response: ServerResponse): void {
    response.on('error', () => undefined);
    this.#attempt(request, response, () => this.#handle(request, response));
  }

  #attempt(request: IncomingMessage, response: ServerResponse, step: () => Promise<void> | undefined): void {
    try {
      step()?.catch((error: unknown) => this.#fail(request, response, error));
    } catch (error) {
      this.#fail(request, response, error);
    }
  }

  /** A bug, or a client that has gone. */
  #fail(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    const gone = request.destroyed && !request.complete;
    if (!gone) this.#options.onFault?.(error instanceof Error ? (error.stack ?? error.message) : String(error));
    response.destroy();
  }

  #handle(request: IncomingMessage, response: ServerResponse): Promise<void> | undefined {
    const addressed = this.#door?.addressed(request);
    if (addressed !== undefined && !this.#isOwn(addressed)) return this.#handleAddressed(request, response, addressed);
    const reason = refusalReason(request, this.#routes);
    if (reason !== undefined) return refuse(request, response, 403, 'tapedeck_forbidden', reason);
    const route = this.#routeOf(addressed?.path ?? request.url ?? '/', request.headers.host ?? '');
    if ('code' in route) return refuse(request, response, route.status, route.code, route.message);
    return this.#serve(request, response, route);
  }

  /** A client that sends everything through a proxy may send it what is for the proxy itself. */
  #isOwn(addressed: AddressedRequest | 'unauthorised'): addressed is AddressedRequest {
    return addressed !== 'unauthorised' && this.#routes.has(addressed.origin.replace(/^http:\/\//, ''));
  }

  async #handleAddressed(
    request: IncomingMessage,
    response: ServerResponse,
    asked: AddressedRequest | 'unauthorised',
  ): Promise<void> {
    const addressed = asked === 'unauthorised' ? await this.#door?.vouchedFor(request) : asked;
    if (addressed === undefined) {
      response.setHeader('proxy-authenticate', 'Basic realm="Tapedeck"');
      return refuse(request, response, 407, 'tapedeck_unauthorised', t('this proxy needs the secret of its session'));
    }
    if (request.headers['sec-fetch-site'] !== undefined)
      return refuse(request, response, 403, 'tapedeck_forbidden', t('web pages cannot use this proxy'));
    const route = hostRoute(addressed, this.#options.upstreams);
    if (route === undefined) return refuse(request, response, 400, 'tapedeck_path', t('the address is not valid'));
    const isIgnored =
      route.target !== undefined && this.#door?.isRecorded(new URL(addressed.origin).hostname) === false;
    await this.#serve(request, response, isIgnored ? { ...route, isIgnored } : route);
  }

  #serve(request: IncomingMessage, response: ServerResponse, route: Route): undefined {
    readRequestBody(request, (body) =>
      this.#attempt(request, response, () =>
        body === undefined
          ? refuse(request, response, 413, 'tapedeck_too_large', t('the request is too large'))
          : this.#answer(request, response, route, body),
      ),
    );
  }

  /** Without promises where none is needed, as for a base URL and the one tape: under load, they cost more than finding the recording. */
  #answer(request: IncomingMessage, response: ServerResponse, route: Route, body: Buffer): Promise<void> | undefined {
    const { session, sessionOf, takesMcp } = this.#options;
    const isForHost = route.asked !== undefined && route.isIgnored !== true;
    if (sessionOf !== undefined || (isForHost && takesMcp !== undefined))
      return this.#answerBySession(request, response, route, body);
    const led = this.#led(request, route);
    return session.handle(request, response, led, this.#leadBack(body, session));
  }

  async #answerBySession(
    request: IncomingMessage,
    response: ServerResponse,
    route: Route,
    body: Buffer,
  ): Promise<void> {
    const { session, takesMcp } = this.#options;
    const { asked, target, isIgnored } = route;
    const isForHost = asked !== undefined && target !== undefined && isIgnored !== true;
    if (isForHost && (await takesMcp?.(request, response, { asked, target, body }))) return;
    const led = this.#led(request, route);
    const own = await this.#sessionOf(led, request, response);
    if (own === undefined) return;
    // A tape of its own needs no sessions.
    const ledOwn = own === session ? led : { ...led, sessionId: undefined };
    await own.handle(request, response, ledOwn, this.#leadBack(body, own));
  }

  #led(request: IncomingMessage, route: Route): Route {
    return inSignedRegion(withSessionId(route, request), request.headers.authorization);
  }

  /** Undefined where the tape of the lane cannot be opened: the request is refused, and counts as one without a recording. */
  async #sessionOf(
    { sessionId, path }: Route,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<ProxySession | undefined> {
    const { session, sessionOf } = this.#options;
    try {
      return sessionOf === undefined ? session : await sessionOf(sessionId);
    } catch (error) {
      if (!(error instanceof UserError || error instanceof ProviderError)) throw error;
      await session.rejected(path, { verdict: 'missing', explanation: error.message });
      refuse(request, response, 400, 'tapedeck_no_tape', error.message);
      return undefined;
    }
  }

  /** A body in which addresses of this proxy, which its responses had, are those of the upstreams again. */
  #leadBack(body: Buffer, session: ProxySession): Buffer {
    if (!body.includes(this.#sought)) return body;
    const { upstreams } = this.#options;
    const text = body.toString('latin1');
    const led = text.replace(this.#ownAddress, (whole, name: string) => {
      const base = session.linkedBase(name) ?? upstreams.get(name)?.address;
      return base === undefined ? whole : typeof base === 'string' ? base : baseOf(base);
    });
    return led === text ? body : Buffer.from(led, 'latin1');
  }

  #routeOf(url: string, host: string): Route | RefusalContent {
    const routes = this.#routes.get(host);
    const known = routes?.get(url);
    if (known !== undefined) return known;
    const route = this.#newRoute(url, host);
    if (routes !== undefined && routes.size < MAX_ROUTES && !('code' in route)) routes.set(url, route);
    return route;
  }

  #newRoute(url: string, host: string): Route | RefusalContent {
    if (!url.startsWith(`${this.#prefix}/`)) {
      const message = t('the path does not start with the token of the base URL');
      return { status: 404, code: 'tapedeck_no_such_path', message };
    }
    if (leavesBase(url))
      return { status: 400, code: 'tapedeck_path', message: t('the path leads out of the base URL of its API') };
    const { upstreams, otherUpstream } = this.#options;
    const route = routeOf(url.slice(this.#prefix.length), upstreams, otherUpstream);
    if (route === undefined) {
      const names = [...upstreams.keys()].join(', ');
      const message = t('there is no API with this name; the available APIs are: {0}', names);
      return { status: 404, code: 'tapedeck_no_such_api', message };
    }
    const lane = route.sessionId === undefined ? '' : `/~${route.sessionId}`;
    return { ...route, clientBase: `http://${host}${this.#prefix}${lane}/${route.upstream.name}` };
  }
}

function withSessionId<T extends { readonly sessionId: string | undefined }>(
  route: T,
  { headers }: IncomingMessage,
): T {
  const sessionId = headers['x-tapedeck-lane'] ?? headers['x-test-id'];
  return typeof sessionId === 'string' ? { ...route, sessionId } : route;
}

const LOOPBACK_NAMES = '127\\.0\\.0\\.1|localhost|\\[::1\\]';

/** The rest of the request is not read: the connection ends with the response. */
function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  code: string,
  message: string,
): undefined {
  response.setHeader('connection', 'close');
  response.once('finish', () => setTimeout(() => request.destroy(), CLOSE_DELAY_MS).unref());
  sendRefusal(response, 'openai', { status, code, message: `Tapedeck: ${message}.` });
}

/** The `Host` headers of clients that address this machine as itself. */
function loopbackHosts(port: number): readonly string[] {
  return [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`];
}

/**
 * The reason for refusing a request; undefined for one that an agent on this machine made. A page in a browser can reach
 * the loopback too, by its own address or by a name that is made to point here: it is recognised by the headers that
 * browsers add, and by the name in `Host`.
 */
function refusalReason(
  { headers }: IncomingMessage,
  hosts: ReadonlyMap<string | undefined, unknown>,
): string | undefined {
  if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined)
    return t('web pages cannot use this proxy');
  if (!hosts.has(headers.host)) return t('this proxy can only be reached at the loopback address');
  return undefined;
}

/** More than any context window; a client that does not stop must not fill the memory. */
const MAX_REQUEST_BYTES = 64 * 1024 * 1024;

/** Passes on the whole body; undefined when it is too large. Does not, when the client goes away before its end. */
function readRequestBody(request: IncomingMessage, whole: (body: Buffer | undefined) => void): void {
  const chunks: Buffer[] = [];
  let length = 0;
  request.on('data', (chunk: Buffer) => {
    const before = length;
    length += chunk.length;
    if (length <= MAX_REQUEST_BYTES) chunks.push(chunk);
    else if (before <= MAX_REQUEST_BYTES) whole(undefined);
  });
  request.on('end', () => {
    if (length <= MAX_REQUEST_BYTES) whole(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
  });
}
