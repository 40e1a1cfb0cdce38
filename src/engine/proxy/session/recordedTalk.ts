import type { HttpHeader } from '../../../core/model/http';
import { message } from '../../../core/text/l10n';
import type { TalkClose, TalkEnd, TalkMessage } from '../../../core/wire/realtime/talk';
import type { TalkLine } from '../../network/talkLine';
import type { SessionOptions } from './sessionOptions';
import type { TalkCall, TalkDoor } from './talkCall';
import type { TalkForm } from './talkForm';

/** Of the messages of one connection: more than an hour of speech. */
const MAX_KEPT_BYTES = 256 * 1024 * 1024;
/** What a message takes besides its bytes. */
const MESSAGE_BYTES = 256;
/** How much may wait for a slow client before its upstream waits as well. */
const HIGH_WATER_BYTES = 4 * 1024 * 1024;
/** What is said further is in the journal only at the end: to search it all once more would be heard. */
const LARGEST_KEPT_BYTES = 8 * 1024 * 1024;
/** 1005 is no code that is sent, and neither are the others above the first. */
const UNSENT_CODES: ReadonlySet<number> = new Set([1005, 1006, 1015]);

const SEALED = message(
  'not recorded: what was said cannot be searched, so keys in it cannot be removed. Simplify slow patterns in [redact].',
);
const ONLY_BEGINNING = message(
  'more was said than a tape holds: its beginning is recorded, as of a connection that broke off. What the agent got was whole.',
);

export interface TalkPair {
  readonly client: TalkLine;
  readonly upstream: TalkLine;
}

interface RecordedFrom {
  readonly call: TalkCall;
  readonly target: URL;
  readonly form: TalkForm;
  /** Of the response, as far as it has come. */
  headers(): readonly HttpHeader[];
  readonly startedAt: Date;
}

/** Passes messages on between a client and its upstream, and keeps them. */
export class RecordedTalk {
  readonly #pair: TalkPair;
  readonly #from: RecordedFrom;
  readonly #options: SessionOptions;
  readonly #door: TalkDoor;
  readonly #messages: TalkMessage[] = [];
  readonly #started = performance.now();
  #last = this.#started;
  #bytes = 0;
  /** The recording is in the journal from the first message on, and again each time that it has doubled. */
  #keepAt = 0;
  #keeping: Promise<void> = Promise.resolve();
  #close: TalkClose | undefined;
  #isWhole = true;
  #isEnding = false;

  constructor(pair: TalkPair, from: RecordedFrom, options: SessionOptions, door: TalkDoor) {
    this.#pair = pair;
    this.#from = from;
    this.#options = options;
    this.#door = door;
  }

  /** Resolves when both ends are closed, and what was said is kept. */
  run(): Promise<void> {
    const { client, upstream } = this.#pair;
    this.#passOn('client', client, upstream);
    this.#passOn('server', upstream, client);
    return new Promise((resolve, reject) => {
      const ended = (from: TalkEnd) => (code: number, reason: Buffer, trailers?: readonly HttpHeader[]) => {
        if (this.#isEnding) return;
        this.#isEnding = true;
        this.#end({ from, code, reason: reason.toString(), trailers }).then(resolve, reject);
      };
      client.once('close', ended('client'));
      upstream.once('close', ended('server'));
      upstream.resume();
      client.resume();
    });
  }

  /** Closes both ends: the agent has ended. */
  end(): void {
    this.#pair.client.close(this.#from.form.goingAway);
  }

  get #records(): boolean {
    return this.#options.mode !== 'passthrough' && !this.#from.call.route.isIgnored;
  }

  #passOn(from: TalkEnd, one: TalkLine, other: TalkLine): void {
    one.on('last', () => {
      if (this.#isEnding || other.finish === undefined) return;
      if (this.#records) this.#add({ from, data: '', isLast: true });
      other.finish();
    });
    one.on('message', (data, isBinary) => {
      if (this.#isEnding) return;
      if (this.#records) this.#add({ from, ...this.#from.form.written(from, data, isBinary) });
      if (other.readyState !== 1) return;
      other.send(data, { binary: isBinary }, () => {
        if (one.isPaused && other.bufferedAmount < HIGH_WATER_BYTES / 2) one.resume();
      });
      if (other.bufferedAmount > HIGH_WATER_BYTES) one.pause();
    });
  }

  #add(message: TalkMessage): void {
    this.#bytes += message.data.length + MESSAGE_BYTES;
    this.#isWhole &&= this.#bytes <= MAX_KEPT_BYTES;
    if (!this.#isWhole) return;
    this.#messages.push({ ...message, delayMs: this.#delay() });
    if (this.#bytes < this.#keepAt) return;
    this.#keepAt = this.#bytes < LARGEST_KEPT_BYTES ? this.#bytes * 2 : Number.POSITIVE_INFINITY;
    this.#keeping = this.#keeping.then(async () => void (await this.#keep()));
  }

  #delay(): number {
    const now = performance.now();
    const delayMs = Math.round(now - this.#last);
    this.#last = now;
    return delayMs;
  }

  /** The other end is closed when what was said is kept. */
  async #end(close: TalkClose): Promise<void> {
    const broke = close.from === 'server' && close.code === 1006;
    if (!broke && this.#isWhole) this.#close = { ...close, delayMs: this.#delay() };
    if (this.#records) await this.#report();
    else await this.#door.report(this.#from.call, { verdict: 'passed' });
    const { client, upstream } = this.#pair;
    const other = close.from === 'server' ? client : upstream;
    if (broke) other.terminate();
    else if (UNSENT_CODES.has(close.code)) other.close();
    else other.close(close.code, close.reason, close.trailers);
  }

  async #report(): Promise<void> {
    await this.#keeping;
    const { call } = this.#from;
    if (!(await this.#keep())) await this.#door.report(call, { verdict: 'passed', explanation: SEALED });
    else if (this.#isWhole) await this.#door.report(call, { verdict: this.#close ? 'recorded' : 'cut-off' });
    else await this.#door.report(call, { verdict: 'cut-off', explanation: ONLY_BEGINNING });
  }

  /** Keeps what was said so far. False if it cannot be searched. */
  async #keep(): Promise<boolean> {
    const { call, target, form, headers, startedAt } = this.#from;
    const recorder = await this.#options.recorder.get();
    const interaction = recorder.talk({
      carrier: form.carrier,
      wire: await this.#door.wire(call),
      target,
      headers: headers(),
      talk: { messages: [...this.#messages], close: this.#close },
      startedAt,
      durationMs: performance.now() - this.#started,
    });
    if (interaction !== undefined) await this.#door.keep(call.number, interaction);
    return interaction !== undefined;
  }
}
