import { dirname, join, resolve } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { CLIENT_CONFIGS, clientServer, clientServers } from '../../core/mcp/clientServers';
import { listed } from '../../core/text/counts';
import { t } from '../../core/text/l10n';
import { isSystemError } from '../errors/systemError';
import { pathExists } from '../files/fileStatus';
import { fromRoot } from '../files/projectPaths';
import { readTextIfThere } from '../files/readFile';
import type { ProxyMode } from '../proxy/session/sessionOptions';

interface UntapedOptions {
  readonly mode: ProxyMode;
  /** The servers that the agent was seen to start. */
  readonly started: readonly string[];
  readonly command: readonly string[];
  /** The folder in which it runs. */
  readonly cwd: string;
  /** The folder from which the user names files. */
  readonly from: string;
  /** The configuration whose servers are led through the tape. */
  readonly taped: string | undefined;
  /** Where the user can name one. */
  readonly namedIn: 'options' | 'case' | 'window';
}

/**
 * Says which MCP servers of an agent are not on its tape: those that it was seen to start, and in a recording those of a
 * configuration beside it. Undefined if none are known. Seen are those that agents in Node start, and agents in Python with the SDK of MCP.
 */
export async function untapedAdvice(options: UntapedOptions): Promise<string | undefined> {
  const { mode, started, taped } = options;
  if (mode === 'passthrough') return undefined;
  const config = taped === undefined ? await configBeside(options) : undefined;
  const what = started.length > 0 ? startedText(mode, started) : mode === 'replay' ? undefined : leftOutText(config);
  return what && `${what} ${wayOut(options, config)}`;
}

function startedText(mode: ProxyMode, started: readonly string[]): string {
  const list = listed(started);
  return mode === 'replay'
    ? t('The replay started MCP servers instead of replaying them, so it was not offline: {0}.', list)
    : t('The agent started MCP servers that are not on the tape, and every replay will start them again: {0}.', list);
}

function leftOutText(config: string | undefined): string | undefined {
  if (config === undefined) return undefined;
  return t(
    'The MCP servers in {0} were not recorded. If the agent uses them, every replay will start them again.',
    config,
  );
}

function wayOut({ taped, namedIn }: UntapedOptions, config = 'FILE'): string {
  if (taped !== undefined)
    return t('They are not in {0}, or the agent does not read its copy, whose path is in TAPEDECK_MCP_CONFIG.', taped);
  if (namedIn === 'options')
    return t(
      'To record them too, record and replay with --mcp-config {0}. The agent must read the copy whose path is in TAPEDECK_MCP_CONFIG.',
      config,
    );
  if (namedIn === 'case')
    return t(
      'To record them too, set mcp_config = "{0}" under [agent] and re-record. The agent must read the copy whose path is in TAPEDECK_MCP_CONFIG.',
      config,
    );
  return t(
    'To record them too, save the recording as a case, set mcp_config = "{0}" under [agent], and re-record. The agent must read the copy whose path is in TAPEDECK_MCP_CONFIG.',
    config,
  );
}

/** The configuration of a client beside an agent, or beside its script, that starts servers. */
async function configBeside({ command, cwd, from }: UntapedOptions): Promise<string | undefined> {
  const scripts = command.map((word) => resolve(cwd, word)).filter((path) => path !== cwd && pathExists(path));
  for (const folder of new Set([cwd, ...scripts.map((path) => dirname(path))]))
    for (const name of CLIENT_CONFIGS) {
      const path = join(folder, name);
      if (await startsServers(path)) return fromRoot(from, path);
    }
  return undefined;
}

async function startsServers(path: string): Promise<boolean> {
  try {
    const text = await readTextIfThere(path, FILE_LIMITS.case);
    return Object.values((text === undefined ? undefined : clientServers(text))?.servers ?? {}).some(isStarted);
  } catch (error) {
    // It is somebody else's file, which need not be right.
    if (isSystemError(error)) return false;
    throw error;
  }
}

/** Those with an address are on the tape anyway, and so are those that `mcp-tape` stands in for. */
function isStarted(entry: unknown): boolean {
  const found = clientServer(entry);
  return found?.kind === 'stdio' && !found.args?.includes('mcp-tape');
}
