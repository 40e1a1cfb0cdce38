import { isRecord, type Json, jsonEqual } from '../json/json';
import type { Mask } from '../model/case';
import {
  type AgentRequest,
  type ComparableRequest,
  EMPTY_REQUEST,
  isChatRequest,
  type RequestForm,
  requestInForm,
} from './comparableRequest';
import { type Drift, explainDrift } from './explainDrift';
import { applyMasks } from './masks';
import { FormatKeys, type MatchRules, type RecordedRequest, Recordings } from './recordings';
import type { Signature } from './signature';

/** `in-order`: served by its place on the tape, though the request is not the recorded one; only in a sequence. */
export type RecordingMatch =
  | { readonly kind: 'exact' | 'masked'; readonly index: number }
  | { readonly kind: 'in-order'; readonly index: number; explain(): Drift };

/** There is no recording to serve; `explain` says why. */
export interface RecordingMiss {
  readonly kind: 'missing' | 'drifted' | 'used-up';
  explain(): Drift;
}

export interface RequestMatcher {
  /**
   * Takes the next recording that answers this request, first in, first out among equals, or explains why none does.
   * `index` is that of the interaction. A lane keeps concurrent runs apart: each is served every recording.
   */
  take(request: AgentRequest, lane?: string): RecordingMatch | RecordingMiss;
  /** Is this what was asked next on the tape, as far as the tape can tell? */
  isNext(request: AgentRequest, lane?: string): boolean;
  /** The interactions that a run has not been served. */
  unused(lane?: string): readonly number[];
  /** Counts an interaction as served to a run by somebody else, who knew that it is equal to what was asked. */
  serve(index: number, lane?: string): void;
  /** Forgets what a run has been served. */
  release(lane?: string): void;
}

/** Reads the recorded requests once; every hit is a look-up then. */
export function createMatcher(recorded: readonly RecordedRequest[], rules: MatchRules): RequestMatcher {
  return new TapeMatcher(recorded, rules);
}

/** A request with what it is looked up by. */
interface LookedUpRequest {
  readonly request: AgentRequest;
  readonly comparable: ComparableRequest;
  readonly signature: Signature;
  readonly recordings: Recordings;
  readonly session: ReplaySession;
}

type TakenRecording = { readonly kind: 'exact' | 'masked' | 'in-order'; readonly at: number };

class TapeMatcher implements RequestMatcher {
  readonly #recorded: readonly RecordedRequest[];
  readonly #rules: MatchRules;
  readonly #lanes = new Map<string | undefined, ReplaySession>();
  readonly #forms = new Map<RequestForm, Recordings>();
  readonly #keys: FormatKeys | undefined;
  readonly #hasWire: boolean;

  constructor(recorded: readonly RecordedRequest[], rules: MatchRules) {
    this.#recorded = recorded;
    this.#rules = rules;
    const keyOf = rules.match === 'keyed' ? rules.format?.requestKey : undefined;
    this.#keys = keyOf && new FormatKeys(recorded, keyOf);
    this.#hasWire = recorded.some(({ wire }) => wire !== undefined);
    if (rules.match !== 'sequence' && this.#hasWire) this.#recordings('wire').prepare();
  }

  take(request: AgentRequest, laneName?: string): RecordingMatch | RecordingMiss {
    const asked = this.#asked(request, laneName);
    const taken = this.#find(asked);
    const explain = () => this.#explain(asked, taken?.at);
    if (taken === undefined) return miss(explain);
    asked.session.serve(taken.at);
    const { index } = this.#recorded[taken.at] ?? { index: taken.at };
    return taken.kind === 'in-order' ? { kind: taken.kind, index, explain } : { kind: taken.kind, index };
  }

  isNext(request: AgentRequest, laneName?: string): boolean {
    const at = this.#lane(laneName).next();
    const recorded = at === undefined ? undefined : this.#recorded[at];
    if (at === undefined || recorded === undefined) return false;
    const { format } = this.#rules;
    // Of some requests a tape keeps the key only.
    if (recorded.wire === undefined && recorded.chat === undefined)
      return format?.requestKey !== undefined && new FormatKeys([recorded], format.requestKey).find(request).length > 0;
    const { recordings, signature } = this.#asked(request, laneName);
    return recordings.signature(at).key === signature.key;
  }

  unused(laneName?: string): readonly number[] {
    const lane = this.#lane(laneName);
    return this.#recorded.flatMap(({ index }, at) => (lane.isServed(at) ? [] : [index]));
  }

  serve(index: number, laneName?: string): void {
    const at = this.#recorded.findIndex((recorded) => recorded.index === index);
    if (at !== -1) this.#lane(laneName).serve(at);
  }

  release(lane?: string): void {
    this.#lanes.delete(lane);
  }

  #asked(request: AgentRequest, laneName: string | undefined): LookedUpRequest {
    const form = isChatRequest(request) || !this.#hasWire ? 'chat' : 'wire';
    const recordings = this.#recordings(form);
    const comparable = requestInForm(request, form, this.#rules.format?.storedFields) ?? EMPTY_REQUEST;
    return { request, comparable, signature: recordings.sign(comparable), recordings, session: this.#lane(laneName) };
  }

  #lane(name: string | undefined): ReplaySession {
    const lane = this.#lanes.get(name) ?? new ReplaySession(this.#recorded.length);
    this.#lanes.set(name, lane);
    return lane;
  }

  #recordings(form: RequestForm): Recordings {
    const recordings = this.#forms.get(form) ?? new Recordings(this.#recorded, form, this.#rules);
    this.#forms.set(form, recordings);
    return recordings;
  }

  #find(asked: LookedUpRequest): TakenRecording | undefined {
    if (this.#keys !== undefined) return this.#findKeyed(asked, this.#keys);
    if (this.#rules.match === 'sequence') return this.#findNext(asked);
    return this.#findEqual(asked) ?? (this.#rules.match === 'subset' ? this.#findSubset(asked) : undefined);
  }

  #findEqual({ recordings, signature, session: lane }: LookedUpRequest): TakenRecording | undefined {
    const { exact, masked } = recordings.equal(signature);
    const first = lane.first(exact);
    if (first !== undefined) return { kind: 'exact', at: first };
    const next = lane.first(masked) ?? (this.#rules.repeat ? (exact.at(-1) ?? masked.at(-1)) : undefined);
    return next === undefined ? undefined : { kind: exact.includes(next) ? 'exact' : 'masked', at: next };
  }

  #findKeyed({ request, session: lane }: LookedUpRequest, keys: FormatKeys): TakenRecording | undefined {
    const queue = keys.find(request);
    const at = lane.first(queue) ?? (this.#rules.repeat ? queue.at(-1) : undefined);
    return at === undefined ? undefined : { kind: 'exact', at };
  }

  #findNext({ recordings, signature, session: lane }: LookedUpRequest): TakenRecording | undefined {
    const at = lane.next() ?? (this.#rules.repeat && recordings.length > 0 ? recordings.length - 1 : undefined);
    if (at === undefined) return undefined;
    const recorded = recordings.signature(at);
    if (recorded.plainKey === signature.plainKey) return { kind: 'exact', at };
    return { kind: recorded.key === signature.key ? 'masked' : 'in-order', at };
  }

  /** Lists are compared whole: what says other messages is passed over without being read. */
  #findSubset({ comparable, signature, recordings, session: lane }: LookedUpRequest): TakenRecording | undefined {
    for (let at = 0; at < recordings.length; at += 1) {
      if (lane.isServed(at) || !isSameRequest(recordings.signature(at), signature)) continue;
      if (isSubset(recordings.request(at), comparable, this.#rules.masks)) return { kind: 'masked', at };
    }
    return undefined;
  }

  #explain({ comparable, signature, recordings, session: lane }: LookedUpRequest, served: number | undefined): Drift {
    const drift = explainDrift({
      comparable,
      signature,
      recordings,
      rules: this.#rules,
      served,
      isServed: (at) => lane.isServed(at),
    });
    return { ...drift, ...this.#indexes(drift) };
  }

  /** Positions among the recorded requests as the indexes of their interactions. */
  #indexes({ nearest, same }: Drift): Pick<Drift, 'nearest' | 'same'> {
    const indexOf = (at: number) => this.#recorded[at]?.index ?? at;
    return { same: same.map(indexOf), ...(nearest && { nearest: { ...nearest, index: indexOf(nearest.index) } }) };
  }
}

function isSameRequest({ messages }: Signature, asked: Signature): boolean {
  return messages.length === 0 || messages.every((digest, index) => digest === asked.messages[index]);
}

function miss(explain: () => Drift): RecordingMiss {
  const drift = explain();
  return { kind: drift.kind === 'out-of-order' ? 'drifted' : drift.kind, explain: () => drift };
}

/** What one run has been served. */
export class ReplaySession {
  readonly #served: Uint8Array;
  /** For each queue, how many from its start have been served. */
  readonly #heads = new Map<readonly number[], number>();
  #next = 0;

  constructor(recordings: number) {
    this.#served = new Uint8Array(recordings);
  }

  isServed(recording: number): boolean {
    return this.#served[recording] === 1;
  }

  serve(recording: number): void {
    this.#served[recording] = 1;
  }

  /** The first of a queue that has not been served. */
  first(queue: readonly number[]): number | undefined {
    let head = this.#heads.get(queue) ?? 0;
    while (head < queue.length && this.isServed(queue[head] ?? 0)) head += 1;
    this.#heads.set(queue, head);
    return queue[head];
  }

  /** The first of all that has not been served. */
  next(): number | undefined {
    while (this.#next < this.#served.length && this.isServed(this.#next)) this.#next += 1;
    return this.#next < this.#served.length ? this.#next : undefined;
  }
}

/**
 * Does a request say all that was recorded? It may say more. As in CheckAgent (`ReplayEngine`): objects are looked into,
 * lists and values have to be equal.
 */
export function isSubset(recorded: ComparableRequest, asked: ComparableRequest, masks: readonly Mask[]): boolean {
  if (recorded.address !== undefined && recorded.address !== asked.address) return false;
  if (recorded.model !== undefined && recorded.model !== asked.model) return false;
  return (
    within({ ...recorded.query }, { ...asked.query }) &&
    within(applyMasks(recorded.body, masks), applyMasks(asked.body, masks))
  );
}

function within(recorded: Json, asked: Json): boolean {
  if (!isRecord(recorded) || !isRecord(asked)) return jsonEqual(recorded, asked);
  return Object.entries(recorded).every(
    ([key, value]) => Object.hasOwn(asked, key) && within(value, asked[key] ?? null),
  );
}
