import { omitUndefined } from '../../../core/json/fields';
import { comparableFromExchange } from '../../../core/match/comparableRequest';
import { addressedAs, isRequestKind } from '../../../core/match/recordings';
import type { SignedRequest, SignedRequests } from '../../../core/match/requestIndex';
import { type Sketches, signRequest } from '../../../core/match/signature';
import type { Mask } from '../../../core/model/case';
import type { HttpExchange } from '../../../core/model/http';
import type { InteractionKind } from '../../../core/model/interaction';
import { lackOf } from '../../../core/tapes/notKept';
import { sha256Binary } from './exactIndex';
import { keyOf, meaningOf } from './exactPlaces';
import type { ServedResponse } from './servedResponse';

/** What the cache of a tape has of its interactions. */
export interface KeptTape {
  /** By interaction: its exact key, and its response. */
  readonly keys: readonly (string | undefined)[];
  readonly responses: readonly (ServedResponse | undefined)[];
  /** Of all requests together. */
  readonly requests: SignedRequests | undefined;
}

/** An interaction over HTTP. */
interface KeptExchange {
  /** Without secrets. */
  readonly http: HttpExchange;
  readonly hadSecrets: boolean;
  readonly kind: InteractionKind | undefined;
}

/** Makes what is kept of a tape, interaction by interaction. */
export class KeptTapeBuilder {
  readonly #masks: readonly Mask[];
  readonly #responses: (ServedResponse | undefined)[] = [];
  readonly #keyed: ({ readonly key: string; readonly meaning: string } | undefined)[] = [];
  readonly #requests: SignedRequest[] = [];
  readonly #sketches: Sketches = new Map();
  #isIndexed = true;

  constructor(masks: readonly Mask[]) {
    this.#masks = masks;
  }

  /** The next interaction; `kind` is that of one that is not HTTP. */
  add(response: ServedResponse | undefined, found: KeptExchange | InteractionKind): void {
    const index = this.#responses.push(response) - 1;
    if (typeof found === 'string') {
      if (isRequestKind(found)) this.#isIndexed = false;
      this.#keyed.push(undefined);
      return;
    }
    const { http, hadSecrets, kind = 'http' } = found;
    const isLacking = lackOf({ http }) !== undefined;
    // Another environment may have other secrets.
    if (hadSecrets || (isLacking && isRequestKind(kind))) this.#isIndexed = false;
    const signature =
      this.#isIndexed && isRequestKind(kind)
        ? signRequest(comparableFromExchange(http), {
            masks: this.#masks,
            hash: sha256Binary,
            sketches: this.#sketches,
          })
        : undefined;
    if (signature !== undefined && isRequestKind(kind))
      this.#requests.push({ index, kind, ...omitUndefined(addressedAs(http)), signature });
    const meaning = () => signature?.plainKey ?? meaningOf(comparableFromExchange(http));
    this.#keyed.push(isLacking ? undefined : { key: keyOf(http), meaning: meaning() });
  }

  /** Without an index of the requests if one of them contains a secret, is not HTTP, or has no response. */
  kept(): KeptTape {
    const requests = this.#isIndexed ? { requests: this.#requests, sketches: this.#sketches } : undefined;
    return { keys: this.#keys(), responses: this.#responses, requests };
  }

  /** None where equal requests differ in their bytes, because then the bytes do not decide which recording is next. */
  #keys(): (string | undefined)[] {
    const bytesOf = new Map<string, string>();
    const ambiguous = new Set<string>();
    for (const { key, meaning } of this.#keyed.filter((one) => one !== undefined)) {
      if ((bytesOf.get(meaning) ?? key) !== key) ambiguous.add(meaning);
      bytesOf.set(meaning, key);
    }
    return this.#keyed.map((one) => (one === undefined || ambiguous.has(one.meaning) ? undefined : one.key));
  }
}
