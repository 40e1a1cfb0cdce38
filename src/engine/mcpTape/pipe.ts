import type { Duplex } from 'node:stream';
import { parseDocument } from '../../core/schema/parseDocument';
import { constant, optional, shape, text, type Value } from '../../core/schema/schema';
import { acceptPipe } from '../network/pipe';
import { lineReader } from './lines';
import type { McpRun } from './mcpRun';
import type { StdioEnds } from './stdioEnds';
import { StdioTransport } from './stdioTransport';

/**
 * A line of the connection between `tapedeck exec`, which has the tape, and the processes that its agent starts in the place of
 * stdio servers, which have the standard streams.
 */
const LINE = shape({
  /** For or from the client, by the direction. */
  client: optional(text()),
  /** For or from the server. */
  server: optional(text()),
  /** To the process: the server is to be started. */
  start: optional(constant(true)),
  /** From the process: why the server has failed. */
  failed: optional(text()),
});

/** The side of the process: passes on its input, and follows the instructions of `exec`. Resolves when `exec` is gone. */
export function servePipe(socket: Duplex, ends: StdioEnds): Promise<void> {
  socket.on(
    'data',
    lineReader((line) => {
      const { client, server, start } = parseDocument(LINE, line) ?? {};
      if (start) ends.startServer();
      if (client !== undefined) ends.toClient(client);
      if (server !== undefined) ends.toServer(server);
    }),
  );
  return new Promise((resolve) => {
    socket.once('close', () => resolve());
    socket.once('error', () => resolve());
  });
}

export function pipeLine(socket: Duplex, what: Value<typeof LINE>): void {
  if (socket.writable) socket.write(`${JSON.stringify(what)}\n`);
}

/** The side of `exec`: a connection of a client to the server of this name. */
export function linkPipe(socket: Duplex, run: McpRun, server: string, onFailure: (reason: string) => void): void {
  acceptPipe(socket);
  socket.on('error', () => undefined);
  const link = new StdioTransport(run, server, {
    toClient: (client) => pipeLine(socket, { client }),
    toServer: (line) => pipeLine(socket, { server: line }),
    startServer: () => pipeLine(socket, { start: true }),
  });
  socket.on(
    'data',
    lineReader((line) => {
      const { client, server: said, failed } = parseDocument(LINE, line) ?? {};
      if (client !== undefined) link.clientLine(client);
      if (said !== undefined) link.serverLine(said);
      if (failed !== undefined) onFailure(failed);
    }),
  );
}
