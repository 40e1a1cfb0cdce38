import { Agent, type IncomingMessage, request } from 'node:http';
import { constants, createServer, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { Duplex } from 'node:stream';
import { asList, asRecord, asString } from '../../core/json/fields';
import { parseJson } from '../../core/json/readJson';
import { type GrpcStatus, grpcCode, grpcStatusOfHttp } from '../../core/wire/grpc/status';
import { grpcMessage, isGrpc } from './isGrpc';
import type { TunnelledConnection } from './tunnels';

/** Of the connection, or of a message that has another length. A page of the web does not come through a tunnel. */
const OF_CONNECTION = /^(?::.*|connection|keep-alive|proxy-.*|transfer-encoding|upgrade|te|trailer|host|origin)$/i;
/** At once, over one connection. */
const MAX_STREAMS = 250;
/** Of a response that says why a call of gRPC is refused. */
const MAX_REFUSAL_BYTES = 64 * 1024;

interface Http2BridgeOptions {
  /** Where the proxy itself serves a path of this connection over HTTP/1.1. */
  addressOf(connection: TunnelledConnection, path: string): URL;
}

/** Serves connections of clients that speak nothing but HTTP/2: each of their requests is one of HTTP/1.1 to the proxy itself. */
export class Http2Bridge {
  readonly #options: Http2BridgeOptions;
  readonly #connections = new WeakMap<object, TunnelledConnection>();
  readonly #server = createServer({ settings: { maxConcurrentStreams: MAX_STREAMS } });
  readonly #agent = new Agent({ keepAlive: true });

  constructor(options: Http2BridgeOptions) {
    this.#options = options;
    this.#server.on('stream', (stream, headers) => this.#take(stream, headers));
    this.#server.on('sessionError', () => undefined);
  }

  /** `socket`: at which TLS has ended. */
  serve(socket: Duplex, connection: TunnelledConnection): void {
    this.#server.once('session', (session) => {
      this.#connections.set(session, connection);
      // A client that is gone has ended its side alone: the socket may be half open, and Node keeps the session of one that is.
      for (const event of ['end', 'close']) socket.once(event, () => session.destroy());
    });
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
    call.once('response', (response) => {
      if (isGrpc({ headers }) && !isGrpc(response)) refuseGrpc(stream, response);
      else answer(stream, response);
    });
    // A server may speak first.
    if (isGrpc({ headers })) call.flushHeaders();
    stream.once('close', () => call.destroy());
    stream.pipe(call);
  }
}

function answer(stream: ServerHttp2Stream, response: IncomingMessage): void {
  if (stream.destroyed) {
    response.destroy();
    return;
  }
  const isTrailed = isGrpc(response);
  stream.respond(
    { ':status': response.statusCode ?? 502, ...without(response.headers) },
    { waitForTrailers: isTrailed },
  );
  if (isTrailed) stream.once('wantTrailers', () => stream.sendTrailers(without(response.trailers)));
  response.once('close', () => {
    // An incomplete response must not look complete, and loses nothing of what there was.
    if (!response.complete && !stream.destroyed) stream.write('', () => stream.close(constants.NGHTTP2_INTERNAL_ERROR));
  });
  response.pipe(stream);
}

/** Tells a client of gRPC, which reads no other body, why its call is refused. */
function refuseGrpc(stream: ServerHttp2Stream, response: IncomingMessage): void {
  const pieces: Buffer[] = [];
  let length = 0;
  response.on('data', (bytes: Buffer) => {
    length += bytes.length;
    if (length <= MAX_REFUSAL_BYTES) pieces.push(bytes);
  });
  response.once('close', () => {
    if (stream.destroyed) return;
    const status = grpcStatusOfRefusal(response.statusCode ?? 502);
    const said = refusalText(Buffer.concat(pieces).toString());
    stream.respond(
      {
        ':status': 200,
        'content-type': 'application/grpc',
        'grpc-status': `${grpcCode(status)}`,
        'grpc-message': grpcMessage(said),
      },
      { endStream: true },
    );
  });
}

/** A miss is no error of a server, and is not tried again. */
function grpcStatusOfRefusal(status: number): GrpcStatus {
  return status === 400 ? 'FAILED_PRECONDITION' : grpcStatusOfHttp(status);
}

/** What an error says, whatever API's it is. */
function refusalText(body: string): string {
  const json = asRecord(parseJson(body));
  const { message = json.message } = asRecord(json.error ?? asList(parseJson(body))[0]);
  return asString(message) ?? body;
}

function without(headers: IncomingMessage['headers'] | IncomingHttpHeaders): Record<string, string | string[]> {
  const kept = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || OF_CONNECTION.test(name) ? [] : [[name, value] as const],
  );
  return Object.fromEntries(kept);
}
