import { isRecord, type Json, type JsonRecord } from '../../json/json';
import { findSchemaMismatch } from '../../json/jsonSchema';
import type { AssertionResult } from '../../model/artifact';
import type { Assertion } from '../../model/case';
import { compilePattern } from '../../text/compilePattern';

/** What assertions are about. */
export interface AssertedRun {
  readonly outputText: string | null;
  readonly toolCallOrder: readonly string[];
  readonly durationMs?: number;
  /** Absent where the model does not say how many tokens it took. */
  readonly totalTokens?: number;
}

export function judgeAssertion({ kind, expected }: Assertion, run: AssertedRun): AssertionResult {
  const { outputText, toolCallOrder, durationMs, totalTokens } = run;
  // Of MoFA's own kinds the words are MoFA's, made where failures are.
  const own = (actual: Json, passed: boolean): AssertionResult => ({ kind, expected, actual, passed });
  const told = (actual: Json, passed: boolean, details: string): AssertionResult => ({
    ...own(actual, passed),
    details,
  });
  switch (kind) {
    case 'contains':
      // MoFA's rule: a case-sensitive substring of the output.
      return own(outputText, outputText?.includes(String(expected)) ?? false);
    case 'tool_called':
      return own(toolCallOrder, toolCallOrder.includes(String(expected)));
    case 'not_contains': {
      const found = outputText?.includes(String(expected)) ?? false;
      return told(
        outputText,
        outputText !== null && !found,
        found ? `the output contains \`${expected}\`` : noOutput(run),
      );
    }
    case 'matches': {
      const pattern = compilePattern(String(expected), 'rust');
      const passed = pattern instanceof RegExp && outputText !== null && pattern.test(outputText);
      const wrong =
        pattern instanceof RegExp ? `the output does not match /${expected}/` : `invalid pattern: ${pattern.reason}`;
      return told(outputText, passed, passed ? `the output matches /${expected}/` : wrong);
    }
    case 'json_schema':
      return judgeSchema(expected, outputText, told);
    case 'max_ms':
      return told(
        durationMs ?? null,
        (durationMs ?? 0) <= Number(expected),
        `the run took ${Math.round(durationMs ?? 0)} ms, at most ${expected} allowed`,
      );
    case 'max_tokens':
      return totalTokens === undefined
        ? told(null, false, 'the answers do not say how many tokens they took')
        : told(
            totalTokens,
            totalTokens <= Number(expected),
            `the run took ${totalTokens} tokens, at most ${expected} allowed`,
          );
    case 'tool_order': {
      const wanted = Array.isArray(expected) ? expected.map(String) : [];
      const details = `expected the tools ${wanted.join(', ')} in this order, got ${toolCallOrder.join(', ') || 'none'}`;
      return told(toolCallOrder, isInOrder(wanted, toolCallOrder), details);
    }
  }
}

type DescribedResult = (actual: Json, passed: boolean, details: string) => AssertionResult;

function judgeSchema(schema: Json, outputText: string | null, told: DescribedResult): AssertionResult {
  if (outputText === null) return told(null, false, 'run produced no text output');
  let value: Json;
  try {
    value = JSON.parse(outputText) as Json;
  } catch {
    return told(outputText, false, 'the output is no JSON');
  }
  const mismatch = findSchemaMismatch(isRecord(schema) ? schema : ({} satisfies JsonRecord), value);
  return told(outputText, mismatch === undefined, mismatch ?? 'the output is as the schema wants it');
}

function noOutput({ outputText }: AssertedRun): string {
  return outputText === null ? 'run produced no text output' : 'it is not in the output';
}

/** Others may be called in between. */
function isInOrder(wanted: readonly string[], called: readonly string[]): boolean {
  let at = 0;
  for (const name of called) if (name === wanted[at]) at += 1;
  return at === wanted.length;
}
