import type { Failure } from '../../core/model/run';
import { message, t } from '../../core/text/l10n';
import { PatternTooSlow } from '../../core/text/patternMatch';
import { LineIndex, type Problem } from '../../core/text/source';
import { AgentError, ProviderError } from './runErrors';
import { isSystemError, systemPlace, systemReason } from './systemError';
import { UserError } from './userError';

/** A case, or a file that belongs to it, could not be understood: everything that is wrong with it. */
export class CaseError extends UserError {
  constructor(readonly failures: readonly Failure[]) {
    super(failures.map(({ message }) => message).join('\n'), failures[0]?.fix);
    this.name = 'CaseError';
  }
}

export function caseFailure(message: string, fix?: string): Failure {
  return { kind: 'case', message, ...(fix === undefined ? {} : { fix }) };
}

/** The problems of a text as failures whose messages begin with `file:line:column`. */
export function problemFailures(file: string, text: string, problems: readonly Problem[]): readonly Failure[] {
  const lines = new LineIndex(text);
  return problems.map(({ message, fix, span }) => {
    const { line, column } = lines.position(span.start);
    return caseFailure(`${file}:${line}:${column}: ${message}`, fix);
  });
}

/** The problems of a text as lines for the terminal, such as `line 3: unknown key …`. */
export function problemNotices(text: string, problems: readonly Problem[]): readonly string[] {
  const lines = new LineIndex(text);
  return problems.map(({ message, fix, span }) =>
    t('line {0}: {1}. {2}', lines.position(span.start).line, message, fix ?? '').trim(),
  );
}

/** Failures for the problems of a case itself, which an editor shows where they are. */
export function problemsInCase(file: string, text: string, problems: readonly Problem[]): readonly Failure[] {
  return problems.flatMap((problem) =>
    problemFailures(file, text, [problem]).map((failure) => ({ ...failure, span: problem.span })),
  );
}

/** An expected error as failures; undefined for a bug, which is to be thrown on. */
export function errorFailures(error: unknown): readonly Failure[] | undefined {
  if (error instanceof CaseError) return error.failures;
  if (error instanceof ProviderError) {
    const { kind, message, fix, details } = error;
    const { miss, requests, missingTape } = details;
    const texts = requests && { expected: requests.recorded, actual: requests.sent };
    return [{ kind, message, fix, ...(miss && { miss }), ...(missingTape && { missingTape }), ...texts }];
  }
  if (error instanceof AgentError) return [{ kind: error.kind, message: error.message, fix: error.fix }];
  if (error instanceof UserError) return [caseFailure(error.message, error.fix)];
  if (error instanceof PatternTooSlow)
    return [caseFailure(error.message, t('The pattern is in tapedeck.toml or in the case.'))];
  if (isSystemError(error))
    return [caseFailure(`${systemPlace(error) ?? error.syscall}: ${systemReason(error)}`, wayAround(error))];
  return undefined;
}

const PERMISSIONS = message('Change its permissions, or those of its folder.');
const WAYS_AROUND: Readonly<Record<string, string>> = {
  EACCES: PERMISSIONS,
  EPERM: PERMISSIONS,
  EEXIST: message('Move it away, or remove it.'),
  ENOENT: message('Correct the path.'),
  ENOTDIR: message('Correct the path.'),
  EISDIR: message('Correct the path.'),
  ELOOP: message('Correct the link, or remove it.'),
  EROFS: message('Use a copy of the project on a disk that you can write to.'),
  ENOSPC: message('Make room on the disk, and try again.'),
  EDQUOT: message('Make room on the disk, and try again.'),
  EBUSY: message('Close the other program, and try again.'),
};

function wayAround({ code = '' }: NodeJS.ErrnoException): string | undefined {
  return Object.hasOwn(WAYS_AROUND, code) ? WAYS_AROUND[code] : undefined;
}
