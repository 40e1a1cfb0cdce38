import { type ComparableRequest, comparableFromExchange, EMPTY_REQUEST } from '../../../core/match/comparableRequest';
import { likenessOf } from '../../../core/match/likeness';
import { isRequestKind, type RecordedRequest, recordedHost, recordedRequests } from '../../../core/match/recordings';
import type { RequestIndex } from '../../../core/match/requestIndex';
import { StringIndex } from '../../../core/match/stringIndex';
import type { Mask } from '../../../core/model/case';
import type { HttpExchange, HttpRequest } from '../../../core/model/http';
import type { Interaction } from '../../../core/model/interaction';
import type { MatchedFormat } from '../../../core/tapes/format';
import { plainInteraction, storedHttp } from '../../../core/tapes/lazyTape';
import { lackOf } from '../../../core/tapes/notKept';
import type { PiecewiseTape } from '../../../core/tapes/pieces';
import { bodyFromBytes, codingsOf, decodeBody, decodeContent } from '../../../core/wire/body/body';
import { decompressedHeader } from '../../../core/wire/body/bodyContent';
import { comparablePath, endpointOf } from '../../../core/wire/endpoints';
import { headerOf, urlPath } from '../../../core/wire/http';
import { isTalk } from '../../../core/wire/realtime/talk';
import { telemetryIn } from '../../../core/wire/telemetry';
import { isBroken } from '../../recording/readTape';
import type { Recorder } from '../../recording/recorder';
import { exactKey } from './exactIndex';
import { ExactPlaces, meaningOf } from './exactPlaces';
import { type KeptTape, KeptTapeBuilder } from './keptTape';
import { type ServedResponse, servedResponse } from './servedResponse';

const NONE: readonly number[] = [];

/** What one pass over a tape tells. */
interface Scan {
  readonly exact: ExactPlaces;
  /** All of its interactions are. */
  readonly isHttp: boolean;
  readonly mayBeBroken: boolean;
  /** Those that are HTTP. */
  readonly requests: readonly RecordedRequest[];
}

/** A URL without secrets, and what is compared of it. */
interface Address {
  readonly url: string;
  readonly path: string;
  readonly endpoint: string;
  readonly host: string | undefined;
}

/**
 * A tape in memory. Of its interactions, only what is asked for is read: chats never, where all is HTTP. The secrets of its requests are
 * hidden, like those of the requests that they are compared with.
 */
export class LoadedTape {
  readonly format: MatchedFormat;
  readonly #tape: PiecewiseTape;
  readonly #recorder: Recorder;
  #interactions: readonly Interaction[] | undefined;
  #scan: Scan | undefined;
  /** Hidden, by index. */
  readonly #requests: (HttpRequest | undefined)[] = [];
  /** By the URL on the tape: most requests have one of a few. */
  readonly #addresses = new Map<string, Address>();
  readonly #responses = new Map<number, ServedResponse | undefined>();
  /** By index, whether the body of a request has a secret. */
  readonly #secretBodies = new Map<number, boolean>();

  constructor(tape: PiecewiseTape, format: MatchedFormat, recorder: Recorder) {
    this.format = format;
    this.#tape = tape;
    this.#recorder = recorder;
  }

  get count(): number {
    return this.#list.length;
  }

  /** Whether an interaction is broken, or has to be read whole to tell. */
  get mayBeBroken(): boolean {
    return this.#scanAll().mayBeBroken;
  }

  /** The recordings of exactly this request, where its bytes alone decide; always the same list for the same key. */
  places(key: string): readonly number[] {
    const found = this.#scanAll().exact.find(key);
    const [first] = found;
    // What has a secret is compared without it.
    return first === undefined || this.#hasSecretBody(first) ? NONE : found;
  }

  /** Searches all requests for secrets now. A pattern of the project that is too slow for one of them throws, rather than when that is asked for. */
  searchBodies(): void {
    for (const index of this.#list.keys()) this.#hasSecretBody(index);
  }

  /** The path of a request whose base is not known, as the tape has it: with the base of the recordings that end with it. */
  wholePath(path: string): string {
    const wanted = urlPath(path);
    // Every recording ends with no path.
    if (wanted.length < 2) return path;
    this.#scanAll();
    const recorded = [...this.#addresses.values()].map(({ url }) => urlPath(url));
    const base = recorded.find((one) => one.endsWith(wanted))?.slice(0, -wanted.length);
    return `${base ?? ''}${path}`;
  }

  /** Their strings; undefined where not all is compared as HTTP. Found when they are asked for: most replays have no drift. */
  get strings(): StringIndex | undefined {
    if (!this.#isComparedAsHttp) return undefined;
    const strings = new StringIndex();
    for (const { index } of this.#scanAll().requests) {
      const http = this.#storedRequest(index);
      if (http !== undefined) strings.add(index, decodeContent(http.requestBody, http.requestHeaders).text ?? '');
    }
    return strings;
  }

  get #isComparedAsHttp(): boolean {
    return this.#scanAll().isHttp && this.format.requestKey === undefined;
  }

  requests(): readonly RecordedRequest[] {
    if (this.#isComparedAsHttp) return this.#scanAll().requests;
    const { format } = this.#tape;
    const interactions = this.#list.flatMap((_, index) => this.interaction(index) ?? []);
    return recordedRequests({ format, problems: [], interactions }, this.format);
  }

  /** The requests of this tape's index, each read when it is compared. */
  indexed(index: RequestIndex): readonly RecordedRequest[] {
    return index.requests((at) => {
      const http = this.#request(at);
      return http === undefined ? EMPTY_REQUEST : comparableFromExchange(http);
    });
  }

  /** What a replay of the same tape needs instead of it. `pause` is called between two interactions, and may have this wait. */
  async kept(masks: readonly Mask[], pause: () => Promise<void> | undefined): Promise<KeptTape> {
    const kept = new KeptTapeBuilder(masks);
    for (const interaction of this.#list) {
      await pause();
      const { http, kind } = storedHttp(interaction);
      const exchange = http && { ...this.#withoutSecrets(http), kind };
      kept.add(servedResponse(interaction), exchange ?? interaction.kind);
    }
    return kept.kept();
  }

  /** Without secrets. */
  interaction(index: number): Interaction | undefined {
    const interaction = this.#list[index];
    const http = interaction?.http;
    if (interaction === undefined || http === undefined) return interaction;
    return { ...plainInteraction(interaction), http: this.#withoutSecrets(http).http };
  }

  /** Whether a replay is to ask for it: it has its response, and is no telemetry, which a replay answers by itself. */
  isAskedFor(index: number): boolean {
    const http = this.#stored(index);
    if (http === undefined) return true;
    const { method, url, requestHeaders: headers, requestBody } = http;
    if (lackOf({ http }) !== undefined) return false;
    if (!URL.canParse(url)) return true;
    const contentType = headerOf(headers, 'content-type') ?? '';
    const userAgent = headerOf(headers, 'user-agent') ?? '';
    const start = () => decodeBody(requestBody, headers).text ?? '';
    return telemetryIn({ method, url: new URL(url), contentType, userAgent, start }) === undefined;
  }

  /** The interactions that became WebSockets. */
  talks(): readonly number[] {
    return [...this.#list.keys()].filter((index) => {
      const http = this.#stored(index);
      return http !== undefined && isTalk(http);
    });
  }

  response(index: number): ServedResponse | undefined {
    const interaction = this.#list[index];
    if (!this.#responses.has(index)) this.#responses.set(index, interaction && servedResponse(interaction));
    return this.#responses.get(index);
  }

  /** Held, as a large tape releases what nobody holds. */
  get #list(): readonly Interaction[] {
    this.#interactions ??= this.#tape.interactions;
    return this.#interactions;
  }

  #scanAll(): Scan {
    this.#scan ??= this.#scanned();
    return this.#scan;
  }

  #scanned(): Scan {
    const exact = new ExactPlaces((index) => meaningOf(this.#comparable(index)));
    const requests: RecordedRequest[] = [];
    let isHttp = true;
    let mayBeBroken = false;
    for (const [index, interaction] of this.#list.entries()) {
      const { http, kind = 'http', problems } = storedHttp(interaction);
      isHttp &&= http !== undefined;
      mayBeBroken ||= http === undefined || problems.some(isBroken);
      if (http === undefined) continue;
      const { path, endpoint, host } = this.#addressOf(http.url);
      const method = http.method.toUpperCase();
      const address = `${method} ${endpoint}`;
      const lack = lackOf({ http });
      if (isRequestKind(kind)) requests.push({ index, kind, address, host, lack, wire: () => this.#comparable(index) });
      if (lack !== undefined) continue;
      const body = decodeContent(http.requestBody, http.requestHeaders);
      exact.add(index, exactKey(method, path, body.bytes), `${address} ${likenessOf(body.text ?? '')}`);
    }
    return { exact, isHttp, mayBeBroken, requests };
  }

  #stored(index: number): HttpExchange | undefined {
    const interaction = this.#list[index];
    return interaction && storedHttp(interaction).http;
  }

  /** Alone: its response may be read when it is asked for. */
  #storedRequest(index: number): HttpRequest | undefined {
    const http = this.#stored(index);
    if (http === undefined) return undefined;
    const { method, url, requestHeaders, requestBody } = http;
    return { method, url, requestHeaders, requestBody };
  }

  #hasSecretBody(index: number): boolean {
    const http = this.#secretBodies.has(index) ? undefined : this.#storedRequest(index);
    if (http !== undefined) this.#secretBodies.set(index, withoutSecrets(http, http.url, this.#recorder).hadSecrets);
    return this.#secretBodies.get(index) ?? false;
  }

  #comparable(index: number): ComparableRequest {
    const http = this.#storedRequest(index);
    return http === undefined ? EMPTY_REQUEST : comparableFromExchange(this.#withoutSecrets(http).http);
  }

  /** Without secrets. To read the rest of an interaction takes longer than its request. */
  #request(index: number): HttpRequest | undefined {
    const request = this.#requests[index] ?? this.#tape.request?.(index) ?? this.#storedRequest(index);
    this.#requests[index] ??= request && this.#withoutSecrets(request).http;
    return this.#requests[index];
  }

  #withoutSecrets<T extends HttpRequest>(http: T): HiddenHttp<T> {
    return withoutSecrets(http, this.#addressOf(http.url).url, this.#recorder);
  }

  #addressOf(recorded: string): Address {
    const known = this.#addresses.get(recorded);
    if (known !== undefined) return known;
    const url = this.#recorder.url(recorded);
    const address = { url, path: comparablePath(url), endpoint: endpointOf(url).path, host: recordedHost(url) };
    this.#addresses.set(recorded, address);
    return address;
  }
}

interface HiddenHttp<T extends HttpRequest> {
  readonly http: T;
  readonly hadSecrets: boolean;
}

/** `url`: that of the request, without secrets. */
function withoutSecrets<T extends HttpRequest>(http: T, url: string, recorder: Recorder): HiddenHttp<T> {
  const { text, bytes } = decodeContent(http.requestBody, http.requestHeaders);
  const isCoded = codingsOf(http.requestHeaders).length > 0;
  const requestHeaders = isCoded
    ? http.requestHeaders.flatMap((header) => decompressedHeader(header, bytes.length))
    : http.requestHeaders;
  const hidden = { ...http, url, requestHeaders };
  if (text === '') return { http: hidden, hadSecrets: url !== http.url };
  if (text !== undefined) {
    const clean = recorder.text(text);
    const requestBody = { type: 'text', text: clean } as const;
    return { http: { ...hidden, requestBody }, hadSecrets: url !== http.url || clean !== text };
  }
  const clean = recorder.body(bytes, requestHeaders);
  const requestBody = clean === undefined ? http.requestBody : bodyFromBytes(clean);
  return { http: { ...hidden, requestBody }, hadSecrets: url !== http.url || clean !== bytes };
}
