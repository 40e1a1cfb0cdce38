import { asciiBytes, NOT_ASCII } from './asciiBytes';

/** A place where a literal was found. */
export interface LiteralMatch {
  readonly index: number;
  readonly literal: string;
}

/** Literals of one kind. With `ignoresCase`, they are in lower case, and ASCII letters match in either case. */
export interface Literals {
  readonly literals: Iterable<string>;
  readonly ignoresCase?: boolean;
}

/** The matches of each kind, in the order of the text; they may overlap. */
export type FoundLiterals<Kind extends string> = Readonly<Record<Kind, readonly LiteralMatch[]>>;

interface Sought<Kind> {
  readonly kind: Kind;
  readonly literal: string;
  readonly ignoresCase: boolean;
}

const SHORTEST = 3;
/** The largest hash. It has 15 bits, so that a character leaves them after three shifts. */
const HASHES = 0x7fff;
const ANY = -1;

/**
 * Finds any of many literals of at least three characters, of several kinds, in one pass over a text. A pattern with as many
 * alternatives would try each of them at every character.
 */
export class LiteralFinder<Kind extends string> {
  /** Marks the hashes of the first three characters of all literals. */
  readonly #starts = new Uint8Array(HASHES + 1);
  /** For each hash, the characters that may follow, as a bit for their last five: most that begin like a literal go on otherwise. */
  readonly #followers = new Int32Array(HASHES + 1);
  readonly #byHash = new Map<number, Sought<Kind>[]>();
  readonly #kinds: readonly Kind[];

  constructor(kinds: Readonly<Record<Kind, Literals>>) {
    this.#kinds = Object.keys(kinds) as Kind[];
    for (const kind of this.#kinds) {
      const { literals, ignoresCase = false } = kinds[kind];
      for (const literal of literals) this.#add({ kind, literal, ignoresCase });
    }
    // Of two literals at one place, the longer one comes first.
    for (const same of this.#byHash.values()) same.sort((left, right) => right.literal.length - left.literal.length);
  }

  /** Finds them in a text; `bytes` is `asciiBytes` of it. */
  find(text: string, bytes: Uint8Array = asciiBytes(text)): FoundLiterals<Kind> {
    const found = Object.fromEntries(this.#kinds.map((kind) => [kind, []])) as unknown as Record<Kind, LiteralMatch[]>;
    if (this.#byHash.size === 0) return found;
    const starts = this.#starts;
    const followers = this.#followers;
    let hash = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      hash = ((hash << 5) ^ ((bytes[at] ?? 0) | 0x20)) & HASHES;
      if (starts[hash] === 1 && at >= 2 && ((followers[hash] ?? 0) & bitOf(bytes[at + 1] ?? 0)) !== 0)
        this.#matchAt(text, at - 2, hash, found);
    }
    return found;
  }

  #add(sought: Sought<Kind>): void {
    const { literal } = sought;
    if (literal.length < SHORTEST) return;
    const hash = hashOf(literal);
    this.#starts[hash] = 1;
    const follower = literal.length === SHORTEST ? ANY : bitOf(Math.min(literal.charCodeAt(SHORTEST), NOT_ASCII));
    this.#followers[hash] = (this.#followers[hash] ?? 0) | follower;
    const same = this.#byHash.get(hash);
    if (same === undefined) this.#byHash.set(hash, [sought]);
    else same.push(sought);
  }

  #matchAt(text: string, index: number, hash: number, found: Record<Kind, LiteralMatch[]>): void {
    for (const { kind, literal, ignoresCase } of this.#byHash.get(hash) ?? []) {
      const isHere = ignoresCase ? startsInAnyCase(text, literal, index) : text.startsWith(literal, index);
      if (isHere) found[kind].push({ index, literal });
    }
  }
}

function startsInAnyCase(text: string, literal: string, index: number): boolean {
  for (let at = 0; at < literal.length; at += 1) {
    const code = text.charCodeAt(index + at);
    const isUpper = code >= 65 && code <= 90;
    if ((isUpper ? code + 32 : code) !== literal.charCodeAt(at)) return false;
  }
  return true;
}

/** One of 32 bits for a character, the same in either case. */
function bitOf(code: number): number {
  return 1 << (code & 0x1f);
}

/** The hash of the first three characters, in either case. */
function hashOf(literal: string): number {
  let hash = 0;
  for (let at = 0; at < SHORTEST; at += 1)
    hash = ((hash << 5) ^ (Math.min(literal.charCodeAt(at), NOT_ASCII) | 0x20)) & HASHES;
  return hash;
}
