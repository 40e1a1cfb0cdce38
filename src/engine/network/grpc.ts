import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect as connectHttp2,
  constants,
  type IncomingHttpHeaders,
} from 'node:http2';
import type { Duplex, Readable, Writable } from 'node:stream';
import { gunzip, unzlib } from '../../core/bytes/inflate';
import type { HttpHeader } from '../../core/model/http';
import { t } from '../../core/text/l10n';
import { grpcCode, grpcStatusOfHttp } from '../../core/wire/grpc/status';
import { errorCode } from '../errors/systemError';
import type { Unreachable } from './capturedResponse';
import { headerPairs, headersByName } from './headerPairs';
import type { KeyedRequest } from './heldKeys';
import { grpcMessage } from './isGrpc';
import type { NetworkPolicy } from './policy';
import type { TalkLine } from './talkLine';
import { proxyFor, tunnelThrough } from './userProxy';

/** More than any message of a model has; a larger one ends its call. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
/** Deflate can reach 1032; the size is limited anyway. */
const UNPACKING = { maxBytes: MAX_MESSAGE_BYTES, maxRatio: 1100, freeBytes: MAX_MESSAGE_BYTES };
const CONNECT_MS = 60_000;
/** A connection that broke off, as it is told of a WebSocket. */
const BROKEN = 1006;
const HEAD_BYTES = 5;

/** Why a message cannot be read, with the code that its sender is told. */
interface Fault {
  readonly code: number;
  readonly reason: string;
}

/** Takes messages out of the bytes of a call, without their compression. */
class MessageReader {
  readonly #encoding: string;
  #bytes: Buffer[] = [];
  #length = 0;

  constructor(encoding: string) {
    this.#encoding = encoding;
  }

  /** Whether the bytes ended in the middle of a message. */
  get isWithin(): boolean {
    return this.#length > 0;
  }

  /** The messages that are whole now, and why there is none after them. */
  take(bytes: Buffer): readonly (Buffer | Fault)[] {
    this.#bytes.push(bytes);
    this.#length += bytes.length;
    const taken: (Buffer | Fault)[] = [];
    while (this.#length >= HEAD_BYTES) {
      const head = this.#joined(HEAD_BYTES);
      const size = head.readUInt32BE(1);
      if (size > MAX_MESSAGE_BYTES) return [...taken, tooLarge()];
      if (this.#length < HEAD_BYTES + size) break;
      const whole = this.#joined(HEAD_BYTES + size);
      const message = this.#unpacked(head[0] ?? 0, whole.subarray(HEAD_BYTES, HEAD_BYTES + size));
      taken.push(message);
      if ('code' in message) return taken;
      const rest = whole.subarray(HEAD_BYTES + size);
      this.#bytes = [rest, ...this.#bytes.slice(1)];
      this.#length -= HEAD_BYTES + size;
    }
    return taken;
  }

  /** So much at the beginning in one piece. */
  #joined(length: number): Buffer {
    const [first = Buffer.alloc(0)] = this.#bytes;
    if (first.length >= length) return first;
    const whole = Buffer.concat(this.#bytes);
    this.#bytes = [whole];
    return whole;
  }

  #unpacked(flag: number, bytes: Buffer): Buffer | Fault {
    if (flag === 0) return bytes;
    const unpack = flag === 1 ? UNPACKERS[this.#encoding] : undefined;
    const unpacked = unpack?.(bytes, UNPACKING);
    if (unpacked?.exceeded !== undefined) return tooLarge();
    if (unpacked !== undefined && unpacked.problem === undefined) return Buffer.from(unpacked.bytes);
    const reason = t('Tapedeck cannot read a message that is compressed with {0}.', this.#encoding);
    return { code: grpcCode(unpack === undefined ? 'UNIMPLEMENTED' : 'INTERNAL'), reason };
  }
}

/** What an upstream may compress with. */
const UNPACKERS: Readonly<Record<string, typeof gunzip>> = { gzip: gunzip, deflate: unzlib };
const ACCEPTED_ENCODINGS = `identity,${Object.keys(UNPACKERS).join(',')}`;

function tooLarge(): Fault {
  const reason = t('a message has more than {0} MB', MAX_MESSAGE_BYTES / 1024 / 1024);
  return { code: grpcCode('RESOURCE_EXHAUSTED'), reason };
}

type Events = {
  message: [data: Buffer, isBinary: boolean];
  last: [];
  headers: [headers: readonly HttpHeader[]];
  close: [code: number, reason: Buffer, trailers?: readonly HttpHeader[]];
};

/** One end of a call. Its messages are sent without compression. */
abstract class GrpcLine extends EventEmitter<Events> implements TalkLine {
  readonly #input: Readable;
  readonly #output: Writable;
  #state: 1 | 3 = 1;
  #sending = 0;
  #sent: (() => void) | undefined;

  constructor(input: Readable, output: Writable) {
    super();
    this.#input = input;
    this.#output = output;
    output.on('error', () => undefined);
    input.on('error', () => undefined);
  }

  get readyState(): 1 | 3 {
    return this.#state;
  }

  get bufferedAmount(): number {
    return this.#output.writableLength;
  }

  get isPaused(): boolean {
    return this.#input.isPaused();
  }

  pause(): void {
    this.#input.pause();
  }

  resume(): void {
    this.#input.resume();
  }

  send(data: Buffer | string, _: { binary: boolean }, done?: (error?: Error | null) => void): void {
    const bytes = Buffer.from(data);
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUInt32BE(bytes.length, 1);
    this.#sending += 1;
    this.#output.write(Buffer.concat([head, bytes]), (error) => {
      this.#sending -= 1;
      done?.(error);
      if (this.#sending === 0) this.#sent?.();
    });
  }

  /** Calls `done` when all that was said is on its way: what is broken off loses nothing that came before. */
  protected afterSent(done: () => void): void {
    if (this.#sending === 0) done();
    else this.#sent = done;
  }

  abstract close(code?: number, reason?: string | Buffer, trailers?: readonly HttpHeader[]): void;
  abstract terminate(): void;

  /** Reads messages from now on, once `resume` is called. */
  protected read(encoding: string | undefined, wasCut: () => void): void {
    const reader = new MessageReader(encoding ?? 'identity');
    this.#input.on('data', (bytes: Buffer) => {
      if (this.#state !== 1) return;
      for (const message of reader.take(bytes)) {
        if (!('code' in message)) this.emit('message', message, true);
        else this.failed(message.code, message.reason);
      }
    });
    this.#input.once('end', () => {
      if (this.#state !== 1) return;
      if (reader.isWithin) wasCut();
      else this.emit('last');
    });
    this.#input.pause();
  }

  /** A message cannot be read. */
  protected abstract failed(code: number, reason: string): void;

  protected closed(code: number, reason: string, trailers?: readonly HttpHeader[]): void {
    if (this.#state === 3) return;
    this.#state = 3;
    this.emit('close', code, Buffer.from(reason), trailers);
  }
}

/** A call that a client made to us, over HTTP/1.1 in the form that the bridge of HTTP/2 gives it. */
export class GrpcClientLine extends GrpcLine {
  readonly #response: ServerResponse;

  constructor(request: IncomingMessage, response: ServerResponse) {
    super(request, response);
    this.#response = response;
    const { 'grpc-encoding': encoding } = request.headers;
    response.once('close', () => this.closed(grpcCode('CANCELLED'), ''));
    this.read(typeof encoding === 'string' ? encoding : undefined, () => response.destroy());
  }

  /** Sends the metadata that comes before the messages. */
  answer(headers: readonly HttpHeader[]): void {
    const response = this.#response;
    if (response.headersSent || response.destroyed) return;
    const kept = headers.filter(([name]) => !NOT_RETURNED.test(name) && !/^content-type$/i.test(name));
    response.writeHead(200, [['content-type', 'application/grpc'], ...kept].flat());
    response.flushHeaders();
  }

  override send(...args: Parameters<GrpcLine['send']>): void {
    this.answer([]);
    super.send(...args);
  }

  close(code = grpcCode('UNKNOWN'), reason: string | Buffer = '', trailers: readonly HttpHeader[] = []): void {
    const response = this.#response;
    if (response.destroyed || response.writableEnded) return;
    this.answer([]);
    const message = reason.toString();
    response.addTrailers([
      ...trailers.flatMap(([name, value]): [string, string][] =>
        /^grpc-(?:status|message)$/i.test(name) ? [] : [[name, value]],
      ),
      ['grpc-status', `${code}`],
      ...(message === '' ? [] : [['grpc-message', grpcMessage(message)] as [string, string]]),
    ]);
    response.end();
  }

  terminate(): void {
    this.afterSent(() => this.#response.destroy());
  }

  protected failed(code: number, reason: string): void {
    this.close(code, reason);
    this.closed(code, reason);
  }
}

/** A call that we make. */
export class GrpcServerLine extends GrpcLine {
  readonly #stream: ClientHttp2Stream;
  #headers: readonly HttpHeader[] = [];
  #trailers: IncomingHttpHeaders = {};
  #status = 0;

  constructor(session: ClientHttp2Session, stream: ClientHttp2Stream) {
    super(stream, stream);
    this.#stream = stream;
    stream.once('response', (headers, _, raw: readonly string[] = []) => {
      this.#status = headers[':status'] ?? 0;
      this.#trailers = headers;
      this.#headers = metadata(raw);
      const encoding = headers['grpc-encoding'];
      this.emit('headers', this.#headers);
      const isPaused = stream.isPaused();
      if (this.#isGrpc) this.read(typeof encoding === 'string' ? encoding : undefined, () => undefined);
      if (!isPaused || !this.#isGrpc) stream.resume();
    });
    stream.once('trailers', (trailers) => {
      this.#trailers = trailers;
    });
    stream.once('close', () => {
      session.close();
      this.#ended();
    });
  }

  /** Those of the response, as far as it has come. */
  get headers(): readonly HttpHeader[] {
    return this.#headers;
  }

  /** Tells the server that no further message comes. */
  finish(): void {
    this.#stream.end();
  }

  close(): void {
    this.terminate();
  }

  terminate(): void {
    this.#stream.close(constants.NGHTTP2_CANCEL);
  }

  protected failed(code: number, reason: string): void {
    this.closed(code, reason);
    this.terminate();
  }

  get #isGrpc(): boolean {
    return this.#status === 200;
  }

  #ended(): void {
    const { 'grpc-status': status, 'grpc-message': message } = this.#trailers;
    const others = Object.entries(this.#trailers).flatMap(([name, value]): HttpHeader[] =>
      /^(?::.*|grpc-status|grpc-message|content-type|date|server)$/i.test(name) || value === undefined
        ? []
        : [value].flat().map((one) => [name, one]),
    );
    if (typeof status === 'string') this.closed(Number(status), decoded(String(message ?? '')), others);
    else if (this.#status !== 0 && !this.#isGrpc)
      this.closed(grpcCode(grpcStatusOfHttp(this.#status)), `HTTP status ${this.#status}`);
    else this.closed(BROKEN, '');
  }
}

/** Calls a method at an upstream. Its messages wait until the line is resumed. */
export async function callGrpc(
  policy: NetworkPolicy,
  { target, headers }: KeyedRequest,
): Promise<GrpcServerLine | Unreachable> {
  policy.requireRecording('proxy-upstream', target.host);
  const connected = await connectTo(target);
  if ('unreachable' in connected) return connected;
  const others = headerPairs(headers).filter(([name]) => !/^(?:grpc-encoding|grpc-accept-encoding)$/i.test(name));
  const stream = connected.request(
    {
      ...headersByName(others.flat()),
      ':method': 'POST',
      ':path': `${target.pathname}${target.search}`,
      te: 'trailers',
      'grpc-accept-encoding': ACCEPTED_ENCODINGS,
    },
    { endStream: false },
  );
  return new GrpcServerLine(connected, stream);
}

/** A connection of its own for each call, as for any other request. */
async function connectTo(target: URL): Promise<ClientHttp2Session | Unreachable> {
  const proxy = target.protocol === 'https:' ? proxyFor(target) : undefined;
  const tunnel = proxy && (await tunnelled(proxy, target));
  if (tunnel !== undefined && 'unreachable' in tunnel) return tunnel;
  const session = connectHttp2(target.origin, tunnel === undefined ? {} : { createConnection: () => tunnel });
  return new Promise((resolve) => {
    const timer = setTimeout(() => session.destroy(new Error(t('it does not respond'))), CONNECT_MS);
    session.once('connect', () => resolve(session));
    session.on('error', (error) => resolve({ unreachable: errorCode(error) ?? error.message }));
    session.once('close', () => resolve({ unreachable: t('the connection was closed') }));
    const settle = (): void => clearTimeout(timer);
    session.once('connect', settle);
    session.once('close', settle);
  });
}

function tunnelled(proxy: URL, target: URL): Promise<Duplex | Unreachable> {
  return new Promise((resolve) => {
    tunnelThrough(proxy, target, { ALPNProtocols: ['h2'] })({}, (error, socket) => {
      resolve(error ? { unreachable: error.message } : socket);
    });
  });
}

/** Of the connection, or of messages that were compressed. */
const NOT_RETURNED =
  /^(?::.*|connection|keep-alive|proxy-.*|trailer|transfer-encoding|upgrade|content-length|grpc-encoding|grpc-accept-encoding|grpc-status|grpc-message)$/i;

function metadata(raw: readonly string[]): HttpHeader[] {
  return headerPairs(raw).filter(([name]) => !NOT_RETURNED.test(name));
}

function decoded(message: string): string {
  try {
    return decodeURIComponent(message);
  } catch {
    return message;
  }
}
