import type { AssertionResult } from '../../core/model/artifact';
import type { Failure } from '../../core/model/run';
import { LineIndex, type Problem, type Span } from '../../core/text/source';
import { AgentError } from '../agent/agentError';
import { isSystemError, systemPlace, systemReason, UserError } from '../project/userError';
import { ProviderError } from '../providers/chatProvider';
import { assertionMessage } from './judgeAssertions';

/** Longer outputs are shown as `actual`, not in the message. */
const QUOTED_LENGTH = 200;

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

/** The same for the problems of a case itself, which an editor shows where they are. */
export function problemsInCase(file: string, text: string, problems: readonly Problem[]): readonly Failure[] {
  return problems.flatMap((problem) =>
    problemFailures(file, text, [problem]).map((failure) => ({ ...failure, span: problem.span })),
  );
}

/** An expected error as failures; undefined for a bug, which is to be thrown on. */
export function errorFailures(error: unknown): readonly Failure[] | undefined {
  if (error instanceof CaseError) return error.failures;
  if (error instanceof ProviderError) {
    const { kind, message, fix, miss, requests } = error;
    const texts = requests && { expected: requests.recorded, actual: requests.asked };
    return [{ kind, message, fix, ...(miss && { miss }), ...texts }];
  }
  if (error instanceof AgentError) return [{ kind: error.kind, message: error.message, fix: error.fix }];
  if (error instanceof UserError) return [caseFailure(error.message, error.fix)];
  if (isSystemError(error))
    return [caseFailure(`${systemPlace(error) ?? error.syscall}: ${systemReason(error)}`, wayAround(error))];
  return undefined;
}

function wayAround({ code }: NodeJS.ErrnoException): string | undefined {
  return code === 'EACCES' || code === 'EPERM' ? 'Change its permissions, or those of its folder.' : undefined;
}

/** An assertion that does not hold; undefined for one that does. */
export function assertionFailure(result: AssertionResult, span: Span | undefined): Failure | undefined {
  if (result.passed) return undefined;
  const { expected, actual } = result;
  const quoted =
    typeof actual === 'string' && actual.length > QUOTED_LENGTH ? `${actual.slice(0, QUOTED_LENGTH)}…` : actual;
  return {
    kind: 'assertion',
    message: assertionMessage({ ...result, actual: quoted }),
    expected: String(expected),
    actual: Array.isArray(actual) ? actual.join('\n') : String(actual ?? ''),
    ...(span && { span }),
  };
}
