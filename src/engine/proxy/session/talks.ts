import { canonicalJson } from '../../../core/json/canonicalJson';
import { parseJson } from '../../../core/json/readJson';
import { comparableFromExchange } from '../../../core/match/comparableRequest';
import { createMatcher, type RequestMatcher } from '../../../core/match/matcher';
import { addressedAs, type RecordedRequest } from '../../../core/match/recordings';
import { type RecordedTalk as OnTape, TalkReplay } from '../../../core/match/talkReplay';
import type { HttpExchange } from '../../../core/model/http';
import { t } from '../../../core/text/l10n';
import { headerOf } from '../../../core/wire/http';
import { eventName } from '../../../core/wire/realtime/comparableEvent';
import { talkOf } from '../../../core/wire/realtime/talk';
import { acceptSocket, offeredProtocols } from '../../network/webSocket';
import { sha256Binary } from '../tape/exactIndex';
import type { LoadedTape } from '../tape/loadedTape';
import type { ReplayTape } from '../tape/replayTape';
import { refuse, type Taken } from './call';
import { PlayedTalk } from './playedTalk';
import { RecordedTalk } from './recordedTalk';
import type { SessionOptions } from './sessionOptions';
import type { TalkCall, TalkDoor } from './talkCall';

/** Open at the same time, in one session. */
const MAX_SOCKETS = 500;

interface OpenTalk {
  run(): Promise<void>;
  end(): void;
}

/** A recording of a WebSocket, and its handshake. */
interface Recording extends OnTape {
  readonly http: HttpExchange;
  /** Equal for handshakes that are. */
  readonly key: string;
}

/** The WebSockets of a session: loaded with the first of them. */
export class Talks {
  readonly #options: SessionOptions;
  readonly #door: TalkDoor;
  readonly #open = new Set<OpenTalk>();
  #recordings: Promise<readonly Recording[]> | undefined;
  #matcher: RequestMatcher | undefined;
  /** By lane, the recordings that are played, or were. */
  readonly #played = new Map<string | undefined, Set<number>>();

  constructor(options: SessionOptions, door: TalkDoor) {
    this.#options = options;
    this.#door = door;
  }

  /** Ends those that are open: the agent has ended, or the session has. */
  end(): void {
    for (const socket of this.#open) socket.end();
  }

  /** Whether the tape has a WebSocket at this address. */
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
    const played = this.#played.get(sessionId) ?? new Set();
    this.#played.set(sessionId, played);
    const client = await this.#accept(call, first.http);
    if (client === undefined) return undefined;
    const { rules, repeat } = tape.rules;
    const own = new Set<number>();
    const socket = new PlayedTalk(
      client,
      {
        call,
        recorder: await this.#options.recorder.get(),
        replay: new TalkReplay([first, ...others], wire.url.replace(/\?.*$/s, ''), { ...rules, hash: sha256Binary }),
        differs: taken.kind === 'differs' ? await this.#options.explain(taken.explain()) : undefined,
        hasErrorEvents: first.talk.messages.some(isEventOfServer),
        isFree: (index) => repeat === true || own.has(index) || !played.has(index),
        chosen: (index) => {
          own.add(index);
          played.add(index);
          tape.playTalk(index);
        },
      },
      this.#options,
      this.#door,
    );
    await this.#run(socket);
    return undefined;
  }

  /** Connects a client with its upstream, and records what is said. */
  async record(call: TalkCall, asked: URL, target: URL): Promise<void> {
    if (this.#open.size >= MAX_SOCKETS) {
      refuse(call, 503, 'too_many_sockets', t('more than {0} WebSockets are open', MAX_SOCKETS));
      return;
    }
    const startedAt = new Date();
    const opened = await (await this.#options.forwarder()).openSocket(call.request, target);
    if ('unreachable' in opened) {
      const { name } = call.route.upstream;
      const message = t('{0} at {1} cannot be reached: {2}.', name, target.origin, opened.unreachable);
      await this.#door.report(call, { verdict: 'unreachable', explanation: message });
      refuse(call, 502, 'unreachable', message);
      return;
    }
    if (!('socket' in opened)) {
      await this.#door.recordRefusal(call, asked, opened, startedAt);
      return;
    }
    const { socket: upstream, headers } = opened;
    const { upgraded, request } = call;
    withoutResponse(call);
    const client = await acceptSocket(request, upgraded, { protocol: upstream.protocol, headers });
    if (client === undefined) {
      upstream.terminate();
      return;
    }
    const from = { call, target: asked, headers, startedAt };
    await this.#run(new RecordedTalk({ client, upstream }, from, this.#options, this.#door));
  }

  async #run(socket: OpenTalk): Promise<void> {
    this.#open.add(socket);
    try {
      await socket.run();
    } finally {
      this.#open.delete(socket);
    }
  }

  #accept(call: TalkCall, { responseHeaders }: HttpExchange): ReturnType<typeof acceptSocket> {
    const { upgraded, request } = call;
    const offered = offeredProtocols(request);
    const recorded = headerOf(responseHeaders, 'sec-websocket-protocol') ?? '';
    withoutResponse(call);
    const protocol = offered.includes(recorded) ? recorded : '';
    return acceptSocket(request, upgraded, { protocol, headers: responseHeaders });
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
    return [{ index, http, talk, key: canonicalJson({ ...comparableFromExchange(http) }) }];
  });
}

function isEventOfServer({ from, data, base64 }: OnTape['talk']['messages'][number]): boolean {
  if (from !== 'server' || base64) return false;
  const event = parseJson(data);
  return typeof event === 'object' && event !== null && 'type' in event && eventName(event) !== undefined;
}

/** The connection is no longer that of a response. */
function withoutResponse({ response, upgraded: { socket } }: TalkCall): void {
  response.detachSocket(socket as Parameters<typeof response.detachSocket>[0]);
}
