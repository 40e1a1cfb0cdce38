import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Json } from '../../../src/core/json/json';
import type { ChatRequest } from '../../../src/core/model/message';
import { ChatStream } from '../../../src/engine/providers/chatStream';
import { parseChatCompletion, readErrorMessage, writeChatRequest } from '../../../src/engine/providers/chatWire';

const OPTIONS = { model: 'default-model', stream: false };

describe('the request on the wire', () => {
  const request: ChatRequest = {
    messages: [
      { role: 'user', content: 'hi', toolCalls: [] },
      {
        role: 'assistant',
        content: null,
        toolCalls: [
          { id: 'c1', name: 'find', arguments: { id: 9007199254740993n } },
          { id: 'c2', name: 'find', arguments: '{"half' },
        ],
      },
      { role: 'tool', content: 'found', toolCalls: [], toolCallId: 'c1' },
    ],
    tools: [{ name: 'find', description: 'Finds.', schema: { type: 'object' } }],
    params: { temperature: 0.7, max_tokens: 20 },
  };

  it('is a chat completion request', () => {
    assert.deepEqual(JSON.parse(writeChatRequest(request, OPTIONS)), {
      model: 'default-model',
      messages: [
        { role: 'user', content: 'hi' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'c1', type: 'function', function: { name: 'find', arguments: '{"id":9007199254740993}' } },
            { id: 'c2', type: 'function', function: { name: 'find', arguments: '{"half' } },
          ],
        },
        { role: 'tool', content: 'found', tool_call_id: 'c1' },
      ],
      tools: [{ type: 'function', function: { name: 'find', description: 'Finds.', parameters: { type: 'object' } } }],
      temperature: 0.7,
      max_tokens: 20,
    });
  });

  it('leaves out what is not there, and asks a stream for its usage', () => {
    const bare = { model: 'mine', messages: [], tools: [], params: {} };
    assert.equal(writeChatRequest(bare, OPTIONS), '{"model":"mine","messages":[]}');
    const streaming = JSON.parse(writeChatRequest(bare, { ...OPTIONS, stream: true })) as Record<string, Json>;
    assert.deepEqual([streaming.stream, streaming.stream_options], [true, { include_usage: true }]);
  });
});

describe('a response on the wire', () => {
  const responseOf = (message: Json, rest: Record<string, Json> = {}) =>
    parseChatCompletion({ choices: [{ message }], ...rest });

  it('is read with its calls, usage and finish reason', () => {
    const call = { id: 'c1', type: 'function', function: { name: 'find', arguments: '{"id": 9007199254740993}' } };
    const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3, prompt_tokens_details: {} };
    const response = parseChatCompletion({
      choices: [{ message: { content: null, tool_calls: [call] }, finish_reason: 'tool_calls' }],
      usage,
    });
    assert.deepEqual(response, {
      content: null,
      toolCalls: [{ id: 'c1', name: 'find', arguments: { id: 9007199254740993n } }],
      usage: { promptTokens: 1, completionTokens: 2, totalTokens: 3 },
      finishReason: 'tool_calls',
    });
  });

  it('keeps arguments that are not JSON as the text they are, and takes an empty text for none', () => {
    const calls = ['{"half', '', '  '].map((args) => ({ function: { name: 'f', arguments: args } }));
    const native = { function: { name: 'f', arguments: { already: 'parsed' } } };
    const response = responseOf({ content: '', tool_calls: [...calls, native] });
    assert.deepEqual(
      response?.toolCalls.map(({ arguments: args }) => args),
      ['{"half', {}, {}, { already: 'parsed' }],
    );
    assert.deepEqual(
      response?.toolCalls.map(({ id }) => id),
      ['call_1', 'call_2', 'call_3', 'call_4'],
      'calls without an id get one, because their results have to name it',
    );
  });

  it('reads the text of content parts, and a refusal as the response', () => {
    assert.equal(
      responseOf({ content: [{ type: 'text', text: 'a' }, { type: 'image' }, { text: 'b' }] })?.content,
      'ab',
    );
    assert.equal(responseOf({ content: null, refusal: 'I will not.' })?.content, 'I will not.');
  });

  it('has no usage unless it is counted in whole numbers', () => {
    const wrong: Json[] = [null, {}, { prompt_tokens: 1 }, { prompt_tokens: -1, completion_tokens: 1 }, 'many'];
    for (const usage of wrong) {
      assert.equal(responseOf({ content: 'x' }, { usage })?.usage, undefined);
    }
    const sum = responseOf({ content: 'x' }, { usage: { prompt_tokens: 1, completion_tokens: 2 } })?.usage;
    assert.equal(sum?.totalTokens, 3);
  });

  it('keeps the tokens that came from a cache, those of reasoning, and the reported cost', () => {
    const counts = { prompt_tokens: 1000, completion_tokens: 20, total_tokens: 1020 };
    const usageOf = (more: Record<string, Json>) => {
      const { usage, reportedCost } = responseOf({ content: 'x' }, { usage: { ...counts, ...more } }) ?? {};
      return [usage?.cachedTokens, usage?.cacheWriteTokens, usage?.reasoningTokens, reportedCost];
    };
    const openai = {
      prompt_tokens_details: { cached_tokens: 900 },
      completion_tokens_details: { reasoning_tokens: 8 },
    };
    assert.deepEqual(usageOf(openai), [900, undefined, 8, undefined]);
    assert.deepEqual(usageOf({ prompt_cache_hit_tokens: 900 }), [900, undefined, undefined, undefined], 'DeepSeek');
    const openrouter = { cost: 0.1234, prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 700 } };
    assert.deepEqual(usageOf(openrouter), [0, 700, undefined, 0.1234]);
  });

  it('is none without a choice', () => {
    const bodies: Json[] = [null, [], 'text', {}, { choices: [] }, { choices: [null] }, { choices: [{ text: 'old' }] }];
    for (const wrong of bodies) {
      assert.equal(parseChatCompletion(wrong), undefined);
    }
  });

  it('is read or refused, whatever it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (message, usage) => {
        parseChatCompletion({ choices: [{ message: message as Json, finish_reason: 1 }], usage: usage as Json });
        readErrorMessage(message as Json);
      }),
    );
  });

  it('has its error in any shape that providers use', () => {
    const shapes: readonly Json[] = [
      { error: { message: 'no' } },
      { error: 'no' },
      { message: 'no' },
      { detail: 'no' },
      [{ error: { message: 'no' } }],
      { error: { code: 'no' } },
    ];
    assert.deepEqual(
      shapes.map(readErrorMessage),
      shapes.map(() => 'no'),
    );
    assert.equal(readErrorMessage({ error: { message: 5 } }), undefined);
  });
});

describe('a streamed response', () => {
  const delta = (value: Json, finish: Json = null) => ({
    choices: [{ index: 0, delta: value, finish_reason: finish }],
  });
  const call = (index: Json | undefined, parts: Record<string, Json>, args?: string) =>
    delta({
      tool_calls: [
        {
          ...(index === undefined ? {} : { index }),
          ...parts,
          function: { ...(parts.fn as object), arguments: args ?? '' },
        },
      ],
    });
  const wire = (...events: readonly (Json | string)[]) =>
    events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('');
  const streamed = (text: string) => {
    const stream = new ChatStream((data) => JSON.parse(data) as Json);
    stream.feed(text);
    return stream;
  };

  const whole = wire(
    delta({ role: 'assistant', content: '' }),
    delta({ content: 'Grüße ' }),
    delta({ content: 'ans Meer 🌊' }),
    call(0, { id: 'c1', fn: { name: 'find' } }, '{"a"'),
    call(1, { id: 'c2', fn: { name: 'get' } }, ''),
    call(0, {}, ':1}'),
    call(1, {}, '{}'),
    delta({}, 'tool_calls'),
    { choices: [], usage: { prompt_tokens: 4, completion_tokens: 5, total_tokens: 9 } },
    '[DONE]',
  );
  const expected = {
    content: 'Grüße ans Meer 🌊',
    toolCalls: [
      { id: 'c1', name: 'find', arguments: { a: 1 } },
      { id: 'c2', name: 'get', arguments: {} },
    ],
    usage: { promptTokens: 4, completionTokens: 5, totalTokens: 9 },
    finishReason: 'tool_calls',
  };

  it('is put together by index', () => {
    const stream = streamed(whole);
    assert.ok(stream.done && stream.complete);
    assert.deepEqual(stream.response(), expected);
  });

  it('has the counts that Groq reports beside the usage of OpenAI, and what a gateway says that it cost', () => {
    const counts = { prompt_tokens: 4, completion_tokens: 5, total_tokens: 9 };
    const groq = streamed(wire(delta({ content: 'x' }, 'stop'), { choices: [], x_groq: { usage: counts } }, '[DONE]'));
    assert.equal(groq.response().usage?.totalTokens, 9);
    const usage = { ...counts, cost: 0.5, prompt_tokens_details: { cached_tokens: 3 } };
    const gateway = streamed(wire(delta({ content: 'x' }, 'stop'), { choices: [], usage }, '[DONE]')).response();
    assert.deepEqual([gateway.usage?.cachedTokens, gateway.reportedCost], [3, 0.5]);
  });

  it('is the same however it is cut, with comments and CRLF', () => {
    const noisy = `: ping\r\n\r\n${whole.replaceAll('\n', '\r\n')}`;
    fc.assert(
      fc.property(fc.array(fc.nat(noisy.length)), (cuts) => {
        const stream = new ChatStream((data) => JSON.parse(data) as Json);
        const places = [0, ...cuts.sort((a, b) => a - b), noisy.length];
        for (let at = 1; at < places.length; at += 1) stream.feed(noisy.slice(places[at - 1], places[at]));
        assert.deepEqual(stream.response(), expected);
      }),
    );
  });

  it('keeps calls apart that come without an index, or all with the first', () => {
    for (const index of [undefined, 0]) {
      const { toolCalls } = streamed(
        wire(
          call(index, { id: 'a', fn: { name: 'one' } }, '{"x":'),
          call(index, {}, '1}'),
          call(index, { id: 'b', fn: { name: 'two' } }, '{"y":'),
          call(index, {}, '2}'),
        ),
      ).response();
      assert.deepEqual(
        toolCalls.map(({ id, name, arguments: args }) => [id, name, args]),
        [
          ['a', 'one', { x: 1 }],
          ['b', 'two', { y: 2 }],
        ],
      );
    }
  });

  it('is complete when it says why it ended, even without [DONE], and not before', () => {
    assert.equal(streamed(wire(delta({ content: 'half' }))).complete, false);
    const ended = streamed(wire(delta({ content: 'all' }), delta({}, 'stop')));
    assert.deepEqual([ended.complete, ended.done], [true, false]);
    assert.equal(streamed('').complete, false);
  });

  it('ignores what comes after [DONE], and events that make no sense', () => {
    const { content } = streamed(
      wire('null', '[]', { choices: 5 }, delta(7), delta({ content: 'x' }), '[DONE]', delta({ content: 'y' })),
    ).response();
    assert.equal(content, 'x');
  });
});
