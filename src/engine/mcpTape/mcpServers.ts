import { join, resolve } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import type { JoinedRules } from '../../core/cases/toml/replaySpec';
import { clientEnvironments } from '../../core/secrets/clientEnvironments';
import { isSystemError, systemReason } from '../errors/systemError';
import { UserError } from '../errors/userError';
import { readContent } from '../files/readFile';
import { TemporaryFolder } from '../files/temporaryFolder';
import type { NetworkPolicy } from '../network/policy';
import type { BesideRun, McpBeside } from '../proxy/addressedMcp';
import type { ProxyMode } from '../proxy/session/sessionOptions';
import type { Journal } from '../recording/journal';
import type { LazyRecorder } from '../recording/openRecorder';
import { rewriteClientConfig } from './clientConfig';
import { McpHttpEndpoint } from './httpEndpoint';
import type { HttpTransports } from './httpTransports';
import type { McpRun } from './mcpRun';
import { requirePlace } from './requirePlace';

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
