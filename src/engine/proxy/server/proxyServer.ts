import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ProxyAddress } from '../../../core/secrets/proxyAddress';
import { t } from '../../../core/text/l10n';
import { composePattern, escapePattern } from '../../../core/text/pattern';
import { openaiChat } from '../../../core/wire/openaiChat';
import type { ApiError } from '../../../core/wire/protocol';
import type { PossibleTelemetry, TelemetryRequest } from '../../../core/wire/telemetry';
import { ProviderError } from '../../errors/runErrors';
import { hasCode } from '../../errors/systemError';
import { UserError } from '../../errors/userError';
import { isGrpc } from '../../network/isGrpc';
import { type LoopbackServer, listenOnLoopback, newSecret } from '../../network/listen';
import type { Upgraded } from '../../network/webSocket';
import type { McpBeside } from '../addressedMcp';
import { type AddressedRequest, addressedIn, hostRoute } from '../routes/hostRoute';
import {
  baseOf,
  inSignedRegion,
  laneSegment,
  leavesBase,
  type Route,
  routeOf,
  sentTo,
  splitLane,
  throughHost,
} from '../routes/route';
import type { Upstream, Upstreams } from '../routes/upstreams';
import { sendRefusal } from '../session/refusal';
import type { InteractionReport } from '../session/report';
import type { ProxySession } from '../session/session';
import type { ServedResponse } from '../tape/servedResponse';
import { answerControl, type ControlOptions, type ControlRequest, controlRequest } from './controlApi';
import { FastPath } from './fastPath';
import type { ForwardOptions, ForwardProxy } from './forwardProxy';

/** Where a proxy listens, before anything is served there. */
export interface ProxyPlace {
  readonly server: LoopbackServer;
  readonly token: string;
  readonly address: ProxyAddress;
}

interface PlaceOptions {
  /** 0, the default, takes a free one. */
  readonly port?: number | undefined;
  /** By default a new random one. */
  readonly token?: string | undefined;
}

/** What comes in is not served before `startProxy`, so nothing that takes time may be in between where the port is known. */
export async function openPlace({ port = 0, token: chosen }: PlaceOptions): Promise<ProxyPlace> {
  const server = await listenOnLoopback(port, { isWaitingForBodies: true });
  const token = chosen ?? newSecret();
  const address = { ...(chosen === undefined && { secret: token }), ...(port === 0 && { port: server.port }) };
  return { server, token, address };
}

export interface RunningProxy {
  /** `http://127.0.0.1:PORT/TOKEN`; an API's base URL is this with its name. */
  readonly base: string;
  /** The address of the forward proxy, with its secret; absent if there is none. */
  readonly forward?: string;
  /** Settles when the connections of clients that have ended are closed. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

interface ProxyServerOptions extends ControlOptions {
  readonly session: ProxySession;
  /** Where each lane has a session of its own. */
  readonly lanes?: ServedLanes | undefined;
  readonly upstreams: Upstreams;
  /** The upstream of a name that has none, where there may be one. */
  otherUpstream?: ((name: string) => Upstream) | undefined;
  /** Where agents may use the own addresses of what they call. */
  readonly forward?: ForwardOptions | undefined;
  /** The telemetry in a request to an address, where it is not to be recorded. */
  telemetryIn(request: PossibleTelemetry): TelemetryRequest | undefined;
  /** Takes requests to hosts that speak MCP. */
  readonly takesMcp?: McpBeside['takes'];
  /** A bug, as its stack. */
  onFault?: ((message: string) => void) | undefined;
}

interface ServedLanes {
  /** Rejects with a `UserError` or `ProviderError` where its tape cannot be opened. */
  sessionOf(lane: string | undefined): Promise<ProxySession>;
  /** Counts a request that was refused for that. */
  refused(lane: string | undefined, report: InteractionReport): void;
}

/** Gives a refused client time to read the refusal before its connection is closed. */
const CLOSE_DELAY_MS = 1_000;
const MAX_ROUTES = 1_000;

/** Serves a session on the loopback address, under a secret path that only the agent gets. */
export async function startProxy({ server, token }: ProxyPlace, options: ProxyServerOptions): Promise<RunningProxy> {
  // TLS takes a while to load, which a replay by base URLs does without.
  const forward = options.forward && { ...(await import('./forwardProxy')), options: options.forward };
  const door = forward && new forward.ForwardProxy(server, token, forward.options);
  const gate = new RequestGate(server, `/${token}`, options, door);
  server.http.on('request', (request, response) => gate.enter(request, response));
  server.http.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    gate.upgrade(request, { socket, head }).catch(() => socket.destroy());
  });
  server.http.on('clientError', (error) => {
    const reason = malformed(error);
    if (reason !== undefined)
      options.session.refused('/', reason).catch((fault: unknown) => options.onFault?.(faultText(fault)));
  });
  const fastPath =
    options.session.isQuick && options.lanes === undefined
      ? new FastPath(server.http, {
          routeOf: (socket, { url, headers }) => gate.quickRoute({ socket, url, headers }),
          respond: (method, route, body) => gate.replayNow(method, route, body),
          onFault: (error) => options.onFault?.(faultText(error)),
        })
      : undefined;
  return {
    base: `http://127.0.0.1:${server.port}/${token}`,
    ...(forward && { forward: `http://${forward.PROXY_USER}:${token}@127.0.0.1:${server.port}` }),
    settled: async () => door?.settled(),
    close: () => {
      door?.close();
      fastPath?.close();
      gate.close();
      return server.close();
    },
  };
}

/** What a request is admitted by. */
interface Asked {
  readonly socket: Socket;
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

/** Admits only requests that an agent on this machine makes with the secret path. */
class RequestGate {
  /** By the hosts that this proxy may be called by, the routes of URLs: agents use few, again and again. */
  readonly #routes: ReadonlyMap<string | undefined, Map<string, Route>>;
  readonly #prefix: string;
  /** What every address of this proxy has, as bytes. */
  readonly #sought: Buffer;
  readonly #options: ProxyServerOptions;
  readonly #door: ForwardProxy | undefined;
  /** The address of an API at this proxy. */
  readonly #ownAddress: RegExp;
  readonly #http: LoopbackServer['http'];
  /** Connections that are no longer those of `node:http`. */
  readonly #upgraded = new Set<Socket>();

  constructor(
    { http, port }: LoopbackServer,
    prefix: string,
    options: ProxyServerOptions,
    door: ForwardProxy | undefined,
  ) {
    this.#http = http;
    this.#door = door;
    this.#routes = new Map(loopbackHosts(port).map((host) => [host, new Map()]));
    this.#prefix = prefix;
    this.#sought = Buffer.from(`${prefix}/`);
    this.#ownAddress = composePattern(
      `http://(?:${LOOPBACK_NAMES}):${port}${escapePattern(prefix)}(?:/~[^/\\s"\\\\?#]{1,3000})?/([a-z][a-z0-9-]*)`,
      'g',
    );
    this.#options = options;
  }

  /** Takes a request from `node:http`. */
  enter(request: IncomingMessage, response: ServerResponse): void {
    response.on('error', () => undefined);
    void this.#attempt(request, response, () => this.#handle(request, response));
  }

  /** Takes a connection that is to become another. Where that is no WebSocket, its request is served as if it had not asked for it. */
  async upgrade(request: IncomingMessage, upgraded: Upgraded & { readonly socket: Socket }): Promise<void> {
    const { socket, head } = upgraded;
    const { headWithoutUpgrade, isHandshake, responseOn } = await import('../../network/webSocket');
    if (!isHandshake(request)) {
      socket.unshift(Buffer.concat([headWithoutUpgrade(request), head]));
      this.#http.emit('connection', socket);
      return;
    }
    this.#upgraded.add(socket);
    socket.once('close', () => this.#upgraded.delete(socket));
    const response = responseOn(request, socket);
    await this.#attempt(request, response, () => this.#handshake(request, response, upgraded));
  }

  /** Ends the connections that became others. */
  close(): void {
    for (const socket of this.#upgraded) socket.destroy();
  }

  /** The route of a request for which no more may be done than to send its recording. */
  quickRoute(request: Asked): Route | undefined {
    const admitted = this.#admit(request);
    const isRoute = admitted !== 'unauthorised' && 'upstream' in admitted;
    const isForMcp = isRoute && admitted.host !== undefined && this.#options.takesMcp !== undefined;
    return isRoute && !isForMcp ? this.#led(admitted, request) : undefined;
  }

  /** The recording of exactly a request that has a `quickRoute`. */
  replayNow(method: string, route: Route, body: Buffer): ServedResponse | undefined {
    return body.includes(this.#sought) ? undefined : this.#options.session.replayNow(method, route, body);
  }

  async #attempt(request: IncomingMessage, response: ServerResponse, step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch (error) {
      // A bug, or a client that has gone.
      if (!request.destroyed || request.complete) this.#options.onFault?.(faultText(error));
      response.destroy();
    }
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const admitted = this.#admit(request);
    const route = admitted === 'unauthorised' ? await this.#vouchedFor(request) : admitted;
    if (route === undefined || 'code' in route) return this.#turnAway(request, response, route);
    if (isGrpc(request) && 'upstream' in route) return this.#talk(request, response, route, undefined);
    readRequestBody(request, (body) => {
      void this.#attempt(request, response, async () => {
        if ('upstream' in route) await this.#answer(request, response, route, body);
        else await this.#answerControl(request, response, route, body);
      });
    });
  }

  async #handshake(request: IncomingMessage, response: ServerResponse, upgraded: Upgraded): Promise<void> {
    const admitted = this.#admit(request);
    const route = admitted === 'unauthorised' ? await this.#vouchedFor(request) : admitted;
    if (route === undefined || 'code' in route) return this.#turnAway(request, response, route);
    if (!('upstream' in route)) return refuse(request, response, NO_SOCKET);
    await this.#talk(request, response, route, upgraded);
  }

  async #talk(
    request: IncomingMessage,
    response: ServerResponse,
    route: Route,
    upgraded: Upgraded | undefined,
  ): Promise<void> {
    const ledRoute = this.#led(route, request);
    const own = await this.#sessionOf(ledRoute, request, response);
    const ownRoute = own === this.#options.session ? ledRoute : { ...ledRoute, sessionId: undefined };
    await own?.talk({ request, response, route: ownRoute, upgraded });
  }

  /** `content`: absent where the secret is missing. */
  async #turnAway(request: IncomingMessage, response: ServerResponse, content: GateRefusal | undefined): Promise<void> {
    if (content !== undefined) return this.#refuse(request, response, content);
    response.setHeader('proxy-authenticate', 'Basic realm="Tapedeck"');
    const message = t('this proxy needs the secret of its session');
    refuse(request, response, { status: 407, code: 'tapedeck_unauthorised', message });
  }

  /** Counts what the agent asked; pages and whoever else does not know the secret are not it. */
  async #refuse(request: IncomingMessage, response: ServerResponse, content: GateRefusal): Promise<void> {
    if (content.isOfAgent) await this.#options.session.refused(pathOf(request, this.#prefix), content.message);
    refuse(request, response, content);
  }

  #admit(request: Asked): Route | ControlRequest | GateRefusal | 'unauthorised' {
    const addressed = this.#door?.addressed(request);
    if (addressed === 'unauthorised') return addressed;
    if (addressed !== undefined && !this.#isOwn(addressed)) return this.#foreignRoute(addressed, request);
    const reason = refusalReason(request, this.#routes);
    if (reason !== undefined) return { status: 403, code: 'tapedeck_forbidden', message: reason };
    return this.#routeOf(addressed?.path ?? request.url ?? '/', request.headers.host ?? '');
  }

  /** A client that sends everything through a proxy may send it what is for the proxy itself. */
  #isOwn({ origin }: AddressedRequest): boolean {
    return this.#routes.has(origin.replace(/^https?:\/\//, ''));
  }

  async #vouchedFor(request: IncomingMessage): Promise<Route | GateRefusal | undefined> {
    const addressed = await this.#door?.vouchedFor(request);
    return addressed && this.#foreignRoute(addressed, request);
  }

  #foreignRoute(addressed: AddressedRequest, { headers }: Asked): Route | GateRefusal {
    if (headers['sec-fetch-site'] !== undefined)
      return { status: 403, code: 'tapedeck_forbidden', message: t('web pages cannot use this proxy') };
    return this.#hostRoute(addressed);
  }

  #hostRoute(addressed: AddressedRequest): Route | GateRefusal {
    const route = hostRoute(addressed, this.#options.upstreams);
    if (route === undefined)
      return { status: 400, code: 'tapedeck_path', message: t('the address is not valid'), isOfAgent: true };
    const isIgnored =
      route.target !== undefined && this.#door?.isRecorded(new URL(addressed.origin).hostname) === false;
    return isIgnored ? { ...route, isIgnored } : route;
  }

  /** `body`: absent if it is too large. */
  async #answer(
    request: IncomingMessage,
    response: ServerResponse,
    route: Route,
    body: Buffer | undefined,
  ): Promise<void> {
    if (body === undefined) {
      const message = t('the request is too large');
      await this.#refuse(request, response, { status: 413, code: 'tapedeck_too_large', message, isOfAgent: true });
      return;
    }
    const { session, takesMcp, telemetryIn } = this.#options;
    const ledRoute = this.#led(route, request);
    const { host, target: asked, isIgnored, publicUrl } = ledRoute;
    const isPossible = publicUrl !== undefined && isIgnored !== true;
    const telemetry = isPossible ? telemetryIn(possibleTelemetry(request, publicUrl, body)) : undefined;
    if (telemetry !== undefined) {
      await session.passTelemetry({ request, response, route: ledRoute, body }, telemetry);
      return;
    }
    const isForHost = host !== undefined && asked !== undefined && isIgnored !== true;
    if (isForHost && (await takesMcp?.(request, response, { asked, target: sentTo(asked, ledRoute), body }))) return;
    const own = await this.#sessionOf(ledRoute, request, response);
    if (own === undefined) return;
    // A tape of its own needs no sessions.
    const ownRoute = own === session ? ledRoute : { ...ledRoute, sessionId: undefined };
    await own.handle(request, response, ownRoute, this.#leadBack(body, own));
  }

  /** The route with what the headers of a request add to it, to where the host that it then leads to is. */
  #led(route: Route, { headers }: Asked): Route {
    const sessionId = headers['x-tapedeck-lane'] ?? headers['x-test-id'];
    const ofSession = typeof sessionId === 'string' ? { ...route, sessionId } : route;
    return throughHost(inSignedRegion(ofSession, headers.authorization), this.#options.upstreams);
  }

  /** Undefined where the tape of the lane cannot be opened: the request is refused, and counts as one without a recording. */
  async #sessionOf(
    { sessionId, path }: Route,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<ProxySession | undefined> {
    const { session, lanes } = this.#options;
    try {
      return lanes === undefined ? session : await lanes.sessionOf(sessionId);
    } catch (error) {
      if (!(error instanceof UserError || error instanceof ProviderError)) throw error;
      lanes?.refused(
        sessionId,
        await session.rejected(path, {
          verdict: 'missing',
          explanation: `${error.message}. ${error.fix ?? ''}`.trim(),
        }),
      );
      refuse(request, response, { status: 400, code: 'tapedeck_no_tape', message: error.message });
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

  async #answerControl(
    request: IncomingMessage,
    response: ServerResponse,
    own: ControlRequest,
    body: Buffer | undefined,
  ): Promise<void> {
    const answer = await answerControl(own, { method: request.method, body }, this.#options);
    if (answer === undefined) response.writeHead(204).end();
    else if ('code' in answer) refuse(request, response, answer);
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }

  #routeOf(url: string, host: string): Route | ControlRequest | GateRefusal {
    const routes = this.#routes.get(host);
    const known = routes?.get(url);
    if (known !== undefined) return known;
    const route = this.#newRoute(url, host);
    if (routes !== undefined && routes.size < MAX_ROUTES && 'upstream' in route) routes.set(url, route);
    return route;
  }

  #newRoute(url: string, host: string): Route | ControlRequest | GateRefusal {
    if (!url.startsWith(`${this.#prefix}/`)) {
      const message = t('the path does not start with the token of the base URL');
      return { status: 404, code: 'tapedeck_no_such_path', message };
    }
    const own = controlRequest(url.slice(this.#prefix.length));
    if (own !== undefined) return own;
    const { lane, rest } = splitLane(url.slice(this.#prefix.length));
    const addressed = addressedIn(rest);
    if (addressed !== undefined && this.#door !== undefined) return this.#hostRoute({ ...addressed, sessionId: lane });
    if (leavesBase(rest)) {
      const message = t('the path leads out of the base URL of its API');
      return { status: 400, code: 'tapedeck_path', message, isOfAgent: true };
    }
    const { upstreams, otherUpstream } = this.#options;
    const route = routeOf(url.slice(this.#prefix.length), upstreams, otherUpstream);
    if (route === undefined) {
      const names = [...upstreams.keys()].join(', ');
      const message = t('there is no API with this name; the available APIs are: {0}', names);
      return { status: 404, code: 'tapedeck_no_such_api', message, isOfAgent: true };
    }
    const segment = lane === undefined ? '' : `/${laneSegment(lane)}`;
    return { ...route, clientBase: `http://${host}${this.#prefix}${segment}/${route.upstream.name}` };
  }
}

/** What is for the proxy itself is said over HTTP. */
const NO_SOCKET: ApiError = { status: 400, code: 'tapedeck_path', message: 'this address has no WebSocket' };

interface GateRefusal extends ApiError {
  /** The request has the secret that only the agent gets. */
  readonly isOfAgent?: true;
}

/** The path that was asked, without the secret and the query, which may contain a key. */
function pathOf({ url = '' }: IncomingMessage, prefix: string): string {
  const [path = ''] = url.split('?');
  return path.startsWith(prefix) ? path.slice(prefix.length) : path;
}

/** Why `node:http` refused a request; undefined for a client that left in the middle of it, or took too long. */
function malformed(error: Error): string | undefined {
  if (hasCode(error, 'HPE_HEADER_OVERFLOW')) return t('the headers of the request are too large');
  const isParsed = 'code' in error && /^HPE_(?!INVALID_EOF_STATE)/.test(String(error.code));
  return isParsed ? t('the request is not valid HTTP: {0}', error.message) : undefined;
}

/** Longer than the beginning of any body that tells what it is. */
const START = 64;

function possibleTelemetry({ method = 'GET', headers }: IncomingMessage, url: URL, body: Buffer): PossibleTelemetry {
  const { 'content-type': contentType = '', 'user-agent': userAgent = '' } = headers;
  return { method, url, contentType, userAgent, start: () => body.toString('latin1', 0, START) };
}

function faultText(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

const LOOPBACK_NAMES = '127\\.0\\.0\\.1|localhost|\\[::1\\]';

/** The rest of the request is not read: the connection ends with the response. */
function refuse(request: IncomingMessage, response: ServerResponse, content: ApiError): void {
  response.setHeader('connection', 'close');
  response.once('finish', () => setTimeout(() => request.destroy(), CLOSE_DELAY_MS).unref());
  sendRefusal(response, openaiChat, { ...content, message: `Tapedeck: ${content.message}.` });
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
  { headers }: Pick<Asked, 'headers'>,
  hosts: ReadonlyMap<string | undefined, unknown>,
): string | undefined {
  if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined)
    return t('web pages cannot use this proxy');
  if (!hosts.has(headers.host)) return t('this proxy can only be reached at the loopback address');
  return undefined;
}

/** A client that takes longer to send its request is not going to; one that speaks gRPC says more all the time. */
const WHOLE_REQUEST_MS = 120_000;
/** More than any context window; a client that does not stop must not fill the memory. */
const MAX_REQUEST_BYTES = 64 * 1024 * 1024;

/** Passes on the whole body; undefined when it is too large. Does not, when the client goes away before its end. */
function readRequestBody(request: IncomingMessage, whole: (body: Buffer | undefined) => void): void {
  const chunks: Buffer[] = [];
  let length = 0;
  const timer = setTimeout(() => request.destroy(), WHOLE_REQUEST_MS);
  request.once('close', () => clearTimeout(timer));
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
