import { decodeBase64, encodeBase64 } from '../bytes/base64';
import { sha256Hex } from '../hash/digest';
import { compactJson, isRecord, type Json, jsonEqual } from '../json/json';
import { parseJson } from '../json/readJson';
import { methodName } from '../wire/grpc/methods';
import { audioIn, comparableEvent, eventName } from '../wire/realtime/comparableEvent';
import { pieceIn } from '../wire/realtime/piece';
import type { Carrier, Talk, TalkClose, TalkMessage } from '../wire/realtime/talk';
import { comparableFromWire, type WireRequest } from './comparableRequest';
import type { Drift } from './explainDrift';
import { createMatcher, type RecordingMatch } from './matcher';
import { addressedAs, type MatchRules } from './recordings';

/** The code of a connection that broke off: nobody sends it. */
export const BROKEN = 1006;
const BROKE_OFF: TalkClose = { from: 'server', code: BROKEN, reason: '' };

/** What a replay sends of a recording, in its order. */
export type Played = TalkMessage | TalkClose;

/** A message of the client that is not as recorded. */
export interface TalkDrift {
  /** From 1, among those of the client. */
  readonly number: number;
  /** Such as `session.update`, or the method of gRPC. */
  readonly name: string | undefined;
  /** `none`: no further message was recorded. `unsent`: the client has no further message, and one was recorded. */
  readonly drift: Drift | 'none' | 'unsent';
  /** The message as the request that it was compared as. */
  readonly sent: WireRequest;
}

/** What the client's message leads to. */
type TalkStep = { readonly played: readonly Played[] } | { readonly drifted: TalkDrift };

type TalkMatch = Exclude<RecordingMatch['kind'], 'unchecked'>;

/** A recorded talk. */
export interface RecordedTalk {
  /** The index of its interaction. */
  readonly index: number;
  readonly talk: Talk;
}

/** A message of the client; text, or base64 of what is binary. */
export type SentMessage = Pick<TalkMessage, 'data' | 'base64' | 'isLast'>;

type Rules = Pick<MatchRules, 'masks' | 'onDrift' | 'hash'>;

/**
 * Plays one of the recordings of an address: the messages of its server, each as soon as the client has sent what it had sent before it.
 * Of several recordings, the client's first message says which one it is; until then the server speaks as in the first of them.
 *
 * A message is compared as a request is, by its meaning. Ids that the client makes may be others, and are followed through. Audio is
 * compared by its bytes, however it is cut into messages.
 */
export class TalkReplay {
  readonly #candidates: readonly RecordedTalk[];
  readonly #rules: Rules;
  readonly #words: Words;
  #cursor: Cursor;
  #isChosen = false;
  #sent = 0;
  #match: TalkMatch = 'exact';
  #served: Drift | undefined;

  /** There is at least one candidate. */
  constructor(candidates: readonly [RecordedTalk, ...RecordedTalk[]], asked: AskedTalk, rules: Rules) {
    this.#candidates = candidates;
    this.#rules = rules;
    this.#words = new Words(asked);
    this.#cursor = new Cursor(candidates[0], this.#words);
  }

  /** The interaction that is played. */
  get index(): number {
    return this.#cursor.recorded.index;
  }

  /** How near to the recording the client's messages were. */
  get match(): TalkMatch {
    return this.#match;
  }

  /** How a message differs that was let pass. */
  get difference(): Drift | undefined {
    return this.#served;
  }

  /** The next message of the client on the tape, if it is none of audio: what the client has not sent. */
  get unsent(): { readonly number: number; readonly name: string | undefined } | undefined {
    const left = this.#cursor.unsent;
    return left && { number: this.#sent + 1, name: this.#words.name(left) };
  }

  /** What the server says before the client does. */
  start(): readonly Played[] {
    return this.#cursor.played();
  }

  /** `isFree`: whether a recording is not played to another client. */
  sent(message: SentMessage, isFree: (index: number) => boolean = () => true): TalkStep {
    this.#sent += 1;
    if (!this.#isChosen) this.#choose(message, isFree);
    const found = this.#compare(this.#cursor, message);
    if (found === 'late') return { played: [] };
    if ('drift' in found) {
      const sent = this.#words.request(this.#words.event(message));
      return { drifted: { number: this.#sent, name: this.#words.name(message), sent, ...found } };
    }
    if (RANKS.indexOf(found.kind) > RANKS.indexOf(this.#match)) this.#match = found.kind;
    this.#served ??= found.differs;
    return { played: found.played };
  }

  #choose(message: SentMessage, isFree: (index: number) => boolean): void {
    this.#isChosen = true;
    const free = this.#candidates.filter(({ index }) => isFree(index));
    const chosen = free.find((one) => {
      const cursor = new Cursor(one, this.#words);
      cursor.played();
      const found = this.#compare(cursor, message);
      return found !== 'late' && 'kind' in found && found.kind !== 'differs';
    });
    const recorded = chosen ?? free[0];
    if (recorded === undefined || recorded === this.#cursor.recorded) return;
    this.#cursor = new Cursor(recorded, this.#words);
    this.#cursor.played();
  }

  #compare(cursor: Cursor, message: SentMessage): Found | 'late' {
    const words = this.#words;
    const sound = words.sound(message);
    const recorded = cursor.next;
    // A microphone is not turned off at the same moment, and who was cut short has nothing more to say either.
    if (recorded === undefined) return sound !== undefined || message.isLast ? 'late' : { drift: 'none' };
    if (recorded.isLast || message.isLast) {
      if (recorded.isLast && message.isLast) return { kind: 'exact', played: cursor.pass() };
      return { drift: recorded.isLast ? 'none' : 'unsent' };
    }
    const heard = sound && cursor.hear(sound);
    if (heard !== undefined) return { kind: 'exact', played: heard };
    const [before, now] = [words.event(recorded), cursor.ids.recordedIn(words.event(message))];
    if (!jsonEqual(before, now) && isRecord(before) && isRecord(now)) cursor.learn(before, now);
    const sent = cursor.ids.recordedIn(words.event(message));
    if (jsonEqual(before, sent) || isHiddenPiece(cursor.said, before, sent))
      return { kind: 'exact', played: cursor.pass() };
    return this.#likened(cursor, before, sent);
  }

  #likened(cursor: Cursor, before: Json, now: Json): Found {
    const wire = this.#words.request(before);
    const taken = createMatcher(
      [{ index: cursor.recorded.index, kind: 'http', ...addressedAs(wire), wire: () => comparableFromWire(wire) }],
      {
        ...this.#rules,
        match: 'sequence',
      },
    ).take(this.#words.request(now));
    if (!('index' in taken)) return { drift: taken.explain() };
    const kind = taken.kind === 'unchecked' ? 'exact' : taken.kind;
    const played = cursor.pass();
    return taken.kind === 'differs' ? { kind, played, differs: taken.explain() } : { kind, played };
  }
}

type Found =
  | { readonly kind: TalkMatch; readonly played: readonly Played[]; readonly differs?: Drift }
  | { readonly drift: TalkDrift['drift'] };

/** From the nearest to the farthest. */
const RANKS: readonly TalkMatch[] = ['exact', 'masked', 'equivalent', 'differs'];

/** How far a recording has been played. It stands at a message of the client, or at the end. */
class Cursor {
  readonly ids = new TalkIds();
  readonly recorded: RecordedTalk;
  readonly #words: Words;
  #at = 0;
  /** How many bytes of the audio at this place the client has sent. */
  #heard = 0;

  constructor(recorded: RecordedTalk, words: Words) {
    this.recorded = recorded;
    this.#words = words;
  }

  get next(): TalkMessage | undefined {
    return this.#messages[this.#at];
  }

  get unsent(): TalkMessage | undefined {
    return this.#messages.slice(this.#at).find((one) => isSaid(one) && this.#words.sound(one) === undefined);
  }

  /** What the client has said so far, as it is on the tape. */
  get said(): readonly Json[] {
    return this.#messages.slice(0, this.#at).flatMap((one) => (isSaid(one) ? [this.#words.event(one)] : []));
  }

  /** The server's messages from here on up to the next of the client, and the end where the server made it. */
  played(): readonly Played[] {
    const played: Played[] = [];
    for (let next = this.next; next?.from === 'server'; next = this.next) {
      played.push(this.ids.sentIn(next));
      this.#at += 1;
    }
    const { close = BROKE_OFF } = this.recorded.talk;
    const isEnd = this.next === undefined && close.from === 'server';
    return isEnd ? [...played, close] : played;
  }

  /** Goes on after a message of the client. */
  pass(): readonly Played[] {
    this.#at += 1;
    this.#heard = 0;
    return this.played();
  }

  /** What follows some audio; undefined where other audio was recorded, or none. */
  hear(sound: Sound): readonly Played[] | undefined {
    const played: Played[] = [];
    const start = { at: this.#at, heard: this.#heard };
    for (let left = sound.bytes; left.length > 0; ) {
      const recorded = this.next && this.#words.sound(this.next);
      const bytes = recorded?.bytes.subarray(this.#heard) ?? new Uint8Array();
      const length = Math.min(bytes.length, left.length);
      const isSame = recorded !== undefined && jsonEqual(recorded.others, sound.others);
      if (!isSame || length === 0 || !startsAlike(bytes, left, length)) {
        this.#at = start.at;
        this.#heard = start.heard;
        return undefined;
      }
      left = left.subarray(length);
      this.#heard += length;
      if (length === bytes.length) played.push(...this.pass());
    }
    return played;
  }

  learn(recorded: Json, sent: Json): void {
    const before = this.#messages.slice(0, this.#at);
    const isOfServer = (id: string) => before.some(({ from, data }) => from === 'server' && data.includes(`"${id}"`));
    this.ids.learn(recorded, sent, isOfServer);
  }

  get #messages(): readonly TalkMessage[] {
    return this.recorded.talk.messages;
  }
}

interface Sound {
  readonly bytes: Uint8Array;
  /** What is said beside it, such as its format. */
  readonly others: Json;
}

/** Where a talk is, which tells what its messages are. */
interface AskedTalk {
  readonly carrier: Carrier;
  /** Without a query. */
  readonly path: string;
}

/** What the messages of a talk say. */
class Words {
  readonly #asked: AskedTalk;

  constructor(asked: AskedTalk) {
    this.#asked = asked;
  }

  /** The name by which people know a message. Those of gRPC have none but that of the method. */
  name(message: SentMessage): string | undefined {
    const { carrier, path } = this.#asked;
    return carrier === 'grpc' ? methodName(path) : eventName(jsonOf(message));
  }

  /** Over a WebSocket, what is binary counts as audio: that is what clients send so. */
  sound({ data, base64 }: SentMessage): Sound | undefined {
    if (this.#asked.carrier === 'grpc') return undefined;
    const said = base64 ? { audio: data, others: null } : audioIn(parseJson(data));
    const bytes = said && decodeBase64(said.audio);
    return said && bytes && { bytes, others: said.others };
  }

  /** A message as it is compared: audio by its hash, so that its bytes are shown to nobody. */
  event(message: SentMessage): Json {
    const { data, base64 } = message;
    if (base64 && this.#asked.carrier === 'grpc') return { message: hashed(decodeBase64(data) ?? new Uint8Array()) };
    const sound = this.sound(message);
    if (sound === undefined) return jsonOf(message) ?? { text: data };
    const type = eventName(jsonOf(message)) ?? 'binary';
    return { type, audio: hashed(sound.bytes), ...(isRecord(sound.others) ? sound.others : {}) };
  }

  /** An event as a request, which it is compared as. */
  request(event: Json): WireRequest {
    const { carrier, path } = this.#asked;
    const body = carrier === 'grpc' ? event : comparableEvent(event);
    const headers = [['content-type', 'application/json']] as const;
    return { method: 'GET', url: path, headers, body: new TextEncoder().encode(compactJson(body)) };
  }
}

function hashed(bytes: Uint8Array): string {
  return `${bytes.length} bytes, sha256 ${sha256Hex(encodeBase64(bytes)).slice(0, 16)}`;
}

function isSaid({ from, isLast }: TalkMessage): boolean {
  return from === 'client' && !isLast;
}

function startsAlike(left: Uint8Array, right: Uint8Array, length: number): boolean {
  for (let at = 0; at < length; at += 1) if (left[at] !== right[at]) return false;
  return true;
}

function jsonOf({ data, base64 }: SentMessage): Json | undefined {
  return base64 ? undefined : parseJson(data);
}

/** What stands on a tape where a secret was, at the end of a text. */
const HIDDEN = /\[redacted(?::[\w-]+)?\]$/;

/**
 * Whether a client says a piece of a text as it was recorded, as far as the recording tells: where a secret was spread over pieces, the
 * first of them has what hides it, and the others have the rest of their texts. No piece alone shows that there is a secret in it.
 * `before`: the client's messages on the tape so far.
 */
function isHiddenPiece(before: readonly Json[], recorded: Json, sent: Json): boolean {
  const [known, said] = [pieceIn(recorded), pieceIn(sent)];
  if (known === undefined || said === undefined || !jsonEqual(known.others, said.others)) return false;
  const shown = known.text.replace(HIDDEN, '');
  const begins = shown !== known.text;
  if (!goesOn(before)) return begins && said.text.startsWith(shown);
  return begins ? said.text.includes(shown) : said.text.endsWith(shown);
}

/** Whether the last of these began with a secret, or had nothing but the middle of one. */
function goesOn(before: readonly Json[]): boolean {
  const last = [...before].reverse().find((one) => pieceIn(one)?.text !== '');
  return HIDDEN.test(pieceIn(last)?.text ?? '');
}

/** Where messages name what a client may have made up. A voice or an agent has an id too, which it has not. */
const ID =
  /(?:^|\/)(?:item\/id|(?:call|client_event|context|event|generation|item|message|previous_item|request|response|turn)_id)$/;

/** The ids that a client makes anew in each run, with those that it had made when it was recorded. */
class TalkIds {
  /** By what is sent now. */
  readonly #recorded = new Map<string, string>();

  /** Learns from two messages that are to be the same. What the server has named is no name of the client's. */
  learn(recorded: Json, sent: Json, isOfServer: (id: string) => boolean, path = ''): void {
    if (typeof recorded === 'string' && typeof sent === 'string') {
      if (recorded !== sent && ID.test(path) && !this.#recorded.has(sent) && !isOfServer(recorded))
        this.#recorded.set(sent, recorded);
    } else if (Array.isArray(recorded) && Array.isArray(sent)) {
      recorded.forEach((item, index) => void this.learn(item, sent[index] ?? null, isOfServer, path));
    } else if (isRecord(recorded) && isRecord(sent)) {
      for (const [name, value] of Object.entries(recorded))
        this.learn(value, sent[name] ?? null, isOfServer, `${path}/${name}`);
    }
  }

  /** A message of the client, with the ids of the recording. */
  recordedIn(sent: Json, path = ''): Json {
    if (this.#recorded.size === 0) return sent;
    if (typeof sent === 'string') return ID.test(path) ? (this.#recorded.get(sent) ?? sent) : sent;
    if (Array.isArray(sent)) return sent.map((item) => this.recordedIn(item, path));
    if (!isRecord(sent)) return sent;
    return Object.fromEntries(
      Object.entries(sent).map(([name, value]) => [name, this.recordedIn(value, `${path}/${name}`)]),
    );
  }

  /** A message of the server, with the ids of the client. */
  sentIn(message: TalkMessage): TalkMessage {
    if (message.base64) return message;
    let { data } = message;
    for (const [sent, recorded] of this.#recorded)
      data = data.replaceAll(JSON.stringify(recorded), () => JSON.stringify(sent));
    return data === message.data ? message : { ...message, data };
  }
}
