import { compactJson, type JsonRecord } from '../../core/json/json';
import { messageKind, parseMessages } from '../../core/mcp/message';
import type { Outlet } from '../../core/mcp/player';
import { type LiveServer, McpConnection } from './mcpConnection';
import type { McpRun } from './mcpRun';

/** Where the lines of a connection over standard streams go. */
interface StdioSides {
  toClient(line: string): void;
  toServer(line: string): void;
  startServer(): void;
}

/** A connection over standard streams: a message is a line. Lines that are forwarded stay as they are, byte for byte. */
export class StdioTransport {
  readonly #sides: StdioSides;
  readonly #link: McpConnection;
  readonly #outlet: Outlet;

  constructor(run: McpRun, server: string, sides: StdioSides) {
    this.#sides = sides;
    const live: LiveServer = {
      start: () => sides.startServer(),
      send: (message) => sides.toServer(this.#sent.get(message) ?? compactJson(message)),
    };
    this.#outlet = { send: (message) => sides.toClient(compactJson(message)), end: () => undefined };
    this.#link = new McpConnection(run, { server, transport: 'stdio' }, live);
  }

  /** The lines of messages that are alone in them. */
  readonly #sent = new WeakMap<JsonRecord, string>();

  clientLine(line: string): void {
    const messages = parseMessages(line) ?? [];
    const [only] = messages;
    if (only !== undefined && messages.length === 1) this.#sent.set(only, line);
    for (const message of messages) if (messageKind(message) !== undefined) this.#link.client(message, this.#outlet);
  }

  serverLine(line: string): void {
    const messages = parseMessages(line);
    // What is no message, such as a log on the wrong stream, is not the tape's business.
    const kept = messages?.filter((message) => this.#link.server(message)) ?? [];
    if (kept.length === (messages ?? []).length) this.#sides.toClient(line);
    else for (const message of kept) this.#sides.toClient(compactJson(message));
  }
}
