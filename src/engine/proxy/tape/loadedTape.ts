import { omitUndefined } from '../../../core/json/fields';
import { type ComparableRequest, comparableFromExchange, EMPTY_REQUEST } from '../../../core/match/comparableRequest';
import { type RecordedRequest, recordedRequests } from '../../../core/match/recordings';
import type { RequestIndex, SignedRequest, SignedRequests } from '../../../core/match/requestIndex';
import { type HashFunction, plainKeyOf, type Sketches, signRequest } from '../../../core/match/signature';
import type { Mask } from '../../../core/model/case';
import type { HttpExchange, HttpRequest } from '../../../core/model/http';
import type { Interaction } from '../../../core/model/interaction';
import type { MatchedFormat } from '../../../core/tapes/format';
import { plainInteraction } from '../../../core/tapes/lazyTape';
import { lackOf } from '../../../core/tapes/notKept';
import type { PiecewiseTape } from '../../../core/tapes/pieces';
import { bodyFromBytes, codingsOf, contentBytes, decodeBody, decodeContent } from '../../../core/wire/body/body';
import { decompressedHeader } from '../../../core/wire/body/bodyContent';
import { comparablePath } from '../../../core/wire/endpoints';
import { headerOf, urlPath } from '../../../core/wire/http';
import { telemetryIn } from '../../../core/wire/telemetry';
import type { interactionPlaces } from '../../recording/readTape';
import type { Recorder } from '../../recording/recorder';
import { exactKey, sha256Binary } from './exactIndex';
import type { ServedResponse } from './servedResponse';
import { servedResponse } from './servedResponse';

type Places = ReturnType<typeof interactionPlaces>;

/**
 * A tape in memory. The secrets of its requests are hidden, like those of the requests that they are compared with, when one is
 * first asked for.
 */
export class LoadedTape {
  readonly format: MatchedFormat;
  /** The places of the interactions in the file, where they can be read one by one. */
  readonly places: () => Places;
  readonly #tape: PiecewiseTape;
  readonly #recorder: Recorder;
  readonly #interactions: (Interaction | undefined)[] = [];
  readonly #requests: (HttpRequest | undefined)[] = [];
  /** Without secrets, by the URL on the tape: most requests have one of a few. */
  readonly #urls = new Map<string, string>();
  readonly #responses = new Map<number, ServedResponse | undefined>();
  #hasSecrets = false;

  constructor(tape: PiecewiseTape, format: MatchedFormat, recorder: Recorder, places?: () => Places) {
    this.format = format;
    this.places = places ?? (async () => undefined);
    this.#tape = tape;
    this.#recorder = recorder;
  }

  get count(): number {
    return this.#tape.interactions.length;
  }

  /** The path of a request whose base is not known, as the tape has it: with the base of the recordings that end with it. */
  wholePath(path: string): string {
    const wanted = urlPath(path);
    // Every recording ends with no path.
    if (wanted.length < 2) return path;
    const recorded = this.#all().flatMap(({ http }) => (http === undefined ? [] : [urlPath(http.url)]));
    const bases = recorded.flatMap((one) => (one.endsWith(wanted) ? [one.slice(0, one.length - wanted.length)] : []));
    return `${bases[0] ?? ''}${path}`;
  }

  requests(): RecordedRequest[] {
    const { format } = this.#tape;
    return recordedRequests({ format, problems: [], interactions: this.#all() }, this.format);
  }

  /** The requests of this tape's index, each read when it is compared. */
  indexed(index: RequestIndex): readonly RecordedRequest[] {
    return index.requests((at) => this.#comparable(at));
  }

  /**
   * What an index is made of that finds requests without the tape. Undefined if a request contains a secret, because another environment may
   * have other secrets, if one is not HTTP, or if one has no response.
   */
  signed(masks: readonly Mask[]): SignedRequests | undefined {
    const recorded = this.requests();
    if (this.#hasSecrets || recorded.some(({ lack }) => lack !== undefined)) return undefined;
    const sketches: Sketches = new Map();
    const requests = recorded.flatMap(({ index, kind, address, host, wire }): SignedRequest[] => {
      const signature = wire && signRequest(wire(), { masks, hash, sketches });
      return signature === undefined ? [] : [{ index, kind, ...omitUndefined({ address, host }), signature }];
    });
    return requests.length === recorded.length ? { requests, sketches } : undefined;
  }

  /**
   * The exact key of each interaction; none if equal requests differ in their bytes, because then the bytes do not
   * decide which recording is next, and none if the tape has no HTTP, or no response.
   */
  keys(known?: SignedRequests): (string | undefined)[] {
    const bytesOf = new Map<string, string>();
    const ambiguous = new Set<string>();
    const signed = new Map(known?.requests.map((request) => [request.index, request.signature.plainKey]));
    const requests = this.#all().map((one) => {
      const { http, index } = one;
      const isServed = http !== undefined && lackOf(one) === undefined;
      return isServed ? { key: keyOf(http), meaning: signed.get(index) ?? meaningOf(http) } : undefined;
    });
    for (const { key, meaning } of requests.filter((one) => one !== undefined)) {
      if ((bytesOf.get(meaning) ?? key) !== key) ambiguous.add(meaning);
      bytesOf.set(meaning, key);
    }
    return requests.map((one) => (one === undefined || ambiguous.has(one.meaning) ? undefined : one.key));
  }

  interaction(index: number): Interaction | undefined {
    const interaction = this.#tape.interactions[index];
    this.#interactions[index] ??= interaction && this.#hidden(interaction);
    return this.#interactions[index];
  }

  isTelemetry(index: number): boolean {
    const http = this.#request(index);
    if (http === undefined || !URL.canParse(http.url)) return false;
    const { method, url, requestHeaders: headers, requestBody } = http;
    const contentType = headerOf(headers, 'content-type') ?? '';
    const userAgent = headerOf(headers, 'user-agent') ?? '';
    const start = () => decodeBody(requestBody, headers).text ?? '';
    return telemetryIn({ method, url: new URL(url), contentType, userAgent, start }) !== undefined;
  }

  /** Whether it is a request over HTTP of which the tape does not have the response. */
  isLacking(index: number): boolean {
    const interaction = this.interaction(index);
    return interaction?.http !== undefined && lackOf(interaction) !== undefined;
  }

  response(index: number): ServedResponse | undefined {
    const interaction = this.#tape.interactions[index];
    if (!this.#responses.has(index)) this.#responses.set(index, interaction && servedResponse(interaction));
    return this.#responses.get(index);
  }

  responses(): (ServedResponse | undefined)[] {
    return this.#tape.interactions.map(servedResponse);
  }

  #all(): Interaction[] {
    return this.#tape.interactions.flatMap((_, index) => this.interaction(index) ?? []);
  }

  #comparable(index: number): ComparableRequest {
    const http = this.#request(index);
    return http === undefined ? EMPTY_REQUEST : comparableFromExchange(http);
  }

  /** Without secrets. To read the rest of an interaction takes longer than its request. */
  #request(index: number): HttpRequest | undefined {
    if (this.#tape.request === undefined) return this.interaction(index)?.http;
    const request = this.#requests[index] ?? this.#tape.request(index);
    this.#requests[index] ??= request && this.#withoutSecrets(request).http;
    return this.#requests[index];
  }

  #hidden(interaction: Interaction): Interaction {
    const { http } = interaction;
    if (http === undefined) return interaction;
    const hidden = this.#withoutSecrets(http);
    this.#hasSecrets ||= hidden.hadSecrets;
    return { ...plainInteraction(interaction), http: hidden.http };
  }

  #withoutSecrets<T extends HttpRequest>(http: T): HiddenHttp<T> {
    const url = this.#urls.get(http.url) ?? this.#recorder.url(http.url);
    this.#urls.set(http.url, url);
    return withoutSecrets(http, url, this.#recorder);
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

function keyOf({ method, url, requestHeaders, requestBody }: HttpExchange): string {
  return exactKey(method.toUpperCase(), comparablePath(url), contentBytes(requestBody, requestHeaders));
}

const hash: HashFunction = (text) => sha256Binary(text);

/** A signature that is equal for requests that the matcher treats as equal. */
function meaningOf(http: HttpExchange): string {
  return plainKeyOf(comparableFromExchange(http), hash);
}
