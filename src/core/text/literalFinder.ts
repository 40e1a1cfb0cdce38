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

/**
 * Finds any of many literals of at least three characters, of several kinds, in one pass over a text. A pattern with as many
 * alternatives would try each of them at every character.
 */
export class LiteralFinder<Kind extends string> {
  /** Marks the hashes of the first three characters of all literals. */
  readonly #starts = new Uint8Array(0x10000);
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

  find(text: string): FoundLiterals<Kind> {
    const found = Object.fromEntries(this.#kinds.map((kind) => [kind, []])) as unknown as Record<Kind, LiteralMatch[]>;
    if (this.#byHash.size === 0) return found;
    const starts = this.#starts;
    let first = text.charCodeAt(0);
    let second = text.charCodeAt(1);
    for (let at = 2; at < text.length; at += 1) {
      const third = text.charCodeAt(at);
      const hash = (((first | 0x20) << 10) ^ ((second | 0x20) << 5) ^ (third | 0x20)) & 0xffff;
      if (starts[hash] === 1) this.#matchAt(text, at - 2, hash, found);
      first = second;
      second = third;
    }
    return found;
  }

  #add(sought: Sought<Kind>): void {
    const { literal } = sought;
    if (literal.length < SHORTEST) return;
    const hash = hashOf(literal.charCodeAt(0), literal.charCodeAt(1), literal.charCodeAt(2));
    this.#starts[hash] = 1;
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

function hashOf(first: number, second: number, third: number): number {
  return (((first | 0x20) << 10) ^ ((second | 0x20) << 5) ^ (third | 0x20)) & 0xffff;
}
