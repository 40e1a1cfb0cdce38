import { message, t } from './l10n';
import type { TextParts } from './textParts';

/** A half-open range of UTF-16 offsets into a source text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Line and column, both from 1; columns are UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export type Severity = 'error' | 'warning' | 'info';

/** An error in a file: what is wrong, where, and how to fix it. */
export interface Problem {
  readonly severity: Severity;
  readonly message: string;
  /** How to fix it, as a sentence. */
  readonly fix?: string;
  /** Identifies a problem that has quick fixes. */
  readonly code?: string;
  readonly span: Span;
}

export function errorsIn(problems: readonly Problem[]): readonly Problem[] {
  return problems.filter(({ severity }) => severity === 'error');
}

/** A parsed value and the errors in its source; a broken source yields what could be read. */
export interface ParseResult<T> {
  readonly value: T | undefined;
  readonly problems: readonly Problem[];
}

/** The offsets of line starts, to convert offsets to positions in O(log lines). */
export class LineIndex {
  readonly #starts: number[] = [0];
  readonly #length: number;

  constructor(text: TextParts) {
    this.#length = text.length;
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  /** The position of `offset`, which is clamped to the text. */
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

  /** The offset of a position; for a line past the end, the end of the text. */
  offset({ line, column }: Position): number {
    const start = this.#starts[line - 1];
    return start === undefined ? this.#length : Math.min(start + column - 1, this.#length);
  }
}

const SEVERITIES = {
  error: message('error: {0}'),
  warning: message('warning: {0}'),
  info: message('info: {0}'),
} as const;

/** `file:line:column: error: message` and the fix, as compilers print it. */
export function formatProblem(file: string, lines: LineIndex, problem: Problem): string {
  const { line, column } = lines.position(problem.span.start);
  const fix = problem.fix === undefined ? '' : `\n  ${problem.fix}`;
  return `${file}:${line}:${column}: ${t(SEVERITIES[problem.severity], problem.message)}${fix}`;
}
