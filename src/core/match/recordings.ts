import { compactJson, jsonEqual } from '../json/json';
import { type JsonNode, toNode } from '../json/jsonNode';
import { member, readJson } from '../json/readJson';
import type { Mask, MatchMode, OnDrift } from '../model/case';
import type { HttpRequest, NotKept } from '../model/http';
import type { Interaction } from '../model/interaction';
import type { ChatRequest, RequestDigests } from '../model/message';
import type { Tape } from '../model/tape';
import type { MatchedFormat } from '../tapes/format';
import { lackOf } from '../tapes/notKept';
import { urlPath } from '../wire/http';
import { writeChatBody } from '../wire/openaiChat/write';
import {
  type AgentRequest,
  addressOf,
  type ComparableRequest,
  chatRequestOf,
  comparableFromChat,
  comparableFromExchange,
  EMPTY_REQUEST,
  isChatRequest,
  type RequestForm,
} from './comparableRequest';
import { isHiddenAddress, isPlaceholder, withHiddenAddress } from './hiddenUrl';
import { withoutElementMasks } from './masks';
import { NearestIndex } from './nearestIndex';
import { indexParts, type PartIndex, placeOfPart, sketchOfPart } from './partIndex';
import { type HashFunction, type Signature, type Sketches, signRequest } from './signature';
import { append, NONE, type Queues, type SignatureSearch, searchSignatures } from './signatureSearch';
import { StringIndex } from './stringIndex';

export interface MatchRules {
  readonly match: MatchMode;
  readonly masks: readonly Mask[];
  /** `fail` by default. */
  readonly onDrift?: OnDrift;
  /** The tape's format: which fields of a request it stores, and its keys. */
  readonly format?: Omit<MatchedFormat, 'id'>;
  /** Serves the last recording of a request again when all have been served, instead of missing. */
  readonly repeat?: boolean;
  /** SHA-256 in JavaScript by default; the engine passes a faster one. */
  readonly hash?: HashFunction;
}

/** A request on a tape. */
export interface RecordedRequest {
  /** The index of its interaction. */
  readonly index: number;
  readonly kind: RequestKind;
  /** Method and endpoint; absent on tapes without HTTP. */
  readonly address?: string | undefined;
  /** Absent if the tape has none. */
  readonly host?: string | undefined;
  /** Reads the HTTP request; absent on tapes without HTTP. */
  wire?(): ComparableRequest;
  /** Reads the request by its meaning; absent on tapes that keep only digests. */
  chat?(): ComparableRequest;
  /** The format's own key. */
  readonly key?: string;
  /** Where the tape has rules. */
  readonly rule?: ChatRequest;
  /** As the tape writes it. */
  readonly model?: string;
  /** On tapes that keep only digests. */
  readonly digests?: RequestDigests;
  /** Of the HTTP request, from an index, so that it need not be read to be searched. */
  readonly signature?: Signature;
  /** Why it cannot be served: the tape does not have its response. */
  readonly lack?: NotKept;
}

/** The requests of a tape that an agent can make: model calls, embeddings, and other HTTP traffic. */
export function recordedRequests(
  { interactions }: Tape,
  format: Pick<MatchedFormat, 'storedFields' | 'holdsRules'>,
): RecordedRequest[] {
  return interactions.flatMap((interaction) => recordedRequest(interaction, format) ?? []);
}

export const REQUEST_KINDS = ['llm', 'embedding', 'http'] as const satisfies readonly Interaction['kind'][];
type RequestKind = (typeof REQUEST_KINDS)[number];

export function isRequestKind(kind: Interaction['kind']): kind is RequestKind {
  return kind === 'llm' || kind === 'embedding' || kind === 'http';
}

function recordedRequest(
  interaction: Interaction,
  { storedFields, holdsRules }: Pick<MatchedFormat, 'storedFields' | 'holdsRules'>,
): RecordedRequest | undefined {
  const { index, kind, http, request, id } = interaction;
  if (!isRequestKind(kind)) return undefined;
  const lack = lackOf(interaction);
  return {
    index,
    kind,
    lack,
    ...(http && { ...addressedAs(http), wire: () => comparableFromExchange(http) }),
    ...(request && isWhole(request) && { chat: () => comparableFromChat(request, storedFields) }),
    ...(request && holdsRules && { rule: request }),
    key: id,
    ...(request?.model !== undefined && { model: request.model }),
    ...(request?.digests && { digests: request.digests }),
  };
}

/** Where a recorded request went. */
export function addressedAs({
  method,
  url,
}: Pick<HttpRequest, 'method' | 'url'>): Pick<RecordedRequest, 'address' | 'host'> {
  const host = recordedHost(url);
  return { address: addressOf(method, url), ...(host !== undefined && { host }) };
}

/** The host of a recorded URL; undefined where the tape has none. */
export function recordedHost(url: string): string | undefined {
  const host = URL.canParse(url) ? new URL(url).host : '';
  return host === '' || isPlaceholder(host) ? undefined : host;
}

function isWhole({ partial }: ChatRequest): boolean {
  return partial === undefined;
}

/** The number of requests that stay in memory once they were read. */
const REMEMBERED = 64;

/** The recordings that a request has to be compared with. */
interface NearRecordings {
  readonly request: ComparableRequest;
  readonly places: readonly number[];
  index?: { readonly parts: PartIndex; readonly nearest: NearestIndex };
}

/** The recorded requests in one form, each read once, and searchable by request. */
export class Recordings {
  readonly #recorded: readonly RecordedRequest[];
  readonly #form: RequestForm;
  readonly #rules: MatchRules;
  readonly #signatures: Signature[] = [];
  /** Of all that have a signature. */
  readonly #sketches: Sketches = new Map();
  readonly #read = new Map<number, ComparableRequest>();
  #search: SignatureSearch | undefined;
  #lanes: Queues | undefined;
  #nearest: NearestIndex | undefined;
  /** The same recordings with the elements of lists that masks cover. */
  #whole: Recordings | undefined;
  readonly #strings: StringIndex | undefined;
  /** The candidates for the last request. */
  #near: NearRecordings | undefined;
  /** By key, where only candidates are read: always the same list. */
  readonly #queues: Queues = new Map();

  /** `search`: where the requests have signatures from an index, what finds them; where they do not, their strings may tell which to read. */
  constructor(
    recorded: readonly RecordedRequest[],
    form: RequestForm,
    rules: MatchRules,
    search?: SignatureSearch | StringIndex,
  ) {
    this.#recorded = recorded;
    this.#form = form;
    this.#rules = rules;
    // What masks leave of a request does not show in its strings.
    if (!(search instanceof StringIndex)) this.#search = search;
    else if (rules.masks.length === 0) this.#strings = search;
  }

  get length(): number {
    return this.#recorded.length;
  }

  /** Whether the tape has the request in this form. */
  has(at: number): boolean {
    return this.#recorded[at]?.[this.#form] !== undefined;
  }

  /** Those of a queue that may serve a request to this host; all of them where the host does not count. */
  atHost(queue: readonly number[], host: string | undefined): readonly number[] {
    if (host === undefined) return queue;
    return queue.filter((at) => (this.#recorded[at]?.host ?? host) === host);
  }

  request(at: number): ComparableRequest {
    const known = this.#read.get(at);
    const request = known ?? this.#recorded[at]?.[this.#form]?.() ?? EMPTY_REQUEST;
    // What was read last stays: candidates are signed, and the nearest of them compared.
    this.#read.delete(at);
    this.#read.set(at, request);
    const [oldest = at] = this.#read.size > REMEMBERED ? this.#read.keys() : [];
    if (oldest !== at) this.#read.delete(oldest);
    return request;
  }

  signature(at: number): Signature {
    const indexed = this.#form === 'wire' ? this.#recorded[at]?.signature : undefined;
    const signature = this.#signatures[at] ?? indexed ?? this.sign(this.request(at), this.#sketches);
    this.#signatures[at] = signature;
    return signature;
  }

  sign(request: ComparableRequest, sketches?: Sketches): Signature {
    const { masks, hash } = this.#rules;
    return signRequest(request, { masks, sketches, hash });
  }

  /** The recordings of a request in their order: those equal to it, and those that mean the same under the masks. */
  equal(
    request: ComparableRequest,
    { key, plainKey }: Signature,
    host?: string,
  ): { readonly exact: readonly number[]; readonly masked: readonly number[] } {
    const search = this.#searchFor(request);
    const same = search.withKey(key);
    return {
      exact: this.atHost(search.withPlainKey(plainKey), host),
      masked: this.atHost(same.length > 0 ? same : this.withOtherElements(request, key), host),
    };
  }

  /**
   * The recordings that mean the same but for an element of a list that a mask covers, which only the request or only the recording has:
   * without it, the elements after it are at other places.
   */
  withOtherElements(request: ComparableRequest, key: string): readonly number[] {
    const masks = withoutElementMasks(this.#rules.masks);
    if (masks === undefined) return NONE;
    this.#whole ??= new Recordings(this.#recorded, this.#form, { ...this.#rules, masks });
    const whole = this.#whole;
    const found = new Set([...whole.#searched().withKey(key), ...this.#searched().withKey(whole.sign(request).key)]);
    return [...found].sort((left, right) => left - right);
  }

  /** The recordings that a sequence serves for this request, in their order: those of its endpoint, or of its kind. */
  lane(request: AgentRequest, { address = '' }: ComparableRequest): readonly number[] {
    this.#lanes ??= this.#indexLanes();
    return this.#lanes.get(this.#form === 'wire' ? address : requestKind(request)) ?? NONE;
  }

  /** The request at the address that the tape has for it: where URLs were left out of a tape, its body decides. */
  addressed(request: ComparableRequest): ComparableRequest {
    const { address } = request;
    if (this.#form === 'chat' || address === undefined) return request;
    this.#lanes ??= this.#indexLanes();
    if (this.#lanes.has(address)) return request;
    const method = address.slice(0, address.indexOf(' ') + 1);
    const hidden = [...this.#lanes.keys()].find((other) => other.startsWith(method) && isHiddenAddress(other));
    return (hidden !== undefined && withHiddenAddress(request, hidden)) || request;
  }

  /** The most similar recordings, the best first; of all, or of some. */
  nearest(request: ComparableRequest, signature: Signature, among?: readonly number[]): readonly number[] {
    const near = this.#candidates(request);
    if (near !== undefined) {
      near.index ??= this.#indexOf(near.places);
      const { parts, nearest } = near.index;
      const places = new Set(among);
      const chosen = among && new Set(near.places.flatMap((place, at) => (places.has(place) ? [at] : [])));
      return nearest
        .find(signature, this.#sketchesOf(request, signature, parts), chosen)
        .map((at) => near.places[at] ?? 0);
    }
    const { parts } = this.#searched();
    this.#nearest ??= new NearestIndex(parts);
    return this.#nearest.find(signature, this.#sketchesOf(request, signature, parts), among && new Set(among));
  }

  #sketchesOf(request: ComparableRequest, signature: Signature, parts: PartIndex): Sketches {
    // Most messages are on the tape as well, and need not be read again.
    const known = signature.messages.flatMap((digest) => {
      const sketch = sketchOfPart(parts, placeOfPart(parts, digest));
      return sketch === undefined ? [] : [[digest, sketch] as const];
    });
    const sketches: Sketches = new Map(known);
    this.sign(request, sketches);
    return sketches;
  }

  /** Reads everything now, so that the first request need not wait for it, unless its strings tell what has to be read. */
  prepare(): this {
    if (this.#strings === undefined) this.#searched();
    return this;
  }

  /** Those at the request's address that may be equal, or are the nearest, by their strings. */
  #candidates(request: ComparableRequest): NearRecordings | undefined {
    if (this.#strings === undefined) return undefined;
    if (this.#near?.request === request) return this.#near;
    this.#lanes ??= this.#indexLanes();
    const lane = this.#lanes.get(request.address ?? '') ?? NONE;
    const { body } = request;
    const found = this.#strings.candidates(
      typeof body === 'string' ? body : compactJson(body),
      lane.map((at) => this.#recorded[at]?.index ?? at),
    );
    const places = lane.filter((at) => found.has(this.#recorded[at]?.index ?? at));
    this.#near = { request, places };
    return this.#near;
  }

  #indexOf(places: readonly number[]): NonNullable<NearRecordings['index']> {
    const parts = indexParts(
      places.map((at) => this.signature(at)),
      this.#sketches,
    );
    return { parts, nearest: new NearestIndex(parts) };
  }

  #searchFor(request: ComparableRequest): Pick<SignatureSearch, 'withKey' | 'withPlainKey'> {
    const near = this.#candidates(request);
    if (near === undefined) return this.#searched();
    const withKey = (name: 'key' | 'plainKey', key: string): readonly number[] => {
      const known = this.#queues.get(`${name} ${key}`);
      const found = known ?? near.places.filter((at) => this.signature(at)[name] === key);
      if (found.length > 0) this.#queues.set(`${name} ${key}`, found);
      return found;
    };
    return { withKey: (key) => withKey('key', key), withPlainKey: (key) => withKey('plainKey', key) };
  }

  #searched(): SignatureSearch {
    this.#search ??= this.#readAll();
    return this.#search;
  }

  #readAll(): SignatureSearch {
    const signatures = Array.from(this.#recorded, (_, at) => this.signature(at));
    return searchSignatures(signatures, this.#sketches);
  }

  #indexLanes(): Queues {
    const lanes: Queues = new Map();
    for (const [at, { address = '', kind }] of this.#recorded.entries())
      append(lanes, this.#form === 'wire' ? address : kind, at);
    return lanes;
  }
}

/** A format whose tapes keep keys of requests. */
export interface KeyedFormat {
  readonly requestKey: NonNullable<MatchedFormat['requestKey']>;
  readonly digestRequest?: MatchedFormat['digestRequest'];
}

/** The recordings of a tape by its format's own keys. */
export class FormatKeys {
  readonly #queues: Queues = new Map();
  readonly #recorded: readonly RecordedRequest[];
  readonly #format: KeyedFormat;
  readonly #models: ReadonlySet<string>;

  constructor(recorded: readonly RecordedRequest[], format: KeyedFormat) {
    this.#recorded = recorded;
    this.#format = format;
    this.#models = new Set(recorded.flatMap(({ model }) => model ?? []));
    for (const [at, { key }] of recorded.entries()) if (key !== undefined) append(this.#queues, key, at);
  }

  find(request: AgentRequest): readonly number[] {
    const body = chatBody(request);
    if (body === undefined) return NONE;
    const kind = isEmbedding(request) ? 'embedding' : 'llm';
    for (const model of [undefined, ...this.#recordedNames(body)]) {
      const key = this.#format.requestKey(body, kind, model);
      const found = key === undefined ? undefined : this.#queues.get(key);
      if (found !== undefined) return this.#withSameTools(found, body);
    }
    return NONE;
  }

  /** A key may leave out what a tool can choose from, which the digests of the tools include. */
  #withSameTools(found: readonly number[], body: JsonNode): readonly number[] {
    const now = this.#format.digestRequest?.(body).tools;
    const isSame = (at: number): boolean => {
      const recorded = this.#recorded[at]?.digests?.tools;
      return now === undefined || recorded === undefined || jsonEqual(recorded, now);
    };
    return found.every(isSame) ? found : found.filter(isSame);
  }

  /** The recorded models that end with that of the request: litellm's names have a provider before them, `openai/gpt-4o`. */
  #recordedNames(body: JsonNode): readonly string[] {
    const model = member(body, 'model');
    return model?.type === 'string' ? [...this.#models].filter((name) => name.endsWith(`/${model.value}`)) : [];
  }
}

function requestKind(request: AgentRequest): RequestKind {
  if (isChatRequest(request)) return 'llm';
  if (isEmbedding(request)) return 'embedding';
  return chatRequestOf(request) === undefined ? 'http' : 'llm';
}

function isEmbedding(request: AgentRequest): boolean {
  return !isChatRequest(request) && /\/embeddings\/?$/.test(urlPath(request.url));
}

/** The request as a Chat Completions body: unchanged where it is one, since keys depend on every character of it. */
export function chatBody(request: AgentRequest): JsonNode | undefined {
  if (!isChatRequest(request) && /\/(?:chat\/completions|embeddings)\/?$/.test(urlPath(request.url)))
    return readJson(new TextDecoder().decode(request.body)).value;
  const chat = chatRequestOf(request);
  return chat && toNode(writeChatBody(chat));
}
