import type { ComparableRequest } from '../../../core/match/comparableRequest';
import { plainKeyOf } from '../../../core/match/signature';
import type { HttpRequest } from '../../../core/model/http';
import { contentBytes } from '../../../core/wire/body/body';
import { comparablePath } from '../../../core/wire/endpoints';
import { exactKey, sha256Binary } from './exactIndex';

const NONE: readonly number[] = [];

/** Requests that may mean the same. */
interface Alike {
  readonly keys: string[];
  /** Those of requests that mean the same as one with other bytes. */
  ambiguous?: ReadonlySet<string>;
}

interface Equal {
  readonly places: number[];
  readonly alike: Alike;
}

/**
 * The recordings of a tape by their exact keys. Where requests that mean the same differ in their bytes, these do not decide which
 * recording is next, and none is found. Only requests that are alike may mean the same, so only these are read, when one of them is asked
 * for.
 */
export class ExactPlaces {
  readonly #equal = new Map<string, Equal>();
  readonly #alike = new Map<string, Alike>();
  readonly #meaningOf: (index: number) => string;

  /** `meaningOf`: a text that is equal for requests that mean the same. */
  constructor(meaningOf: (index: number) => string) {
    this.#meaningOf = meaningOf;
  }

  /** `likeness` is equal for requests that mean the same. */
  add(index: number, key: string, likeness: string): void {
    const known = this.#equal.get(key);
    if (known !== undefined) {
      known.places.push(index);
      return;
    }
    const alike = this.#alike.get(likeness) ?? { keys: [] };
    if (alike.keys.length === 0) this.#alike.set(likeness, alike);
    alike.keys.push(key);
    this.#equal.set(key, { places: [index], alike });
  }

  /** The interactions with this key, in their order; always the same list for the same key. */
  find(key: string): readonly number[] {
    const found = this.#equal.get(key);
    if (found === undefined) return NONE;
    const { places, alike } = found;
    if (alike.keys.length === 1) return places;
    alike.ambiguous ??= this.#ambiguousOf(alike.keys);
    return alike.ambiguous.has(key) ? NONE : places;
  }

  #ambiguousOf(keys: readonly string[]): ReadonlySet<string> {
    const byMeaning = new Map<string, string[]>();
    for (const key of keys) {
      const [index = 0] = this.#equal.get(key)?.places ?? [];
      const meaning = this.#meaningOf(index);
      const same = byMeaning.get(meaning);
      if (same === undefined) byMeaning.set(meaning, [key]);
      else same.push(key);
    }
    return new Set([...byMeaning.values()].flatMap((same) => (same.length > 1 ? same : [])));
  }
}

/** The exact key of a recorded request. */
export function keyOf({ method, url, requestHeaders, requestBody }: HttpRequest): string {
  return exactKey(method.toUpperCase(), comparablePath(url), contentBytes(requestBody, requestHeaders));
}

/** A text that is equal for requests that the matcher treats as equal. */
export function meaningOf(request: ComparableRequest): string {
  return plainKeyOf(request, sha256Binary);
}
