import type { FormatId } from '../../core/model/tape';
import type { Position, Severity } from '../../core/text/source';
import { type Finding, isFault } from '../../core/verify/finding';
import type { Paint } from '../terminal/paint';
import { escapeInvisible, quantity } from '../terminal/visibleText';

/** A tape with what is wrong with it, at its place. */
export interface VerifiedTape {
  /** As it is shown. */
  readonly path: string;
  /** Absent where the file is too broken to tell. */
  readonly format: FormatId | undefined;
  readonly interactions: number;
  readonly problems: readonly (Finding & Position)[];
}

/** What is wrong, as compilers print it, and how much that is. */
export function verifiedText(tapes: readonly VerifiedTape[], paint: Paint): string {
  const lines = tapes.flatMap(({ path, problems }) => problems.map((problem) => problemText(path, problem, paint)));
  return `${[...lines, summary(tapes)].join('\n')}\n`;
}

function problemText(path: string, problem: Finding & Position, paint: Paint): string {
  const { line, column, severity, message, rule, fix } = problem;
  const headline = `${path}:${line}:${column}: ${painted(severity, paint)}: ${escapeInvisible(message)} ${paint.dim(`[${rule}]`)}`;
  return fix === undefined ? headline : `${headline}\n  ${escapeInvisible(fix)}`;
}

function painted(severity: Severity, { red, yellow, cyan }: Paint): string {
  if (severity === 'error') return red(severity);
  return severity === 'warning' ? yellow(severity) : cyan(severity);
}

function summary(tapes: readonly VerifiedTape[]): string {
  const wrong = tapes.filter(({ problems }) => problems.some(isFault));
  const verified = `Verified ${quantity(tapes.length, 'tape')}`;
  if (wrong.length === 0) return `${verified}: nothing is wrong.`;
  const faults = wrong.flatMap(({ problems }) => problems.filter(isFault));
  const errors = faults.filter(({ severity }) => severity === 'error').length;
  const parts = [
    ...(errors > 0 ? [quantity(errors, 'error')] : []),
    ...(faults.length > errors ? [quantity(faults.length - errors, 'warning')] : []),
  ];
  return `${verified}: ${parts.join(' and ')} in ${quantity(wrong.length, 'tape')}.`;
}
