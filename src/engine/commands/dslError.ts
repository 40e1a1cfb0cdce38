import { readCase } from '../../core/cases/toml/readCase';
import type { Artifact } from '../../core/model/artifact';
import type { Case } from '../../core/model/case';
import { LineIndex, type Problem } from '../../core/text/source';
import { assertionMessage } from '../cases/assertionFailures';
import { ProviderError } from '../errors/runErrors';
import { isSystemError, systemPlace, systemReason } from '../errors/systemError';
import type { AgentRun } from '../execution/agentRun';

/** An error that ends `test-dsl` with exit code 1: MoFA's text, with the position and the fix as `details`. */
export class DslError extends Error {
  constructor(
    message: string,
    readonly details: readonly string[] = [],
  ) {
    super(message);
    this.name = 'DslError';
  }
}

/** The error of a failed test, as opposed to one of the flags. */
export function failedTest(reason: string, details: readonly string[] = []): DslError {
  return new DslError(`DSL test failed: ${reason}`, details);
}

/** Reads a case by MoFA's rules. Throws a `DslError` with the position of the problem. */
export function readDslCase(path: string, text: string): Case {
  const { value, problems } = readCase(text, 'mofa');
  if (value !== undefined) return value;
  const lines = new LineIndex(text);
  const [first, ...more] = problems.map((problem) => ({ ...problem, place: placeOf(path, lines, problem) }));
  const others = more.flatMap(({ place, message, fix }) => [
    `${place}: ${message}`,
    ...(fix === undefined ? [] : [fix]),
  ]);
  const details = [first?.place, first?.fix, ...others].filter((line) => line !== undefined);
  throw failedTest(mofaText(first?.message ?? 'not a case'), details);
}

function placeOf(path: string, lines: LineIndex, { span }: Problem): string {
  const { line, column } = lines.position(span.start);
  return `${path}:${line}:${column}`;
}

const INVALID_TOML = 'invalid TOML: ';

/** A message in MoFA's words: its parser reports missing fields and wrong types like syntax errors. */
function mofaText(message: string): string {
  if (message.startsWith(INVALID_TOML)) return `failed to parse TOML DSL: ${message.slice(INVALID_TOML.length)}`;
  return /^(missing field |unknown step type: |`\w+` must be )/.test(message)
    ? `failed to parse TOML DSL: ${message}`
    : message;
}

/** The error of a run that could not start; other errors are bugs and returned unchanged. */
export function startError(error: unknown, path: string): unknown {
  if (error instanceof ProviderError) {
    const isTape = error.kind === 'replay' || error.kind === 'case';
    return failedTest(isTape ? `replay error: ${error.message}` : error.message, [path, error.fix]);
  }
  if (isSystemError(error)) return failedTest(`runner error: ${systemPlace(error) ?? path}: ${systemReason(error)}`);
  return error;
}

/** The error of a finished run that failed; undefined for one that passed. */
export function runError(path: string, { error }: AgentRun, { assertions }: Artifact): DslError | undefined {
  const cause =
    error === null ? [] : [`${error.kind === 'replay' ? 'replay' : 'runner'} error: ${error.message}`, error.fix];
  const failed = assertions.find(({ passed }) => !passed);
  if (failed !== undefined) return failedTest(assertionMessage(failed), [path, ...cause]);
  const [reason, ...fix] = cause;
  return reason === undefined ? undefined : failedTest(reason, [path, ...fix]);
}
