import { Agent, type IncomingMessage, request } from 'node:http';
import { constants, createServer, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { Duplex } from 'node:stream';
import type { TunnelledConnection } from './tunnels';

/** Of the connection, or of a message that has another length. A page of the web does not come through a tunnel. */
const OF_CONNECTION = /^(?::.*|connection|keep-alive|proxy-.*|transfer-encoding|upgrade|te|trailer|host|origin)$/i;
/** The statuses of gRPC: https://grpc.github.io/grpc/core/md_doc_statuscodes.html */
const UNIMPLEMENTED = '12';

export interface Http2BridgeOptions {
  /** Where the proxy itself serves a path of this connection over HTTP/1.1. */
  addressOf(connection: TunnelledConnection, path: string): URL;
  /** Told of a call of gRPC, which is refused. */
  onGrpc(connection: TunnelledConnection): void;
}

/** Serves connections of clients that speak nothing but HTTP/2: each of their requests is one of HTTP/1.1 to the proxy itself. */
export class Http2Bridge {
  readonly #options: Http2BridgeOptions;
  readonly #connections = new WeakMap<object, TunnelledConnection>();
  readonly #server = createServer();
  readonly #agent = new Agent({ keepAlive: true });

  constructor(options: Http2BridgeOptions) {
    this.#options = options;
    this.#server.on('stream', (stream, headers) => this.#take(stream, headers));
    this.#server.on('sessionError', () => undefined);
  }

  /** `socket`: at which TLS has ended. */
  serve(socket: Duplex, connection: TunnelledConnection): void {
    this.#server.once('session', (session) => this.#connections.set(session, connection));
    // What Node looks at, and notes itself only where a server of TLS has the connection. Some clients agreed on another protocol.
    Object.assign(socket, { secureConnecting: false, alpnProtocol: 'h2' });
    this.#server.emit('connection', socket);
  }

  close(): void {
    this.#agent.destroy();
  }

  #take(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    stream.on('error', () => undefined);
    const connection = stream.session && this.#connections.get(stream.session);
    if (connection === undefined) stream.close(constants.NGHTTP2_REFUSED_STREAM);
    else if (/^application\/grpc/i.test(headers['content-type'] ?? '')) this.#refuseGrpc(stream, connection);
    else this.#passOn(stream, headers, connection);
  }

  #passOn(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, connection: TunnelledConnection): void {
    const target = this.#options.addressOf(connection, headers[':path'] ?? '/');
    const call = request(target, {
      method: headers[':method'] ?? 'GET',
      headers: { ...without(headers), host: target.host },
      agent: this.#agent,
    });
    call.once('error', () => stream.close(constants.NGHTTP2_INTERNAL_ERROR));
    call.once('response', (response) => answer(stream, response));
    stream.once('close', () => call.destroy());
    stream.pipe(call);
  }

  #refuseGrpc(stream: ServerHttp2Stream, connection: TunnelledConnection): void {
    this.#options.onGrpc(connection);
    const said = 'Tapedeck does not record gRPC. Choose HTTP or REST as its transport.';
    stream.respond(
      {
        ':status': 200,
        'content-type': 'application/grpc',
        'grpc-status': UNIMPLEMENTED,
        'grpc-message': encodeURIComponent(said).replaceAll('%20', ' '),
      },
      { endStream: true },
    );
  }
}

function answer(stream: ServerHttp2Stream, response: IncomingMessage): void {
  if (stream.destroyed) {
    response.destroy();
    return;
  }
  stream.respond({ ':status': response.statusCode ?? 502, ...without(response.headers) });
  response.once('close', () => {
    // An incomplete response must not look complete.
    if (!response.complete) stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  });
  response.pipe(stream);
}

function without(headers: IncomingMessage['headers'] | IncomingHttpHeaders): Record<string, string | string[]> {
  const kept = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || OF_CONNECTION.test(name) ? [] : [[name, value] as const],
  );
  return Object.fromEntries(kept);
}
