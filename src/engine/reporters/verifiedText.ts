import type { FormatId } from '../../core/model/tape';
import { escapeInvisible } from '../../core/text/escapeInvisible';
import type { Position, Severity } from '../../core/text/source';
import { type Finding, isFault } from '../../core/verify/finding';
import type { Paint } from '../terminal/paint';
import { quantity } from '../terminal/visibleText';

/** A verified tape with its problems and their positions. */
export interface VerifiedTape {
  /** As shown to the user. */
  readonly path: string;
  /** Undefined where the file is too broken to recognise. */
  readonly format: FormatId | undefined;
  readonly interactions: number;
  readonly problems: readonly (Finding & Position)[];
}

/** The problems, in the form that compilers print, and their number. `unusable` files were named, and could not be verified. */
export function verifiedText(tapes: readonly VerifiedTape[], unusable: number, paint: Paint): string {
  const lines = tapes.flatMap(({ path, problems }) => problems.map((problem) => problemText(path, problem, paint)));
  const missing = unusable > 0 ? ` ${quantity(unusable, 'file')} could not be verified.` : '';
  return `${[...lines, `${summary(tapes)}${missing}`].join('\n')}\n`;
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
  if (wrong.length === 0) return `${verified}: no problems.`;
  const faults = wrong.flatMap(({ problems }) => problems.filter(isFault));
  const errors = faults.filter(({ severity }) => severity === 'error').length;
  const parts = [
    ...(errors > 0 ? [quantity(errors, 'error')] : []),
    ...(faults.length > errors ? [quantity(faults.length - errors, 'warning')] : []),
  ];
  return `${verified}: ${parts.join(' and ')} in ${quantity(wrong.length, 'tape')}.`;
}
