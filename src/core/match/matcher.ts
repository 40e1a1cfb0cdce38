import type { ComparableRequest } from './comparable';
import type { Drift } from './drift';
import { explainDrift } from './explainDrift';
import { FormatKeys } from './formatKeys';
import { Lane } from './lane';
import type { MatchRules } from './matchRules';
import type { RecordedRequest } from './recordedRequest';
import { Recordings } from './recordings';
import { type AgentRequest, inForm, isChat, NO_REQUEST, type RequestForm } from './requestForms';
import type { Signature } from './signature';
import { isSubset } from './subset';

/** `in-order`: served by its place on the tape, though the request is not the recorded one; only in a sequence. */
export type Match =
  | { readonly kind: 'exact' | 'masked'; readonly index: number }
  | { readonly kind: 'in-order'; readonly index: number; explain(): Drift };

/** There is no recording to serve; `explain` says why. */
export interface Miss {
  readonly kind: 'missing' | 'drifted' | 'used-up';
  explain(): Drift;
}

export interface RequestMatcher {
  /**
   * Takes the next recording that answers this request, first in, first out among equals, or explains why none does.
   * `index` is that of the interaction. A lane keeps concurrent runs apart: each is served every recording.
   */
  take(request: AgentRequest, lane?: string): Match | Miss;
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
interface Asked {
  readonly request: AgentRequest;
  readonly comparable: ComparableRequest;
  readonly signature: Signature;
  readonly recordings: Recordings;
  readonly lane: Lane;
}

type Taken = { readonly kind: 'exact' | 'masked' | 'in-order'; readonly at: number };

class TapeMatcher implements RequestMatcher {
  readonly #recorded: readonly RecordedRequest[];
  readonly #rules: MatchRules;
  readonly #lanes = new Map<string | undefined, Lane>();
  readonly #forms = new Map<RequestForm, Recordings>();
  readonly #keys: FormatKeys | undefined;
  readonly #hasWire: boolean;

  constructor(recorded: readonly RecordedRequest[], rules: MatchRules) {
    this.#recorded = recorded;
    this.#rules = rules;
    const keyOf = rules.match === 'keyed' ? rules.format?.keyOf : undefined;
    this.#keys = keyOf && new FormatKeys(recorded, keyOf);
    this.#hasWire = recorded.some(({ wire }) => wire !== undefined);
    if (rules.match !== 'sequence' && this.#hasWire) this.#recordings('wire').prepare();
  }

  take(request: AgentRequest, laneName?: string): Match | Miss {
    const asked = this.#asked(request, laneName);
    const taken = this.#find(asked);
    const explain = () => this.#explain(asked, taken?.at);
    if (taken === undefined) return miss(explain);
    asked.lane.serve(taken.at);
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
      return format?.keyOf !== undefined && new FormatKeys([recorded], format.keyOf).find(request).length > 0;
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

  #asked(request: AgentRequest, laneName: string | undefined): Asked {
    const form = isChat(request) || !this.#hasWire ? 'chat' : 'wire';
    const recordings = this.#recordings(form);
    const comparable = inForm(request, form, this.#rules.format?.stored) ?? NO_REQUEST;
    return { request, comparable, signature: recordings.sign(comparable), recordings, lane: this.#lane(laneName) };
  }

  #lane(name: string | undefined): Lane {
    const lane = this.#lanes.get(name) ?? new Lane(this.#recorded.length);
    this.#lanes.set(name, lane);
    return lane;
  }

  #recordings(form: RequestForm): Recordings {
    const recordings = this.#forms.get(form) ?? new Recordings(this.#recorded, form, this.#rules);
    this.#forms.set(form, recordings);
    return recordings;
  }

  #find(asked: Asked): Taken | undefined {
    if (this.#keys !== undefined) return this.#findKeyed(asked, this.#keys);
    if (this.#rules.match === 'sequence') return this.#findNext(asked);
    return this.#findEqual(asked) ?? (this.#rules.match === 'subset' ? this.#findSubset(asked) : undefined);
  }

  #findEqual({ recordings, signature, lane }: Asked): Taken | undefined {
    const { exact, masked } = recordings.equal(signature);
    const first = lane.first(exact);
    if (first !== undefined) return { kind: 'exact', at: first };
    const next = lane.first(masked) ?? (this.#rules.repeat ? (exact.at(-1) ?? masked.at(-1)) : undefined);
    return next === undefined ? undefined : { kind: exact.includes(next) ? 'exact' : 'masked', at: next };
  }

  #findKeyed({ request, lane }: Asked, keys: FormatKeys): Taken | undefined {
    const queue = keys.find(request);
    const at = lane.first(queue) ?? (this.#rules.repeat ? queue.at(-1) : undefined);
    return at === undefined ? undefined : { kind: 'exact', at };
  }

  #findNext({ recordings, signature, lane }: Asked): Taken | undefined {
    const at = lane.next() ?? (this.#rules.repeat && recordings.length > 0 ? recordings.length - 1 : undefined);
    if (at === undefined) return undefined;
    const recorded = recordings.signature(at);
    if (recorded.plainKey === signature.plainKey) return { kind: 'exact', at };
    return { kind: recorded.key === signature.key ? 'masked' : 'in-order', at };
  }

  /** Lists are compared whole: what says other messages is passed over without being read. */
  #findSubset({ comparable, signature, recordings, lane }: Asked): Taken | undefined {
    for (let at = 0; at < recordings.length; at += 1) {
      if (lane.isServed(at) || !saysTheSame(recordings.signature(at), signature)) continue;
      if (isSubset(recordings.request(at), comparable, this.#rules.masks)) return { kind: 'masked', at };
    }
    return undefined;
  }

  #explain({ comparable, signature, recordings, lane }: Asked, served: number | undefined): Drift {
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

function saysTheSame({ messages }: Signature, asked: Signature): boolean {
  return messages.length === 0 || messages.every((digest, index) => digest === asked.messages[index]);
}

function miss(explain: () => Drift): Miss {
  const drift = explain();
  return { kind: drift.kind === 'out-of-order' ? 'drifted' : drift.kind, explain: () => drift };
}
