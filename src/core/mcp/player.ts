import { asRecord } from '../json/fields';
import type { Json, JsonRecord } from '../json/json';
import { copyWrittenNumbers } from '../json/writtenNumbers';
import type { McpExchange, McpStep } from '../model/mcp';
import { t } from '../text/l10n';
import { cancelledIdOf, idKey, messageKind, messageTitle, progressOf, progressTokenOf } from './message';
import type { McpMiss, McpRecordings, McpTaken } from './recordings';

/** Where the messages of an exchange go that is played. */
export interface Outlet {
  send(message: JsonRecord): void;
  /** Everything that follows from the client's message has been sent. */
  end(): void;
}

/** Told about each message of the client that begins an exchange. Returns the explanation of a miss. */
interface PlayerReport {
  taken(message: JsonRecord, taken: McpTaken): void;
  /** The explanation, for the client. */
  explain(miss: McpMiss): string;
}

/** JSON-RPC leaves -32000 to -32099 to implementations. */
const NOT_RECORDED = -32001;

/** An exchange that is being played. */
interface Playing {
  readonly index: number;
  readonly exchange: McpExchange;
  readonly request: JsonRecord;
  readonly outlet: Outlet;
  at: number;
  /** The client's answers to the server's requests, by the recorded ids of these. */
  readonly answers: Map<string, JsonRecord>;
  isCancelled: boolean;
}

/** Plays the server of one connection from its recordings. */
export class McpPlayer {
  readonly #recordings: McpRecordings;
  readonly #report: PlayerReport;
  readonly #playing = new Set<Playing>();
  /** Requests of the server that wait for the client, by the ids with which they were sent. */
  readonly #asked = new Map<string, { readonly playing: Playing; readonly recordedId: string }>();

  constructor(recordings: McpRecordings, report: PlayerReport) {
    this.#recordings = recordings;
    this.#report = report;
  }

  /** Whether a message of the client is the answer to a request that was played, or cancels what is being played. */
  expects(message: JsonRecord): boolean {
    if (messageKind(message) === 'response') return this.#asked.has(idKey(message.id));
    return this.#cancelledBy(message) !== undefined;
  }

  /** Plays what follows from a message of the client. */
  receive(message: JsonRecord, outlet: Outlet): void {
    const kind = messageKind(message);
    if (kind === 'response') {
      this.#answer(message);
      outlet.end();
    } else if (cancelledIdOf(message) !== undefined || progressOf(message) !== undefined) {
      this.#cancel(message);
      outlet.end();
    } else if (kind !== undefined) this.#begin(message, outlet, kind === 'request');
  }

  #begin(request: JsonRecord, outlet: Outlet, isRequest: boolean): void {
    const taken = this.#recordings.take(request);
    this.#report.taken(request, taken);
    if (taken.kind !== 'miss') {
      const { index, exchange } = taken.recorded;
      this.#play({ index, exchange, request, outlet, at: 0, answers: new Map(), isCancelled: false });
      return;
    }
    if (isRequest) outlet.send(this.#refusal(request, taken.miss));
    outlet.end();
  }

  #play(playing: Playing): void {
    this.#playing.add(playing);
    const { steps } = playing.exchange;
    for (let step = steps[playing.at]; step !== undefined; step = steps[playing.at]) {
      if (step.from === 'client' && !this.#hasAnswer(playing, step)) return;
      if (!this.#playing.has(playing)) return;
      playing.at += 1;
      if (step.from === 'server') playing.outlet.send(this.#asSentNow(step.message, playing));
    }
    this.#end(playing);
  }

  /** Whether the client has done what it did in the recording. */
  #hasAnswer(playing: Playing, { message }: McpStep): boolean {
    if (cancelledIdOf(message) !== undefined) return playing.isCancelled;
    if (messageKind(message) !== 'response') return true;
    const answer = playing.answers.get(idKey(message.id));
    if (answer === undefined) return false;
    const differences = this.#recordings.differences(message, answer);
    if (differences.length > 0) this.#refuseAnswer(playing, message, differences);
    return true;
  }

  #refuseAnswer(playing: Playing, answer: JsonRecord, differences: McpMiss['differences']): void {
    const { exchange, index, request } = playing;
    const asked = exchange.steps.find(
      ({ from, message }) => from === 'server' && idKey(message.id) === idKey(answer.id) && 'method' in message,
    );
    const title = t("the client's answer to {0}", asked === undefined ? t('a request') : messageTitle(asked.message));
    const about = { server: exchange.server, recorded: 1, same: [] };
    const miss: McpMiss = { ...about, kind: 'drifted', title, nearest: { index, used: false }, differences };
    this.#report.taken(answer, { kind: 'miss', miss });
    if (messageKind(request) === 'request') playing.outlet.send(this.#refusal(request, miss));
    this.#end(playing);
  }

  #end(playing: Playing): void {
    this.#playing.delete(playing);
    playing.outlet.end();
  }

  #answer(message: JsonRecord): void {
    const asked = this.#asked.get(idKey(message.id));
    if (asked === undefined) return;
    this.#asked.delete(idKey(message.id));
    asked.playing.answers.set(asked.recordedId, message);
    if (this.#playing.has(asked.playing)) this.#play(asked.playing);
  }

  #cancel(message: JsonRecord): void {
    const playing = this.#cancelledBy(message);
    if (playing === undefined) return;
    playing.isCancelled = true;
    const waiting = playing.exchange.steps[playing.at];
    // A client that gives up earlier than it did in the recording wants nothing more.
    if (waiting !== undefined && cancelledIdOf(waiting.message) === undefined) this.#end(playing);
    else this.#play(playing);
  }

  #cancelledBy(message: JsonRecord): Playing | undefined {
    const id = cancelledIdOf(message);
    if (id === undefined) return undefined;
    return [...this.#playing].find(({ request }) => idKey(request.id) === idKey(id));
  }

  /** A recorded message under the ids and tokens of this connection. */
  #asSentNow(message: JsonRecord, playing: Playing): JsonRecord {
    const kind = messageKind(message);
    if (kind === 'response') return withMember(message, 'id', playing.request.id ?? null);
    if (kind === 'request') return this.#ask(message, playing);
    const token = progressOf(message);
    const recorded = progressTokenOf(playing.exchange.message);
    const now = progressTokenOf(playing.request);
    if (token === undefined || recorded === undefined || now === undefined) return message;
    if (idKey(token) !== idKey(recorded)) return message;
    return withMember(message, 'params', withMember(asRecord(message.params), 'progressToken', now));
  }

  /** A request of the server keeps its id, unless another one is waiting under it. */
  #ask(message: JsonRecord, playing: Playing): JsonRecord {
    const recordedId = idKey(message.id);
    let id: Json = message.id ?? null;
    for (let count = 2; this.#asked.has(idKey(id)); count += 1) id = `${recordedId}-${count}`;
    this.#asked.set(idKey(id), { playing, recordedId });
    return withMember(message, 'id', id);
  }

  #refusal({ id = null }: JsonRecord, miss: McpMiss): JsonRecord {
    const error = { code: NOT_RECORDED, message: `Tapedeck: ${this.#report.explain(miss)}` };
    return { jsonrpc: '2.0', id, error };
  }
}

function withMember(record: JsonRecord, name: string, value: Json): JsonRecord {
  const changed = { ...record, [name]: value };
  copyWrittenNumbers(record, changed, name);
  return changed;
}
