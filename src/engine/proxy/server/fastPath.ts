import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { hasBody } from '../../network/capturedResponse';
import { KEEP_ALIVE_MS } from '../../network/listen';
import { type PlainHead, readPlainHead } from '../../network/plainHead';
import { headText, type ResponseHead, responseHead } from '../../network/responseHead';
import type { Route } from '../routes/route';
import type { ServedResponse } from '../tape/servedResponse';

interface FastPathOptions {
  /** The route of a request; undefined for one that is to be refused, or that needs more than its recording. */
  routeOf(socket: Socket, head: PlainHead): Route | undefined;
  /** The recording of exactly this request; undefined if there is none, or more is to be done than to send it. */
  respond(method: string, route: Route, body: Buffer): ServedResponse | undefined;
  /** A bug. */
  onFault(error: unknown): void;
}

/** Larger requests are read by `node:http`. */
const LARGEST_BODY = 1024 * 1024;
/** What is not there by then comes slowly: `node:http` decides how long it may take. */
const WHOLE_WITHIN_MS = 5_000;

/**
 * Responds to requests that are on the tape on the connection itself, without `node:http`, which costs more than all the rest of
 * a replay. A connection with any other request, or one that is not plain, is handed over to `node:http` for good, with all
 * that was read of the request.
 */
export class FastPath {
  readonly #open = new Set<Connection>();

  constructor(http: Server, options: FastPathOptions) {
    const serve = http.listeners('connection') as ((socket: Socket) => void)[];
    http.removeAllListeners('connection');
    http.on('connection', (socket: Socket) => {
      const connection = new Connection(socket, options, (isHandedOver) => {
        this.#open.delete(connection);
        if (isHandedOver) for (const listener of serve) listener.call(http, socket);
      });
      this.#open.add(connection);
    });
  }

  /** Ends the connections that were not handed over. */
  close(): void {
    for (const connection of this.#open) connection.end();
  }
}

/** A head that came before on the same connection: clients send the same again and again but for the length of the body. */
interface KnownHead {
  /** All before and all after the digits of the length. */
  readonly before: Buffer;
  readonly after: Buffer;
  readonly method: string;
  readonly route: Route;
}

/** A request of which at least the head is there. */
interface Begun {
  readonly known: KnownHead;
  readonly bodyStart: number;
  readonly end: number;
}

class Connection {
  readonly #socket: Socket;
  readonly #options: FastPathOptions;
  readonly #left: (isHandedOver: boolean) => void;
  #known: KnownHead | undefined;
  /** What was read of a request that is not whole. */
  #parts: Buffer[] = [];
  #length = 0;
  #begun: Begun | undefined;
  #begunAt = 0;

  /** `left`: the connection has ended, or is `node:http`'s from now on. */
  constructor(socket: Socket, options: FastPathOptions, left: (isHandedOver: boolean) => void) {
    this.#socket = socket;
    this.#options = options;
    this.#left = left;
    socket.on('data', this.#read).on('end', this.#ended).on('close', this.#closed);
    socket.on('error', this.#failed).on('drain', this.#drained);
    socket.setTimeout(KEEP_ALIVE_MS, this.#failed);
  }

  end(): void {
    this.#socket.destroy();
  }

  readonly #failed = (): void => {
    this.#socket.destroy();
  };
  readonly #ended = (): void => {
    this.#socket.end();
  };
  readonly #closed = (): void => this.#left(false);
  readonly #drained = (): void => {
    this.#socket.resume();
  };

  readonly #read = (chunk: Buffer): void => {
    this.#parts.push(chunk);
    this.#length += chunk.length;
    try {
      if (!this.#isAnswered()) this.#handOver();
    } catch (error) {
      this.#options.onFault(error);
      this.#socket.destroy();
    }
  };

  /** Also if the rest of the request has to be waited for. */
  #isAnswered(): boolean {
    this.#begun ??= this.#begin(this.#parts[0] ?? Buffer.alloc(0));
    const begun = this.#begun;
    if (begun === undefined || begun.end < this.#length) return false;
    if (begun.end > this.#length) return this.#waits(begun);
    const bytes = this.#bytes();
    const { method, route } = begun.known;
    const response = this.#options.respond(method, route, bytes.subarray(begun.bodyStart));
    if (response === undefined) return false;
    this.#parts = [];
    this.#length = 0;
    this.#begun = undefined;
    this.#send(response);
    return true;
  }

  #waits({ bodyStart, end }: Begun): boolean {
    if (end - bodyStart > LARGEST_BODY) return false;
    if (this.#parts.length === 1) this.#begunAt = performance.now();
    return performance.now() - this.#begunAt < WHOLE_WITHIN_MS;
  }

  /** Undefined if the head is not plain, or not whole. */
  #begin(bytes: Buffer): Begun | undefined {
    const known = this.#known && continued(this.#known, bytes);
    if (known !== undefined) return known;
    const headEnd = bytes.indexOf('\r\n\r\n');
    const text = headEnd === -1 ? undefined : bytes.toString('latin1', 0, headEnd);
    const head = text === undefined ? undefined : readPlainHead(text);
    const route = head && this.#options.routeOf(this.#socket, head);
    if (text === undefined || head === undefined || route === undefined) return undefined;
    const [before = ''] = /^.*?\r\ncontent-length:[ \t]*/is.exec(text) ?? [];
    const digits = head.headers['content-length']?.length ?? 0;
    this.#known = {
      before: Buffer.from(before, 'latin1'),
      after: Buffer.from(`${text.slice(before.length + digits)}\r\n\r\n`, 'latin1'),
      method: head.method,
      route,
    };
    const bodyStart = headEnd + 4;
    return { known: this.#known, bodyStart, end: bodyStart + head.bodyLength };
  }

  #bytes(): Buffer {
    const [first = Buffer.alloc(0)] = this.#parts;
    return this.#parts.length === 1 ? first : Buffer.concat(this.#parts, this.#length);
  }

  #send(response: ServedResponse): void {
    const socket = this.#socket;
    const head = headOf(response);
    socket.cork();
    socket.write(headText(head), 'latin1');
    if (hasBody(response.status)) this.#sendBody(response, head.isChunked);
    else response.release?.();
    socket.uncork();
    // A client that asks and does not read must not fill the memory.
    if (socket.writableNeedDrain) socket.pause();
  }

  #sendBody({ body, broken, release }: ServedResponse, isChunked: boolean): void {
    const socket = this.#socket;
    const inChunk = isChunked && body.length > 0;
    if (inChunk) socket.write(`${body.length.toString(16)}\r\n`, 'latin1');
    socket.write(body, release);
    if (inChunk) socket.write('\r\n', 'latin1');
    if (broken) socket.write('', () => socket.destroy());
    else if (isChunked) socket.write('0\r\n\r\n', 'latin1');
  }

  #handOver(): void {
    const socket = this.#socket;
    const bytes = this.#bytes();
    socket.off('data', this.#read).off('end', this.#ended).off('close', this.#closed);
    socket.off('error', this.#failed).off('drain', this.#drained);
    socket.setTimeout(0, this.#failed);
    socket.pause();
    socket.unshift(bytes);
    this.#left(true);
    socket.resume();
  }
}

/** A request with the same head as the one before; undefined if the head is another, or not whole. */
function continued(known: KnownHead, bytes: Buffer): Begun | undefined {
  const { before, after } = known;
  if (bytes.length < before.length || before.compare(bytes, 0, before.length) !== 0) return undefined;
  let at = before.length;
  let length = 0;
  for (let digit = bytes[at]; digit !== undefined && digit >= 0x30 && digit <= 0x39; digit = bytes[at]) {
    length = length * 10 + digit - 0x30;
    at += 1;
  }
  const bodyStart = at + after.length;
  const isWhole = at > before.length && at - before.length < 10 && bodyStart <= bytes.length;
  if (!isWhole || after.compare(bytes, at, bodyStart) !== 0) return undefined;
  return { known, bodyStart, end: bodyStart + length };
}

const heads = new WeakMap<ServedResponse, ResponseHead>();

function headOf(response: ServedResponse): ResponseHead {
  const known = heads.get(response);
  if (known !== undefined) return known;
  const head = responseHead(response.status, response.headers);
  heads.set(response, head);
  return head;
}
