import { jsonEqual } from '../json/json';
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
import { placeOfPart, sketchOfPart } from './partIndex';
import { type HashFunction, type Signature, type Sketches, signRequest } from './signature';
import { append, NONE, type Queues, type SignatureSearch, searchSignatures } from './signatureSearch';

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
    ...(lack && { lack }),
    ...(http && { ...addressedAs(http), wire: () => comparableFromExchange(http) }),
    ...(request && isWhole(request) && { chat: () => comparableFromChat(request, storedFields) }),
    ...(request && holdsRules && { rule: request }),
    ...(id !== undefined && { key: id }),
    ...(request?.model !== undefined && { model: request.model }),
    ...(request?.digests && { digests: request.digests }),
  };
}

/** Where a recorded request went. */
export function addressedAs({
  method,
  url,
}: Pick<HttpRequest, 'method' | 'url'>): Pick<RecordedRequest, 'address' | 'host'> {
  const host = URL.canParse(url) ? new URL(url).host : '';
  return { address: addressOf(method, url), ...(host !== '' && !isPlaceholder(host) && { host }) };
}

function isWhole({ partial }: ChatRequest): boolean {
  return partial === undefined;
}

/** The recorded requests in one form, each read once, and searchable by request. */
export class Recordings {
  readonly #recorded: readonly RecordedRequest[];
  readonly #form: RequestForm;
  readonly #rules: MatchRules;
  readonly #signatures: Signature[] = [];
  #search: SignatureSearch | undefined;
  #lanes: Queues | undefined;
  #nearest: NearestIndex | undefined;
  /** The same recordings with the elements of lists that masks cover. */
  #whole: Recordings | undefined;

  /** `search`: where the requests have signatures from an index, what finds them. */
  constructor(recorded: readonly RecordedRequest[], form: RequestForm, rules: MatchRules, search?: SignatureSearch) {
    this.#recorded = recorded;
    this.#form = form;
    this.#rules = rules;
    this.#search = search;
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
    return this.#recorded[at]?.[this.#form]?.() ?? EMPTY_REQUEST;
  }

  signature(at: number): Signature {
    const indexed = this.#form === 'wire' ? this.#recorded[at]?.signature : undefined;
    const signature = this.#signatures[at] ?? indexed ?? this.sign(this.request(at));
    this.#signatures[at] = signature;
    return signature;
  }

  sign(request: ComparableRequest, sketches?: Sketches): Signature {
    const { masks, hash } = this.#rules;
    return signRequest(request, { masks, ...(sketches && { sketches }), ...(hash && { hash }) });
  }

  /** The recordings of a request in their order: those equal to it, and those that mean the same under the masks. */
  equal(
    request: ComparableRequest,
    { key, plainKey }: Signature,
    host?: string,
  ): { readonly exact: readonly number[]; readonly masked: readonly number[] } {
    const search = this.#searched();
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
    const { parts } = this.#searched();
    this.#nearest ??= new NearestIndex(parts);
    // Most messages are on the tape as well, and need not be read again.
    const known = signature.messages.flatMap((digest) => {
      const sketch = sketchOfPart(parts, placeOfPart(parts, digest));
      return sketch === undefined ? [] : [[digest, sketch] as const];
    });
    const sketches: Sketches = new Map(known);
    this.sign(request, sketches);
    return this.#nearest.find(signature, sketches, among && new Set(among));
  }

  /** Reads everything now, so that the first request need not wait for it. */
  prepare(): this {
    this.#searched();
    return this;
  }

  #searched(): SignatureSearch {
    this.#search ??= this.#readAll();
    return this.#search;
  }

  #readAll(): SignatureSearch {
    const sketches: Sketches = new Map();
    for (let at = 0; at < this.#recorded.length; at += 1) this.#signatures[at] = this.sign(this.request(at), sketches);
    return searchSignatures(this.#signatures, sketches);
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
