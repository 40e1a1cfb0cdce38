import type { IncomingMessage, ServerResponse } from 'node:http';
import { messageKind, parseMessages } from '../../core/mcp/message';
import type { NetworkPolicy } from '../network/policy';
import type { AddressedMcp } from '../proxy/addressedMcp';
import type { HttpTransports } from './httpTransports';
import type { McpRun } from './mcpRun';
import type { McpTapePlace } from './requirePlace';

/** The session of a client of Streamable HTTP, on all its requests but the first. */
const SESSION = 'mcp-session-id';

interface McpDoorOptions {
  readonly run: () => Promise<McpRun>;
  readonly links: () => Promise<HttpTransports>;
  readonly place: McpTapePlace;
  readonly network: NetworkPolicy;
}

/**
 * Lets MCP servers be recorded and replayed whose addresses are in an agent's code. Nothing is loaded before the first request
 * that speaks MCP.
 */
export class McpHttpEndpoint {
  readonly #options: McpDoorOptions;
  readonly #servers = new Set<string>();
  #hasPlace: Promise<boolean> | undefined;

  constructor(options: McpDoorOptions) {
    this.#options = options;
  }

  /** Takes a request to a host if it speaks MCP, and what it says belongs on the tape as such. */
  async takes(request: IncomingMessage, response: ServerResponse, addressed: AddressedMcp): Promise<boolean> {
    const { asked, target, body } = addressed;
    const name = `${asked.host}${asked.pathname}`;
    const isClear = this.#servers.has(name) || speaksMcp(request, body);
    if (!isClear && !mayOpenOldStream(request, asked)) return false;
    if (!(await this.#isOnTape(name))) return false;
    if (!isClear && !(await this.#isOldServer(name, request, target))) return false;
    this.#servers.add(name);
    const url = new URL(target);
    url.search = '';
    (await this.#options.links()).handle(request, response, { name, url }, body);
    return true;
  }

  async #isOldServer(name: string, request: IncomingMessage, target: URL): Promise<boolean> {
    const { run, network } = this.#options;
    if ((await run()).recordings(name).transport !== undefined) return true;
    const { speaksOldMcp } = await import('./oldServer');
    return speaksOldMcp(network, request, target);
  }

  /** A tape that was recorded before has these messages as plain HTTP, and so has one of another format. */
  async #isOnTape(name: string): Promise<boolean> {
    const { run, place } = this.#options;
    if (place.mode === 'passthrough') return false;
    if (place.mode === 'replay') return (await run()).recordings(name).transport !== undefined;
    this.#hasPlace ??= import('./requirePlace').then(({ hasPlace }) => hasPlace(place));
    return this.#hasPlace;
  }
}

/** Whether a request may open the stream of a server of the older transport. By convention, these are at `/sse`. */
function mayOpenOldStream({ method, headers }: IncomingMessage, { pathname }: URL): boolean {
  return method === 'GET' && pathname.endsWith('/sse') && headers.accept?.includes('text/event-stream') === true;
}

/** Clients of Streamable HTTP accept both kinds of response to a message, and none other does. */
function speaksMcp({ method, headers }: IncomingMessage, body: Buffer): boolean {
  if (typeof headers[SESSION] === 'string') return true;
  const { accept = '' } = headers;
  if (method !== 'POST' || !accept.includes('application/json') || !accept.includes('text/event-stream')) return false;
  const [first] = parseMessages(body.toString('utf8')) ?? [];
  return first?.jsonrpc === '2.0' && messageKind(first) !== undefined;
}
