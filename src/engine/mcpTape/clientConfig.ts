import { asRecord } from '../../core/json/fields';
import { type JsonRecord, prettyJson } from '../../core/json/json';
import {
  ADDRESS_NAMES,
  type ClientServer,
  clientServer,
  clientServers,
  type StdioServer,
} from '../../core/mcp/clientServers';
import { t } from '../../core/text/l10n';
import { UserError } from '../errors/userError';

/** A server of a client's configuration that is led through this process. */
export interface BridgedServer {
  readonly name: string;
  readonly transport: 'stdio' | 'http';
  /** Of a server over HTTP. */
  readonly url?: URL;
}

interface RewrittenConfig {
  /** By the paths under which the bridge serves them. */
  readonly servers: ReadonlyMap<string, BridgedServer>;
  /** The configuration, once the base of the bridge is known. */
  write(base: string): string;
}

interface ConfigContext {
  /** The file, for messages. */
  readonly path: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** For `${workspaceFolder}`. */
  readonly root: string;
  /** What starts this program: the runtime and its script. */
  readonly self: readonly string[];
}

export const LINK_VARIABLE = 'TAPEDECK_MCP_LINK';

/** The servers of a client's configuration by name, with the member that holds them. Throws a `UserError` if it is none. */
export function requireServers(text: string, path: string): { root: JsonRecord; key: string; servers: JsonRecord } {
  const found = clientServers(text);
  if (found !== undefined) return found;
  throw new UserError(
    () => t('{0} has no MCP servers', path),
    () => t('It needs "mcpServers": { … } (Claude Code, Cursor) or "servers": { … } (VS Code).'),
  );
}

/** Reads a client's configuration. Throws a `UserError` if it is none. */
export function rewriteClientConfig(text: string, context: ConfigContext): RewrittenConfig {
  const { root, key, servers: named } = requireServers(text, context.path);
  const entries = Object.entries(named).map(([name, entry], at) => readEntry(name, entry, at, context));
  return {
    servers: new Map(entries.map(({ path, server }) => [path, server])),
    write: (base) => {
      const servers = entries.map(({ path, server: { name }, entry, found }) => [
        name,
        found.kind === 'stdio'
          ? { ...entry, ...throughPipe(found, name, `${base}${path}`, context) }
          : throughUrl(entry, `${base}${path}`),
      ]);
      return `${prettyJson({ ...root, [key]: Object.fromEntries(servers) })}\n`;
    },
  };
}

interface ConfigEntry {
  readonly path: string;
  readonly server: BridgedServer;
  readonly entry: JsonRecord;
  readonly found: ClientServer;
}

function readEntry(name: string, value: JsonRecord[string], at: number, context: ConfigContext): ConfigEntry {
  const entry = asRecord(value);
  const path = `${at + 1}-${name.replace(/[^\w.-]/g, '_')}`;
  const found = clientServer(value);
  if (found?.kind === 'stdio') return { path, entry, found, server: { name, transport: 'stdio' } };
  const url = found && substituted(found.address, context);
  if (found !== undefined && url !== undefined && URL.canParse(url) && /^https?:/i.test(url))
    return { path, entry, found, server: { name, transport: 'http', url: new URL(url) } };
  throw new UserError(
    () => t('{0}: MCP server {1} has neither a command nor an address over HTTP', context.path, name),
    () => t('Give it "command" and "args", or "url".'),
  );
}

/** The process that stands for a stdio server: it starts the real one in recordings only. */
function throughPipe(
  { command, args, env }: StdioServer,
  name: string,
  link: string,
  { self: [program = '', ...own] }: ConfigContext,
): JsonRecord {
  const runtime: JsonRecord = process.versions.electron === undefined ? {} : { ELECTRON_RUN_AS_NODE: '1' };
  return {
    command: program,
    args: [...own, 'mcp-tape', '--server', name, '--', command, ...(args ?? [])],
    env: { ...env, ...runtime, [LINK_VARIABLE]: link },
  };
}

function throughUrl(entry: JsonRecord, url: string): JsonRecord {
  const names = ADDRESS_NAMES.filter((name) => entry[name] !== undefined);
  return { ...entry, ...Object.fromEntries(names.map((name) => [name, url])) };
}

/** An address whose variables the client would fill in: `${env:NAME}`, `${NAME}`, `${NAME:-otherwise}`. */
function substituted(text: string, { environment, root }: ConfigContext): string {
  return text.replace(/\$\{([^}]*)\}/g, (whole, name: string) => {
    if (name === 'workspaceFolder') return root;
    const [, variable = '', , otherwise] = /^(?:env:)?(\w+)(:-(.*))?$/.exec(name) ?? [];
    return environment[variable] ?? otherwise ?? whole;
  });
}
