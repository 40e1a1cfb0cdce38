import type { JsonRecord } from '../../core/json/json';
import { McpExchangeRecorder } from '../../core/mcp/exchangeRecorder';
import { idKey, messageKind, methodOf } from '../../core/mcp/message';
import { McpPlayer, type Outlet } from '../../core/mcp/player';
import type { McpRun, McpSource } from './mcpRun';

/** The live server of a connection, where there may be one. */
export interface LiveServer {
  /** Starts it, or connects to it; called once, before anything is sent. */
  start(): void;
  send(message: JsonRecord): void;
}

/**
 * One connection of a client to a server: what the client says is forwarded to the live server and written down, or answered
 * from the tape. In `auto`, the live server is started for the first message without a recording, and told of the handshake.
 */
export class McpConnection {
  readonly #run: McpRun;
  readonly #server: string;
  readonly #live: LiveServer;
  readonly #scribe: McpExchangeRecorder;
  readonly #player: McpPlayer;
  readonly #isPlayed: boolean;
  #isLive = false;
  /** In `auto`, what the live server has to hear before anything else. */
  readonly #handshake: JsonRecord[] = [];
  /** The ids of requests that the live server was sent on the client's behalf, whose replies the client has already. */
  readonly #repeated = new Set<string>();

  constructor(run: McpRun, { server, transport, isPlayed = false }: McpSource, live: LiveServer) {
    this.#run = run;
    this.#isPlayed = isPlayed;
    this.#server = server;
    this.#live = live;
    this.#scribe = new McpExchangeRecorder({
      server,
      transport,
      onBegun: (exchange) => run.begun(exchange),
      onAnswered: (exchange) => run.answered(exchange),
    });
    this.#player = new McpPlayer(run.recordings(server), {
      taken: (message, taken) => run.taken(message, server, taken),
      explain: (miss) => run.explain(miss),
    });
    if (run.mode === 'record' || run.mode === 'passthrough') this.#goLive();
  }

  /** Whether a message of the client would be forwarded. */
  forwards(message: JsonRecord): boolean {
    const { mode } = this.#run;
    if (mode === 'replay' || this.#isPlayed) return false;
    if (mode !== 'auto') return true;
    if (this.#player.expects(message)) return false;
    if (this.#isLive) return messageKind(message) !== 'request' || !this.#isRecorded(message);
    return !this.#isRecorded(message);
  }

  /** A message of the client. What follows from it goes to the outlet, unless it is forwarded. */
  client(message: JsonRecord, outlet: Outlet): void {
    if (this.forwards(message)) {
      this.#goLive();
      if (this.#run.mode !== 'passthrough') this.#scribe.client(message, performance.now());
      this.#live.send(message);
      return;
    }
    if (this.#run.mode === 'auto' && /^(?:initialize|notifications\/initialized)$/.test(methodOf(message)))
      this.#handshake.push(message);
    this.#player.receive(message, outlet);
  }

  /** A message of the live server. False for one that the client is not to get. */
  server(message: JsonRecord): boolean {
    if (messageKind(message) === 'response' && this.#repeated.delete(idKey(message.id))) return false;
    if (this.#run.mode !== 'passthrough') this.#scribe.server(message, performance.now());
    return true;
  }

  #isRecorded(message: JsonRecord): boolean {
    return this.#run.recordings(this.#server).has(message);
  }

  #goLive(): void {
    if (this.#isLive) return;
    this.#isLive = true;
    this.#live.start();
    for (const message of this.#handshake) {
      if (messageKind(message) === 'request') this.#repeated.add(idKey(message.id));
      this.#live.send(message);
    }
  }
}
