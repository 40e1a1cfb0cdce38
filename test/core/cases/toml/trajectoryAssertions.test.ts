import assert from 'node:assert/strict';
import { judgeAssertion } from '../../../../src/core/cases/toml/assertions';
import { readCase } from '../../../../src/core/cases/toml/readCase';
import { type ModelCall, toolSteps } from '../../../../src/core/cases/toml/trajectory';
import { isResultUsed } from '../../../../src/core/cases/toml/usedResults';
import type { Json } from '../../../../src/core/json/json';
import type { ProtocolId } from '../../../../src/core/model/interaction';
import type { ChatResponse, Message } from '../../../../src/core/model/message';
import type { PriceTable } from '../../../../src/core/prices/priceTable';

const usageOf = (totalTokens: number) => ({ promptTokens: totalTokens - 1, completionTokens: 1, totalTokens });
const call = (id: string, name: string, args: ChatResponse['toolCalls'][number]['arguments']) => ({
  id,
  name,
  arguments: args,
});
const result = (toolCallId: string | undefined, content: string, isError?: true): Message => ({
  role: 'tool',
  content,
  toolCalls: [],
  ...(toolCallId !== undefined && { toolCallId }),
  ...(isError && { isError }),
});
const asked: Message = { role: 'user', content: 'Refund order 4711', toolCalls: [] };
const said = ({ content, toolCalls }: ChatResponse): Message => ({ role: 'assistant', content, toolCalls });

const lookup: ChatResponse = {
  content: null,
  toolCalls: [call('c1', 'lookup_order', { id: '4711', limits: { days: 30, note: null } })],
  usage: usageOf(100),
  model: 'gpt-4o',
};
const refund: ChatResponse = {
  content: 'It was delivered on Tuesday.',
  toolCalls: [call('c2', 'refund', { id: '4711', amount: 12.5 }), call('c3', 'lookup_order', { id: '4712' })],
  usage: usageOf(200),
  model: 'gpt-4o',
};
const done: ChatResponse = {
  content: 'Refunded: receipt R-77.',
  toolCalls: [],
  usage: usageOf(300),
  model: 'gpt-4o',
};

const callsOf = (
  results: readonly Message[] = [result('c1', '{"status": "delivered"}'), result('c2', 'R-77'), result('c3', '{}')],
): readonly ModelCall[] => {
  const [first, ...others] = results;
  const request = (messages: readonly Message[]) => ({ messages, tools: [], params: {} });
  const second = [asked, said(lookup), ...(first ? [first] : [])];
  return [
    { number: 0, index: 4, request: request([asked]), response: lookup },
    { number: 2, index: 6, request: request(second), response: refund },
    { number: 3, index: 7, request: request([...second, said(refund), ...others]), response: done },
  ];
};

/** Judges the assertions of `[assert]` as a case has them. */
function judge(toml: string, modelCalls = callsOf(), more: { prices?: PriceTable; model?: string } = {}) {
  const { value, problems } = readCase(`name = "n"\nprompt = "p"\n[agent]\ncommand = ["x"]\n[assert]\n${toml}\n`);
  assert.deepEqual(problems, []);
  const steps = toolSteps(modelCalls);
  const run = { outputText: 'Refunded: receipt R-77.', toolCallOrder: [], modelCalls, toolSteps: steps, ...more };
  return (value?.assertions ?? []).map((assertion) => {
    const { passed, details, step } = judgeAssertion(assertion, run);
    return passed ? true : [details, step?.index];
  });
}

describe('assertions about the steps of a run', () => {
  it('tool_args: some call has these arguments, at any depth, and may have more', () => {
    const one = (more: string) => judge(`[[assert.tool_args]]\n${more}`)[0];
    assert.equal(one('tool = "lookup_order"\narguments = { id = "4711" }'), true);
    assert.equal(one('tool = "lookup_order"\narguments = { id = "4712" }'), true);
    assert.equal(one('tool = "lookup_order"\narguments = { limits = { days = 30 } }'), true);
    assert.equal(one('tool = "lookup_order"'), true, 'it was called');
    assert.deepEqual(one('tool = "lookup_order"\narguments = { id = "4713", limits = { days = 30 } }'), [
      'none of 2 calls of `lookup_order` has these arguments; in the closest one, `id` is "4711", expected "4713"',
      4,
    ]);
    assert.deepEqual(one('tool = "refund"\narguments = { amount = 13, reason = "late" }'), [
      'in the call of `refund`, `amount` is 12.5, expected 13; `reason` is missing, expected "late"',
      6,
    ]);
    assert.deepEqual(one('tool = "cancel"'), ['`cancel` was not called', undefined]);
  });

  it('tool_args: of one call, by its number', () => {
    const one = (more: string) => judge(`[[assert.tool_args]]\ntool = "lookup_order"\n${more}`)[0];
    assert.equal(one('call = 2\narguments = { id = "4712" }'), true);
    assert.deepEqual(one('call = 2\narguments = { id = "4711" }'), [
      'in call 2 of `lookup_order`, `id` is "4712", expected "4711"',
      6,
    ]);
    assert.deepEqual(one('call = 3'), ['`lookup_order` was called 2 times, so there is no call 3', undefined]);
  });

  it('tool_args: a schema holds for every call, or for the one with the number', () => {
    const schema = 'schema = { properties = { id = { enum = ["4711"] } }, required = ["id"] }';
    const one = (more: string) => judge(`[[assert.tool_args]]\ntool = "lookup_order"\n${more}${schema}`)[0];
    assert.equal(one('call = 1\n'), true);
    assert.deepEqual(one(''), [
      'the arguments of `lookup_order` do not match the schema: $.id is not one of ["4711"]: "4712"',
      6,
    ]);
  });

  it('tool_not_called', () => {
    assert.deepEqual(judge('tool_not_called = ["cancel"]'), [true]);
    assert.deepEqual(judge('tool_not_called = "cancel"'), [true]);
    assert.deepEqual(judge('tool_not_called = ["cancel", "refund"]'), [
      ['`refund` was called with {"id":"4711","amount":12.5}', 6],
    ]);
  });

  it('max_calls and max_tokens point at the first call that is too much', () => {
    assert.deepEqual(judge('max_calls = 3\nmax_tokens = 600'), [true, true]);
    assert.deepEqual(judge('max_calls = 1\nmax_tokens = 299'), [
      ['the run used 600 tokens, at most 299 are allowed', 6],
      ['the agent called the model 3 times, at most 1 is allowed', 6],
    ]);
  });

  it('max_cost: at list prices, or the project’s own, and never of what is unknown', () => {
    const prices = { 'gpt-4o': { input: 1000, output: 0 } };
    assert.deepEqual(judge('max_cost = 0.01'), [true]);
    assert.deepEqual(judge('max_cost = 0.3', callsOf(), { prices }), [
      ['the run cost $0.597, at most $0.30 is allowed', 7],
    ]);
    const [first, ...others] = callsOf();
    assert.ok(first);
    const { model: _, ...unnamed } = first.response;
    const unpriced = [{ ...first, response: { ...unnamed, model: 'my-model' } }, ...others];
    assert.deepEqual(judge('max_cost = 1', unpriced), [
      ['the price of `my-model` is unknown: add it under [prices] in tapedeck.toml', 4],
    ]);
    const nameless = [{ ...first, response: unnamed }, ...others];
    assert.deepEqual(judge('max_cost = 1', nameless, { model: 'gpt-4o' }), [true], 'the provider’s');
    assert.match(String(judge('max_cost = 1', nameless)), /neither the request nor the response names a model/);
    const { usage: __, ...silent } = first.response;
    assert.match(String(judge('max_cost = 1', [{ ...first, response: silent }])), /does not report token usage/);
    const refused = { content: null, toolCalls: [], error: 'rate limit reached' };
    assert.deepEqual(judge('max_cost = 0.01', [{ ...first, response: refused }, ...callsOf()]), [true], 'a retry');
    const cut = { ...silent, content: 'It was', error: 'overloaded' };
    assert.match(String(judge('max_cost = 1', [{ ...first, response: cut }])), /does not report token usage/);
  });

  it('no_errors: of tools and of responses', () => {
    assert.deepEqual(judge('no_errors = true'), [true]);
    const failed = callsOf([result('c1', 'no such order', true), result('c2', 'R-77'), result('c3', '{}')]);
    assert.deepEqual(judge('no_errors = true', failed), [['`lookup_order` failed: no such order', 4]]);
    const [first, ...others] = callsOf();
    assert.ok(first);
    const refused = [
      { ...first, index: 3, response: { content: null, toolCalls: [], error: '429' } },
      first,
      ...others,
    ];
    assert.deepEqual(judge('no_errors = true', refused), [['the model responded with an error: 429', 3]]);
    const cut = [{ ...first, response: { ...first.response, endedEarly: true as const } }, ...others];
    assert.deepEqual(judge('no_errors = true', cut), [
      ['the model responded with an error: the response was cut off', 4],
    ]);
    assert.equal(toolSteps(callsOf(), (at) => at === 1)[1]?.isError, true, 'as the built-in agent knows it');
  });

  it('no_errors and max_tool_errors say where no result can say that its tool failed', () => {
    const told = (api: ProtocolId | undefined, kind: string, expected: Json): string => {
      const modelCalls = callsOf().map((one) => ({ ...one, api }));
      const run = { outputText: '', toolCallOrder: [], modelCalls, toolSteps: toolSteps(modelCalls) };
      return judgeAssertion({ kind, expected }, run).details ?? '';
    };
    for (const api of ['openai-chat', 'openai-responses', 'ollama', 'cohere'] as const) {
      assert.match(told(api, 'no_errors', true), /but 3 tool results are in an API in which none can say/, api);
      assert.match(told(api, 'max_tool_errors', 0), /but 3 tool results are in an API in which none can say/, api);
    }
    for (const api of ['anthropic-messages', 'bedrock-converse', 'gemini', 'gemini-interactions', undefined] as const)
      assert.doesNotMatch(told(api, 'no_errors', true), /none can say/, api);
  });

  it('each_tool_result_used: sent to the model, and in what it said or called afterwards', () => {
    assert.deepEqual(judge('each_tool_result_used = true'), [true]);
    const ignored = callsOf([result('c1', '{"status": "lost"}'), result('c2', 'R-77'), result('c3', '{}')]);
    assert.deepEqual(judge('each_tool_result_used = true', ignored), [
      ['no later response has a word or number of the result of `lookup_order`: {"status": "lost"}', 4],
    ]);
    const unsent = callsOf([result('c1', 'delivered'), result('c2', 'R-77')]);
    assert.deepEqual(judge('each_tool_result_used = true', unsent), [
      ['the result of `lookup_order` was not sent to the model', 6],
    ]);
    const error = callsOf([result('c1', 'a timeout', true), result('c2', 'R-77'), result('c3', 'true')]);
    assert.deepEqual(judge('each_tool_result_used = true', error), [true], 'an error only has to be sent');
  });

  it('each_tool_result_used: reads numbers, languages, and values of JSON as a reader does', () => {
    assert.equal(isResultUsed('{"total": 1234.5}', ['It is 1,234.50 in all.']), true);
    assert.equal(isResultUsed('{"degrees": 21}', ['It is 12 degrees.']), false, 'the name of a member is no value');
    assert.equal(isResultUsed('天气晴朗', ['今天的天气很好']), true);
    assert.equal(isResultUsed('天气晴朗', ['明日は雨です']), false);
    assert.equal(isResultUsed('The sum is over there', ['The sum']), false, 'short words are in every text');
    assert.equal(isResultUsed('red', ['It is RED.']), true);
    for (const silent of ['true', 'null', '{}', '', '""']) assert.equal(isResultUsed(silent, ['x']), true, silent);
  });

  it('finds results without ids in the order of the calls', () => {
    const [first, second, third] = callsOf([result(undefined, 'delivered'), result(undefined, 'x'), result('', 'y')]);
    assert.ok(first && second && third);
    const steps = toolSteps([first, second, third]);
    assert.deepEqual(
      steps.map((step) => step.result),
      ['delivered', 'x', 'y'],
    );
    assert.deepEqual(
      steps.map(({ at }) => at),
      [0, 1, 1],
    );
  });

  it('takes the next result where a provider gives every call the same id', () => {
    const same = (response: ChatResponse): ChatResponse => ({ ...response, toolCalls: [call('call_0', 'a', {})] });
    const request = (...contents: string[]) => ({
      messages: contents.flatMap((content) => [said(same(lookup)), result('call_0', content)]),
      tools: [],
      params: {},
    });
    const calls = [
      { number: 0, request: request(), response: same(lookup) },
      { number: 1, request: request('one'), response: same(refund) },
      { number: 2, request: request('one', 'two'), response: done },
    ];
    assert.deepEqual(
      toolSteps(calls).map((step) => step.result),
      ['one', 'two'],
    );
  });

  it('max_tool_errors allows some tool calls to fail, and names the step of the first that is too many', () => {
    const calls = callsOf([result('c1', 'no such order', true), result('c2', 'R-77'), result('c3', 'gone', true)]);
    assert.deepEqual(judge('max_tool_errors = 2', calls), [true]);
    assert.deepEqual(judge('max_tool_errors = 1', calls), [['2 tool calls failed, at most 1 may', 6]]);
    assert.deepEqual(judge('max_tool_errors = 0', calls), [['2 tool calls failed, at most 0 may', 4]]);
    assert.deepEqual(judge('max_tool_errors = 0'), [true]);
  });

  it('max_repeated_calls counts calls of the same tool with the same arguments, in any order of their members', () => {
    assert.deepEqual(judge('max_repeated_calls = 0'), [true], 'other arguments');
    const [first, second, third] = callsOf();
    assert.ok(first && second && third);
    const asFirst = call('c4', 'lookup_order', { limits: { note: null, days: 30 }, id: '4711' });
    const asSecond = call('c5', 'refund', { amount: 12.5, id: '4711' });
    const otherTool = call('c6', 'cancel', { id: '4712' });
    const calls = [
      first,
      second,
      { ...third, response: { ...done, toolCalls: [asFirst, otherTool] } },
      { ...third, number: 4, index: 8, response: { ...done, toolCalls: [asSecond] } },
    ];
    assert.deepEqual(judge('max_repeated_calls = 2', calls), [true]);
    assert.deepEqual(judge('max_repeated_calls = 1', calls), [
      ['2 tool calls repeat an earlier one, at most 1 may', 8],
    ]);
    assert.deepEqual(judge('max_repeated_calls = 0', calls), [
      ['2 tool calls repeat an earlier one, at most 0 may', 7],
    ]);
    assert.deepEqual(judge('max_repeated_calls = 0', calls.slice(0, 3)), [
      ['1 tool call repeats an earlier one, at most 0 may', 7],
    ]);
  });

  it('are told where they are misspelt, of the wrong type, or never checked', () => {
    const problems = (toml: string) =>
      readCase(
        `name = "n"\nprompt = "p"\n[[tools]]\nname = "t"\ndescription = "d"\nschema = {}\n[assert]\n${toml}\n`,
      ).problems.map(({ message }) => message);
    assert.deepEqual(problems('tool_arg = []'), ['there is no assertion `tool_arg`, so it is never checked']);
    assert.deepEqual(problems('[[assert.tool_args]]\ntool = "t"\nargument = {}'), [
      'unknown key `argument` under [assert.tool_args] is ignored',
    ]);
    assert.deepEqual(problems('[[assert.tool_args]]\narguments = {}'), ['missing field `tool`']);
    assert.deepEqual(problems('tool_not_called = 1'), ['`tool_not_called` must be a list of strings']);
    assert.deepEqual(problems('max_cost = -1'), ['`max_cost` must be a non-negative number']);
    assert.deepEqual(problems('max_calls = 0'), ['`max_calls` must be a whole number of at least 1']);
    assert.deepEqual(problems('tool_not_called = []\nno_errors = false'), [
      '`tool_not_called` is empty, so it never fails',
      '`no_errors` is false, so it never fails',
    ]);
    assert.deepEqual(problems('tool_not_called = ["x"]\n[[assert.tool_args]]\ntool = "tt"'), [
      'the tool `tt` is not declared under [[tools]]',
      'the tool `x` is not declared under [[tools]]',
    ]);
  });
});
