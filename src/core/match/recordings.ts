import { canonicalJson } from './canonicalJson';
import type { ComparableRequest } from './comparable';
import { applyMasks } from './masks';
import type { MatchRules } from './matchRules';
import { NearestIndex } from './nearest';
import type { RecordedRequest } from './recordedRequest';
import type { RequestForm } from './requestForms';
import { requestParts } from './requestParts';
import { type Signature, type Sketches, sign } from './signature';
import { sketch } from './sketch';

const NOTHING: ComparableRequest = { body: null };

/** The recorded requests in one form, each read once, and found by what they ask. */
export class Recordings {
  readonly #recorded: readonly RecordedRequest[];
  readonly #form: RequestForm;
  readonly #rules: MatchRules;
  readonly #signatures: Signature[] = [];
  readonly #sketches: Sketches = new Map();
  #queues: { readonly byKey: Queues; readonly byPlainKey: Queues } | undefined;
  #nearest: NearestIndex | undefined;

  constructor(recorded: readonly RecordedRequest[], form: RequestForm, rules: MatchRules) {
    this.#recorded = recorded;
    this.#form = form;
    this.#rules = rules;
  }

  get length(): number {
    return this.#recorded.length;
  }

  request(at: number): ComparableRequest {
    return this.#recorded[at]?.[this.#form]?.() ?? NOTHING;
  }

  signature(at: number): Signature {
    const known = this.#signatures[at] ?? this.#recorded[at]?.signature;
    const signature = known ?? this.sign(this.request(at), this.#sketches);
    this.#signatures[at] = signature;
    return signature;
  }

  sign(request: ComparableRequest, sketches?: Sketches): Signature {
    const { masks, hash } = this.#rules;
    return sign(request, { masks, ...(sketches && { sketches }), ...(hash && { hash }) });
  }

  /** The recordings of a request in their order: those that equal it, and those that do under the masks. */
  equal({ key, plainKey }: Signature): { readonly exact: readonly number[]; readonly masked: readonly number[] } {
    this.#queues ??= this.#index();
    const masked = this.#queues.byKey.get(key) ?? NONE;
    if (this.#rules.masks.length === 0) return { exact: masked, masked };
    return { exact: this.#queues.byPlainKey.get(plainKey) ?? NONE, masked };
  }

  /** Those that are most alike, the best first. */
  nearest(request: ComparableRequest, signature: Signature): readonly number[] {
    this.#nearest ??= new NearestIndex(this.#all(), this.#sketches);
    const { messages } = requestParts(request);
    const { masks } = this.#rules;
    return this.#nearest.find(signature, (at) => {
      const { value = null, path = [] } = messages[at] ?? {};
      return sketch(canonicalJson(applyMasks(value, masks, path)));
    });
  }

  /** Reads everything now, so that the first request does not have to wait for it. */
  prepare(): this {
    this.#queues ??= this.#index();
    this.#nearest ??= new NearestIndex(this.#all(), this.#sketches);
    return this;
  }

  #all(): readonly Signature[] {
    return this.#recorded.map((_, at) => this.signature(at));
  }

  #index() {
    const byKey: Queues = new Map();
    const byPlainKey: Queues = new Map();
    for (const [at, { key, plainKey }] of this.#all().entries()) {
      append(byKey, key, at);
      if (this.#rules.masks.length > 0) append(byPlainKey, plainKey, at);
    }
    return { byKey, byPlainKey };
  }
}

export type Queues = Map<string, number[]>;

const NONE: readonly number[] = [];

export function append(queues: Queues, key: string, at: number): void {
  const queue = queues.get(key);
  if (queue === undefined) queues.set(key, [at]);
  else queue.push(at);
}
