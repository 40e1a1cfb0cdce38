import { canonicalJson } from '../json/canonicalJson';
import { type Json, jsonEqual } from '../json/json';
import type { ChatRequest } from '../model/message';
import {
  type AgentRequest,
  type ComparableRequest,
  EMPTY_REQUEST,
  isChatRequest,
  type RequestForm,
  requestInForm,
  ruledRequestOf,
} from './comparableRequest';
import { nearestByDigests } from './compareDigests';
import { type Drift, explainDrift } from './explainDrift';
import { firstAtTurn, fitsRule } from './fitsRule';
import { rankRecordings } from './nearRecording';
import {
  chatBody,
  FormatKeys,
  type KeyedFormat,
  type MatchRules,
  type RecordedRequest,
  Recordings,
} from './recordings';
import { ReplaySession } from './replaySession';
import { requestParts } from './requestParts';
import type { Signature } from './signature';
import type { SignatureSearch } from './signatureSearch';
import type { StringIndex } from './stringIndex';
import { isSubset } from './subset';

/**
 * `masked`: equal under the masks. `equivalent`: not equal, but the same in meaning. `unchecked`: the tape has only the response.
 * `differs`: not as recorded, and served because the rules let that pass.
 */
export type RecordingMatch =
  | { readonly kind: 'exact' | 'masked' | 'equivalent' | 'unchecked'; readonly index: number }
  | { readonly kind: 'differs'; readonly index: number; explain(): Drift };

/** There is no recording to serve; `explain` gives the reason. */
interface RecordingMiss {
  readonly kind: 'missing' | 'drifted' | 'used-up';
  explain(): Drift;
}

export interface RequestMatcher {
  /**
   * Takes the next recording that matches this request; identical requests are served in recording order. A miss explains
   * why none matches. `index` is the interaction's. Sessions keep concurrent runs apart: each is served every recording.
   */
  take(request: AgentRequest, session?: string): RecordingMatch | RecordingMiss;
  /** Whether this is the next request on the tape, as far as it was recorded. */
  isNext(request: AgentRequest, session?: string): boolean;
  /** The interactions that have not been served in a session. */
  unused(session?: string): readonly number[];
  /**
   * Takes the next of these interactions, for a caller that found them to be equal to its request by other means. They are in
   * recording order, and the same list for the same request. Undefined when all have been served.
   */
  takeOneOf(indexes: readonly number[], session?: string): number | undefined;
  /** Forgets a session. */
  release(session?: string): void;
}

/** Reads the recorded requests once, so that every match is a look-up. Where `search` comes with them, from an index or of
 * their strings, only those are read that a request has to be compared with. */
export function createMatcher(
  recorded: readonly RecordedRequest[],
  rules: MatchRules,
  search?: SignatureSearch | StringIndex,
): RequestMatcher {
  return new TapeMatcher(recorded, rules, search);
}

/** A request with its signature and the recordings to search. */
interface LookedUpRequest {
  readonly request: AgentRequest;
  readonly comparable: ComparableRequest;
  readonly signature: Signature;
  readonly recordings: Recordings;
  readonly session: ReplaySession;
  /** Only recordings of this host are served; absent if it does not count. */
  readonly host: string | undefined;
}

type TakenRecording = { readonly kind: RecordingMatch['kind']; readonly at: number };

class TapeMatcher implements RequestMatcher {
  /** Those with a response. */
  readonly #recorded: readonly RecordedRequest[];
  readonly #lacking: readonly RecordedRequest[];
  readonly #rules: MatchRules;
  readonly #search: SignatureSearch | StringIndex | undefined;
  readonly #sessions = new Map<string | undefined, ReplaySession>();
  readonly #forms = new Map<RequestForm, Recordings>();
  readonly #keys: FormatKeys | undefined;
  readonly #hasWire: boolean;
  #positions: ReadonlyMap<number, number> | undefined;
  readonly #queues = new WeakMap<readonly number[], readonly number[]>();

  constructor(all: readonly RecordedRequest[], rules: MatchRules, search: SignatureSearch | StringIndex | undefined) {
    const recorded = all.filter(({ lack }) => lack === undefined);
    this.#recorded = recorded;
    this.#lacking = all.filter(({ lack }) => lack !== undefined);
    this.#rules = rules;
    this.#search = search;
    const format = rules.match === 'keyed' || rules.match === 'recorder' ? keyedFormat(rules) : undefined;
    this.#keys = format && new FormatKeys(recorded, format);
    this.#hasWire = all.some(({ wire }) => wire !== undefined);
    if (rules.match !== 'sequence' && this.#hasWire) this.#recordings('wire').prepare();
  }

  take(request: AgentRequest, sessionName?: string): RecordingMatch | RecordingMiss {
    const wanted = this.#lookUp(request, sessionName);
    const taken = this.#find(wanted);
    const explain = () => this.#explain(wanted, taken?.at);
    if (taken === undefined) return miss(explain);
    wanted.session.serve(taken.at);
    const { index } = this.#recorded[taken.at] ?? { index: taken.at };
    return taken.kind === 'differs' ? { kind: taken.kind, index, explain } : { kind: taken.kind, index };
  }

  isNext(request: AgentRequest, sessionName?: string): boolean {
    const at = this.#session(sessionName).next();
    const recorded = at === undefined ? undefined : this.#recorded[at];
    if (at === undefined || recorded === undefined) return false;
    const kind = this.#compare(this.#lookUp(request, sessionName), at);
    return kind !== 'differs' && kind !== 'unchecked';
  }

  unused(sessionName?: string): readonly number[] {
    const session = this.#session(sessionName);
    return this.#recorded.flatMap(({ index }, at) => (session.isServed(at) ? [] : [index]));
  }

  takeOneOf(indexes: readonly number[], sessionName?: string): number | undefined {
    const queue = this.#queueOf(indexes);
    const session = this.#session(sessionName);
    const at = session.first(queue) ?? (this.#rules.repeat ? queue.at(-1) : undefined);
    if (at === undefined) return undefined;
    session.serve(at);
    return this.#recorded[at]?.index;
  }

  release(sessionName?: string): void {
    this.#sessions.delete(sessionName);
  }

  /** The positions of interactions among the recorded requests. */
  #queueOf(indexes: readonly number[]): readonly number[] {
    const known = this.#queues.get(indexes);
    if (known !== undefined) return known;
    this.#positions ??= new Map(this.#recorded.map(({ index }, at) => [index, at]));
    const queue = indexes.flatMap((index) => this.#positions?.get(index) ?? []);
    this.#queues.set(indexes, queue);
    return queue;
  }

  #lookUp(request: AgentRequest, sessionName: string | undefined): LookedUpRequest {
    const form = isChatRequest(request) || !this.#hasWire ? 'chat' : 'wire';
    const recordings = this.#recordings(form);
    const asSent = requestInForm(request, form, this.#rules.format?.storedFields) ?? EMPTY_REQUEST;
    const comparable = recordings.addressed(asSent);
    const session = this.#session(sessionName);
    const host = isChatRequest(request) ? undefined : request.host;
    return { request, comparable, signature: recordings.sign(comparable), recordings, session, host };
  }

  #session(name: string | undefined): ReplaySession {
    const session = this.#sessions.get(name) ?? new ReplaySession(this.#recorded.length);
    this.#sessions.set(name, session);
    return session;
  }

  #recordings(form: RequestForm): Recordings {
    const search = form === 'wire' ? this.#search : undefined;
    const recordings = this.#forms.get(form) ?? new Recordings(this.#recorded, form, this.#rules, search);
    this.#forms.set(form, recordings);
    return recordings;
  }

  #find(wanted: LookedUpRequest): TakenRecording | undefined {
    return this.#findAsRecorded(wanted) ?? (this.#rules.onDrift === 'warn' ? this.#findOther(wanted) : undefined);
  }

  #findAsRecorded(wanted: LookedUpRequest): TakenRecording | undefined {
    const { match } = this.#rules;
    if (match === 'recorder') return this.#findAsRecorder(wanted);
    if (this.#keys !== undefined) return this.#findKeyed(wanted, this.#keys);
    if (match === 'sequence') return this.#findNext(wanted);
    return this.#findEqual(wanted) ?? (match === 'subset' ? this.#findSubset(wanted) : undefined);
  }

  #findEqual({ recordings, comparable, signature, session, host }: LookedUpRequest): TakenRecording | undefined {
    const { exact, masked } = recordings.equal(comparable, signature, host);
    if (this.#rules.match === 'recorder' && this.#rules.format?.servesLast) {
      const last = exact.at(-1) ?? masked.at(-1);
      return last === undefined ? undefined : { kind: exact.length > 0 ? 'exact' : this.#lessThanExact(), at: last };
    }
    const first = session.first(exact);
    if (first !== undefined) return { kind: 'exact', at: first };
    const next = session.first(masked) ?? (this.#servesAgain() ? (exact.at(-1) ?? masked.at(-1)) : undefined);
    return next === undefined ? undefined : { kind: exact.includes(next) ? 'exact' : this.#lessThanExact(), at: next };
  }

  /** Where masks are declared, they count as what made a request equal. */
  #lessThanExact(): 'masked' | 'equivalent' {
    return this.#rules.masks.length > 0 ? 'masked' : 'equivalent';
  }

  #findKeyed({ request, session }: LookedUpRequest, keys: FormatKeys): TakenRecording | undefined {
    const queue = keys.find(request);
    const at = session.first(queue) ?? (this.#rules.repeat ? queue.at(-1) : undefined);
    return at === undefined ? undefined : { kind: 'exact', at };
  }

  /** The next recording of the same endpoint, if it is equal: requests to others in between have an order of their own. */
  #findNext(wanted: LookedUpRequest): TakenRecording | undefined {
    const at = this.#next(wanted);
    const kind = at === undefined ? 'differs' : this.#compare(wanted, at);
    return at === undefined || kind === 'differs' ? undefined : { kind, at };
  }

  #next({ request, comparable, recordings, session, host }: LookedUpRequest): number | undefined {
    const queue = recordings.atHost(recordings.lane(request, comparable), host);
    return session.first(queue) ?? (this.#rules.repeat ? queue.at(-1) : undefined);
  }

  #compare({ request, recordings, comparable, signature }: LookedUpRequest, at: number): RecordingMatch['kind'] {
    const recorded = this.#recorded[at];
    if (recorded !== undefined && !recordings.has(at)) return this.#compareKey(request, recorded);
    const { plainKey, key } = recordings.signature(at);
    if (plainKey === signature.plainKey) return 'exact';
    const isSame = key === signature.key || recordings.withOtherElements(comparable, signature.key).includes(at);
    return isSame ? this.#lessThanExact() : 'differs';
  }

  /** Some formats keep only the key of a request, some not even that. */
  #compareKey(request: AgentRequest, recorded: RecordedRequest): RecordingMatch['kind'] {
    const format = keyedFormat(this.#rules);
    if (format === undefined || recorded.key === undefined) return 'unchecked';
    return new FormatKeys([recorded], format).find(request).length > 0 ? 'exact' : 'differs';
  }

  /**
   * What the tape's own recorder would serve. Most compare requests and serve each recording once, in order, as Polly.JS does by
   * `_id` and `_order` (Netflix/pollyjs, `packages/@pollyjs/persister`, `findEntry`) and nock by its interceptors (nock/nock,
   * `lib/intercepted_request_router.js`). Others differ as their formats say.
   */
  #findAsRecorder(wanted: LookedUpRequest): TakenRecording | undefined {
    const { servesInOrder, servesParts, holdsRules } = this.#rules.format ?? {};
    if (holdsRules) return this.#findRule(wanted);
    if (!servesInOrder && this.#keys !== undefined) return this.#findKeyed(wanted, this.#keys);
    if (!servesInOrder && !servesParts) return this.#findEqual(wanted);
    const queue = servesParts ? this.#withParts(wanted) : this.#withSameQuery(wanted);
    const at = wanted.session.first(queue) ?? (this.#servesAgain() ? queue.at(-1) : undefined);
    if (at === undefined) return undefined;
    const isAny = servesParts && !hasBody(wanted.recordings.request(at));
    return { kind: isAny ? 'unchecked' : this.#compare(wanted, at), at };
  }

  /** The recording whose rule fits, whether it was served or not. */
  #findRule({ request, session }: LookedUpRequest): TakenRecording | undefined {
    const chat = ruledRequestOf(request);
    if (chat === undefined) return undefined;
    const isDue = (rule: ChatRequest): boolean => {
      const { occurrence } = rule.when ?? {};
      return occurrence === undefined || occurrence === this.#servedInSequence(rule, session);
    };
    const fitting = this.#recorded.flatMap(({ rule }, at) => (rule && fitsRule(rule, chat) && isDue(rule) ? [at] : []));
    const at = firstAtTurn(fitting, (one) => this.#recorded[one]?.rule?.when?.turn, chat);
    return at === undefined ? undefined : { kind: 'exact', at };
  }

  /** How many recordings of a sequence were served: those with the same rule but for their numbers. */
  #servedInSequence(rule: ChatRequest, session: ReplaySession): number {
    const wanted = ruleKey(rule);
    const isOfSequence = (one: ChatRequest): boolean => one.when?.occurrence !== undefined && ruleKey(one) === wanted;
    return this.#recorded.filter((one, at) => session.isServed(at) && one.rule && isOfSequence(one.rule)).length;
  }

  #servesAgain(): boolean {
    return (
      this.#rules.repeat === true || (this.#rules.match === 'recorder' && this.#rules.format?.servesAgain === true)
    );
  }

  /** The recordings of this address with this query, in their order. */
  #withSameQuery({ request, comparable, recordings, host }: LookedUpRequest): readonly number[] {
    const lane = recordings.atHost(recordings.lane(request, comparable), host);
    return lane.filter((at) => jsonEqual({ ...recordings.request(at).query }, { ...comparable.query }));
  }

  /**
   * Of the recordings that this request has all of, the last one, as WireMock prefers what was added last (wiremock/wiremock,
   * `SortedConcurrentPrioritisableSet`), with those before it that name the same: the earlier states of its scenario.
   */
  #withParts({ request, comparable, recordings, host }: LookedUpRequest): readonly number[] {
    const fitting = recordings.atHost(recordings.lane(request, comparable), host).filter((at) => {
      const recorded = recordings.request(at);
      const named = hasBody(recorded) ? recorded : { ...recorded, body: comparable.body };
      return isSubset(named, comparable, this.#rules.masks);
    });
    const keyOf = (at: number): string => recordings.signature(at).key;
    return fitting.filter((at) => keyOf(at) === keyOf(fitting.at(-1) ?? at));
  }

  /** A recording of the same endpoint for a request that is not as recorded: the nearest one, or the next where order is the rule. */
  #findOther(wanted: LookedUpRequest): TakenRecording | undefined {
    const at = this.#rules.match === 'sequence' ? this.#next(wanted) : this.#other(wanted);
    return at === undefined ? undefined : { kind: 'differs', at };
  }

  #other({ request, comparable, signature, recordings, session, host }: LookedUpRequest): number | undefined {
    const left = recordings.atHost(recordings.lane(request, comparable), host).filter((at) => !session.isServed(at));
    if (!this.#rules.format?.servesInOrder) {
      const near = recordings.nearest(comparable, signature, left);
      return rankRecordings(near, requestParts(comparable), recordings, this.#rules.masks)[0]?.at ?? left[0];
    }
    const isSameQuery = (at: number) => jsonEqual({ ...recordings.request(at).query }, { ...comparable.query });
    return left.find(isSameQuery) ?? left[0];
  }

  /** Recordings of other messages are skipped without being read. */
  #findSubset({ comparable, signature, recordings, session, host }: LookedUpRequest): TakenRecording | undefined {
    for (const at of recordings.atHost([...Array(recordings.length).keys()], host)) {
      if (session.isServed(at) || !hasMessagesOf(recordings.signature(at), signature)) continue;
      if (isSubset(recordings.request(at), comparable, this.#rules.masks)) return { kind: 'masked', at };
    }
    return undefined;
  }

  #explain(wanted: LookedUpRequest, served: number | undefined): Drift {
    const { comparable, signature, recordings, session, host } = wanted;
    const isDue = served === undefined && this.#rules.match === 'sequence';
    const expected = isDue ? this.#next(wanted) : undefined;
    const drift = explainDrift({
      comparable,
      signature,
      recordings,
      rules: this.#rules,
      served,
      expected,
      host,
      isServed: (at) => session.isServed(at),
    });
    const lacking = drift.same.length > 0 ? undefined : this.#lackingFor(wanted);
    if (lacking !== undefined) return { ...withoutNearest(drift), kind: 'missing', lacking, masks: [] };
    const explained = drift.kind === 'missing' ? { ...drift, ...this.#nearestDigests(wanted) } : drift;
    return { ...explained, ...this.#indexes(explained) };
  }

  /** The recording of this request whose response is not on the tape. */
  #lackingFor({ request, comparable, signature, host }: LookedUpRequest): Drift['lacking'] {
    if (this.#lacking.length === 0) return undefined;
    const form = isChatRequest(request) || !this.#hasWire ? 'chat' : 'wire';
    const recordings = new Recordings(this.#lacking, form, this.#rules);
    const at = recordings.equal(comparable, signature, host).masked.find((one) => recordings.has(one));
    const { index, lack } = (at === undefined ? undefined : this.#lacking[at]) ?? {};
    return index === undefined || lack === undefined ? undefined : { index, lack };
  }

  /** The nearest recording of a tape that keeps only digests of its requests. */
  #nearestDigests({ request, session }: LookedUpRequest): Partial<Drift> {
    const { digestRequest } = this.#rules.format ?? {};
    const body = digestRequest && chatBody(request);
    if (digestRequest === undefined || body === undefined) return {};
    const near = nearestByDigests(this.#recorded, digestRequest(body));
    if (near === undefined) return {};
    return { kind: 'drifted', nearest: { index: near.at, used: session.isServed(near.at) }, changes: near.changes };
  }

  /** Turns positions among the recorded requests into the indexes of their interactions. */
  #indexes({ nearest, same }: Drift): Pick<Drift, 'nearest' | 'same'> {
    const indexOf = (at: number) => this.#recorded[at]?.index ?? at;
    return { same: same.map(indexOf), ...(nearest && { nearest: { ...nearest, index: indexOf(nearest.index) } }) };
  }
}

function withoutNearest({ nearest: _, changes: __, ...drift }: Drift): Drift {
  return drift;
}

function keyedFormat({ format }: MatchRules): KeyedFormat | undefined {
  const { requestKey, digestRequest } = format ?? {};
  return requestKey && { requestKey, digestRequest };
}

/** Whether the messages of a recording are among those of a request, in their order. */
function hasMessagesOf({ messages }: Signature, wanted: Signature): boolean {
  let found = 0;
  for (const digest of wanted.messages) if (digest === messages[found]) found += 1;
  return found === messages.length;
}

function hasBody({ body }: ComparableRequest): boolean {
  return body !== null && body !== '';
}

function ruleKey({ when: { occurrence: _, ...when } = {}, ...rule }: ChatRequest): string {
  return canonicalJson({ ...rule, when } as unknown as Json);
}

function miss(explain: () => Drift): RecordingMiss {
  const drift = explain();
  return { kind: drift.kind === 'out-of-order' ? 'drifted' : drift.kind, explain: () => drift };
}
