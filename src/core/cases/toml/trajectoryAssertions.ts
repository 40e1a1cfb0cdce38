import { diffValues } from '../../diff/diffValues';
import { isRecord, type Json, type JsonRecord } from '../../json/json';
import { formatJsonPath } from '../../json/jsonPath';
import { findSchemaMismatch } from '../../json/schema/findSchemaMismatch';
import { displayJson } from '../../json/schema/valueKeywords';
import { isPartOf } from '../../match/subset';
import { costOf } from '../../prices/cost';
import { formatExactDollars } from '../../prices/formatDollars';
import type { PriceTable } from '../../prices/priceTable';
import { counted } from '../../text/counts';
import { t } from '../../text/l10n';
import { asTomlHasIt } from '../../toml/writeToml';
import { type ModelCall, messageText, type ToolStep } from './trajectory';
import { isResultUsed, leavesOf } from './usedResults';

/** The steps of a run. */
export interface AssertedSteps {
  readonly outputText: string | null;
  readonly modelCalls: readonly ModelCall[];
  readonly toolSteps: readonly ToolStep[];
  /** The project's own prices. */
  readonly prices?: PriceTable | undefined;
  /** The model where neither request nor response names one. */
  readonly model?: string | undefined;
}

export interface StepOutcome {
  readonly actual: Json;
  readonly passed: boolean;
  readonly details: string;
  /** The position of the call of the model where it fails, among all of them. */
  readonly at?: number;
}

const passedWith = (actual: Json, details: string): StepOutcome => ({ actual, passed: true, details });
const failedAt = (at: number | undefined, actual: Json, details: string): StepOutcome => ({
  actual,
  passed: false,
  details,
  ...(at !== undefined && { at }),
});

/** One of `[[assert.tool_args]]`. */
export interface ExpectedArguments {
  readonly tool: string;
  /** Of this tool, from 1. */
  readonly call?: number;
  readonly arguments?: JsonRecord;
  readonly schema?: JsonRecord;
}

/** Without a number, some call has the arguments, and every call conforms to the schema. */
export function judgeArguments(expected: ExpectedArguments, { toolSteps }: AssertedSteps): StepOutcome {
  const { tool, call, arguments: wanted = {}, schema } = expected;
  const calls = toolSteps.filter(({ name }) => name === tool);
  const judged = call === undefined ? calls : calls.slice(call - 1, call);
  const [first] = judged;
  if (first === undefined) return failedAt(undefined, null, missingCall(expected, calls.length));
  if (!judged.some((step) => isPartOf(wanted, plainArguments(step)))) {
    const closest = judged.reduce(
      (best, step) => (missesOf(wanted, step) < missesOf(wanted, best) ? step : best),
      first,
    );
    return failedAt(closest.at, closest.arguments, argumentsText(expected, closest, judged.length));
  }
  for (const step of judged) {
    const mismatch = schema && findSchemaMismatch(schema, step.arguments);
    if (mismatch !== undefined)
      return failedAt(
        step.at,
        step.arguments,
        t('the arguments of `{0}` do not match the schema: {1}', tool, mismatch),
      );
  }
  return passedWith(first.arguments, t('`{0}` was called with these arguments', tool));
}

function missingCall({ tool, call }: ExpectedArguments, count: number): string {
  if (count === 0) return t('`{0}` was not called', tool);
  return counted(
    count,
    '`{1}` was called once, so there is no call {2}',
    '`{1}` was called {0} times, so there is no call {2}',
    tool,
    call ?? 0,
  );
}

/** TOML has no null, so members that are null count as absent. */
function plainArguments(step: ToolStep): Json {
  return asTomlHasIt(step.arguments);
}

function missesOf(wanted: JsonRecord, step: ToolStep): number {
  return argumentDifferences(wanted, step).length;
}

/** What was wanted, and is absent or another value. */
function argumentDifferences(wanted: JsonRecord, step: ToolStep) {
  return diffValues(wanted, plainArguments(step)).filter(({ before }) => before !== undefined);
}

const MOST_DIFFERENCES = 3;

function argumentsText(
  { tool, call, arguments: wanted = {} }: ExpectedArguments,
  step: ToolStep,
  count: number,
): string {
  const differences = argumentDifferences(wanted, step).map(({ path, before = null, after }) => {
    const name = path.length === 0 ? t('the arguments') : `\`${formatJsonPath(path)}\``;
    return after === undefined
      ? t('{0} is missing, expected {1}', name, displayJson(before))
      : t('{0} is {1}, expected {2}', name, displayJson(after), displayJson(before));
  });
  const told = withMore(differences.slice(0, MOST_DIFFERENCES).join('; '), differences.length - MOST_DIFFERENCES);
  if (call !== undefined) return t('in call {0} of `{1}`, {2}', call, tool, told);
  return count === 1
    ? t('in the call of `{0}`, {1}', tool, told)
    : t('none of {0} calls of `{1}` has these arguments; in the closest one, {2}', count, tool, told);
}

function withMore(text: string, more: number): string {
  return more > 0 ? t('{0}; and {1} more', text, more) : text;
}

export function judgeNotCalled(expected: Json, { toolSteps }: AssertedSteps): StepOutcome {
  const names = Array.isArray(expected) ? expected.map(String) : [String(expected)];
  const called = toolSteps.find(({ name }) => names.includes(name));
  if (called === undefined) return passedWith(null, t('none of {0} was called', names.join(', ')));
  return failedAt(called.at, called.name, t('`{0}` was called with {1}', called.name, displayJson(called.arguments)));
}

export function judgeCallCount(expected: Json, { modelCalls }: AssertedSteps): StepOutcome {
  const most = Number(expected);
  const count = modelCalls.length;
  const details =
    most === 1
      ? counted(
          count,
          'the agent called the model once, at most {1} is allowed',
          'the agent called the model {0} times, at most {1} is allowed',
          most,
        )
      : counted(
          count,
          'the agent called the model once, at most {1} are allowed',
          'the agent called the model {0} times, at most {1} are allowed',
          most,
        );
  return count <= most ? passedWith(count, details) : failedAt(most, count, details);
}

/** A call without a known cost fails the assertion: what it cost is not zero. */
export function judgeCost(expected: Json, { modelCalls, prices, model }: AssertedSteps): StepOutcome {
  const most = Number(expected);
  let sum = 0;
  let over: number | undefined;
  for (const [at, { request, response }] of modelCalls.entries()) {
    const { usage } = response;
    if (usage === undefined)
      return failedAt(at, null, t('the response does not report token usage, so its cost is unknown'));
    const names = [response.model, request.model, model].filter((name) => name !== undefined);
    const cost = names.map((name) => costOf(usage, name, prices)).find((dollars) => dollars !== undefined);
    if (cost === undefined) return failedAt(at, null, unknownPrice(names[0]));
    sum += cost;
    if (sum > most) over ??= at;
  }
  const details = t('the run cost {0}, at most {1} is allowed', formatExactDollars(sum), formatExactDollars(most));
  return over === undefined ? passedWith(sum, details) : failedAt(over, sum, details);
}

function unknownPrice(model: string | undefined): string {
  if (model === undefined) return t('neither the request nor the response names a model, so its cost is unknown');
  return t('the price of `{0}` is unknown: add it under [prices] in tapedeck.toml', model);
}

export function judgeErrors({ modelCalls, toolSteps }: AssertedSteps): StepOutcome {
  const failedCalls = modelCalls.flatMap(({ response: { error, endedEarly } }, at) => {
    const text = error ?? (endedEarly ? t('the response was cut off') : undefined);
    return text === undefined ? [] : [{ at, text, details: t('the model responded with an error: {0}', text) }];
  });
  const failedTools = toolSteps.flatMap(({ name, at, isError, result = '' }) =>
    isError
      ? [{ at, text: result, details: result === '' ? t('`{0}` failed', name) : t('`{0}` failed: {1}', name, result) }]
      : [],
  );
  const [first, ...others] = [...failedCalls, ...failedTools].sort((left, right) => left.at - right.at);
  if (first === undefined) return passedWith(null, t('no response and no tool call failed'));
  return failedAt(first.at, first.text, withMore(shortened(first.details), others.length));
}

export function judgeResultsUsed({ outputText, modelCalls, toolSteps }: AssertedSteps): StepOutcome {
  for (const { name, at, isError, result } of toolSteps) {
    if (result === undefined) return failedAt(at, null, t('the result of `{0}` was not sent to the model', name));
    const later = [...modelCalls.slice(at + 1).flatMap(responseTexts), outputText ?? ''];
    if (!isError && !isResultUsed(result, later))
      return failedAt(
        at,
        result,
        t('no later response has a word or number of the result of `{0}`: {1}', name, shortened(result)),
      );
  }
  return passedWith(null, t('each result was sent to the model, and is in a later response'));
}

function responseTexts({ response }: ModelCall): readonly string[] {
  return [messageText(response), ...response.toolCalls.flatMap(({ arguments: args }) => leavesOf(args))];
}

/** In characters. */
const QUOTED_LENGTH = 200;

function shortened(text: string): string {
  return text.length > QUOTED_LENGTH ? `${text.slice(0, QUOTED_LENGTH)}…` : text;
}

/** The tokens of all responses, with the first call at which they are more than allowed. */
export function judgeTokens(expected: Json, { modelCalls }: AssertedSteps): StepOutcome {
  const most = Number(expected);
  const counts = modelCalls.map(({ response }) => response.usage?.totalTokens);
  if (counts.every((count) => count === undefined))
    return failedAt(undefined, null, t('the responses do not report token usage'));
  const sums = counts.map((_, at) => counts.slice(0, at + 1).reduce<number>((sum, count) => sum + (count ?? 0), 0));
  const total = sums.at(-1) ?? 0;
  const details = t('the run used {0} tokens, at most {1} are allowed', total, most);
  return total <= most
    ? passedWith(total, details)
    : failedAt(
        sums.findIndex((sum) => sum > most),
        total,
        details,
      );
}

/** The arguments that an assertion expects, as it stores them. */
export function expectedArguments(expected: Json): ExpectedArguments {
  const { tool, call, arguments: wanted, schema } = isRecord(expected) ? expected : {};
  return {
    tool: String(tool ?? ''),
    ...(typeof call === 'number' && { call }),
    ...(isRecord(wanted) && { arguments: wanted }),
    ...(isRecord(schema) && { schema }),
  };
}
