import { asList, asRecord, asString } from '../../core/json/fields';
import { isRecord, type JsonRecord, prettyJson } from '../../core/json/json';
import { parseCommentedJson } from '../../core/json/jsonComments';
import { t } from '../../core/text/l10n';
import { UserError } from '../errors/userError';

/** A server of a client's configuration that is led through this process. */
export interface BridgedServer {
  readonly name: string;
  readonly transport: 'stdio' | 'http';
  /** Of a server over HTTP. */
  readonly url?: URL;
}

export interface RewrittenConfig {
  /** By the paths under which the bridge serves them. */
  readonly servers: ReadonlyMap<string, BridgedServer>;
  /** The configuration, once the base of the bridge is known. */
  write(base: string): string;
}

export interface ConfigContext {
  /** The file, for messages. */
  readonly path: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** For `${workspaceFolder}`. */
  readonly root: string;
  /** What starts this program: the runtime and its script. */
  readonly self: readonly string[];
}

/** The member that holds the servers: of Claude Code, Claude Desktop, Cursor and others; of VS Code; of Zed. */
const SERVERS = ['mcpServers', 'servers', 'context_servers'];
export const LINK_VARIABLE = 'TAPEDECK_MCP_LINK';

/** The servers of a client's configuration by name, with the member that holds them. Throws a `UserError` if it is none. */
export function clientServers(text: string, path: string): { root: JsonRecord; key: string; servers: JsonRecord } {
  const root = parseCommentedJson(text);
  const key = SERVERS.find((name) => isRecord(asRecord(root)[name]));
  if (isRecord(root) && key !== undefined) return { root, key, servers: asRecord(root[key]) };
  throw new UserError(
    () => t('{0} has no MCP servers', path),
    () => t('It needs "mcpServers": { … } (Claude Code, Cursor) or "servers": { … } (VS Code).'),
  );
}

/** The address of a server over HTTP, as its entry has it. */
export function serverAddress(entry: JsonRecord): string | undefined {
  return asString(entry.url) ?? asString(entry.serverUrl) ?? asString(entry.httpUrl);
}

/** Reads a client's configuration. Throws a `UserError` if it is none. */
export function rewriteClientConfig(text: string, context: ConfigContext): RewrittenConfig {
  const { root, key, servers: named } = clientServers(text, context.path);
  const entries = Object.entries(named).map(([name, entry], at) => readEntry(name, entry, at, context));
  return {
    servers: new Map(entries.map(({ path, server }) => [path, server])),
    write: (base) => {
      const servers = entries.map(({ path, server, entry }) => [
        server.name,
        server.transport === 'stdio'
          ? throughPipe(entry, server.name, `${base}${path}`, context)
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
}

function readEntry(name: string, value: JsonRecord[string], at: number, context: ConfigContext): ConfigEntry {
  const entry = asRecord(value);
  const path = `${at + 1}-${name.replace(/[^\w.-]/g, '_')}`;
  const address = serverAddress(entry);
  if (typeof entry.command === 'string') return { path, entry, server: { name, transport: 'stdio' } };
  const url = address === undefined ? undefined : substituted(address, context);
  if (url !== undefined && URL.canParse(url) && /^https?:/i.test(url))
    return { path, entry, server: { name, transport: 'http', url: new URL(url) } };
  throw new UserError(
    () => t('{0}: MCP server {1} has neither a command nor an address over HTTP', context.path, name),
    () => t('Give it "command" and "args", or "url".'),
  );
}

/** The process that stands for a stdio server: it starts the real one in recordings only. */
function throughPipe(entry: JsonRecord, name: string, link: string, { self }: ConfigContext): JsonRecord {
  const [program = '', ...own] = self;
  const args = [...own, 'mcp-tape', '--server', name, '--', asString(entry.command) ?? '', ...asList(entry.args)];
  const runtime = process.versions.electron === undefined ? {} : { ELECTRON_RUN_AS_NODE: '1' };
  return { ...entry, command: program, args, env: { ...asRecord(entry.env), ...runtime, [LINK_VARIABLE]: link } };
}

function throughUrl(entry: JsonRecord, url: string): JsonRecord {
  const names = ['url', 'serverUrl', 'httpUrl'].filter((name) => typeof entry[name] === 'string');
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
