import { asRecord } from '../json/fields';
import { isRecord, type JsonRecord } from '../json/json';
import { parseCommentedJson } from '../json/jsonComments';
import { accepts } from '../schema/accepts';
import { anything, list, nullable, object, optional, type Schema, shape, text, type Value } from '../schema/schema';

/** Where clients have their configuration in a project: Claude Code, VS Code, and Cursor. */
export const CLIENT_CONFIGS: readonly string[] = ['.mcp.json', '.vscode/mcp.json', '.cursor/mcp.json'];

/** The member that holds the servers: of Claude Code, Claude Desktop, Cursor and others; of VS Code; of Zed. */
const SERVERS = ['mcpServers', 'servers', 'context_servers'];

/** The servers of a client's configuration by name, with the member that holds them; undefined if it is none. */
export function clientServers(
  source: string,
): { readonly root: JsonRecord; readonly key: string; readonly servers: JsonRecord } | undefined {
  const root = parseCommentedJson(source);
  const key = SERVERS.find((name) => isRecord(asRecord(root)[name]));
  return isRecord(root) && key !== undefined ? { root, key, servers: asRecord(root[key]) } : undefined;
}

/** Absent, null, or this. */
function maybe<T>(schema: Schema<T>) {
  return optional(nullable(schema));
}

/** A server that its client starts. What a client passes on may be of any type: VS Code allows numbers and null in `env`. */
const STDIO_SERVER = shape({ command: text(), args: maybe(list(anything())), env: maybe(object()) });
/** The address of a server over HTTP, by the names of several clients. */
const ADDRESSES = { url: optional(text()), serverUrl: optional(text()), httpUrl: optional(text()) };
const HTTP_SERVER = shape({ ...ADDRESSES, headers: maybe(object()) });

/** The names under which clients have the address of a server. */
export const ADDRESS_NAMES: readonly string[] = Object.keys(ADDRESSES);

export type StdioServer = { readonly kind: 'stdio' } & Value<typeof STDIO_SERVER>;

/** A server as a client's configuration has it. */
export type ClientServer =
  | StdioServer
  | { readonly kind: 'http'; readonly address: string; readonly headers?: JsonRecord | null | undefined };

/** Reads the entry of a server; undefined if it has neither a command nor an address. */
export function clientServer(entry: unknown): ClientServer | undefined {
  if (accepts(STDIO_SERVER, entry)) return { kind: 'stdio', ...entry };
  if (!accepts(HTTP_SERVER, entry)) return undefined;
  const address = entry.url ?? entry.serverUrl ?? entry.httpUrl;
  return address === undefined ? undefined : { kind: 'http', address, headers: entry.headers };
}
