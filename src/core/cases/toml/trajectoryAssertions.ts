import { diffValues } from '../../diff/diffValues';
import { isRecord, type Json, type JsonRecord } from '../../json/json';
import { formatJsonPath } from '../../json/jsonPath';
import { findSchemaMismatch } from '../../json/schema/findSchemaMismatch';
import { displayJson } from '../../json/schema/valueKeywords';
import { isPartOf } from '../../match/subset';
import { costOf } from '../../prices/cost';
import { formatExactDollars } from '../../prices/formatDollars';
import type { PriceTable } from '../../prices/priceTable';
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
      return failedAt(step.at, step.arguments, `the arguments of \`${tool}\` do not match the schema: ${mismatch}`);
  }
  return passedWith(first.arguments, `\`${tool}\` was called with these arguments`);
}

function missingCall({ tool, call }: ExpectedArguments, count: number): string {
  if (count === 0) return `\`${tool}\` was not called`;
  return `\`${tool}\` was called ${timesText(count)}, so there is no call ${call}`;
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
    const name = path.length === 0 ? 'the arguments' : `\`${formatJsonPath(path)}\``;
    return after === undefined
      ? `${name} is missing, expected ${displayJson(before)}`
      : `${name} is ${displayJson(after)}, expected ${displayJson(before)}`;
  });
  const told = differences.slice(0, MOST_DIFFERENCES).join('; ');
  const more = differences.length > MOST_DIFFERENCES ? `; and ${differences.length - MOST_DIFFERENCES} more` : '';
  if (call !== undefined) return `in call ${call} of \`${tool}\`, ${told}${more}`;
  const which =
    count === 1
      ? `in the call of \`${tool}\``
      : `none of ${count} calls of \`${tool}\` has these arguments; in the closest one`;
  return `${which}, ${told}${more}`;
}

export function judgeNotCalled(expected: Json, { toolSteps }: AssertedSteps): StepOutcome {
  const names = Array.isArray(expected) ? expected.map(String) : [String(expected)];
  const called = toolSteps.find(({ name }) => names.includes(name));
  if (called === undefined) return passedWith(null, `none of ${names.join(', ')} was called`);
  return failedAt(called.at, called.name, `\`${called.name}\` was called with ${displayJson(called.arguments)}`);
}

export function judgeCallCount(expected: Json, { modelCalls }: AssertedSteps): StepOutcome {
  const most = Number(expected);
  const count = modelCalls.length;
  const details = `the agent called the model ${timesText(count)}, at most ${most} ${most === 1 ? 'is' : 'are'} allowed`;
  return count <= most ? passedWith(count, details) : failedAt(most, count, details);
}

function timesText(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

/** A call without a known cost fails the assertion: what it cost is not zero. */
export function judgeCost(expected: Json, { modelCalls, prices, model }: AssertedSteps): StepOutcome {
  const most = Number(expected);
  let sum = 0;
  let over: number | undefined;
  for (const [at, { request, response }] of modelCalls.entries()) {
    const { usage } = response;
    if (usage === undefined)
      return failedAt(at, null, 'the response does not report token usage, so its cost is unknown');
    const names = [response.model, request.model, model].filter((name) => name !== undefined);
    const cost = names.map((name) => costOf(usage, name, prices)).find((dollars) => dollars !== undefined);
    if (cost === undefined) return failedAt(at, null, unknownPrice(names[0]));
    sum += cost;
    if (sum > most) over ??= at;
  }
  const details = `the run cost ${formatExactDollars(sum)}, at most ${formatExactDollars(most)} is allowed`;
  return over === undefined ? passedWith(sum, details) : failedAt(over, sum, details);
}

function unknownPrice(model: string | undefined): string {
  if (model === undefined) return 'neither the request nor the response names a model, so its cost is unknown';
  return `the price of \`${model}\` is unknown: add it under [prices] in tapedeck.toml`;
}

export function judgeErrors({ modelCalls, toolSteps }: AssertedSteps): StepOutcome {
  const failedCalls = modelCalls.flatMap(({ response: { error, endedEarly } }, at) => {
    const text = error ?? (endedEarly ? 'the response was cut off' : undefined);
    return text === undefined ? [] : [{ at, text, details: `the model responded with an error: ${text}` }];
  });
  const failedTools = toolSteps.flatMap(({ name, at, isError, result = '' }) =>
    isError ? [{ at, text: result, details: `\`${name}\` failed${result === '' ? '' : `: ${result}`}` }] : [],
  );
  const [first, ...others] = [...failedCalls, ...failedTools].sort((left, right) => left.at - right.at);
  if (first === undefined) return passedWith(null, 'no response and no tool call failed');
  const more = others.length === 0 ? '' : `; and ${others.length} more`;
  return failedAt(first.at, first.text, shortened(first.details) + more);
}

export function judgeResultsUsed({ outputText, modelCalls, toolSteps }: AssertedSteps): StepOutcome {
  for (const { name, at, isError, result } of toolSteps) {
    if (result === undefined) return failedAt(at, null, `the result of \`${name}\` was not sent to the model`);
    const later = [...modelCalls.slice(at + 1).flatMap(responseTexts), outputText ?? ''];
    if (!isError && !isResultUsed(result, later))
      return failedAt(
        at,
        result,
        `no later response has a word or number of the result of \`${name}\`: ${shortened(result)}`,
      );
  }
  return passedWith(null, 'each result was sent to the model, and is in a later response');
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
    return failedAt(undefined, null, 'the responses do not report token usage');
  const sums = counts.map((_, at) => counts.slice(0, at + 1).reduce<number>((sum, count) => sum + (count ?? 0), 0));
  const total = sums.at(-1) ?? 0;
  const details = `the run used ${total} tokens, at most ${most} are allowed`;
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
