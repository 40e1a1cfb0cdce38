import { asRecord } from '../json/fields';
import type { Json, JsonRecord } from '../json/json';
import type { McpExchange, McpStep, McpTransport } from '../model/mcp';
import { cancelledIdOf, idKey, messageKind, progressOf, progressTokenOf } from './message';

/** An exchange that is being written down: messages may still follow from it. */
export interface WrittenExchange extends McpExchange {
  /** By the order of their first messages, from 0. */
  readonly number: number;
  readonly steps: McpStep[];
  /** Milliseconds on the scribe's clock. */
  readonly startedAt: number;
  endedAt: number;
  /** The reply is there, or none is expected. */
  isAnswered: boolean;
}

interface ScribeOptions {
  readonly server: string;
  readonly transport: McpTransport;
  onBegun?(exchange: WrittenExchange): void;
  /** Called when an exchange is answered, and again when something follows after that. */
  onAnswered(exchange: WrittenExchange): void;
}

/** A message and when it passed, in milliseconds. */
interface Passing {
  readonly from: McpStep['from'];
  readonly message: JsonRecord;
  readonly at: number;
}

/**
 * Writes down one connection: which exchange a message belongs to. A reply belongs to the request with its id, progress to
 * the request with its token. What names no request, as a log message or a request of the server, is put down to the youngest
 * request that has no reply yet, and else to the client's last message.
 */
export class McpExchangeRecorder {
  readonly #options: ScribeOptions;
  readonly #exchanges: WrittenExchange[] = [];
  readonly #open = new Map<string, WrittenExchange>();
  readonly #tokens = new Map<string, WrittenExchange>();
  /** Requests of the server, by their ids. */
  readonly #asked = new Map<string, WrittenExchange>();
  readonly #askedTokens = new Map<string, WrittenExchange>();
  /** What the server said before the client said anything. */
  #early: Passing[] = [];

  constructor(options: ScribeOptions) {
    this.#options = options;
  }

  get exchanges(): readonly WrittenExchange[] {
    return this.#exchanges;
  }

  client(message: JsonRecord, at: number): void {
    const passing: Passing = { from: 'client', message, at };
    const kind = messageKind(message);
    if (kind === undefined) return;
    const known = kind === 'request' ? undefined : this.#answered(message);
    if (known !== undefined) {
      // A server does not reply to what is cancelled.
      if (cancelledIdOf(message) !== undefined) this.#close(asRecord(message.params).requestId, known);
      this.#add(known, passing);
    } else if (kind !== 'response') this.#begin(message, at, kind === 'notification');
  }

  server(message: JsonRecord, at: number): void {
    const passing: Passing = { from: 'server', message, at };
    const kind = messageKind(message);
    if (kind === undefined) return;
    const exchange = this.#ownerOf(message, kind === 'response');
    if (exchange === undefined) {
      if (kind !== 'response') this.#early.push(passing);
      return;
    }
    if (kind === 'request') this.#ask(message, exchange);
    if (kind === 'response') this.#close(message.id, exchange);
    this.#add(exchange, passing);
  }

  #begin(message: JsonRecord, at: number, isAnswered: boolean): void {
    const { server, transport } = this.#options;
    const times = { startedAt: at, endedAt: at, isAnswered };
    const exchange: WrittenExchange = {
      number: this.#exchanges.length,
      server,
      transport,
      message,
      steps: [],
      ...times,
    };
    this.#exchanges.push(exchange);
    this.#options.onBegun?.(exchange);
    if (!isAnswered) this.#open.set(idKey(message.id), exchange);
    const token = progressTokenOf(message);
    if (token !== undefined) this.#tokens.set(idKey(token), exchange);
    if (isAnswered) this.#options.onAnswered(exchange);
    const early = this.#early;
    this.#early = [];
    for (const one of early) this.#add(exchange, { ...one, at });
  }

  #close(id: Json | undefined, exchange: WrittenExchange): void {
    this.#open.delete(idKey(id));
    exchange.isAnswered = true;
  }

  #ask(message: JsonRecord, exchange: WrittenExchange): void {
    this.#asked.set(idKey(message.id), exchange);
    const token = progressTokenOf(message);
    if (token !== undefined) this.#askedTokens.set(idKey(token), exchange);
  }

  /** The exchange in which the client answers a request of the server, reports its progress, or cancels its own request. */
  #answered(message: JsonRecord): WrittenExchange | undefined {
    const token = progressOf(message);
    if (token !== undefined) return this.#askedTokens.get(idKey(token));
    const cancelled = cancelledIdOf(message);
    if (cancelled !== undefined) return this.#open.get(idKey(cancelled));
    if (messageKind(message) !== 'response') return undefined;
    const asked = this.#asked.get(idKey(message.id));
    this.#asked.delete(idKey(message.id));
    return asked;
  }

  #ownerOf(message: JsonRecord, isReply: boolean): WrittenExchange | undefined {
    if (isReply) return this.#open.get(idKey(message.id));
    const named = this.#named(message);
    return named ?? [...this.#open.values()].at(-1) ?? this.#exchanges.at(-1);
  }

  #named(message: JsonRecord): WrittenExchange | undefined {
    const known = (map: ReadonlyMap<string, WrittenExchange>, id: Json | undefined) =>
      id === undefined ? undefined : map.get(idKey(id));
    return known(this.#tokens, progressOf(message)) ?? known(this.#asked, cancelledIdOf(message));
  }

  #add(exchange: WrittenExchange, { from, message, at }: Passing): void {
    exchange.steps.push({ from, message, afterMs: Math.max(0, Math.round(at - exchange.endedAt)) });
    exchange.endedAt = at;
    if (exchange.isAnswered) this.#options.onAnswered(exchange);
  }
}
