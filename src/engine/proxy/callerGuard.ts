import type { IncomingMessage } from 'node:http';

/**
 * Why a request is not answered, or undefined for one that an agent on this machine made. A page in a browser can reach
 * the loopback too, by its own address or by a name that is made to point here: it is known by what browsers add, and by
 * the name in `Host`.
 */
export function refusalOf({ headers }: IncomingMessage, port: number): string | undefined {
  if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined) return 'pages cannot use this proxy';
  if (!isLoopback(headers.host, port)) return 'this proxy answers on the loopback address only';
  return undefined;
}

function isLoopback(host: string | undefined, port: number): boolean {
  return host === `127.0.0.1:${port}` || host === `localhost:${port}` || host === `[::1]:${port}`;
}
