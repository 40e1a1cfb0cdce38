import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { KeyRing } from '../../../src/engine/network/keyRing';
import { NetworkPolicy } from '../../../src/engine/network/policy';
import { Tunnels } from '../../../src/engine/network/tunnels';

const KEYS = KeyRing.confirmed(() => undefined, []);
/** Names under `.invalid` never resolve (RFC 6761). */
const NOWHERE = { host: 'nowhere.invalid', port: 443, lane: undefined, isSilent: false };

describe('the tunnels of the proxy', () => {
  it('end with the clients, also when a server cannot be found', async () => {
    await withClient(async ({ tunnels, accepted }) => {
      tunnels.pass(accepted, Buffer.alloc(0), NOWHERE);
      await tunnels.settled(60_000);
    });
  });

  it('call nobody for a client that leaves without a word', async () => {
    await withClient(async ({ tunnels, client, accepted, rejected }) => {
      const opened = tunnels.open(accepted, Buffer.alloc(0), NOWHERE);
      client.end();
      await opened;
      assert.deepEqual(rejected, []);
      await tunnels.settled(60_000);
    });
  });
});

interface Connected {
  readonly tunnels: Tunnels;
  readonly client: Socket;
  /** The other end of the client's connection. */
  readonly accepted: Socket;
  readonly rejected: readonly string[];
}

async function withClient(body: (connected: Connected) => Promise<void>): Promise<void> {
  const rejected: string[] = [];
  const tunnels = new Tunnels({
    http: createServer(),
    contextOf: (host) => assert.fail(host),
    serveHttp2: (_, { host }) => assert.fail(host),
    blind: NetworkPolicy.for('record', KEYS),
    onRejected: ({ host }) => rejected.push(host),
    onAbandoned: () => undefined,
  });
  // As of HTTP servers, which leave it to a response when a connection ends.
  const server = createTcpServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  try {
    const [accepted] = (await once(server, 'connection')) as [Socket];
    await body({ tunnels, client, accepted, rejected });
  } finally {
    tunnels.close();
    client.destroy();
    server.close();
  }
}
