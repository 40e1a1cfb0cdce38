import type { AssertionResult } from '../../core/model/artifact';

/** Why an assertion does not hold, in MoFA's words. */
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
