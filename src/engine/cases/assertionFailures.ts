import type { AssertionResult } from '../../core/model/artifact';
import type { Failure } from '../../core/model/run';
import type { Span } from '../../core/text/source';

/** In characters. Longer outputs are cut in the message; `actual` holds them in full. */
const QUOTED_LENGTH = 200;

/** The failure of an assertion; undefined for one that holds. */
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

/** The message for a failed assertion, in MoFA's words. */
export function assertionMessage({ kind, expected, actual, details }: AssertionResult): string {
  if (details !== undefined) return `${kind}: ${details}`;
  if (kind === 'tool_called') {
    const names = Array.isArray(actual) ? actual.map((name) => JSON.stringify(name)) : [];
    return `expected tool \`${expected}\` to be called, found tool calls: [${names.join(', ')}]`;
  }
  return actual === null
    ? 'run produced no text output'
    : `expected output to contain \`${expected}\`, got \`${actual}\``;
}
