import { join, resolve } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import type { JoinedRules } from '../../core/cases/toml/replaySpec';
import { isSystemError, systemReason } from '../errors/systemError';
import { UserError } from '../errors/userError';
import { readContent } from '../files/readFile';
import { TemporaryFolder } from '../files/temporaryFolder';
import type { NetworkPolicy } from '../network/policy';
import type { InteractionReport } from '../proxy/report';
import type { ProxyMode } from '../proxy/session';
import type { HiddenInteraction } from '../recording/hidden';
import type { Journal } from '../recording/journal';
import type { LazyRecorder } from '../recording/openRecorder';
import { openBridge } from './bridge';
import { rewriteClientConfig } from './clientConfig';
import { McpRun } from './mcpRun';
import { requirePlace } from './requirePlace';

export interface McpServersOptions {
  /** The client's configuration. */
  readonly file: string;
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
  readonly recorder: LazyRecorder;
  readonly journal: Journal | undefined;
  nextNumber(): number;
  report(report: InteractionReport): void;
  onProblem(message: string): void;
}

/** The MCP servers of an agent, led through a tape. */
export interface McpServers {
  readonly recordedByNumber: readonly (readonly [number: number, HiddenInteraction])[];
  readonly served: ReadonlySet<number>;
  /** The command of the agent, and its variables, with the copy of the configuration in place of the original. */
  agent(command: readonly string[]): { command: readonly string[]; variables: Readonly<Record<string, string>> };
  drain(): Promise<void>;
  close(): Promise<void>;
}

/** Opens them. Rejects with a `UserError` when the configuration or the tape is of no use for that. */
export async function openMcpServers(options: McpServersOptions): Promise<McpServers> {
  const { file, plan, cwd, environment, onProblem } = options;
  await requirePlace(plan);
  const path = resolve(cwd, file);
  const config = rewriteClientConfig(await textOf(path, file), {
    path: file,
    environment,
    root: cwd,
    self: ownCommand(),
  });
  const run = await McpRun.open({ ...options, ...plan });
  const bridge = await openBridge({ run, network: plan.network, servers: config.servers, onProblem });
  const folder = await TemporaryFolder.create();
  await folder.write('mcp.json', config.write(bridge.base));
  const copy = join(folder.root, 'mcp.json');
  return {
    get recordedByNumber() {
      return run.recordedByNumber;
    },
    get served() {
      return run.served;
    },
    agent: (command) => ({
      command: command.map((word) => withCopy(word, { path, file, copy, cwd })),
      variables: { TAPEDECK_MCP_CONFIG: copy },
    }),
    drain: () => run.drain(),
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
    throw new UserError(`${name}: ${systemReason(error)}`, 'Correct --mcp-config.');
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
