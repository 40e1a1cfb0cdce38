import { sketchSimilarity, sketchText } from '../diff/similarity';
import { forEachString, hashOf, isText, type JsonString } from './likeness';

/** How many recordings are near, by what they share with a request, and as many by what only a few of them share with it. */
const NEAR = 24;
/** The number of different texts of each side that are compared by their words. */
const MAX_TEXTS = 5;
/** Of a longer string, so many characters of its beginning and its end count: more than a prompt has. */
const SAMPLED = 8192;

/**
 * The strings in the recorded requests of a tape, as hashes: which of many thousand recordings a request has to be compared with, so that
 * these few alone are read. Everything else of a request (its parts, what it means, what masks leave of it) takes a hundred times as long.
 */
export class StringIndex {
  /** By hash, the number of a string. */
  readonly #numbers = new Map<number, number>();
  /** By string: of a text, the sketch of its words. */
  readonly #sketches: (readonly number[] | undefined)[] = [];
  /** By string: how many recordings have it. */
  readonly #holders: number[] = [];
  /** By recording: its strings, each once. */
  readonly #strings = new Map<number, readonly number[]>();
  /** By the sum of their texts. */
  readonly #saying = new Map<number, number[]>();
  /** Those whose body is no JSON, of which nothing is known here. */
  readonly #others: number[] = [];

  /** Adds the body of a recording. */
  add(recording: number, body: string): void {
    const strings = new Set<number>();
    let said = 0;
    const hold = (hash: number, text: string) => {
      const number = this.#numbers.get(hash) ?? this.#add(hash, text);
      if (strings.has(number)) return;
      strings.add(number);
      this.#holders[number] = (this.#holders[number] ?? 0) + 1;
    };
    const isJson = forEachString(body, (string) => {
      const hash = hashOf(string.text, SAMPLED);
      if (isSaid(string)) said = (said + hash) >>> 0;
      hold(hash, string.text);
      if (string.value !== undefined) hold(hashOfValue(hash, string.value), string.value);
    });
    if (!isJson) {
      this.#others.push(recording);
      return;
    }
    this.#strings.set(recording, [...strings]);
    const same = this.#saying.get(said);
    if (same === undefined) this.#saying.set(said, [recording]);
    else same.push(recording);
  }

  /** Of some recordings those that are most like a request with this body; and all that may mean the same. */
  candidates(body: string, among: readonly number[]): ReadonlySet<number> {
    let said = 0;
    const own = new Set<number>();
    const unknown: (readonly number[])[] = [];
    forEachString(body, (string) => {
      const hash = hashOf(string.text, SAMPLED);
      if (isSaid(string)) said = (said + hash) >>> 0;
      const number = this.#numbers.get(hash);
      if (number !== undefined) own.add(number);
      else if (isText(string.text)) unknown.push(sketchText(string.text));
      const value = string.value === undefined ? undefined : this.#numbers.get(hashOfValue(hash, string.value));
      if (value !== undefined) own.add(value);
    });
    if (among.length <= 2 * NEAR) return new Set(among);
    return new Set([...(this.#saying.get(said) ?? []), ...this.#others, ...this.#near(own, unknown, among)]);
  }

  #near(own: ReadonlySet<number>, unknown: readonly (readonly number[])[], among: readonly number[]): number[] {
    const isOwn = new Uint8Array(this.#sketches.length);
    /** The recording in which a string was seen last, from 1. */
    const seenIn = new Uint32Array(this.#sketches.length);
    for (const number of own) isOwn[number] = 1;
    const texts = [...own].filter((number) => this.#sketches[number] !== undefined);
    const alike = new Float64Array(among.length);
    const rare = new Float64Array(among.length);
    for (const [at, recording] of among.entries()) {
      const strings = this.#strings.get(recording) ?? [];
      let shared = 0;
      let rarity = 0;
      const others: (readonly number[])[] = [];
      for (const number of strings) {
        seenIn[number] = at + 1;
        const sketch = isOwn[number] === 1 ? undefined : this.#sketches[number];
        if (sketch !== undefined && others.length < MAX_TEXTS) others.push(sketch);
        if (isOwn[number] !== 1) continue;
        shared += 1;
        rarity += 1 / (this.#holders[number] ?? 1);
      }
      const left = unknown.slice(0, MAX_TEXTS);
      if (others.length > 0 && left.length < MAX_TEXTS && texts.length > 0) {
        for (const number of texts)
          if (left.length < MAX_TEXTS && seenIn[number] !== at + 1) left.push(this.#sketches[number] ?? []);
      }
      const words = wordsInCommon(left, others);
      const size = own.size + unknown.length + strings.length;
      alike[at] = (2 * (shared + words)) / (size || 1);
      rare[at] = rarity + words;
    }
    return [...best(alike), ...best(rare)].map((at) => among[at] ?? 0);
  }

  #add(hash: number, text: string): number {
    const number = this.#sketches.push(isText(text) ? sketchText(text) : undefined) - 1;
    this.#numbers.set(hash, number);
    return number;
  }
}

/**
 * Whether a string stands in every request that means the same: it is said. Names of members are not, nor what may be an id or a default,
 * which may be left out or be another one.
 */
function isSaid({ text, isName }: JsonString): boolean {
  return !isName && text.length >= 24 && text.includes(' ');
}

/** Of a number or word with the name of its member: requests may differ in nothing else. */
function hashOfValue(name: number, value: string): number {
  return Math.imul(name ^ hashOf(value), 0x85ebca6b) >>> 0;
}

function wordsInCommon(left: readonly (readonly number[])[], right: readonly (readonly number[])[]): number {
  let sum = 0;
  for (const one of left) {
    let most = 0;
    for (const other of right) most = Math.max(most, sketchSimilarity(one, other));
    sum += most;
  }
  return Math.min(sum, right.length);
}

/** The places of the highest scores; of equal ones the first. */
function best(scores: Float64Array): readonly number[] {
  const least = scores.slice().sort()[Math.max(0, scores.length - NEAR)] ?? 0;
  const above: number[] = [];
  const equal: number[] = [];
  for (const [at, score] of scores.entries())
    if (score > least) above.push(at);
    else if (score === least && equal.length < NEAR) equal.push(at);
  return [...above, ...equal.slice(0, NEAR - above.length)];
}
