import { request } from 'node:http';
import type { Duplex } from 'node:stream';
import { t } from '../../core/text/l10n';
import { UserError } from '../errors/userError';
import { isLoopback } from './hosts';

/** The protocol that a connection changes to; see `openPipe`. */
export const PIPE_PROTOCOL = 'tapedeck-pipe';

/**
 * Opens a connection to another process of Tapedeck on this machine, at an address that this one was given by it. That reaches
 * nobody else, so that a replay may do it. Rejects with a `UserError` if there is no such process.
 */
export function openPipe(address: string): Promise<Duplex> {
  const url = new URL(address);
  if (!isLoopback(url))
    throw new UserError(
      () => t('{0} is not on this machine', url.origin),
      () => t('Start the server through tapedeck exec.'),
    );
  return new Promise((resolve, reject) => {
    const gone = (reason: string): void =>
      reject(
        new UserError(
          () => t('tapedeck exec cannot be reached at {0}: {1}', url.origin, reason),
          () => t('Run tapedeck exec again.'),
        ),
      );
    const asking = request(url, {
      headers: { connection: 'Upgrade', upgrade: PIPE_PROTOCOL },
      agent: false,
    });
    asking.once('upgrade', (_response, socket, first) => {
      socket.setNoDelay(true);
      // What was sent together with the answer.
      if (first.length > 0) socket.unshift(first);
      resolve(socket);
    });
    asking.once('response', (response) => gone(t('it answered with status {0}', response.statusCode ?? 0)));
    asking.once('error', (error) => gone(error.message));
    asking.end();
  });
}

/** Accepts such a connection. */
export function acceptPipe(socket: Duplex): void {
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${PIPE_PROTOCOL}\r\n\r\n`);
}
