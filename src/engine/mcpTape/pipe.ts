import type { Duplex } from 'node:stream';
import { asRecord, asString } from '../../core/json/fields';
import { parseJson } from '../../core/json/readJson';
import { acceptPipe } from '../network/pipe';
import { lineReader } from './lines';
import type { McpRun } from './mcpRun';
import type { StdioEnds } from './stdioEnds';
import { StdioLink } from './stdioLink';

/**
 * The connection between `tapedeck exec`, which has the tape, and the processes that its agent starts in the place of stdio
 * servers, which have the standard streams. Lines of JSON: `{"client": line}`, `{"server": line}`; to the process also
 * `{"start": true}`, and from it `{"failed": reason}`.
 */

/** The side of the process: passes on its input, and follows the instructions of `exec`. Resolves when `exec` is gone. */
export function servePipe(socket: Duplex, ends: StdioEnds): Promise<void> {
  socket.on(
    'data',
    lineReader((line) => {
      const { client, server, start } = asRecord(parseJson(line));
      if (start === true) ends.startServer();
      if (typeof client === 'string') ends.toClient(client);
      if (typeof server === 'string') ends.toServer(server);
    }),
  );
  return new Promise((resolve) => {
    socket.once('close', () => resolve());
    socket.once('error', () => resolve());
  });
}

export function pipeLine(socket: Duplex, what: Readonly<Record<string, string | boolean>>): void {
  if (socket.writable) socket.write(`${JSON.stringify(what)}\n`);
}

/** The side of `exec`: a connection of a client to the server of this name. */
export function linkPipe(socket: Duplex, run: McpRun, server: string, onFailure: (reason: string) => void): void {
  acceptPipe(socket);
  socket.on('error', () => undefined);
  const link = new StdioLink(run, server, {
    toClient: (client) => pipeLine(socket, { client }),
    toServer: (line) => pipeLine(socket, { server: line }),
    startServer: () => pipeLine(socket, { start: true }),
  });
  socket.on(
    'data',
    lineReader((line) => {
      const said = asRecord(parseJson(line));
      if (typeof said.client === 'string') link.clientLine(said.client);
      if (typeof said.server === 'string') link.serverLine(said.server);
      const failed = asString(said.failed);
      if (failed !== undefined) onFailure(failed);
    }),
  );
}
