import { isRecord, type Json, prettyJson } from '../../core/json/json';
import type { AssertionResult, AssertionStep } from '../../core/model/artifact';
import type { Failure } from '../../core/model/run';
import { t } from '../../core/text/l10n';
import { noticeFor, says } from '../../core/text/notice';
import type { Span } from '../../core/text/source';
import { failureOf } from '../errors/failures';

/** In characters. Longer outputs are cut in the message; `actual` holds them in full. */
const QUOTED_LENGTH = 200;

/** The failure of an assertion; undefined for one that holds. `tapePath` is the tape of the run, where it has one. */
export function assertionFailure(
  result: AssertionResult,
  span: Span | undefined,
  tapePath?: string,
): Failure | undefined {
  if (result.passed) return undefined;
  const { actual, step } = result;
  const quoted =
    typeof actual === 'string' && actual.length > QUOTED_LENGTH ? `${actual.slice(0, QUOTED_LENGTH)}…` : actual;
  return {
    ...failureOf('assertion', { message: () => assertionMessage({ ...result, actual: quoted }) }),
    expected: shown(comparableExpectation(result)),
    actual: shown(actual ?? ''),
    ...(span && { span }),
    ...(step && { step: { ...step, ...(step.index !== undefined && tapePath !== undefined && { tapePath }) } }),
  };
}

/** The compared part of a tool's arguments; the tool's name is in the message. */
function comparableExpectation({ kind, expected }: AssertionResult): Json {
  return kind === 'tool_args' && isRecord(expected) ? (expected.arguments ?? expected.schema ?? expected) : expected;
}

function shown(value: Json): string {
  if (Array.isArray(value)) return value.join('\n');
  return isRecord(value) ? prettyJson(value) : String(value);
}

/** The message for a failed assertion, in MoFA's words. */
export function assertionMessage({ kind, expected, actual, details, said, step }: AssertionResult): string {
  if (details !== undefined) {
    const finding = says(noticeFor(details, said) ?? details);
    return `${kind}: ${step === undefined ? finding : atStep(step, finding)}`;
  }
  if (kind === 'tool_called') {
    const names = Array.isArray(actual) ? actual.map((name) => JSON.stringify(name)) : [];
    return t('expected tool `{0}` to be called, found tool calls: [{1}]', String(expected), names.join(', '));
  }
  return actual === null
    ? t('run produced no text output')
    : t('expected output to contain `{0}`, got `{1}`', String(expected), String(actual));
}

/** With the interaction counted from 1, as everywhere. */
function atStep({ number, index = number }: AssertionStep, details: string): string {
  return t('{0} (interaction {1})', details, index + 1);
}
