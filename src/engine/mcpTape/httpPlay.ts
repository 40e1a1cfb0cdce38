import type { ServerResponse } from 'node:http';
import { compactJson, type JsonRecord } from '../../core/json/json';
import { idKey, messageKind } from '../../core/mcp/message';
import type { McpConnection } from './mcpConnection';

/** A client's session with a server over HTTP that is played from the tape. */
export class PlayedSession {
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
