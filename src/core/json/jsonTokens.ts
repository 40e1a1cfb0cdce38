/**
 * The values and member names of a JSON text in their order, three numbers each: where one starts, where it ends, and
 * for a list or object the token that follows it; for a string whether it has escapes. Numbers beside the text take far
 * less time and memory than objects.
 */
export class JsonTokens {
  #data: Int32Array;
  #size: number;
  readonly text: string;
  /** The text has no fault. */
  isWhole = true;

  /** The token of the value that all others are in. */
  readonly root: number;

  /** A token to every 32 characters is what tapes have; where there are more, the table grows. */
  constructor(text: string, data = new Int32Array(Math.max(96, (text.length >> 5) * 3)), root = 0, size = root) {
    this.text = text;
    this.#data = data;
    this.root = root;
    this.#size = size;
  }

  get isEmpty(): boolean {
    return this.#size === this.root;
  }

  /** Of the token that comes next. Tokens count in threes. */
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

  /** Ends the list or object that began as `token`: what came since is in it. */
  close(token: number, end: number): void {
    this.#data[token + 1] = end;
    this.#data[token + 2] = this.#size;
  }

  /** Forgets `token` and what follows. */
  cut(token: number): void {
    this.#size = token;
  }

  start(token: number): number {
    return this.#data[token] as number;
  }

  end(token: number): number {
    return this.#data[token + 1] as number;
  }

  /** Has the string an escape? */
  isEscaped(token: number): boolean {
    return this.#data[token + 2] === ESCAPED;
  }

  /** The token behind this one and all that is in it. */
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

export const PLAIN = 0;
export const ESCAPED = 1;
