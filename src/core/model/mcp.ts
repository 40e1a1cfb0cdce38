import type { JsonRecord } from '../json/json';

/** How a client reaches an MCP server: over standard streams, Streamable HTTP, or HTTP with server-sent events. */
export type McpTransport = 'stdio' | 'http' | 'sse';

/** One message of a client to a server of the Model Context Protocol, with all that followed from it. */
export interface McpExchange {
  /** The name of the server in the client's configuration. */
  readonly server: string;
  readonly transport: McpTransport;
  /** A request, or a notification, which has no `id`. */
  readonly message: JsonRecord;
  /** In order: progress and notifications, requests of the server with the client's answers, and the reply. */
  readonly steps: readonly McpStep[];
}

export interface McpStep {
  readonly from: 'server' | 'client';
  readonly message: JsonRecord;
  /** Milliseconds since the previous step, or since the message. */
  readonly afterMs?: number;
}
