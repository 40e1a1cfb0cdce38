import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { compactJson, type JsonRecord } from '../../core/json/json';
import { idKey, messageKind, methodOf, parseMessages } from '../../core/mcp/message';
import { t } from '../../core/text/l10n';
import { UserError } from '../errors/userError';
import type { NetworkPolicy } from '../network/policy';
import { relay } from './httpRelay';
import { McpConnection } from './mcpConnection';
import type { McpRun, McpSource } from './mcpRun';

/** A server that is reached over HTTP. */
interface HttpServerAddress {
  readonly name: string;
  readonly url: URL;
}

/** More than any message. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;
const SESSION = 'mcp-session-id';
/** The member of our addresses that holds the address at which an old server with events takes messages. */
const ENDPOINT = 'tapedeck-endpoint';

/** The connections of clients to servers over HTTP: Streamable HTTP, and the older transport with server-sent events. */
export class HttpTransports {
  readonly #run: McpRun;
  readonly #network: NetworkPolicy;
  readonly #onProblem: (message: string) => void;
  /** By server, and the session or the endpoint; the latest of a server also by its name alone. */
  readonly #recorded = new Map<string, McpConnection>();
  readonly #played = new Map<string, PlayedSession>();
  readonly #open = new Set<ServerResponse>();

  constructor(run: McpRun, network: NetworkPolicy, onProblem: (message: string) => void) {
    this.#run = run;
    this.#network = network;
    this.#onProblem = onProblem;
  }

  /** Handles one request of a client, whose body may have been read already; errors go to the client. */
  handle(request: IncomingMessage, response: ServerResponse, server: HttpServerAddress, body?: Buffer): void {
    this.#open.add(response);
    response.once('close', () => this.#open.delete(response));
    this.#handle(request, response, server, body).catch((error: unknown) => {
      if (error instanceof UserError) this.#onProblem(t('MCP server {0}: {1}', server.name, error.message));
      if (response.headersSent) response.destroy();
      else response.writeHead(500, { 'content-type': 'text/plain' }).end(`Tapedeck: ${String(error)}`);
    });
  }

  /** Ends all streams. */
  close(): void {
    for (const response of this.#open) response.end();
  }

  async #handle(
    request: IncomingMessage,
    response: ServerResponse,
    server: HttpServerAddress,
    read: Buffer | undefined,
  ): Promise<void> {
    const body = read ?? (await bodyOf(request));
    const recordings = this.#run.recordings(server.name);
    const { mode } = this.#run;
    if (mode === 'replay' || (mode === 'auto' && recordings.transport !== undefined))
      this.#play(request, response, server, body);
    else await this.#record(request, response, server, body);
  }

  #play(request: IncomingMessage, response: ServerResponse, { name }: HttpServerAddress, body: Buffer): void {
    const isOld = this.#run.recordings(name).transport === 'sse';
    const messages = parseMessages(body.toString('utf8')) ?? [];
    if (isOld) this.#playOld(request, response, name, messages);
    else if (request.method === 'POST') this.#playPost(request, response, name, messages);
    else if (request.method === 'GET') {
      const session = this.#playedSession(name, sessionOf(request));
      session.openStream(response, {});
    } else response.writeHead(request.method === 'DELETE' ? 200 : 405).end();
  }

  #playPost(request: IncomingMessage, response: ServerResponse, name: string, messages: readonly JsonRecord[]): void {
    if (messages.length === 0) {
      response.writeHead(400, { 'content-type': 'text/plain' }).end('Tapedeck: the body is no message of JSON-RPC.');
      return;
    }
    const isNew = messages.some((message) => methodOf(message) === 'initialize');
    const id = isNew ? randomUUID() : sessionOf(request);
    const session = this.#playedSession(name, id);
    session.answer(messages, response, id === undefined ? {} : { [SESSION]: id });
  }

  /** Messages are posted to an address of their own, and all that the server says comes on the stream. */
  #playOld(request: IncomingMessage, response: ServerResponse, name: string, messages: readonly JsonRecord[]): void {
    const id = addressOf(request).searchParams.get(ENDPOINT) ?? undefined;
    if (request.method === 'GET') {
      const own = randomUUID();
      const endpoint = `${addressOf(request).pathname}?${ENDPOINT}=${own}`;
      this.#playedSession(name, own, 'sse').openStream(response, {}, `event: endpoint\ndata: ${endpoint}\n\n`);
    } else if (request.method !== 'POST' || id === undefined) response.writeHead(405).end();
    else {
      const session = this.#playedSession(name, id, 'sse');
      response.writeHead(202).end('Accepted');
      for (const message of messages)
        session.link.client(message, { send: (said) => session.push(said), end: () => undefined });
    }
  }

  #playedSession(name: string, id: string | undefined, transport: McpSource['transport'] = 'http'): PlayedSession {
    const key = `${name} ${id ?? ''}`;
    const known = this.#played.get(key);
    if (known !== undefined) return known;
    const link = new McpConnection(this.#run, { server: name, transport, isPlayed: true }, NO_SERVER);
    const session = new PlayedSession(link);
    this.#played.set(key, session);
    return session;
  }

  async #record(
    request: IncomingMessage,
    response: ServerResponse,
    { name, url }: HttpServerAddress,
    body: Buffer,
  ): Promise<void> {
    const address = addressOf(request);
    const endpoint = address.searchParams.get(ENDPOINT);
    const target = endpoint === null ? withQuery(url, address) : new URL(endpoint, url);
    if (target.origin !== url.origin)
      throw new UserError(() => t("{0} is not the server's own address", target.origin));
    const messages = parseMessages(body.toString('utf8')) ?? [];
    const isNew = messages.some((message) => methodOf(message) === 'initialize');
    let link = endpoint === null && isNew ? undefined : this.#known(name, endpoint ?? sessionOf(request));
    if (request.method === 'POST') {
      link ??= this.#remember(name, undefined, 'http');
      for (const message of messages) link.client(message, { send: () => undefined, end: () => undefined });
    }
    const unreachable = await relay(
      this.#network,
      { request, response, target, body },
      {
        head: (headers) => {
          const id = headers[SESSION];
          if (typeof id === 'string' && link !== undefined) this.#recorded.set(`${name} ${id}`, link);
        },
        message: (text) => {
          for (const message of parseMessages(text) ?? []) link?.server(message);
        },
        endpoint: (given) => {
          const whole = new URL(given, target);
          link = this.#remember(name, whole.href, 'sse');
          return `${address.pathname}?${ENDPOINT}=${encodeURIComponent(whole.href)}`;
        },
      },
    );
    if (unreachable === undefined) return;
    this.#run.unreachable(name, t('MCP server {0} at {1} cannot be reached: {2}.', name, url.origin, unreachable));
    response.writeHead(502, { 'content-type': 'text/plain' }).end(`Tapedeck: ${url.origin} cannot be reached.`);
  }

  #known(name: string, id: string | undefined): McpConnection | undefined {
    return this.#recorded.get(`${name} ${id ?? ''}`) ?? this.#recorded.get(name);
  }

  #remember(name: string, id: string | undefined, transport: McpSource['transport']): McpConnection {
    const link = new McpConnection(this.#run, { server: name, transport }, NO_SERVER);
    this.#recorded.set(name, link);
    if (id !== undefined) this.#recorded.set(`${name} ${id}`, link);
    return link;
  }
}

/** What is forwarded is relayed as it came, and not sent by the link. */
const NO_SERVER = { start: () => undefined, send: () => undefined };

function sessionOf({ headers }: IncomingMessage): string | undefined {
  const id = headers[SESSION];
  return typeof id === 'string' ? id : undefined;
}

function addressOf({ url = '/' }: IncomingMessage): URL {
  return new URL(url, 'http://127.0.0.1');
}

/** The server's address, with what the client added to its own. */
function withQuery(url: URL, { searchParams }: URL): URL {
  const target = new URL(url);
  for (const [name, value] of searchParams) target.searchParams.append(name, value);
  return target;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) throw new UserError(() => t('a message is too large'));
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A client's session with a server over HTTP that is played from the tape. */
class PlayedSession {
  readonly link: McpConnection;
  /** The stream on which the server speaks unasked. */
  #stream: ServerResponse | undefined;
  #waiting: JsonRecord[] = [];

  constructor(link: McpConnection) {
    this.link = link;
  }

  /** Sends a message that belongs to no request of the client: when there is a stream for it. */
  push(message: JsonRecord): void {
    if (this.#stream?.writable) this.#stream.write(sseEvent(message));
    else this.#waiting.push(message);
  }

  /** Opens the stream of the session; `beginning` is written first. */
  openStream(response: ServerResponse, headers: Readonly<Record<string, string>>, beginning = ''): void {
    response.writeHead(200, { ...EVENT_STREAM, ...headers });
    response.flushHeaders();
    if (beginning !== '') response.write(beginning);
    this.#stream = response;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const message of waiting) this.push(message);
  }

  /** Answers a POST of Streamable HTTP: with the reply alone as JSON, with more as a stream. */
  answer(messages: readonly JsonRecord[], response: ServerResponse, headers: Readonly<Record<string, string>>): void {
    const requests = messages.filter((message) => messageKind(message) === 'request');
    const reply = new PostReply(this, response, headers, requests);
    for (const message of messages) {
      let isDone = false;
      this.link.client(message, {
        send: (said) => reply.send(said),
        end: () => {
          if (!isDone && messageKind(message) === 'request') reply.ended();
          isDone = true;
        },
      });
    }
    if (requests.length > 0) reply.begin();
    else response.writeHead(202, headers).end();
  }
}

const EVENT_STREAM = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' };

/** The response to a POST. */
class PostReply {
  readonly #session: PlayedSession;
  readonly #response: ServerResponse;
  readonly #headers: Readonly<Record<string, string>>;
  /** The ids of the requests without a reply. */
  readonly #open: Set<string>;
  #queue: JsonRecord[] | undefined = [];
  #running: number;

  constructor(
    session: PlayedSession,
    response: ServerResponse,
    headers: Readonly<Record<string, string>>,
    requests: readonly JsonRecord[],
  ) {
    this.#session = session;
    this.#response = response;
    this.#headers = headers;
    this.#open = new Set(requests.map(({ id }) => idKey(id)));
    this.#running = requests.length;
  }

  send(message: JsonRecord): void {
    if (this.#open.size === 0) {
      this.#session.push(message);
      return;
    }
    if (messageKind(message) === 'response') this.#open.delete(idKey(message.id));
    if (this.#queue !== undefined) this.#queue.push(message);
    else this.#response.write(sseEvent(message));
    if (this.#queue === undefined && this.#open.size === 0) this.#response.end();
  }

  ended(): void {
    this.#running -= 1;
    if (this.#running === 0 && this.#queue === undefined && !this.#response.writableEnded) this.#response.end();
  }

  /** Sends what is there, when all messages of the POST were taken. */
  begin(): void {
    const queue = this.#queue ?? [];
    this.#queue = undefined;
    const isWhole = this.#open.size === 0;
    if (isWhole && queue.every((message) => messageKind(message) === 'response')) {
      const body = queue.length === 1 ? compactJson(queue[0] ?? null) : compactJson(queue);
      this.#response.writeHead(200, { 'content-type': 'application/json', ...this.#headers }).end(body);
      return;
    }
    this.#response.writeHead(200, { ...EVENT_STREAM, ...this.#headers });
    this.#response.flushHeaders();
    for (const message of queue) this.#response.write(sseEvent(message));
    if (isWhole || this.#running === 0) this.#response.end();
  }
}

function sseEvent(message: JsonRecord): string {
  return `event: message\ndata: ${compactJson(message)}\n\n`;
}
