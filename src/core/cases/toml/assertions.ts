import { diffValues } from '../../diff/diffValues';
import { canonicalJson } from '../../json/canonicalJson';
import type { Json, JsonRecord } from '../../json/json';
import { formatJsonPath } from '../../json/jsonPath';
import { findSchemaMismatch } from '../../json/schema/findSchemaMismatch';
import { displayJson } from '../../json/schema/valueKeywords';
import { isPartOf } from '../../match/subset';
import type { AssertionResult } from '../../model/artifact';
import type { Assertion } from '../../model/case';
import type { ChatResponse } from '../../model/message';
import { costOfCall } from '../../prices/cost';
import { formatExactDollars } from '../../prices/formatDollars';
import type { PriceTable } from '../../prices/priceTable';
import {
  amount,
  count,
  flag,
  list,
  needed,
  object,
  own,
  type Schema,
  table,
  text,
  type Value,
} from '../../schema/schema';
import { compilePattern, isRefused } from '../../text/compilePattern';
import { counted } from '../../text/counts';
import { cut, message, t } from '../../text/l10n';
import { noticeOf } from '../../text/notice';
import { asTomlHasIt } from '../../toml/writeToml';
import { type ModelCall, messageText, type ToolStep } from './trajectory';
import { isResultUsed, leavesOf } from './usedResults';

/** The results of a run that assertions are checked against. */
interface AssertedRun {
  readonly outputText: string | null;
  readonly toolCallOrder: readonly string[];
  readonly durationMs?: number;
  readonly modelCalls: readonly ModelCall[];
  readonly toolSteps: readonly ToolStep[];
  /** The project's own prices. */
  readonly prices?: PriceTable | undefined;
  /** The model where neither request nor response names one. */
  readonly model?: string | undefined;
}

/** One key under `[assert]`. Completion, hover, checks, and the published schema follow from it. */
interface AssertionEntry<T> {
  readonly schema: Schema<T>;
  /** Whether it can never fail where it is empty, or false. */
  readonly isIdleWhenEmpty?: true;
  judge(expected: T, run: AssertedRun): AssertionOutcome;
}

interface AssertionOutcome {
  readonly actual: Json;
  readonly passed: boolean;
  /** Absent from MoFA's own assertions: their words are MoFA's, made where failures are reported. */
  readonly details?: string;
  /** The position of the call of the model where it fails, among all of them. */
  readonly at?: number;
}

const passedWith = (actual: Json, details: string): AssertionOutcome => ({ actual, passed: true, details });
const failedWith = (actual: Json, details: string): AssertionOutcome => ({ actual, passed: false, details });
const failedAt = (at: number | undefined, actual: Json, details: string): AssertionOutcome => ({
  ...failedWith(actual, details),
  ...(at !== undefined && { at }),
});

const entry = <T>(assertion: AssertionEntry<T>): AssertionEntry<T> => assertion;

const EXPECTED_ARGUMENTS = own(
  table(message('Fails unless the tool was called with these arguments.'), {
    tool: needed(text(message('The name of the tool.'), { names: 'tool' })),
    call: count(message('Which call of the tool, from 1. By default, any for `arguments`, and all for `schema`.'), 1),
    arguments: object(
      message('Arguments that the call must have, at any depth. It may have more; lists must be equal.'),
    ),
    schema: object(message('The JSON schema that the arguments conform to.')),
  }),
);
type ExpectedArguments = Value<typeof EXPECTED_ARGUMENTS>;

/** The assertions: MoFA's two, then Tapedeck's. Of a list of tables, each table is an assertion. */
const ASSERTIONS = {
  contains: entry({
    schema: text(message('Fails unless the output contains this text.')),
    isIdleWhenEmpty: true,
    // MoFA's rule: a case-sensitive substring.
    judge: (expected, { outputText }) => ({ actual: outputText, passed: outputText?.includes(expected) ?? false }),
  }),
  tool_called: entry({
    schema: text(message('Fails unless the agent called this tool.'), { names: 'tool' }),
    judge: (expected, { toolCallOrder }) => ({ actual: toolCallOrder, passed: toolCallOrder.includes(expected) }),
  }),
  not_contains: entry({
    schema: own(text(message('Fails if the output contains this text.'))),
    judge(expected, { outputText }) {
      if (outputText === null) return failedWith(null, t(NO_OUTPUT));
      return outputText.includes(expected)
        ? failedWith(outputText, t('the output contains `{0}`', expected))
        : passedWith(outputText, t('the output does not contain it'));
    },
  }),
  matches: entry({
    schema: own(
      text(message('Fails unless the output matches this regular expression.'), {
        check(source) {
          const pattern = compilePattern(source, 'rust');
          if (!isRefused(pattern)) return undefined;
          const refusal = t('`matches` is not a valid regular expression: {0}', pattern.reason);
          return { message: refusal, fix: t('Correct the pattern.') };
        },
      }),
    ),
    isIdleWhenEmpty: true,
    judge(expected, { outputText }) {
      const pattern = compilePattern(expected, 'rust');
      if (isRefused(pattern)) return failedWith(outputText, t('invalid pattern: {0}', pattern.reason));
      return outputText !== null && pattern.test(outputText)
        ? passedWith(outputText, t('the output matches /{0}/', expected))
        : failedWith(outputText, t('the output does not match /{0}/', expected));
    },
  }),
  json_schema: entry({
    schema: own(object(message('Fails unless the output is JSON that conforms to this schema.'))),
    judge(expected, { outputText }) {
      if (outputText === null) return failedWith(null, t(NO_OUTPUT));
      let value: Json;
      try {
        value = JSON.parse(outputText) as Json;
      } catch {
        return failedWith(outputText, t('the output is not JSON'));
      }
      const mismatch = findSchemaMismatch(expected, value);
      return mismatch === undefined
        ? passedWith(outputText, t('the output conforms to the schema'))
        : failedWith(outputText, mismatch);
    },
  }),
  max_ms: entry({
    schema: own(count(message('Fails if the run takes longer than this many milliseconds.'), 1)),
    judge: (most, { durationMs }) => ({
      actual: durationMs ?? null,
      passed: (durationMs ?? 0) <= most,
      details: t('the run took {0} ms, at most {1} ms are allowed', Math.round(durationMs ?? 0), most),
    }),
  }),
  max_tokens: entry({
    schema: own(count(message('Fails if the responses use more than this many tokens in total.'), 1)),
    judge: judgeTokens,
  }),
  tool_order: entry({
    schema: own(
      list(
        text(message('Fails unless these tools were called in this order; other calls in between are allowed.'), {
          names: 'tool',
        }),
      ),
    ),
    isIdleWhenEmpty: true,
    judge: (wanted, { toolCallOrder }) => ({
      actual: toolCallOrder,
      passed: isInOrder(wanted, toolCallOrder),
      details: t(
        'expected the tools {0} in this order, got {1}',
        wanted.join(', '),
        toolCallOrder.join(', ') || t('none'),
      ),
    }),
  }),
  tool_args: { schema: own(list(EXPECTED_ARGUMENTS)), judge: judgeArguments },
  tool_not_called: entry({
    schema: own(
      list(text(message('Fails if the agent called one of these tools.'), { names: 'tool' }), { mayBeOne: true }),
    ),
    isIdleWhenEmpty: true,
    judge(names, { toolSteps }) {
      const called = toolSteps.find(({ name }) => names.includes(name));
      if (called === undefined) return passedWith(null, t('none of {0} was called', names.join(', ')));
      const details = t('`{0}` was called with {1}', called.name, displayJson(called.arguments));
      return failedAt(called.at, called.name, details);
    },
  }),
  max_calls: entry({
    schema: own(count(message('Fails if the agent calls the model more often than this.'), 1)),
    judge: judgeCallCount,
  }),
  max_cost: entry({
    schema: own(
      amount(
        message(
          'Fails if the responses cost more than this many US dollars, at list prices or those under [prices] in tapedeck.toml.',
        ),
      ),
    ),
    judge: judgeCost,
  }),
  no_errors: entry({
    schema: own(
      flag(
        message(
          'Fails if a tool call failed, or a response of the model is an error. Of agents of your own, only the APIs of Anthropic, Bedrock, and Gemini say that a tool failed.',
        ),
      ),
    ),
    isIdleWhenEmpty: true,
    judge: (_, run) => judgeErrors(run),
  }),
  max_tool_errors: entry({
    schema: own(count(message('Fails if more than this number of tool calls failed.'), 0)),
    judge(most, { toolSteps }) {
      const failed = toolSteps.filter(({ isError }) => isError);
      const details = counted(
        failed.length,
        '1 tool call failed, at most {1} may',
        '{0} tool calls failed, at most {1} may',
        most,
      );
      return judgeMost(most, failed, withUntold(details, toolSteps));
    },
  }),
  max_repeated_calls: entry({
    schema: own(
      count(
        message(
          'Fails if more than this number of tool calls repeat an earlier call of the same tool with the same arguments.',
        ),
        0,
      ),
    ),
    judge: judgeRepeatedCalls,
  }),
  each_tool_result_used: entry({
    schema: own(
      flag(
        message(
          'Fails unless each tool result was sent to the model, and a later response has a word or number of it.',
        ),
      ),
    ),
    isIdleWhenEmpty: true,
    judge: (_, run) => judgeResultsUsed(run),
  }),
};

type AssertionKind = keyof typeof ASSERTIONS;
const KINDS = Object.keys(ASSERTIONS) as AssertionKind[];

/** The members of `[assert]` that are assertions. */
export const ASSERTION_SCHEMAS = Object.fromEntries(KINDS.map((kind) => [kind, ASSERTIONS[kind].schema])) as {
  readonly [K in AssertionKind]: (typeof ASSERTIONS)[K]['schema'];
};

/** The assertions of `[assert]`, as it was read, each with its path below it. A flag that is false asserts nothing. */
export function assertionsOf(
  assert: Readonly<Record<string, unknown>>,
): readonly (Omit<Assertion, 'span'> & { readonly path: readonly (string | number)[] })[] {
  return KINDS.flatMap((kind) => {
    const expected = assert[kind] as Json | undefined;
    if (expected === undefined || expected === false) return [];
    const isList = ASSERTIONS[kind].schema.items?.type === 'object' && Array.isArray(expected);
    if (!isList) return [{ kind, expected, path: [kind] }];
    return expected.map((one: Json, index: number) => ({ kind, expected: one, path: [kind, index] }));
  });
}

/** The assertions of `[assert]`, as it was read, that can never fail. */
export function idleAssertions(assert: Readonly<Record<string, unknown>>) {
  return KINDS.map((kind) => ({ kind, value: assert[kind] })).filter(({ kind, value }) => {
    const isEmpty = value === '' || value === false || (Array.isArray(value) && value.length === 0);
    return isEmpty && (ASSERTIONS[kind] as AssertionEntry<never>).isIdleWhenEmpty === true;
  });
}

/** Checks one assertion. */
export function judgeAssertion(
  { kind, expected }: Pick<Assertion, 'kind' | 'expected'>,
  run: AssertedRun,
): AssertionResult {
  const { judge } = ASSERTIONS[kind as AssertionKind] as AssertionEntry<Json>;
  const { actual, passed, details, at } = judge(expected, run);
  const call = at === undefined ? undefined : run.modelCalls[at];
  return {
    kind,
    expected,
    actual,
    passed,
    details,
    ...(details !== undefined && !passed && { said: noticeOf(() => judge(expected, run).details ?? '') }),
    ...(call && { step: { number: call.number, index: call.index } }),
  };
}

const NO_OUTPUT = message('run produced no text output');

/** Whether the tools were called in the wanted order, possibly with others in between. */
function isInOrder(wanted: readonly string[], called: readonly string[]): boolean {
  let at = 0;
  for (const name of called) if (name === wanted[at]) at += 1;
  return at === wanted.length;
}

/** Without a number, some call has the arguments, and every call conforms to the schema. */
function judgeArguments(expected: ExpectedArguments, { toolSteps }: AssertedRun): AssertionOutcome {
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

function judgeCallCount(most: number, { modelCalls }: AssertedRun): AssertionOutcome {
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

/**
 * A call without a known cost fails the assertion: what it cost is not zero. Providers charge nothing for one that they refused, such as
 * with status 429, which SDKs send again.
 */
function judgeCost(most: number, { modelCalls, prices, model }: AssertedRun): AssertionOutcome {
  let sum = 0;
  let over: number | undefined;
  for (const [at, call] of modelCalls.entries()) {
    const { request, response } = call;
    const cost = costOfCall(call, prices, model);
    if (cost === undefined && response.usage === undefined && wasRefused(response)) continue;
    if (cost === undefined && response.usage === undefined)
      return failedAt(at, null, t('the response does not report token usage, so its cost is unknown'));
    if (cost === undefined) return failedAt(at, null, unknownPrice(response.model ?? request.model ?? model));
    sum += cost;
    if (sum > most) over ??= at;
  }
  const details = t('the run cost {0}, at most {1} is allowed', formatExactDollars(sum), formatExactDollars(most));
  return over === undefined ? passedWith(sum, details) : failedAt(over, sum, details);
}

function wasRefused({ error, content, toolCalls }: ChatResponse): boolean {
  return error !== undefined && !content && toolCalls.length === 0;
}

function unknownPrice(model: string | undefined): string {
  if (model === undefined) return t('neither the request nor the response names a model, so its cost is unknown');
  return t('the price of `{0}` is unknown: add it under [prices] in tapedeck.toml', model);
}

function judgeErrors({ modelCalls, toolSteps }: AssertedRun): AssertionOutcome {
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
  if (first === undefined) return passedWith(null, withUntold(t('no response and no tool call failed'), toolSteps));
  return failedAt(first.at, first.text, withMore(cut(first.details, QUOTED_LENGTH), others.length));
}

/** A failed tool that nobody can tell from another must not look like one that did well. */
function withUntold(text: string, steps: readonly ToolStep[]): string {
  const count = steps.filter(({ isUntold }) => isUntold).length;
  if (count === 0) return text;
  return counted(
    count,
    '{1}; but {0} tool result is in an API in which none can say that its tool failed: assert its text',
    '{1}; but {0} tool results are in an API in which none can say that its tool failed: assert their texts',
    text,
  );
}

function judgeRepeatedCalls(most: number, { toolSteps }: AssertedRun): AssertionOutcome {
  const seen = new Set<string>();
  const repeated = toolSteps.filter(({ name, arguments: args }) => {
    const call = canonicalJson([name, args]);
    const isRepeated = seen.has(call);
    seen.add(call);
    return isRepeated;
  });
  const details = counted(
    repeated.length,
    '1 tool call repeats an earlier one, at most {1} may',
    '{0} tool calls repeat an earlier one, at most {1} may',
    most,
  );
  return judgeMost(most, repeated, details);
}

/** Fails at the first step that is one too many. */
function judgeMost(most: number, steps: readonly ToolStep[], details: string): AssertionOutcome {
  const first = steps[most];
  return first === undefined ? passedWith(steps.length, details) : failedAt(first.at, steps.length, details);
}

function judgeResultsUsed({ outputText, modelCalls, toolSteps }: AssertedRun): AssertionOutcome {
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
  return cut(text, QUOTED_LENGTH);
}

/** The tokens of all responses, with the first call at which they are more than allowed. */
function judgeTokens(most: number, { modelCalls }: AssertedRun): AssertionOutcome {
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
