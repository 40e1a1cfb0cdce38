import { asList, asRecord, asString } from '../../core/json/fields';
import { isRecord, type Json, type JsonRecord, prettyJson } from '../../core/json/json';
import { idKey, messageKind, methodOf } from '../../core/mcp/message';
import { t } from '../../core/text/l10n';
import { UserError } from '../errors/userError';

/** A connection to an MCP server. */
export interface McpTransport {
  send(message: JsonRecord, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Opens a connection. `receive` gets each message of the server, `ended` the reason why there will be no more. */
export type OpenTransport = (receive: (message: JsonRecord) => void, ended: (reason: Error) => void) => McpTransport;

/** The result of a tool, or its error. */
export type ToolReply = { readonly output: Json } | { readonly error: string };

const PROTOCOL_VERSION = '2025-06-18';
const METHOD_NOT_FOUND = -32601;

interface Waiting {
  resolve(reply: JsonRecord): void;
  reject(reason: Error): void;
}

/** A client of one MCP server that calls its tools, and has nothing else to offer to it. */
export class McpCaller {
  readonly #server: string;
  readonly #transport: McpTransport;
  readonly #waiting = new Map<string, Waiting>();
  #lastId = 0;

  private constructor(server: string, open: OpenTransport) {
    this.#server = server;
    this.#transport = open(
      (message) => this.#receive(message),
      (reason) => this.#fail(reason),
    );
  }

  /** Connects, and says hello. Rejects with a `UserError` if the server does not. */
  static async connect(server: string, open: OpenTransport, signal: AbortSignal): Promise<McpCaller> {
    const caller = new McpCaller(server, open);
    const client = { name: 'tapedeck', version: '1' };
    const params = { protocolVersion: PROTOCOL_VERSION, capabilities: {}, clientInfo: client };
    try {
      const { error } = await caller.#ask('initialize', params, signal);
      if (error !== undefined) throw new Error(errorText(error));
      await caller.#transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' }, signal);
      return caller;
    } catch (error) {
      await caller.close();
      signal.throwIfAborted();
      throw unusable(server, error);
    }
  }

  async callTool(name: string, args: JsonRecord, signal: AbortSignal): Promise<ToolReply> {
    try {
      const { error, result } = await this.#ask('tools/call', { name, arguments: args }, signal);
      return error === undefined ? replyOf(asRecord(result)) : { error: errorText(error) };
    } catch (error) {
      signal.throwIfAborted();
      throw unusable(this.#server, error);
    }
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  async #ask(method: string, params: JsonRecord, signal: AbortSignal): Promise<JsonRecord> {
    this.#lastId += 1;
    const id = this.#lastId;
    const reply = new Promise<JsonRecord>((resolve, reject) => {
      this.#waiting.set(idKey(id), { resolve, reject });
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    // `send` reports the failure of the connection as well.
    reply.catch(() => undefined);
    await this.#transport.send({ jsonrpc: '2.0', id, method, params }, signal);
    return reply;
  }

  #receive(message: JsonRecord): void {
    const kind = messageKind(message);
    if (kind === 'request') this.#answer(message);
    if (kind !== 'response') return;
    const key = idKey(message.id);
    this.#waiting.get(key)?.resolve(message);
    this.#waiting.delete(key);
  }

  #answer(request: JsonRecord): void {
    const { id = null } = request;
    const isPing = methodOf(request) === 'ping';
    const answer: JsonRecord = isPing ? { result: {} } : { error: { code: METHOD_NOT_FOUND, message: 'not offered' } };
    const { signal } = new AbortController();
    this.#transport.send({ jsonrpc: '2.0', id, ...answer }, signal).catch((error: Error) => this.#fail(error));
  }

  #fail(reason: Error): void {
    for (const { reject } of this.#waiting.values()) reject(reason);
    this.#waiting.clear();
  }
}

function unusable(server: string, error: unknown): UserError {
  if (error instanceof UserError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new UserError(
    () => t('MCP server {0} cannot be used: {1}', server, reason),
    () => t('Correct its entry in the MCP configuration.'),
  );
}

function errorText(error: Json): string {
  return asString(asRecord(error).message) ?? prettyJson(error);
}

/** The texts of a result, which is what models are given of it; all of it where it has anything else. */
function replyOf({ content, structuredContent, isError }: JsonRecord): ToolReply {
  const parts = asList(content);
  const texts = parts.flatMap((part) => (isRecord(part) && part.type === 'text' ? (asString(part.text) ?? []) : []));
  const output =
    parts.length === 0 ? (structuredContent ?? '') : texts.length === parts.length ? texts.join('\n') : parts;
  if (isError !== true) return { output };
  return { error: typeof output === 'string' ? output : prettyJson(output) };
}
