import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createNetServer, type Server as NetServer } from 'node:net';
import { t } from '../../core/text/l10n';
import { hasCode } from '../errors/systemError';
import { UserError } from '../errors/userError';

/** A client that takes longer to send its request is not going to. */
const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 120_000;
/** How long a connection waits for its next request. */
export const KEEP_ALIVE_MS = 65_000;
const MAX_HEADER_BYTES = 64 * 1024;

/** An HTTP server that only this machine can reach. */
export interface LoopbackServer {
  readonly http: Server;
  readonly port: number;
  /** Serves connections to a Unix socket as well. */
  listenAt(socket: string): Promise<void>;
  /** Stops listening and ends all connections. */
  close(): Promise<void>;
}

/** A new secret for the path of a server: whoever does not know it is not let in. */
export function newSecret(): string {
  return randomBytes(18).toString('base64url');
}

/**
 * Listens on a port of the loopback address; 0 takes a free one. Rejects with a `UserError` when the port is in use.
 * `isWaitingForBodies`: who serves it says how long a request may take.
 */
export async function listenOnLoopback(
  wanted: number,
  { isWaitingForBodies = false }: { readonly isWaitingForBodies?: boolean } = {},
): Promise<LoopbackServer> {
  const http = createServer({
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: isWaitingForBodies ? 0 : REQUEST_TIMEOUT_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    noDelay: true,
  });
  http.on('clientError', (_error, socket) => {
    // A response that was begun cannot be taken back.
    if (socket.writable && isUnused(socket))
      socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
    else socket.destroy();
  });
  const port = await listen(http, wanted);
  const others: NetServer[] = [];
  return {
    http,
    port,
    listenAt: async (socket) => {
      const other = createNetServer((connection) => http.emit('connection', connection));
      others.push(other);
      other.listen(socket);
      await once(other, 'listening');
    },
    close: () =>
      new Promise((resolve) => {
        for (const other of others) other.close();
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(hasCode(error, 'EADDRINUSE', 'EACCES') ? portInUse(port, error) : error));
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

function portInUse(port: number, error: Error): UserError {
  if (hasCode(error, 'EACCES'))
    return new UserError(
      () => t('port {0} cannot be opened: permission denied', port),
      () => t('Pass another port.'),
    );
  return new UserError(
    () => t('port {0} is in use', port),
    () => t('Stop the process that uses it, or pass another port.'),
  );
}

function isUnused(socket: object): boolean {
  return 'bytesWritten' in socket && socket.bytesWritten === 0;
}
