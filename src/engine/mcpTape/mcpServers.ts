import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, resolve } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import type { JoinedRules } from '../../core/cases/toml/replaySpec';
import { messageKind, parseMessages } from '../../core/mcp/message';
import { clientEnvironments } from '../../core/secrets/clientEnvironments';
import { isSystemError, systemReason } from '../errors/systemError';
import { UserError } from '../errors/userError';
import { readContent } from '../files/readFile';
import { TemporaryFolder } from '../files/temporaryFolder';
import type { NetworkPolicy } from '../network/policy';
import type { AddressedMcp, BesideRun, McpBeside } from '../proxy/addressedMcp';
import type { ProxyMode } from '../proxy/session/sessionOptions';
import type { Journal } from '../recording/journal';
import type { LazyRecorder } from '../recording/openRecorder';
import { rewriteClientConfig } from './clientConfig';
import type { HttpTransports } from './httpTransports';
import type { McpRun } from './mcpRun';
import { type McpTapePlace, requirePlace } from './requirePlace';

interface McpServersOptions {
  /** The client's configuration; absent if the agent has its servers' addresses in its code, if any. */
  readonly file: string | undefined;
  readonly plan: {
    readonly mode: ProxyMode;
    readonly root: string;
    readonly tapePath: string;
    readonly format: string | undefined;
    readonly rules: JoinedRules;
    readonly network: NetworkPolicy;
  };
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly journal: Journal | undefined;
  onProblem(message: string): void;
}

/** The MCP servers of an agent, led through a tape. */
export interface McpServers extends McpBeside {
  /** The command of the agent, with the copy of the configuration in place of the original. */
  command(command: readonly string[]): readonly string[];
}

/** Opens them. Rejects with a `UserError` if the configuration or the tape cannot be used. */
export async function openMcpServers(options: McpServersOptions, beside: BesideRun): Promise<McpServers> {
  const { file, plan } = options;
  const parts = new McpParts(options, beside);
  const configured = file === undefined ? undefined : await openConfigured(file, options, parts);
  const door = new McpHttpEndpoint({ run: parts.run, links: parts.links, place: plan, network: plan.network });
  return {
    get recordedByNumber() {
      return parts.opened?.recordedByNumber ?? [];
    },
    get served() {
      return parts.opened?.served ?? new Set<number>();
    },
    variables: configured?.variables ?? {},
    recorder: parts.recorder,
    bridge: configured?.bridge,
    command: (command) => configured?.command(command) ?? command,
    takes: (request, response, addressed) => door.takes(request, response, addressed),
    drain: async () => parts.opened?.drain(),
    close: async () => {
      await parts.close();
      await configured?.close();
    },
  };
}

/** What is loaded and opened with the first server only. */
class McpParts {
  opened: McpRun | undefined;
  recorder: LazyRecorder;
  readonly #options: McpServersOptions;
  readonly #beside: BesideRun;
  #run: Promise<McpRun> | undefined;
  #links: Promise<HttpTransports> | undefined;

  constructor(options: McpServersOptions, beside: BesideRun) {
    this.#options = options;
    this.#beside = beside;
    this.recorder = beside.recorder;
  }

  readonly run = (): Promise<McpRun> => {
    this.#run ??= this.#open();
    return this.#run;
  };

  readonly links = (): Promise<HttpTransports> => {
    this.#links ??= this.#link();
    return this.#links;
  };

  async close(): Promise<void> {
    (await this.#links)?.close();
  }

  async #open(): Promise<McpRun> {
    const { McpRun } = await import('./mcpRun');
    const { plan, journal } = this.#options;
    this.opened = await McpRun.open({ ...plan, journal, ...this.#beside, recorder: this.recorder });
    return this.opened;
  }

  async #link(): Promise<HttpTransports> {
    const [{ HttpTransports }, run] = await Promise.all([import('./httpTransports'), this.run()]);
    return new HttpTransports(run, this.#options.plan.network, this.#options.onProblem);
  }
}

async function openConfigured(file: string, options: McpServersOptions, parts: McpParts) {
  const { plan, cwd, environment, onProblem } = options;
  await requirePlace(plan);
  const path = resolve(cwd, file);
  const text = await textOf(path, file);
  const config = rewriteClientConfig(text, { path: file, environment, root: cwd, self: ownCommand() });
  parts.recorder = parts.recorder.withEnvironments(clientEnvironments(text));
  const { openBridge } = await import('./bridge');
  const bridge = await openBridge({
    openRun: (address) => {
      parts.recorder = parts.recorder.withProxy(address);
      return parts.run();
    },
    network: plan.network,
    servers: config.servers,
    onProblem,
  });
  const folder = await TemporaryFolder.create();
  await folder.write('mcp.json', config.write(bridge.base));
  const copy = join(folder.root, 'mcp.json');
  return {
    variables: { TAPEDECK_MCP_CONFIG: copy },
    bridge: bridge.server,
    command: (command: readonly string[]) => command.map((word) => withCopy(word, { path, file, copy, cwd })),
    close: async () => {
      await bridge.close();
      await folder.remove();
    },
  };
}

async function textOf(path: string, name: string): Promise<string> {
  try {
    return (await readContent(path, FILE_LIMITS.tape)).text();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new UserError(() => `${name}: ${systemReason(error)}`, 'Correct --mcp-config.');
  }
}

/** How this program is started again. */
function ownCommand(): string[] {
  const [runtime = process.execPath, script = ''] = process.argv;
  return [process.execPath || runtime, script];
}

interface CopyPlaces {
  readonly path: string;
  readonly file: string;
  readonly copy: string;
  readonly cwd: string;
}

function withCopy(word: string, { path, file, copy, cwd }: CopyPlaces): string {
  if (word === file || (word !== '' && resolve(cwd, word) === path)) return copy;
  return word.replaceAll('{mcp-config}', copy);
}

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
class McpHttpEndpoint {
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
