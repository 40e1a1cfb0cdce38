import type { Duplex } from 'node:stream';
import type { ProxyAddress } from '../../core/secrets/proxyAddress';
import { t } from '../../core/text/l10n';
import { type LoopbackServer, listenOnLoopback, newSecret } from '../network/listen';
import { PIPE_PROTOCOL } from '../network/pipe';
import type { NetworkPolicy } from '../network/policy';
import type { BridgedServer } from './clientConfig';
import { HttpTransports } from './httpTransports';
import type { McpRun } from './mcpRun';
import { linkPipe } from './pipe';

interface BridgeOptions {
  /** Opens the run, whose recordings are not to have the address of the bridge. */
  openRun(address: ProxyAddress): Promise<McpRun>;
  readonly network: NetworkPolicy;
  /** The servers of the configuration, by the paths under which they are reached. */
  readonly servers: ReadonlyMap<string, BridgedServer>;
  /** Called with a line for the user. */
  onProblem(message: string): void;
}

/** A running bridge: the address under which the servers of a configuration are reached, by their paths. */
interface Bridge {
  readonly base: string;
  readonly server: LoopbackServer;
  close(): Promise<void>;
}

/** Leads a client's MCP servers through this process, on the loopback address. */
export async function openBridge(options: BridgeOptions): Promise<Bridge> {
  const secret = newSecret();
  const listener = await listenOnLoopback(0);
  try {
    const run = await options.openRun({ secret, port: listener.port });
    return serveBridge(listener, `/${secret}/`, run, options);
  } catch (error) {
    await listener.close();
    throw error;
  }
}

function serveBridge(
  listener: LoopbackServer,
  prefix: string,
  run: McpRun,
  { network, servers, onProblem }: BridgeOptions,
): Bridge {
  const links = new HttpTransports(run, network, onProblem);
  const named = (url = '') => {
    const [path = ''] = url.split('?');
    return path.startsWith(prefix) ? servers.get(path.slice(prefix.length).replace(/\/$/, '')) : undefined;
  };
  const pipes = new Set<Duplex>();
  const own = new Set([`127.0.0.1:${listener.port}`, `localhost:${listener.port}`]);
  const isOwn = ({ host, origin }: { readonly host?: string | undefined; readonly origin?: string | undefined }) =>
    own.has(host ?? '') && origin === undefined;
  listener.http.on('upgrade', (request, socket) => {
    const server = isOwn(request.headers) ? named(request.url) : undefined;
    const isPipe = request.headers.upgrade === PIPE_PROTOCOL && server?.transport === 'stdio';
    if (!isPipe || server === undefined) socket.destroy();
    else {
      pipes.add(socket);
      socket.once('close', () => pipes.delete(socket));
      linkPipe(socket, run, server.name, (reason) => {
        run.unreachable(server.name, t('MCP server {0}: {1}.', server.name, reason));
      });
    }
  });
  listener.http.on('request', (request, response) => {
    response.on('error', () => undefined);
    const server = isOwn(request.headers) ? named(request.url) : undefined;
    if (server?.url === undefined) {
      response.writeHead(404, { 'content-type': 'text/plain', connection: 'close' });
      response.end('Tapedeck: there is no MCP server at this address.');
      return;
    }
    links.handle(request, response, { name: server.name, url: server.url });
  });
  return {
    base: `http://127.0.0.1:${listener.port}${prefix}`,
    server: listener,
    close: async () => {
      links.close();
      for (const pipe of pipes) pipe.destroy();
      await listener.close();
    },
  };
}
