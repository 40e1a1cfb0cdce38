import { isRecord, type Json } from '../../json/json';
import { findSchemaMismatch } from '../../json/schema/findSchemaMismatch';
import type { AssertionResult } from '../../model/artifact';
import type { Assertion, AssertionKind } from '../../model/case';
import { compilePattern, isRefused } from '../../text/compilePattern';
import { message, t } from '../../text/l10n';
import {
  type AssertedSteps,
  expectedArguments,
  judgeArguments,
  judgeCallCount,
  judgeCost,
  judgeErrors,
  judgeNotCalled,
  judgeResultsUsed,
  judgeTokens,
} from './trajectoryAssertions';

/** The results of a run that assertions are checked against. */
export interface AssertedRun extends AssertedSteps {
  readonly toolCallOrder: readonly string[];
  readonly durationMs?: number;
}

/** Checks one assertion. MoFA's own kinds have no details: their words are MoFA's, made where failures are reported. */
export function judgeAssertion({ kind, expected }: Assertion, run: AssertedRun): AssertionResult {
  const { actual, passed, details, at } = JUDGES[kind](expected, run);
  const call = at === undefined ? undefined : run.modelCalls[at];
  return {
    kind,
    expected,
    actual,
    passed,
    ...(details !== undefined && { details }),
    ...(call && { step: { number: call.number, ...(call.index !== undefined && { index: call.index }) } }),
  };
}

interface AssertionOutcome {
  readonly actual: Json;
  readonly passed: boolean;
  readonly details?: string;
  /** The position of the call of the model where it fails, among all of them. */
  readonly at?: number;
}

const NO_OUTPUT = message('run produced no text output');

const JUDGES: Readonly<Record<AssertionKind, (expected: Json, run: AssertedRun) => AssertionOutcome>> = {
  // MoFA's rule: a case-sensitive substring of the output.
  contains: (expected, { outputText }) => ({
    actual: outputText,
    passed: outputText?.includes(String(expected)) ?? false,
  }),
  tool_called: (expected, { toolCallOrder }) => ({
    actual: toolCallOrder,
    passed: toolCallOrder.includes(String(expected)),
  }),
  not_contains: judgeNotContains,
  matches: judgePattern,
  json_schema: judgeSchema,
  max_ms: (expected, { durationMs }) => ({
    actual: durationMs ?? null,
    passed: (durationMs ?? 0) <= Number(expected),
    details: t('the run took {0} ms, at most {1} ms are allowed', Math.round(durationMs ?? 0), String(expected)),
  }),
  max_tokens: judgeTokens,
  tool_order: judgeToolOrder,
  tool_args: (expected, run) => judgeArguments(expectedArguments(expected), run),
  tool_not_called: judgeNotCalled,
  max_calls: judgeCallCount,
  max_cost: judgeCost,
  no_errors: (_, run) => judgeErrors(run),
  each_tool_result_used: (_, run) => judgeResultsUsed(run),
};

function judgeNotContains(expected: Json, { outputText }: AssertedRun): AssertionOutcome {
  if (outputText === null) return { actual: null, passed: false, details: NO_OUTPUT };
  const found = outputText.includes(String(expected));
  const details = found ? t('the output contains `{0}`', String(expected)) : t('the output does not contain it');
  return { actual: outputText, passed: !found, details };
}

function judgePattern(expected: Json, { outputText }: AssertedRun): AssertionOutcome {
  const pattern = compilePattern(String(expected), 'rust');
  if (isRefused(pattern))
    return { actual: outputText, passed: false, details: t('invalid pattern: {0}', pattern.reason) };
  const passed = outputText !== null && pattern.test(outputText);
  const details = passed
    ? t('the output matches /{0}/', String(expected))
    : t('the output does not match /{0}/', String(expected));
  return { actual: outputText, passed, details };
}

function judgeSchema(schema: Json, { outputText }: AssertedRun): AssertionOutcome {
  if (outputText === null) return { actual: null, passed: false, details: NO_OUTPUT };
  let value: Json;
  try {
    value = JSON.parse(outputText) as Json;
  } catch {
    return { actual: outputText, passed: false, details: t('the output is not JSON') };
  }
  const mismatch = findSchemaMismatch(isRecord(schema) ? schema : {}, value);
  const details = mismatch ?? t('the output conforms to the schema');
  return { actual: outputText, passed: mismatch === undefined, details };
}

function judgeToolOrder(expected: Json, { toolCallOrder }: AssertedRun): AssertionOutcome {
  const wanted = Array.isArray(expected) ? expected.map(String) : [];
  const details = t(
    'expected the tools {0} in this order, got {1}',
    wanted.join(', '),
    toolCallOrder.join(', ') || t('none'),
  );
  return { actual: toolCallOrder, passed: isInOrder(wanted, toolCallOrder), details };
}

/** Whether the tools were called in the wanted order, possibly with others in between. */
function isInOrder(wanted: readonly string[], called: readonly string[]): boolean {
  let at = 0;
  for (const name of called) if (name === wanted[at]) at += 1;
  return at === wanted.length;
}
