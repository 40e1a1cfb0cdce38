import { setTimeout as wait } from 'node:timers/promises';
import { BROKEN, type Played, type SentMessage, type TalkDrift, type TalkReplay } from '../../../core/match/talkReplay';
import { english, type Said } from '../../../core/text/notice';
import type { TalkLine } from '../../network/talkLine';
import type { Recorder } from '../../recording/recorder';
import { describeMissed } from './missedRequest';
import type { MissedRequest } from './report';
import type { SessionOptions } from './sessionOptions';
import { explainTalkDrift, type TalkCall, type TalkDoor, unsentText } from './talkCall';
import type { TalkForm } from './talkForm';

/** Longer than any agent waits for the next message. */
const LONGEST_DELAY_MS = 10 * 60_000;
interface PlayedFrom {
  readonly call: TalkCall;
  readonly form: TalkForm;
  readonly recorder: Recorder;
  readonly replay: TalkReplay;
  /** How a handshake differs that was let pass. */
  readonly differs: Said | undefined;
  /** The server's messages are events with a type, among which an error is one. */
  readonly hasErrorEvents: boolean;
  /** Whether a recording is not played to another client. */
  isFree(index: number): boolean;
  /** Called when it is known which recording is played. */
  chosen(index: number): void;
}

/** Plays a recording to a client. */
export class PlayedTalk {
  readonly #client: TalkLine;
  readonly #from: PlayedFrom;
  readonly #options: SessionOptions;
  readonly #door: TalkDoor;
  #playing: Promise<void> = Promise.resolve();
  #drifted: Promise<void> | undefined;
  #isEnding = false;

  constructor(client: TalkLine, from: PlayedFrom, options: SessionOptions, door: TalkDoor) {
    this.#client = client;
    this.#from = from;
    this.#options = options;
    this.#door = door;
  }

  /** Resolves when the connection is closed, and reported. */
  run(): Promise<void> {
    const client = this.#client;
    client.on('message', (data, isBinary) => {
      if (this.#drifted === undefined) this.#take(this.#from.form.written('client', data, isBinary));
    });
    client.on('last', () => {
      if (this.#drifted === undefined) this.#take({ data: '', isLast: true });
    });
    this.#play(this.#from.replay.start());
    client.resume();
    return new Promise((resolve, reject) => {
      client.once('close', () => {
        this.#closed().then(resolve, reject);
      });
    });
  }

  /** Closes the connection: the agent has ended. */
  end(): void {
    this.#isEnding = true;
    this.#client.close(this.#from.form.goingAway);
  }

  #take(message: SentMessage): void {
    const { replay, recorder, isFree, chosen } = this.#from;
    const bytes = Buffer.from(message.data, message.base64 ? 'base64' : 'utf8');
    const clean = Buffer.from(recorder.body(bytes, []) ?? bytes);
    const step = replay.sent({ ...message, data: clean.toString(message.base64 ? 'base64' : 'utf8') }, isFree);
    chosen(replay.index);
    if ('played' in step) this.#play(step.played);
    else this.#drifted = this.#drift(step.drifted);
  }

  #play(played: readonly Played[]): void {
    const { pace } = this.#options;
    if (pace === 0) for (const one of played) this.#send(one);
    else this.#playing = this.#playing.then(() => this.#playPaced(played, pace));
  }

  async #playPaced(played: readonly Played[], pace: number): Promise<void> {
    for (const one of played) {
      const delay = Math.min((one.delayMs ?? 0) * pace, LONGEST_DELAY_MS);
      if (delay >= 1) await wait(delay, undefined, { ref: false });
      this.#send(one);
    }
  }

  #send(one: Played): void {
    const client = this.#client;
    if (client.readyState !== 1) return;
    if ('data' in one) {
      const sent = this.#from.form.sent(one);
      if (sent === undefined) client.terminate();
      else client.send(sent.data, { binary: sent.binary });
    } else if (one.code === BROKEN) client.terminate();
    else client.close(one.code === 1005 ? undefined : one.code, one.reason, one.trailers);
  }

  async #drift(drifted: TalkDrift): Promise<void> {
    const said = await explainTalkDrift(drifted, this.#options.explain);
    await this.#miss(said, async () => missedOf(drifted, said));
    const text = `Tapedeck: ${english(said)}`;
    const error = { type: 'invalid_request_error', code: 'tapedeck_drifted', message: text, param: null };
    const client = this.#client;
    if (this.#from.hasErrorEvents)
      client.send(JSON.stringify({ type: 'error', event_id: 'event_tapedeck', error }), { binary: false });
    const { violation, longestReason } = this.#from.form;
    client.close(violation, reasonOf(text, longestReason));
  }

  async #miss(said: Said, describe: () => Promise<MissedRequest>): Promise<void> {
    const { call } = this.#from;
    const first = await this.#door.missed(describe);
    await this.#door.report(call, { verdict: 'drifted', explanation: english(said), said, ...first });
  }

  async #closed(): Promise<void> {
    const { call, replay, differs } = this.#from;
    if (this.#drifted !== undefined) return this.#drifted;
    const { unsent, index } = replay;
    if (unsent !== undefined && !this.#isEnding) {
      const said = unsentText(unsent.number, unsent.name);
      return this.#miss(said, async () => ({
        kind: 'drifted',
        line: english(said),
        masks: [],
        sent: null,
        nearest: index,
      }));
    }
    const { difference } = replay;
    const said = difference === undefined ? differs : await this.#options.explain(difference);
    const verdict = said === undefined ? replay.match : 'differs';
    await this.#door.report(call, { verdict, index, ...(said && { explanation: english(said), said }) });
  }
}

function missedOf({ drift, sent }: TalkDrift, said: Said): MissedRequest {
  if (typeof drift === 'object') return describeMissed(sent, drift);
  return { ...describeMissed(sent, { kind: 'drifted', recorded: 1, same: [], masks: [] }), line: english(said) };
}

/** As much as a close may say. */
function reasonOf(text: string, longest: number): string {
  let reason = text.split('\n')[0] ?? '';
  while (Buffer.byteLength(reason) > longest) reason = reason.slice(0, -1);
  return reason;
}
