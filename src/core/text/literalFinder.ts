/** A place where a literal was found. */
export interface LiteralMatch {
  readonly index: number;
  readonly literal: string;
}

const SHORTEST = 3;

/**
 * Finds any of many literals of at least three characters in one pass over a text. A pattern with as many alternatives
 * would try each of them at every character.
 */
export class LiteralFinder {
  /** Marks the hashes of the first three characters of all literals. */
  readonly #starts = new Uint8Array(0x10000);
  readonly #byHash = new Map<number, string[]>();
  readonly #ignoresCase: boolean;

  /** With `ignoresCase`, literals are in lower case, and ASCII letters match in either case. */
  constructor(literals: Iterable<string>, { ignoresCase = false } = {}) {
    this.#ignoresCase = ignoresCase;
    for (const literal of literals) {
      if (literal.length < SHORTEST) continue;
      const hash = hashOf(literal.charCodeAt(0), literal.charCodeAt(1), literal.charCodeAt(2));
      this.#starts[hash] = 1;
      this.#byHash.set(hash, [...(this.#byHash.get(hash) ?? []), literal]);
    }
    // Of two literals at one place, the longer one comes first.
    for (const same of this.#byHash.values()) same.sort((left, right) => right.length - left.length);
  }

  /** All occurrences, in the order of the text; they may overlap. */
  find(text: string): LiteralMatch[] {
    const found: LiteralMatch[] = [];
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

  #matchAt(text: string, index: number, hash: number, found: LiteralMatch[]): void {
    for (const literal of this.#byHash.get(hash) ?? []) {
      const isHere = this.#ignoresCase
        ? text.slice(index, index + literal.length).toLowerCase() === literal
        : text.startsWith(literal, index);
      if (isHere) found.push({ index, literal });
    }
  }
}

function hashOf(first: number, second: number, third: number): number {
  return (((first | 0x20) << 10) ^ ((second | 0x20) << 5) ^ (third | 0x20)) & 0xffff;
}
