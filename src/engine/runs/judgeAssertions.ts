import type { Assertion } from '../../core/cases/case';
import type { AssertionResult } from '../../core/runs/artifact';
import type { AgentRun } from '../agent/runAgent';

/** The results of a case's assertions, in their order. */
export function judgeAssertions(
  assertions: readonly Assertion[],
  run: Pick<AgentRun, 'outputText' | 'toolCallOrder'>,
): readonly AssertionResult[] {
  return assertions.map(({ kind, expected }) => {
    // MoFA's rules: a case-sensitive substring of the output; a tool's name among the calls.
    const actual = kind === 'contains' ? run.outputText : run.toolCallOrder;
    return { kind, expected, actual, passed: actual?.includes(expected) ?? false };
  });
}

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
