import type { TextParts } from '../text/textParts';

/**
 * The values and member names of a JSON text in order, as three numbers each: start, end, and a note. The note of a
 * list or object is the token after it; that of a string is whether it has escapes. Numbers take far less time and
 * memory than objects.
 */
export class JsonTokens {
  #data: Int32Array;
  #size: number;
  readonly text: TextParts;
  /** The text is valid. */
  isValid = true;

  /** The token of the outermost value. */
  readonly root: number;

  /** Allocates one token per 32 characters, as tapes have; the table grows if there are more. */
  constructor(
    text: TextParts,
    data = new Int32Array(Math.max(96, (text.length >> 5) * 3)),
    root = 0,
    size = root,
    /** All numbers are known to be integers that JavaScript reads exactly and writes in the same way. */
    readonly hasPlainNumbers = false,
    /** There is no space between the tokens. */
    readonly isCompact = false,
  ) {
    this.text = text;
    this.#data = data;
    this.root = root;
    this.#size = size;
  }

  get isEmpty(): boolean {
    return this.#size === this.root;
  }

  /** The index of the next token, in numbers: each token has three. */
  get size(): number {
    return this.#size;
  }

  add(start: number, end: number, note: number): void {
    const at = this.#size;
    if (at + 3 > this.#data.length) this.#grow();
    const data = this.#data;
    data[at] = start;
    data[at + 1] = end;
    data[at + 2] = note;
    this.#size = at + 3;
  }

  /** Ends the list or object `token`, which contains all tokens added since. */
  close(token: number, end: number): void {
    this.#data[token + 1] = end;
    this.#data[token + 2] = this.#size;
  }

  /** Removes `token` and all tokens after it. */
  cut(token: number): void {
    this.#size = token;
  }

  start(token: number): number {
    return this.#data[token] as number;
  }

  end(token: number): number {
    return this.#data[token + 1] as number;
  }

  /** Whether a string has escapes. */
  isEscaped(token: number): boolean {
    return this.#data[token + 2] === ESCAPED;
  }

  /** The token after this one and its content. */
  after(token: number): number {
    const note = this.#data[token + 2] as number;
    return note > ESCAPED ? note : token + 3;
  }

  #grow(): void {
    const grown = new Int32Array(this.#data.length * 2);
    grown.set(this.#data);
    this.#data = grown;
  }
}

/** How many values and names a text may have: a list of short numbers has one for every four characters. */
export function maxTokens(text: TextParts): number {
  return Math.max(1_500_000, Math.ceil(text.length / 4));
}

/**
 * How many lists and objects a text may have. Tapes have one for every 40 characters; a text of little else than brackets
 * would take a hundred times its size of memory.
 */
export function maxBranches(text: TextParts): number {
  return Math.max(500_000, Math.ceil(text.length / 16));
}

export const PLAIN = 0;
export const ESCAPED = 1;
