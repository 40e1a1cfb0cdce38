import type { Artifact } from '../../core/model/artifact';
import { DslRefusal } from '../../core/testDsl/dslCase';
import { type DslDocument, dslDocument } from '../../core/testDsl/dslDocument';
import { SerdeError } from '../../core/testDsl/serde';
import { readSerdeToml } from '../../core/testDsl/serdeToml';
import { LineIndex } from '../../core/text/source';
import { assertionMessage } from '../cases/assertionFailures';
import { AgentError, ProviderError } from '../errors/runErrors';
import { UserError } from '../errors/userError';

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

/** Reads a case by MoFA's rules. Throws a `DslError` with the position of the first thing that MoFA refuses. */
export function readDslCase(path: string, text: string): DslDocument {
  try {
    return readSerdeToml(text, dslDocument);
  } catch (error) {
    if (!(error instanceof SerdeError)) throw error;
    const { line, column } = new LineIndex(text).position(error.span.start);
    const message = error.message.replace(/^invalid TOML: /, '');
    throw failedTest(`failed to parse TOML DSL: ${message}`, [`${path}:${line}:${column}`]);
  }
}

/** The error of a case that MoFA does not run; other errors are returned unchanged. */
export function refusedCase(error: unknown, path: string): unknown {
  if (error instanceof DslRefusal) return failedTest(error.message, [path, error.fix]);
  if (error instanceof ProviderError) {
    const isTape = error.kind === 'replay' || error.kind === 'case';
    return failedTest(isTape ? `replay error: ${error.message}` : error.message, [path, error.fix]);
  }
  if (error instanceof AgentError) return failedTest(`runner error: ${error.message}`, [path, error.fix]);
  if (error instanceof UserError)
    return failedTest(error.message, [path, ...(error.fix === undefined ? [] : [error.fix])]);
  return error;
}

/** The error of the first assertion that failed; undefined if all hold. */
export function assertionError(path: string, { assertions }: Artifact): DslError | undefined {
  const failed = assertions.find(({ passed }) => !passed);
  return failed && failedTest(assertionMessage(failed), [path]);
}
