import type { FormatId } from '../../core/model/tape';
import { escapeInvisible } from '../../core/text/escapeInvisible';
import type { Position, Severity } from '../../core/text/source';
import { type Finding, isFault } from '../../core/verify/finding';
import type { Paint } from '../terminal/paint';
import { quantity } from '../terminal/visibleText';
import { jsonDocument } from './jsonDocument';
import type { VerifyDocument } from './jsonDocuments';
import { junitDocument, xmlElement, xmlText } from './junitXml';

/** A verified tape with its problems and their positions. */
export interface VerifiedTape {
  /** From the root of its project. */
  readonly path: string;
  /** As the user would type it. */
  readonly shown: string;
  /** Undefined if the file is too broken to recognise. */
  readonly format: FormatId | undefined;
  readonly interactions: number;
  readonly problems: readonly (Finding & Position)[];
}

/** What `verify` found. */
export interface Verified {
  readonly tapes: readonly VerifiedTape[];
  /** The number of files that were named, and could not be verified. */
  readonly unusable: number;
}

/** The JSON that `tapedeck verify --help` describes. */
export function verifiedJson({ tapes, unusable }: Verified): string {
  const all = tapes.flatMap(({ problems }) => problems);
  const count = (wanted: Severity): number => all.filter(({ severity }) => severity === wanted).length;
  return jsonDocument<VerifyDocument>(unusable === 0 && !all.some(isFault), {
    tapes: tapes.map(({ path, format, interactions, problems }) => ({
      path,
      format: format ?? null,
      interactions,
      problems: problems.map(({ severity, rule, message, fix, line, column, span }) => ({
        severity,
        rule,
        message,
        fix: fix ?? null,
        line,
        column,
        span: { start: span.start, end: span.end },
      })),
    })),
    totals: { tapes: tapes.length, errors: count('error'), warnings: count('warning'), infos: count('info') },
  });
}

/** Each tape is a test case, and each of its faults a failure of it; information is what it printed. */
export function verifiedJunit({ tapes }: Verified): string {
  const failures = tapes.filter(({ problems }) => problems.some(isFault)).length;
  const cases = tapes.map(({ path, problems }) => {
    const faults = problems
      .filter(isFault)
      .map((problem) =>
        xmlElement('failure', { type: problem.rule, message: problem.message }, [xmlText(bodyOf(path, problem))]),
      );
    const infos = problems.filter((problem) => !isFault(problem)).map((problem) => bodyOf(path, problem));
    const printed = infos.length === 0 ? [] : [xmlElement('system-out', {}, [xmlText(infos.join('\n'))])];
    return xmlElement('testcase', { classname: 'tapedeck.verify', name: path, file: path }, [...faults, ...printed]);
  });
  return junitDocument('tapedeck verify', { tests: tapes.length, failures }, cases);
}

function bodyOf(path: string, { line, column, severity, message, fix }: Finding & Position): string {
  return [`${path}:${line}:${column}: ${severity}: ${message}`, ...(fix === undefined ? [] : [fix])].join('\n');
}

/** The problems, in the form that compilers print, and their number. */
export function verifiedText({ tapes, unusable }: Verified, paint: Paint): string {
  const lines = tapes.flatMap(({ shown, problems }) => problems.map((problem) => problemText(shown, problem, paint)));
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
