/** A half-open range of UTF-16 offsets into a source text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Line and column as people count them: both from 1, columns in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export type Severity = 'error' | 'warning' | 'info';

/** Something wrong with a file, said once: what, where, and the way out. */
export interface Problem {
  readonly severity: Severity;
  readonly message: string;
  /** What the reader can do about it, as a sentence. */
  readonly fix?: string;
  /** Which problem it is, where a repair can be offered for it. */
  readonly code?: string;
  readonly span: Span;
}

/** A value, whether or not its source was in order; a broken source yields what could be read. */
export interface ParseResult<T> {
  readonly value: T | undefined;
  readonly problems: readonly Problem[];
}

/** Offsets of line starts, to turn offsets into positions in O(log lines). */
export class LineIndex {
  readonly #starts: number[] = [0];
  readonly #length: number;

  constructor(text: string) {
    this.#length = text.length;
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  /** The position of `offset`; offsets outside the text are moved to its nearest end. */
  position(offset: number): Position {
    const clamped = Math.max(0, Math.min(offset, this.#length));
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= clamped) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: clamped - (this.#starts[low] ?? 0) + 1 };
  }

  /** The offset of a position; a line past the end gives the end of the text. */
  offset({ line, column }: Position): number {
    const start = this.#starts[line - 1];
    return start === undefined ? this.#length : Math.min(start + column - 1, this.#length);
  }
}

/** `file:line:column: error: message` and the way out, as compilers print it. */
export function formatProblem(file: string, lines: LineIndex, problem: Problem): string {
  const { line, column } = lines.position(problem.span.start);
  const fix = problem.fix === undefined ? '' : `\n  ${problem.fix}`;
  return `${file}:${line}:${column}: ${problem.severity}: ${problem.message}${fix}`;
}
