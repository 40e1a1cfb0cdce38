import { writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Issuer, makeAuthority } from '../../src/engine/network/certificates/issue';

/** A server over TLS on this machine, whose certificate another authority than Tapedeck's has signed. */
export interface TlsServer {
  /** Such as `https://127.0.0.1:8443`. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Starts the server, and writes the certificate of its authority to `authorityFile`, for those who are to trust it. Its own is for
 * `name`.
 */
export async function serveTls(
  authorityFile: string,
  listener: RequestListener,
  name = '127.0.0.1',
): Promise<TlsServer> {
  const authority = await makeAuthority();
  const { certificate, key } = await new Issuer(authority).issue(name);
  await writeFile(authorityFile, authority.certificate);
  const server = createServer({ cert: certificate, key }, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
