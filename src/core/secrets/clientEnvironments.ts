import { isRecord, type JsonRecord } from '../json/json';
import { clientServer, clientServers } from '../mcp/clientServers';
import type { Environment } from './environmentSecrets';

/**
 * What a client's configuration gives its MCP servers, as an environment for each of them: variables, headers, the options
 * among their arguments, and the address. None for a text that is no such configuration.
 */
export function clientEnvironments(source: string): Environment[] {
  return Object.values(clientServers(source)?.servers ?? {}).flatMap((entry) => {
    const server = clientServer(entry);
    if (server === undefined) return [];
    return server.kind === 'stdio'
      ? [strings(server.env), ...named(server.args ?? [])]
      : [{ ...strings(server.headers), ADDRESS: server.address }];
  });
}

function strings(members: JsonRecord | null | undefined): Environment {
  if (!isRecord(members)) return {};
  return Object.fromEntries(
    Object.entries(members).filter((member): member is [string, string] => typeof member[1] === 'string'),
  );
}

/** Arguments as variables: `--api-key VALUE`, `--api-key=VALUE`, `-e NAME=VALUE`, `--header 'NAME: VALUE'`. */
function named(args: readonly unknown[]): Environment[] {
  return args.map((arg, index) => {
    if (typeof arg !== 'string') return {};
    const [, name, value] = /^(?:--?)?([A-Za-z][\w.-]{0,60})(?:=|: )(.*)$/s.exec(arg) ?? [];
    if (name !== undefined) return { [name]: value };
    const [before] = args.slice(Math.max(0, index - 1), index);
    const option = typeof before === 'string' ? /^--?([A-Za-z][\w.-]{1,60})$/.exec(before)?.[1] : undefined;
    return arg.startsWith('-') ? {} : { [option ?? 'ARGUMENT']: arg };
  });
}
