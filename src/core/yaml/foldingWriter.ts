/** Where a scalar stands that may be broken into lines. */
export interface FoldingPlace {
  /** The columns by which lines that continue the scalar are indented. */
  readonly indent: number;
  /** The column at which the scalar begins, from 0. Matters only to a writer that folds. */
  readonly column?: number;
  /** A text is broken at the first occasion beyond this column; without it, never. */
  readonly width?: number;
}

/** Collects the pieces of a scalar and knows the column, counted in code points as libyaml does. */
export class FoldingWriter {
  readonly #parts: string[] = [];
  readonly #indent: number;
  readonly #width: number;
  #column: number;

  constructor({ indent, column = 0, width = Number.POSITIVE_INFINITY }: FoldingPlace) {
    this.#indent = indent;
    this.#width = width;
    this.#column = column;
  }

  get text(): string {
    return this.#parts.join('');
  }

  /** With `pending` more columns. */
  isBeyondWidth(pending = 0): boolean {
    return this.#column + pending > this.#width;
  }

  put(text: string): void {
    this.#parts.push(text);
    if (this.#width === Number.POSITIVE_INFINITY) return;
    this.#column += text.length - (text.match(/[\ud800-\udbff]/g)?.length ?? 0);
  }

  breakLine(breaks = '\n'): void {
    this.#parts.push(breaks, ' '.repeat(this.#indent));
    this.#column = this.#indent;
  }
}
