import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { isJavaWith } from '../../files/peerProcess';
import { ServerContexts } from '../../network/certificates/serverContexts';
import { type Destination, originOf } from '../../network/destination';
import type { Http2Bridge } from '../../network/http2Bridge';
import type { LoopbackServer } from '../../network/listen';
import type { NetworkPolicy } from '../../network/policy';
import { type RejectedTunnel, type TunnelRequest, Tunnels } from '../../network/tunnels';
import type { AddressedRequest } from '../routes/hostRoute';
import { laneSegment } from '../routes/route';

/** How long the connections of an agent that has ended may take to close. */
const PATIENCE_MS = 500;

/** The user name in the proxy's address, unless it is that of a session. */
export const PROXY_USER = 'tapedeck';
/** Of a `CONNECT` whose client does not wait for the response to it. */
const SILENT_HEADER = 'x-tapedeck-tunnel';

export interface ForwardOptions {
  /** What may be passed on unread; absent in a replay. */
  readonly blind?: NetworkPolicy;
  /** Whether requests to this host are for the tape. */
  isRecorded(host: string): boolean;
  /** Whether requests to this origin are sent to another, which a connection that is passed on unread cannot be. */
  isLedElsewhere(origin: string): boolean;
  /** Whether nothing but telemetry goes there, which is neither recorded nor replayed. */
  isTelemetry(destination: Destination): boolean;
  /** A connection that carried no request, with the reason. */
  onRejected(destination: Destination, reason: RejectedTunnel): void;
  /** A connection that the client closed before its first request. */
  onAbandoned(destination: Destination): void;
  /** A connection that was asked for without the secret. Some clients ask again, and give it: then it is `onAdmitted`. */
  onUnauthorised(destination: Destination): void;
  onAdmitted(destination: Destination): void;
}

/** The way in for agents that use their APIs' own addresses: a forward proxy that ends their TLS. */
export class ForwardProxy {
  readonly #options: ForwardOptions;
  readonly #token: Buffer;
  readonly #tunnels: Tunnels;
  #bridge: Promise<Http2Bridge> | undefined;

  /** `port`: where it listens. */
  constructor({ http, port }: LoopbackServer, token: string, options: ForwardOptions) {
    this.#options = options;
    this.#token = Buffer.from(token);
    const contexts = new ServerContexts();
    this.#tunnels = new Tunnels({
      http,
      contextOf: (host) => contexts.of(host),
      serveHttp2: (socket, connection) => {
        this.#http2Bridge(port).then(
          (bridge) => bridge.serve(socket, connection),
          () => socket.destroy(),
        );
      },
      onRejected: options.onRejected,
      onAbandoned: options.onAbandoned,
      blind: options.blind,
    });
    this.#tunnels.takeOwnTls({ host: '127.0.0.1', port });
    http.on('connect', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      this.#connect(request, socket, head).catch(() => socket.destroy());
    });
  }

  /**
   * The address of a request that came through a tunnel, or names its host itself as requests to a proxy do. Undefined for
   * any other; `unauthorised` for one without the secret.
   */
  addressed({
    socket,
    url = '/',
    headers,
  }: Pick<IncomingMessage, 'socket' | 'headers'> & { readonly url?: string | undefined }):
    | AddressedRequest
    | 'unauthorised'
    | undefined {
    const tunnelled = this.#tunnels.connectionOf(socket);
    if (tunnelled !== undefined) return { origin: tunnelled.origin, path: url, sessionId: tunnelled.lane };
    if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined;
    const credentials = this.#credentials(headers['proxy-authorization']);
    if (credentials === undefined) return 'unauthorised';
    return { ...parseAddress(url), sessionId: credentials.lane };
  }

  /** The same for a request without the secret, where its client is known to have it; undefined if it is not. */
  async vouchedFor({ socket, url = '/' }: IncomingMessage): Promise<AddressedRequest | undefined> {
    return (await this.#isKnownJava(socket)) ? { ...parseAddress(url), sessionId: undefined } : undefined;
  }

  isRecorded(host: string): boolean {
    return this.#options.isRecorded(host);
  }

  settled(): Promise<void> {
    return this.#tunnels.settled(PATIENCE_MS);
  }

  close(): void {
    this.#tunnels.close();
    this.#bridge?.then((bridge) => bridge.close()).catch(() => undefined);
  }

  /** Loaded with the first client that needs it. */
  #http2Bridge(port: number): Promise<Http2Bridge> {
    const own = `127.0.0.1:${port}`;
    const base = `http://${own}/${this.#token}`;
    this.#bridge ??= import('../../network/http2Bridge').then(
      ({ Http2Bridge }) =>
        new Http2Bridge({
          addressOf: ({ lane, origin }, path) => {
            if (origin.replace(/^https?:\/\//, '') === own) return new URL(`http://${own}${path}`);
            const address = origin.replace('://', '/');
            return new URL(`${base}${lane === undefined ? '' : `/${laneSegment(lane)}`}/@/${address}${path}`);
          },
        }),
    );
    return this.#bridge;
  }

  async #connect(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    socket.on('error', () => undefined);
    const destination = parseAuthority(request.url ?? '');
    const credentials = await this.#admitted(request, socket, destination);
    if (credentials === undefined) {
      if (destination !== undefined) this.#options.onUnauthorised(destination);
      return refuse(socket, UNAUTHORISED);
    }
    if (destination === undefined) return refuse(socket, '400 Bad Request');
    this.#options.onAdmitted(destination);
    const isSilent = request.headers[SILENT_HEADER] === 'silent';
    const asked: TunnelRequest = { ...destination, lane: credentials.lane, isSilent };
    const { blind, isRecorded, isLedElsewhere } = this.#options;
    if (isRecorded(destination.host)) return this.#tunnels.open(socket, head, asked);
    if (blind === undefined) return refuse(socket, IGNORED);
    if (isLedElsewhere(originOf('https', destination.host, destination.port)))
      return this.#tunnels.open(socket, head, asked);
    this.#tunnels.pass(socket, head, asked);
  }

  async #admitted(
    { headers }: IncomingMessage,
    socket: Socket,
    destination: Destination | undefined,
  ): Promise<Admitted | undefined> {
    const header = headers['proxy-authorization'];
    if (header !== undefined || headers.origin !== undefined) return this.#credentials(header);
    // Sentry's SDK for Python gives no proxy its credentials. Nothing is kept of what it sends, and nothing that was kept is sent to it.
    const isTelemetry = destination !== undefined && this.#options.isTelemetry(destination);
    return isTelemetry || (await this.#isKnownJava(socket)) ? { lane: undefined } : undefined;
  }

  /** Java takes the address of a proxy from its settings, but no secret: it has it in its environment only. */
  async #isKnownJava({ localPort, remotePort }: Socket): Promise<boolean> {
    if (localPort === undefined || remotePort === undefined) return false;
    return isJavaWith(this.#token.toString(), { ownPort: localPort, peerPort: remotePort });
  }

  /** The session that a client names, if its credentials have the secret. */
  #credentials(header: string | undefined): Admitted | undefined {
    const [, encoded = ''] = /^Basic +(\S+)$/i.exec(header ?? '') ?? [];
    const credentials = Buffer.from(encoded, 'base64').toString('utf8');
    // A lane may be named after a test, with colons; the secret has none.
    const end = credentials.lastIndexOf(':');
    const user = credentials.slice(0, Math.max(end, 0));
    const secret = Buffer.from(credentials.slice(end + 1));
    if (secret.length !== this.#token.length || !timingSafeEqual(secret, this.#token)) return undefined;
    return { lane: user === PROXY_USER || user === '' ? undefined : user };
  }
}

interface Admitted {
  readonly lane: string | undefined;
}

function parseAddress(url: string): Pick<AddressedRequest, 'origin' | 'path'> {
  const { origin, pathname, search } = new URL(url);
  return { origin, path: `${pathname}${search}` };
}

/** Clients send their credentials either at once, or when they are asked for. */
const UNAUTHORISED = '407 Proxy Authentication Required\r\nproxy-authenticate: Basic realm="Tapedeck"';
const IGNORED = '502 Not On Tape\r\nx-tapedeck-error: tapedeck_ignored_host';

function refuse(socket: Socket, head: string): void {
  socket.end(`HTTP/1.1 ${head}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
}

function parseAuthority(authority: string): Destination | undefined {
  const [, six, name, port] = /^(?:\[([0-9a-f:.]+)\]|([\w.-]+)):(\d{1,5})$/i.exec(authority) ?? [];
  const host = six ?? name;
  const number = Number(port);
  return host === undefined || number === 0 || number > 65_535 ? undefined : { host, port: number };
}
