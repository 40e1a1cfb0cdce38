import type { Server } from 'node:http';
import { connect, isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { type SecureContext, TLSSocket } from 'node:tls';
import { t } from '../../core/text/l10n';
import { errorCode, hasCode } from '../errors/systemError';
import { type Destination, originOf } from './destination';
import type { NetworkPolicy } from './policy';

/** What a client asked of a tunnel. */
export interface TunnelRequest extends Destination {
  /** From the credentials of the proxy. */
  readonly lane: string | undefined;
  /** The client reads no response to its `CONNECT`. */
  readonly isSilent: boolean;
}

/** A connection whose requests go to one server. */
export interface TunnelledConnection extends Destination {
  /** Such as `https://api.openai.com`, without a port that its scheme has anyway. */
  readonly origin: string;
  readonly lane: string | undefined;
}

interface TunnelOptions {
  /** Gets the connections of the tunnels, once they speak plain HTTP. */
  readonly http: Server;
  contextOf(host: string): Promise<SecureContext>;
  /** Serves a client that speaks nothing but HTTP/2, without TLS or where that has ended. */
  serveHttp2(socket: Duplex, connection: TunnelledConnection): void;
  /** Passes a connection on as it is; absent if nothing may be. */
  readonly blind?: NetworkPolicy;
  /** The client ended the TLS handshake, or sent what is not HTTP. */
  onRejected(destination: Destination, reason: RejectedTunnel): void;
  /** The client accepted the connection, and closed it without a request. */
  onAbandoned(destination: Destination): void;
}

/**
 * `untrusted`: the client does not accept our certificate. `http2`: it speaks nothing else. `not-http`: neither TLS nor HTTP.
 * `broken`: the handshake failed otherwise.
 */
export interface RejectedTunnel {
  readonly kind: 'untrusted' | 'http2' | 'not-http' | 'broken';
  readonly detail: string;
}

const TLS_HANDSHAKE = 0x16;
/** A client that wants to speak HTTP speaks first; on a busy machine it may take long to. */
const FIRST_BYTE_MS = 15_000;
/** Where nothing is passed on, nobody waits for another protocol. */
const LAST_FIRST_BYTE_MS = 120_000;
const HTTP2_PREFACE = 'PRI * HTTP/2';
const METHOD = /^[A-Z]{3,16} |^[A-Z]{1,16}$/;

/** Ends the tunnels of a proxy: TLS with a certificate in the name of the server, so that their requests come to `http`. */
export class Tunnels {
  readonly #options: TunnelOptions;
  readonly #connections = new WeakMap<Duplex, TunnelledConnection>();
  readonly #open = new Set<Duplex>();
  readonly #used = new WeakSet<Duplex>();
  /** Connections to the proxy itself, of which nothing has come yet. */
  readonly #waiting = new Set<Socket>();

  constructor(options: TunnelOptions) {
    this.#options = options;
  }

  /** Where a request on this connection goes; undefined if it is no tunnel. */
  connectionOf(socket: Duplex): TunnelledConnection | undefined {
    const connection = this.#connections.get(socket);
    if (connection !== undefined) this.#used.add(socket);
    return connection;
  }

  /** Opens a tunnel on a connection that sent a `CONNECT`. */
  async open(socket: Socket, head: Buffer, request: TunnelRequest): Promise<void> {
    this.#keep(socket);
    if (!request.isSilent) socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    const patienceMs = this.#options.blind === undefined ? LAST_FIRST_BYTE_MS : FIRST_BYTE_MS;
    const first = head.length > 0 ? head : await firstBytes(socket, patienceMs);
    // A client that has left wants no server to be called.
    if (socket.readableEnded) socket.destroy();
    if (socket.destroyed) return;
    if (first !== undefined && first.length > 0) socket.unshift(first);
    if (first?.[0] === TLS_HANDSHAKE) this.#endTls(socket, request, await this.#options.contextOf(request.host));
    else if (isHttp2(first)) this.#serveHttp2(socket, 'http', request);
    else if (first !== undefined && METHOD.test(first.toString('latin1', 0, 17))) this.#serve(socket, 'http', request);
    else this.#passOn(socket, request);
  }

  /**
   * Ends TLS that is spoken to the proxy itself, at an address of it: some SDKs make a `wss:` address of whatever base URL they have.
   * HTTP/2 without TLS is spoken there too.
   */
  takeOwnTls(own: Destination): void {
    const { http } = this.#options;
    const serve = http.listeners('connection') as ((socket: Duplex) => void)[];
    const served = (socket: Duplex): void => {
      for (const listener of serve) listener.call(http, socket);
    };
    http.removeAllListeners('connection');
    http.on('connection', (socket: Socket) => {
      if (this.#connections.has(socket)) served(socket);
      else this.#serveOwn(socket, { ...own, lane: undefined, isSilent: false }, served).catch(() => socket.destroy());
    });
  }

  async #serveOwn(socket: Socket, own: TunnelRequest, served: (socket: Duplex) => void): Promise<void> {
    this.#waiting.add(socket);
    const first = await firstBytes(socket, LAST_FIRST_BYTE_MS);
    this.#waiting.delete(socket);
    if (socket.destroyed) return;
    if (first !== undefined && first.length > 0) socket.unshift(first);
    if (first?.[0] !== TLS_HANDSHAKE && !isHttp2(first)) return served(socket);
    this.#keep(socket);
    if (isHttp2(first)) return this.#serveHttp2(socket, 'http', own);
    this.#endTls(socket, own, await this.#options.contextOf(own.host));
  }

  /** Connects a client with the server itself, and reads nothing of it. */
  pass(socket: Socket, head: Buffer, request: TunnelRequest): void {
    this.#keep(socket);
    if (!request.isSilent) socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    if (head.length > 0) socket.unshift(head);
    this.#pipe(socket, request);
  }

  /** Waits until the clients that have ended are gone, but not longer than `patienceMs`. */
  async settled(patienceMs: number): Promise<void> {
    // Not by `once` of `node:events`, which rejects with the error that closes a connection.
    const gone = [...this.#open].map((socket) => new Promise<void>((resolve) => socket.once('close', () => resolve())));
    await Promise.race([Promise.all(gone), wait(patienceMs, undefined, { ref: false })]);
    // The consequences of a closed connection are reported in the next turn.
    await wait(0);
  }

  close(): void {
    for (const socket of [...this.#open, ...this.#waiting]) socket.destroy();
  }

  #endTls(socket: Socket, request: TunnelRequest, secureContext: SecureContext): void {
    let mayBeHttp2 = false;
    const secure = new TLSSocket(socket, {
      isServer: true,
      secureContext,
      ALPNCallback: ({ protocols }) => {
        mayBeHttp2 = protocols.includes('h2');
        return ['http/1.1', 'h2', 'http/1.0'].find((protocol) => protocols.includes(protocol));
      },
      SNICallback: (name, done) => {
        this.#options.contextOf(name).then((context) => done(null, context), done);
      },
    });
    secure.once('error', (error) => {
      if (this.#connections.has(secure) || isClosing(error)) return;
      this.#options.onRejected(namedBy(secure, request), rejectionOf(error));
    });
    secure.once('secure', () => {
      if (secure.alpnProtocol === 'h2') this.#serveHttp2(secure, 'https', namedBy(secure, request));
      else if (mayBeHttp2) void this.#serveSpoken(secure, namedBy(secure, request));
      else this.#serve(secure, 'https', namedBy(secure, request));
    });
    secure.once('end', () => {
      if (!this.#connections.has(secure)) secure.destroy();
    });
    secure.once('close', () => {
      if (!this.#used.has(secure)) this.#options.onAbandoned(namedBy(secure, request));
    });
  }

  #serve(
    socket: Duplex,
    scheme: 'http' | 'https',
    { host, port, lane }: Destination & Pick<TunnelRequest, 'lane'>,
  ): void {
    this.#connections.set(socket, { host, port, lane, origin: originOf(scheme, host, port) });
    this.#options.http.emit('connection', socket);
  }

  /** Clients that know what they want speak HTTP/2 whatever was agreed on, such as httpx without HTTP/1.1. */
  async #serveSpoken(socket: TLSSocket, request: TunnelRequest): Promise<void> {
    const first = await firstBytes(socket, LAST_FIRST_BYTE_MS);
    if (socket.destroyed) return;
    if (first !== undefined && first.length > 0) socket.unshift(first);
    if (isHttp2(first)) this.#serveHttp2(socket, 'https', request);
    else this.#serve(socket, 'https', request);
  }

  #serveHttp2(socket: Duplex, scheme: 'http' | 'https', { host, port, lane }: TunnelRequest): void {
    const connection = { host, port, lane, origin: originOf(scheme, host, port) };
    this.#connections.set(socket, connection);
    this.#used.add(socket);
    this.#options.serveHttp2(socket, connection);
  }

  #passOn(socket: Socket, request: TunnelRequest): void {
    this.#options.onRejected(request, { kind: 'not-http', detail: t('neither TLS nor HTTP') });
    if (this.#options.blind === undefined) socket.destroy();
    else this.#pipe(socket, request);
  }

  #pipe(socket: Socket, { host, port }: Destination): void {
    const { blind } = this.#options;
    if (blind === undefined) {
      socket.destroy();
      return;
    }
    blind.requireRecording('proxy-upstream', `${host}:${port}`);
    const server = connect({ host, port });
    this.#keep(server);
    server.on('error', () => socket.destroy());
    socket.on('error', () => server.destroy());
    socket.pipe(server).pipe(socket);
  }

  #keep(socket: Socket): void {
    this.#open.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => this.#open.delete(socket));
  }
}

/** The first bytes that a client sends; undefined if it waits for the server, or goes away. */
function firstBytes(socket: Socket, patienceMs: number): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      socket.off('readable', done);
      socket.off('close', done);
      // Not by `data`: a paused connection would stay so.
      resolve((socket.read() as Buffer | null) ?? undefined);
    };
    const timer = setTimeout(done, patienceMs);
    socket.on('readable', done);
    socket.on('close', done);
  });
}

/** What a client sends first that speaks nothing else, or knows that its server does. */
function isHttp2(first: Buffer | undefined): boolean {
  return first?.toString('latin1', 0, HTTP2_PREFACE.length) === HTTP2_PREFACE;
}

/** A client may resolve names by itself, and ask for an address: then its TLS names the host. */
function namedBy<T extends Destination>(secure: TLSSocket, request: T): T {
  const { servername } = secure as { servername?: unknown };
  const isAddress = isIP(request.host) !== 0;
  return isAddress && typeof servername === 'string' && servername !== '' ? { ...request, host: servername } : request;
}

/** Clients that check a certificate by themselves, such as Node's, do not say why they close the connection. */
function isClosing(error: Error): boolean {
  return hasCode(error, 'ECONNRESET', 'EPIPE');
}

const UNTRUSTED =
  /ALERT_(?:UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_UNKNOWN|UNSUPPORTED_CERTIFICATE|CERTIFICATE_REQUIRED)/;

function rejectionOf(error: Error): RejectedTunnel {
  const code = errorCode(error) ?? '';
  const detail = code === '' ? error.message : code;
  if (UNTRUSTED.test(code)) return { kind: 'untrusted', detail };
  if (/NO_APPLICATION_PROTOCOL/.test(`${code} ${error.message.toUpperCase().replaceAll(' ', '_')}`))
    return { kind: 'http2', detail };
  return { kind: 'broken', detail };
}
