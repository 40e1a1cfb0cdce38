import type { IncomingMessage } from 'node:http';

/** How this machine is called by who asks it at its own address. */
export function loopbackHosts(port: number): ReadonlySet<string | undefined> {
  return new Set([`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`]);
}

/**
 * Why a request is not answered, or undefined for one that an agent on this machine made. A page in a browser can reach
 * the loopback too, by its own address or by a name that is made to point here: it is known by what browsers add, and by
 * the name in `Host`.
 */
export function refusalOf({ headers }: IncomingMessage, hosts: ReturnType<typeof loopbackHosts>): string | undefined {
  if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined) return 'pages cannot use this proxy';
  if (!hosts.has(headers.host)) return 'this proxy answers on the loopback address only';
  return undefined;
}
