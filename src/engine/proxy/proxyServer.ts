import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hasCode } from '../errors/systemError';
import { UserError } from '../errors/userError';
import { sendRefusal } from './refusal';
import { type Route, routeOf } from './route';
import type { ProxySession } from './session';
import type { Upstreams } from './upstreams';

export interface RunningProxy {
  /** `http://127.0.0.1:PORT/TOKEN`; an API's base URL is this with its name. */
  readonly base: string;
  close(): Promise<void>;
}

export interface ProxyServerOptions {
  readonly session: ProxySession;
  readonly upstreams: Upstreams;
  /** 0, the default, takes a free one. */
  readonly port?: number;
  /** By default a new random one. */
  readonly token?: string;
  /** Something that should not happen, in one line. */
  onFault?(message: string): void;
}

/** A client that takes longer to say what it wants is not going to. */
const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 120_000;
const KEEP_ALIVE_MS = 65_000;
const MAX_HEADER_BYTES = 64 * 1024;
/** So that who is turned away can read why, before what they still send meets a closed connection. */
const CLOSE_DELAY_MS = 1_000;
const MAX_ROUTES = 1_000;

/** Serves a session on the loopback address, under a secret path that only the agent is told. */
export async function startProxy(options: ProxyServerOptions): Promise<RunningProxy> {
  const token = options.token ?? randomBytes(18).toString('base64url');
  const settings = {
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    noDelay: true,
  };
  const server = createServer(settings);
  const door = new RequestGate(server, `/${token}`, options);
  server.on('request', (request, response) => door.enter(request, response));
  server.on('clientError', (_error, socket) => {
    // An answer that was begun cannot be taken back.
    if (socket.writable && isUnused(socket))
      socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
    else socket.destroy();
  });
  const port = await listen(server, options.port ?? 0);
  return {
    base: `http://127.0.0.1:${port}/${token}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function isUnused(socket: object): boolean {
  return 'bytesWritten' in socket && socket.bytesWritten === 0;
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(hasCode(error, 'EADDRINUSE', 'EACCES') ? portInUse(port) : error));
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

function portInUse(port: number): UserError {
  return new UserError(`port ${port} cannot be taken: something else has it`, 'End what has it, or name another port.');
}

/** Lets in who knows the way, and nobody else. */
class RequestGate {
  readonly #server: Server;
  readonly #prefix: string;
  readonly #options: ProxyServerOptions;
  #hosts: ReturnType<typeof loopbackHosts> | undefined;
  /** Agents ask at few addresses, again and again. */
  readonly #routes = new Map<string, Route | undefined>();

  constructor(server: Server, prefix: string, options: ProxyServerOptions) {
    this.#server = server;
    this.#prefix = prefix;
    this.#options = options;
  }

  enter(request: IncomingMessage, response: ServerResponse): void {
    response.on('error', () => undefined);
    this.#answer(request, response).catch((error: unknown) => {
      const gone = request.destroyed && !request.complete;
      if (!gone) this.#options.onFault?.(error instanceof Error ? (error.stack ?? error.message) : String(error));
      response.destroy();
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#hosts ??= loopbackHosts((this.#server.address() as AddressInfo).port);
    const refusal = refusalReason(request, this.#hosts);
    if (refusal !== undefined) return refuse(request, response, 403, 'tapedeck_forbidden', refusal);
    const url = request.url ?? '/';
    if (!url.startsWith(`${this.#prefix}/`)) {
      return refuse(request, response, 404, 'tapedeck_no_such_path', 'there is nothing here: the base URL has a token');
    }
    const route = this.#routeOf(url);
    if (route === undefined) {
      const names = [...this.#options.upstreams.keys()].join(', ');
      return refuse(request, response, 404, 'tapedeck_no_such_api', `no API is called that; there are: ${names}`);
    }
    const body = await readRequestBody(request);
    if (body === undefined) return refuse(request, response, 413, 'tapedeck_too_large', 'the request is too large');
    await this.#options.session.handle(request, response, withLane(route, request), body);
  }

  #routeOf(url: string): Route | undefined {
    const known = this.#routes.get(url);
    if (known !== undefined) return known;
    const route = routeOf(url.slice(this.#prefix.length), this.#options.upstreams);
    if (this.#routes.size < MAX_ROUTES) this.#routes.set(url, route);
    return route;
  }
}

function withLane<T extends { readonly lane: string | undefined }>(route: T, { headers }: IncomingMessage): T {
  const lane = headers['x-tapedeck-lane'] ?? headers['x-test-id'];
  return typeof lane === 'string' ? { ...route, lane } : route;
}

/** The rest of the request is not read: the connection ends with the answer. */
function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  code: string,
  message: string,
): void {
  response.setHeader('connection', 'close');
  response.once('finish', () => setTimeout(() => request.destroy(), CLOSE_DELAY_MS).unref());
  sendRefusal(response, 'openai', { status, code, message: `Tapedeck: ${message}.` });
}

/** How this machine is called by who asks it at its own address. */
export function loopbackHosts(port: number): ReadonlySet<string | undefined> {
  return new Set([`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`]);
}

/**
 * Why a request is not answered, or undefined for one that an agent on this machine made. A page in a browser can reach
 * the loopback too, by its own address or by a name that is made to point here: it is known by what browsers add, and by
 * the name in `Host`.
 */
export function refusalReason(
  { headers }: IncomingMessage,
  hosts: ReturnType<typeof loopbackHosts>,
): string | undefined {
  if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined) return 'pages cannot use this proxy';
  if (!hosts.has(headers.host)) return 'this proxy answers on the loopback address only';
  return undefined;
}

/** More than any context window; a client that does not stop must not fill the memory. */
export const MAX_REQUEST_BYTES = 64 * 1024 * 1024;

/** The whole body; undefined when it is larger than `limit`. Rejects when the client goes away before its end. */
export function readRequestBody(request: IncomingMessage, limit = MAX_REQUEST_BYTES): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= limit) chunks.push(chunk);
      else resolve(undefined);
    });
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
    request.on('error', reject);
    request.on('close', () => {
      if (!request.complete) reject(new Error('the client went away'));
    });
  });
}
