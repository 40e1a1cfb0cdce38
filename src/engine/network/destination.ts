import { isIP } from 'node:net';

/** The server that a client asked to be connected with. */
export interface Destination {
  readonly host: string;
  readonly port: number;
}

export function originOf(scheme: 'http' | 'https', host: string, port: number): string {
  const name = isIP(host) === 6 ? `[${host}]` : host.toLowerCase();
  return port === (scheme === 'https' ? 443 : 80) ? `${scheme}://${name}` : `${scheme}://${name}:${port}`;
}

/** The address of a destination over TLS, for messages. */
export function addressOf({ host, port }: Destination): string {
  return originOf('https', host, port).replace('https://', '');
}
