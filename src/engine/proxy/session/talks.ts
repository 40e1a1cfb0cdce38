import { canonicalJson } from '../../../core/json/canonicalJson';
import { parseJson } from '../../../core/json/readJson';
import { comparableFromExchange } from '../../../core/match/comparableRequest';
import { createMatcher, type RequestMatcher } from '../../../core/match/matcher';
import { addressedAs, type RecordedRequest } from '../../../core/match/recordings';
import { type RecordedTalk as OnTape, TalkReplay } from '../../../core/match/talkReplay';
import type { HttpExchange, HttpHeader } from '../../../core/model/http';
import { t } from '../../../core/text/l10n';
import { headerOf } from '../../../core/wire/http';
import { eventName } from '../../../core/wire/realtime/comparableEvent';
import { carrierOf, type Talk, talkOf } from '../../../core/wire/realtime/talk';
import type { CapturedResponse, Unreachable } from '../../network/capturedResponse';
import { GrpcClientLine } from '../../network/grpc';
import type { TalkLine } from '../../network/talkLine';
import { acceptSocket, offeredProtocols } from '../../network/webSocket';
import { sha256Binary } from '../tape/exactIndex';
import type { LoadedTape } from '../tape/loadedTape';
import type { ReplayTape } from '../tape/replayTape';
import { refuse, type Taken } from './call';
import { PlayedTalk } from './playedTalk';
import { RecordedTalk, type TalkPair } from './recordedTalk';
import type { SessionOptions } from './sessionOptions';
import type { TalkCall, TalkDoor } from './talkCall';
import { grpcForm, socketForm, type TalkForm } from './talkForm';

/** Open at the same time, in one session. */
const MAX_TALKS = 500;

interface OpenTalk {
  run(): Promise<void>;
  end(): void;
}

interface Accepted {
  readonly client: TalkLine;
  readonly form: TalkForm;
}

interface Opened extends Accepted, TalkPair {
  headers(): readonly HttpHeader[];
}

/** A recording of a talk, and the request that began it. */
interface Recording extends OnTape {
  readonly http: HttpExchange;
  /** Equal for requests that are. */
  readonly key: string;
}

/** The WebSockets and calls of gRPC of a session: loaded with the first of them. */
export class Talks {
  readonly #options: SessionOptions;
  readonly #door: TalkDoor;
  readonly #open = new Set<OpenTalk>();
  #recordings: Promise<readonly Recording[]> | undefined;
  #matcher: RequestMatcher | undefined;
  /** By lane, the recordings that are played, or were. */
  readonly #played = new Map<string | undefined, Set<number>>();
  #isEnding = false;

  constructor(options: SessionOptions, door: TalkDoor) {
    this.#options = options;
    this.#door = door;
  }

  /** Ends those that are open: the agent has ended, or the session has. */
  end(): void {
    this.#isEnding = true;
    for (const socket of this.#open) socket.end();
  }

  /** Whether the tape has one at this address. */
  async isOnTape(tape: ReplayTape, call: TalkCall): Promise<boolean> {
    return (await this.#at(tape, call)).length > 0;
  }

  /** Plays a recording. Resolves with why there is none, as for a request. */
  async replay(tape: ReplayTape, call: TalkCall): Promise<Exclude<Taken, { index: number }> | undefined> {
    const found = await this.#at(tape, call);
    const { sessionId } = call.route;
    const wire = await this.#door.wire(call);
    this.#matcher ??= this.#matcherOf(tape, (await this.#recordings) ?? []);
    const taken = this.#matcher.take(wire, sessionId);
    if (!('index' in taken)) return taken;
    const first = found.find(({ index }) => index === taken.index);
    if (first === undefined) return undefined;
    const others = found.filter((one) => one !== first && one.key === first.key);
    const known = this.#played.get(sessionId) ?? new Set();
    this.#played.set(sessionId, known);
    const accepted = await this.#accept(call, first.http);
    if (accepted === undefined) return undefined;
    const { rules, repeat } = tape.rules;
    const own = new Set<number>();
    const { client, form } = accepted;
    const path = wire.url.replace(/\?.*$/s, '');
    const played = new PlayedTalk(
      client,
      {
        call,
        form,
        recorder: await this.#options.recorder.get(),
        replay: new TalkReplay([first, ...others], { carrier: form.carrier, path }, { ...rules, hash: sha256Binary }),
        differs: taken.kind === 'differs' ? await this.#options.explain(taken.explain()) : undefined,
        hasErrorEvents: form.carrier === 'websocket' && first.talk.messages.some(isEventOfServer),
        isFree: (index) => repeat === true || own.has(index) || !known.has(index),
        chosen: (index) => {
          own.add(index);
          known.add(index);
          tape.playTalk(index);
        },
      },
      this.#options,
      this.#door,
    );
    await this.#run(played);
    return undefined;
  }

  /** Connects a client with its upstream, and records what is said. */
  async record(call: TalkCall, asked: URL, target: URL): Promise<void> {
    if (this.#open.size >= MAX_TALKS) {
      refuse(call, 503, 'too_many_talks', t('more than {0} connections are open', MAX_TALKS));
      return;
    }
    const startedAt = new Date();
    const opened = await (call.upgraded === undefined ? this.#callGrpc(call, target) : this.#openSocket(call, target));
    if (opened === undefined) return;
    if ('unreachable' in opened) {
      const { name } = call.route.upstream;
      const message = t('{0} at {1} cannot be reached: {2}.', name, target.origin, opened.unreachable);
      await this.#door.report(call, { verdict: 'unreachable', explanation: message });
      refuse(call, 502, 'unreachable', message);
      return;
    }
    if (!('upstream' in opened)) {
      await this.#door.recordRefusal(call, asked, opened, startedAt);
      return;
    }
    const { form, headers } = opened;
    const from = { call, target: asked, form, headers, startedAt };
    await this.#run(new RecordedTalk(opened, from, this.#options, this.#door));
  }

  /** Undefined where the client has left. */
  async #openSocket(call: TalkCall, target: URL): Promise<Opened | CapturedResponse | Unreachable | undefined> {
    const opened = await (await this.#options.forwarder()).openSocket(call.request, target);
    if (!('socket' in opened)) return opened;
    const { socket: upstream, headers } = opened;
    const client = await acceptUpgraded(call, { protocol: upstream.protocol, headers });
    if (client !== undefined) return { client, upstream, form: socketForm, headers: () => headers };
    upstream.terminate();
    return undefined;
  }

  /** Undefined where the client has left. */
  async #callGrpc({ request, response, route }: TalkCall, target: URL): Promise<Opened | Unreachable | undefined> {
    const upstream = await (await this.#options.forwarder()).callGrpc(request, target);
    if ('unreachable' in upstream) return upstream;
    if (response.destroyed) {
      upstream.close();
      return undefined;
    }
    const client = new GrpcClientLine(request, response);
    upstream.once('headers', (headers) => client.answer(headers));
    return { client, upstream, form: grpcForm(route.path), headers: () => upstream.headers };
  }

  async #run(socket: OpenTalk): Promise<void> {
    this.#open.add(socket);
    try {
      const ended = socket.run();
      // It was still being connected when all others were ended.
      if (this.#isEnding) socket.end();
      await ended;
    } finally {
      this.#open.delete(socket);
    }
  }

  async #accept(call: TalkCall, { responseHeaders }: HttpExchange): Promise<Accepted | undefined> {
    const { upgraded, request, response, route } = call;
    if (upgraded === undefined) {
      if (response.destroyed) return undefined;
      const client = new GrpcClientLine(request, response);
      client.answer(responseHeaders);
      return { client, form: grpcForm(route.path) };
    }
    const recorded = headerOf(responseHeaders, 'sec-websocket-protocol') ?? '';
    const protocol = offeredProtocols(request).includes(recorded) ? recorded : '';
    const client = await acceptUpgraded(call, { protocol, headers: responseHeaders });
    return client && { client, form: socketForm };
  }

  async #at(tape: ReplayTape, call: TalkCall): Promise<readonly Recording[]> {
    this.#recordings ??= tape.loaded().then(recordingsOf);
    const { method, url, host } = await this.#door.wire(call);
    const { address } = addressedAs({ method, url });
    return (await this.#recordings).filter(({ http }) => {
      const recorded = addressedAs(http);
      const isOfHost = host === undefined || recorded.host === undefined || recorded.host === host;
      return recorded.address === address && isOfHost;
    });
  }

  #matcherOf({ rules: { rules, repeat = false } }: ReplayTape, recordings: readonly Recording[]): RequestMatcher {
    const requests = recordings.map(({ index, http }): RecordedRequest => {
      return { index, kind: 'http', ...addressedAs(http), wire: () => comparableFromExchange(http) };
    });
    const match = rules.match === 'subset' ? 'subset' : 'exact';
    return createMatcher(requests, { ...rules, match, repeat, hash: sha256Binary });
  }
}

function recordingsOf(tape: LoadedTape): readonly Recording[] {
  return tape.talks().flatMap((index) => {
    const http = tape.interaction(index)?.http;
    const talk = http && talkOf(http);
    if (http === undefined || talk === undefined) return [];
    const known = carrierOf(http) === 'grpc' ? asReadNow(http.url, talk) : talk;
    return [{ index, http, talk: known, key: canonicalJson({ ...comparableFromExchange(http) }) }];
  });
}

/** The names of more fields may be known now than when it was recorded. */
function asReadNow(url: string, talk: Talk): Talk {
  const form = grpcForm(url);
  const messages = talk.messages.map((message) => {
    const sent = message.from === 'client' && !message.isLast ? form.sent(message) : undefined;
    return sent === undefined ? message : { ...message, ...form.written('client', Buffer.from(sent.data), true) };
  });
  return { ...talk, messages };
}

function isEventOfServer({ from, data, base64 }: OnTape['talk']['messages'][number]): boolean {
  if (from !== 'server' || base64) return false;
  const event = parseJson(data);
  return typeof event === 'object' && event !== null && 'type' in event && eventName(event) !== undefined;
}

/** The connection is no longer that of a response. */
async function acceptUpgraded(
  { request, response, upgraded }: TalkCall,
  how: Parameters<typeof acceptSocket>[2],
): ReturnType<typeof acceptSocket> {
  if (upgraded === undefined) return undefined;
  response.detachSocket(upgraded.socket as Parameters<typeof response.detachSocket>[0]);
  return acceptSocket(request, upgraded, how);
}
