import { dirname, resolve } from 'node:path';
import { createParser } from 'eventsource-parser';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { compactJson, type JsonRecord } from '../../core/json/json';
import { clientServer } from '../../core/mcp/clientServers';
import { messageKind, parseMessages } from '../../core/mcp/message';
import { acceptedMembers, guard } from '../../core/schema/accepts';
import { text } from '../../core/schema/schema';
import { t } from '../../core/text/l10n';
import { isSystemError, systemReason } from '../errors/systemError';
import { UserError } from '../errors/userError';
import { readText } from '../files/readFile';
import { variablesIn } from '../network/keyRing';
import type { NetworkPolicy } from '../network/policy';
import { type HttpResponse, post } from '../network/post';
import { startPiped } from '../process/pipedProcess';
import { requireServers } from './clientConfig';
import { lineReader } from './lines';
import type { McpTransport, OpenTransport } from './mcpCaller';

/** An MCP server of a client's configuration. */
type ConfiguredServer =
  | {
      readonly kind: 'stdio';
      readonly command: readonly string[];
      readonly environment: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'http'; readonly address: string; readonly headers: Readonly<Record<string, string>> };

/** Finds a server in a configuration that a case names. Rejects with a `UserError` if there is none of this name. */
export async function configuredIn(config: string, server: string, casePath: string): Promise<ConfiguredServer> {
  try {
    return configuredServer(await readText(resolve(dirname(casePath), config), FILE_LIMITS.case), config, server);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new UserError(
      () => `${config}: ${systemReason(error)}`,
      () => t('Correct `config` under [tools.mcp].'),
    );
  }
}

/** Throws a `UserError` if the configuration has no server of this name. */
function configuredServer(source: string, path: string, name: string): ConfiguredServer {
  const { servers } = requireServers(source, path);
  const found = clientServer(servers[name]);
  if (found?.kind === 'stdio') {
    const args = found.args?.filter(isText).map(variable) ?? [];
    return { kind: 'stdio', command: [found.command, ...args], environment: textMembers(found.env) };
  }
  if (found !== undefined)
    return { kind: 'http', address: variable(found.address), headers: textMembers(found.headers) };
  const names = Object.keys(servers).join(', ') || 'none';
  throw new UserError(
    () => t('{0} has no MCP server `{1}`', path, name),
    () => t('Correct `server`; the servers are: {0}.', names),
  );
}

/** The variables of the user's environment that a server over stdio is given by its configuration. */
export function variablesOf(server: ConfiguredServer): readonly string[] {
  if (server.kind === 'http') return [];
  return [...server.command, ...Object.values(server.environment)].flatMap(variablesIn);
}

interface TransportOptions {
  readonly cwd: string;
  /** The server's, with the variables that its configuration names. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly policy: NetworkPolicy;
  readonly timeoutMs: number;
}

/** How a server is reached. Rejects with a `UserError` if one of the keys it names may not go there. */
export async function transportTo(server: ConfiguredServer, options: TransportOptions): Promise<OpenTransport> {
  return server.kind === 'stdio' ? overStdio(server, options) : overHttp(server, options);
}

function overStdio(
  { command, environment }: Extract<ConfiguredServer, { kind: 'stdio' }>,
  { cwd, environment: given }: TransportOptions,
): OpenTransport {
  const filled = (text: string) =>
    text
      .replace(/\$\{workspaceFolder\}/g, () => cwd)
      .replace(/\$\{(\w+)\}/g, (whole, name: string) => given[name] ?? whole);
  const own = Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, filled(value)]));
  return (receive, ended) => {
    const child = startPiped({
      command: command.map(filled),
      cwd,
      environment: { ...given, ...own },
      onOutput: lineReader((line) => {
        for (const message of parseMessages(line) ?? []) receive(message);
      }),
      onEnd: (error) => ended(error ?? new Error(t('it has ended'))),
    });
    return {
      send: async (message) => child.write(`${compactJson(message)}\n`),
      close: () => child.end(),
    };
  };
}

/** Streamable HTTP: each message is a POST, and what follows from it is in the response. */
async function overHttp(
  { address, headers }: Extract<ConfiguredServer, { kind: 'http' }>,
  { policy, timeoutMs }: TransportOptions,
): Promise<OpenTransport> {
  const values = await policy.keys.valuesFor(address, Object.values(headers));
  const filled = (text: string) =>
    variablesIn(text).reduce((done, name) => done.replaceAll(`\${${name}}`, values.get(name) ?? ''), text);
  const url = new URL(filled(address));
  const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), filled(value)]));
  return (receive) => new HttpTransport({ url, headers: own, policy, timeoutMs }, receive);
}

interface HttpPlace {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly policy: NetworkPolicy;
  readonly timeoutMs: number;
}

class HttpTransport implements McpTransport {
  readonly #place: HttpPlace;
  readonly #receive: (message: JsonRecord) => void;
  #session: string | undefined;

  constructor(place: HttpPlace, receive: (message: JsonRecord) => void) {
    this.#place = place;
    this.#receive = receive;
  }

  async send(message: JsonRecord, signal: AbortSignal): Promise<void> {
    const { url, headers, policy, timeoutMs } = this.#place;
    const accept = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
    const session: Record<string, string> = this.#session === undefined ? {} : { 'mcp-session-id': this.#session };
    const all = { ...headers, ...accept, ...session };
    const response = await post({
      policy,
      url,
      headers: all,
      body: compactJson(message),
      idleTimeoutMs: timeoutMs,
      signal,
    });
    try {
      this.#session ??= response.header('mcp-session-id');
      if (response.status >= 400)
        throw new Error(
          t('{0} responded with {1} {2}', url.host, response.status, response.statusName ?? '').trimEnd(),
        );
      await this.#read(response, messageKind(message) === 'request' ? message : undefined);
    } finally {
      response.close();
    }
  }

  async close(): Promise<void> {}

  /** Reads a response until the reply is there: some servers leave the stream open after it. */
  async #read(response: HttpResponse, request: JsonRecord | undefined): Promise<void> {
    if (request === undefined) return;
    let isReplied = false;
    const hear = (text: string): void => {
      for (const message of parseMessages(text) ?? []) {
        isReplied ||= messageKind(message) === 'response' && message.id === request.id;
        this.#receive(message);
      }
    };
    if (!/event-stream/i.test(response.contentType)) {
      hear(new TextDecoder().decode(await response.body()));
      return;
    }
    const parser = createParser({ onEvent: ({ data }) => hear(data) });
    for await (const chunk of response.chunks()) {
      parser.feed(chunk);
      if (isReplied) return;
    }
  }
}

/** VS Code writes a variable as `${env:NAME}`, others as `${NAME}`. */
function variable(text: string): string {
  return text.replace(/(?<=\$\{)env:(?=\w+\})/g, '');
}

const isText = guard(text());

function textMembers(members: JsonRecord | null | undefined): Readonly<Record<string, string>> {
  const texts = Object.entries(acceptedMembers(text(), members ?? {}));
  return Object.fromEntries(texts.map(([name, value]) => [name, variable(value)]));
}
