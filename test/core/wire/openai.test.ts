import assert from 'node:assert/strict';
import { readExchange } from '../../../src/core/wire/readExchange';
import { jsonBody, post, sse, textBody } from './exchanges';

const CHAT = 'https://api.openai.com/v1/chat/completions';
const PIXEL = 'iVBORw0KGgo=';

describe('OpenAI Chat Completions', () => {
  const ask = (request: Parameters<typeof jsonBody>[0]) =>
    readExchange(post(CHAT, request, jsonBody({ choices: [] }))).request;
  const answer = (message: Parameters<typeof jsonBody>[0], others: Record<string, never> = {}) =>
    readExchange(post(CHAT, { messages: [] }, jsonBody({ choices: [{ message, finish_reason: 'stop' }], ...others })))
      .response;

  it('reads a conversation with calls and their results', () => {
    const request = ask({
      model: 'gpt-4o',
      temperature: 0.2,
      stream: true,
      messages: [
        { role: 'developer', content: 'Be brief.' },
        { role: 'user', content: 'Weather?', name: 'Ada' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'a', type: 'function', function: { name: 'weather', arguments: '{"city":"Bern"}' } },
            { id: 'b', type: 'function', function: { name: 'weather', arguments: '{"city":' } },
            { id: 'c', type: 'custom', custom: { name: 'shell', input: 'ls -l' } },
          ],
        },
        { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: 'Rain' }] },
      ],
      tools: [
        {
          type: 'function',
          function: { name: 'weather', description: 'Looks', parameters: { type: 'object' }, strict: true },
        },
        { type: 'web_search', search_context_size: 'low' },
      ],
    });
    assert.deepEqual(request, {
      model: 'gpt-4o',
      messages: [
        { role: 'developer', content: 'Be brief.', toolCalls: [] },
        { role: 'user', content: 'Weather?', toolCalls: [], name: 'Ada' },
        {
          role: 'assistant',
          content: null,
          toolCalls: [
            { id: 'a', name: 'weather', arguments: { city: 'Bern' }, argumentsText: '{"city":"Bern"}' },
            { id: 'b', name: 'weather', arguments: '{"city":', argumentsText: '{"city":' },
            { id: 'c', name: 'shell', arguments: 'ls -l' },
          ],
        },
        { role: 'tool', content: 'Rain', toolCalls: [], toolCallId: 'a' },
      ],
      tools: [
        { name: 'weather', description: 'Looks', schema: { type: 'object' }, settings: { strict: true } },
        { name: 'web_search', settings: { type: 'web_search', search_context_size: 'low' } },
      ],
      params: { temperature: 0.2, stream: true },
    });
  });

  it('reads images, audio and files, and never more than their place', () => {
    const request = ask({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } },
            { type: 'image_url', image_url: { url: 'https://example.com/cat.png', detail: 'low' } },
            { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
            { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' } },
            { type: 'file', file: { file_id: 'file-1' } },
            { type: 'hologram', depth: 3 },
          ],
        },
      ],
    });
    assert.deepEqual(request?.messages[0]?.parts, [
      { type: 'text', text: 'What is this?' },
      { type: 'image', mime: 'image/png', base64: PIXEL },
      { type: 'image', url: 'https://example.com/cat.png' },
      { type: 'audio', mime: 'audio/wav', base64: 'UklGRg==' },
      { type: 'file', mime: 'application/pdf', base64: 'JVBERi0=', name: 'a.pdf' },
      { type: 'file', name: 'file-1' },
      { type: 'unknown', raw: { type: 'hologram', depth: 3 } },
    ]);
    assert.equal(request?.messages[0]?.content, 'What is this?');
  });

  it('reads functions of before there were tools, and joins the result to its call', () => {
    const request = ask({
      functions: [{ name: 'add', parameters: {} }],
      messages: [
        { role: 'assistant', content: null, function_call: { name: 'add', arguments: '{"a":1}' } },
        { role: 'function', name: 'add', content: '2' },
      ],
    });
    assert.deepEqual(request?.tools, [{ name: 'add', schema: {} }]);
    assert.equal(request?.messages[0]?.toolCalls[0]?.id, 'add_1');
    assert.deepEqual(request?.messages[1], {
      role: 'tool',
      content: '2',
      toolCalls: [],
      toolCallId: 'add_1',
      name: 'add',
    });
  });

  it('reads an answer with its counts', () => {
    const { response } = readExchange(
      post(
        CHAT,
        { messages: [] },
        jsonBody({
          model: 'gpt-4o-2024',
          choices: [
            {
              index: 0,
              message: { role: 'assistant', content: 'Hi', refusal: null, annotations: [] },
              finish_reason: 'length',
            },
          ],
          usage: {
            prompt_tokens: 10,
            completion_tokens: 5,
            total_tokens: 15,
            prompt_tokens_details: { cached_tokens: 4 },
            completion_tokens_details: { reasoning_tokens: 2 },
          },
        }),
      ),
    );
    assert.deepEqual(response, {
      content: 'Hi',
      toolCalls: [],
      model: 'gpt-4o-2024',
      usage: { promptTokens: 10, completionTokens: 5, totalTokens: 15, cachedTokens: 4, reasoningTokens: 2 },
      finishReason: 'length',
    });
  });

  it('reads refusals, spoken answers, sources and members that it does not know', () => {
    assert.deepEqual(answer({ content: null, refusal: 'No.' })?.parts, [{ type: 'refusal', text: 'No.' }]);
    assert.deepEqual(answer({ content: null, audio: { id: 'a', data: 'AAAA', transcript: 'Hello' } }), {
      content: 'Hello',
      parts: [
        { type: 'audio', mime: 'audio/*', base64: 'AAAA' },
        { type: 'text', text: 'Hello' },
      ],
      toolCalls: [],
      finishReason: 'stop',
    });
    assert.deepEqual(
      answer({ content: 'x', annotations: [{ type: 'url_citation' }], mood: 'glad', cache_control: {} })?.parts,
      [
        { type: 'text', text: 'x' },
        { type: 'unknown', raw: { annotations: [{ type: 'url_citation' }] } },
        { type: 'unknown', raw: { mood: 'glad' } },
      ],
    );
  });

  it('reads the reasoning of DeepSeek, OpenRouter, LiteLLM and Mistral', () => {
    const thought = { type: 'reasoning', text: 'Hm' };
    const told = [
      { content: 'x', reasoning_content: 'Hm' },
      { content: 'x', reasoning: 'Hm', reasoning_details: [{ type: 'reasoning.text', text: 'Hm' }] },
      { content: 'x', reasoning_details: [{ type: 'reasoning.summary', summary: 'Hm' }] },
      { content: 'x', thinking_blocks: [{ type: 'thinking', thinking: 'Hm' }] },
      {
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] },
          { type: 'text', text: 'x' },
        ],
      },
    ];
    for (const message of told) assert.deepEqual(answer(message)?.parts, [thought, { type: 'text', text: 'x' }]);
    assert.deepEqual(
      answer({ content: 'x', reasoning_details: [{ type: 'reasoning.encrypted', data: 'c2VhbGVk' }] })?.parts,
      [
        { type: 'reasoning', text: '', encrypted: true, signature: 'c2VhbGVk' },
        { type: 'text', text: 'x' },
      ],
    );
  });

  it('keeps other choices', () => {
    const body = {
      choices: [
        { index: 0, message: { content: 'a' } },
        { index: 1, message: { content: 'b' } },
      ],
    };
    const { response } = readExchange(post(CHAT, { messages: [] }, jsonBody(body)));
    assert.equal(response?.content, 'a');
    assert.deepEqual(response?.parts?.[1], { type: 'unknown', raw: body.choices[1] ?? null });
  });

  it('joins the pieces of a stream: calls by index, or by id where servers leave the index out', () => {
    const calls = (...pieces: Parameters<typeof jsonBody>[0][]) => {
      const chunks = pieces.map((piece) => ({ choices: [{ index: 0, delta: { tool_calls: [piece] } }] }));
      return readExchange(post(CHAT, { messages: [] }, textBody(sse(...chunks, '[DONE]')))).response?.toolCalls;
    };
    const expected = [
      { id: 'a', name: 'f', arguments: { x: 1 }, argumentsText: '{"x":1}' },
      { id: 'b', name: 'g', arguments: {}, argumentsText: '' },
    ];
    assert.deepEqual(
      calls(
        { index: 0, id: 'a', function: { name: 'f', arguments: '' } },
        { index: 1, id: 'b', function: { name: 'g' } },
        { index: 0, function: { arguments: '{"x"' } },
        { index: 0, function: { name: 'f', arguments: ':1}' } },
      ),
      expected,
    );
    assert.deepEqual(
      calls(
        { id: 'a', function: { name: 'f', arguments: '{"x":1}' } },
        { id: 'b', function: { name: 'g', arguments: '' } },
      ),
      expected,
    );
  });

  it('tells of an error in the middle of a stream, and keeps what came before', () => {
    const { response } = readExchange(
      post(
        CHAT,
        { messages: [] },
        textBody(
          sse(
            { choices: [{ index: 0, delta: { content: 'Hel' } }] },
            {
              error: { message: 'overloaded', type: 'server_error' },
            },
          ),
        ),
      ),
    );
    assert.equal(response?.content, 'Hel');
    assert.equal(response?.error, 'server_error: overloaded');
  });

  it('joins spoken pieces, each of which is base64 of its own', () => {
    const piece = (data: string, transcript: string) => ({ choices: [{ delta: { audio: { data, transcript } } }] });
    const body = textBody(sse(piece('QQ==', 'Hel'), piece('Qg==', 'lo')));
    assert.deepEqual(readExchange(post(CHAT, { messages: [] }, body)).response?.parts, [
      { type: 'audio', mime: 'audio/*', base64: 'QUI=' },
      { type: 'text', text: 'Hello' },
    ]);
  });

  it('is known at every address at which it is spoken', () => {
    const urls = [
      'https://x.openai.azure.com/openai/deployments/gpt-4/chat/completions?api-version=2024-06-01',
      'https://api.groq.com/openai/v1/chat/completions',
      'http://localhost:11434/v1/chat/completions',
      '<GPUSTACK_API_BASE>/chat/completions',
      '/chat/completions',
    ];
    for (const url of urls) {
      const { api, request } = readExchange(
        post(url, { messages: [{ role: 'user', content: 'x' }] }, jsonBody({ choices: [] })),
      );
      assert.equal(api, 'openai-chat', url);
      assert.equal(request?.model, url.includes('deployments') ? 'gpt-4' : undefined);
    }
  });
});

describe('OpenAI Responses', () => {
  const URL = 'https://api.openai.com/v1/responses';
  const read = (request: Parameters<typeof jsonBody>[0], response: Parameters<typeof jsonBody>[0] = {}) =>
    readExchange(
      post(URL, request, jsonBody({ object: 'response', status: 'completed', output: [], ...(response as object) })),
    );

  it('reads what a model says in one go as one message', () => {
    const { request } = read({
      model: 'gpt-5',
      instructions: 'Be brief.',
      store: false,
      input: [
        { role: 'user', content: 'Hi' },
        { type: 'reasoning', id: 'rs', summary: [], encrypted_content: 'c2VhbGVk' },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'One moment.' }] },
        { type: 'function_call', call_id: 'c1', name: 'add', arguments: '{"a":1}' },
        { type: 'custom_tool_call', call_id: 'c2', name: 'shell', input: 'ls' },
        { type: 'function_call_output', call_id: 'c1', output: '2' },
        { type: 'custom_tool_call_output', call_id: 'c2', output: [{ type: 'input_text', text: 'a.txt' }] },
        {
          type: 'message',
          role: 'user',
          content: [
            { type: 'input_text', text: 'And?' },
            { type: 'input_image', image_url: 'https://x/y.png' },
          ],
        },
        { type: 'item_reference', id: 'msg_1' },
      ],
      tools: [
        { type: 'function', name: 'add', parameters: {} },
        { type: 'mcp', server_label: 'dice', server_url: 'https://dice' },
      ],
    });
    assert.deepEqual(request?.messages, [
      { role: 'system', content: 'Be brief.', toolCalls: [] },
      { role: 'user', content: 'Hi', toolCalls: [] },
      {
        role: 'assistant',
        content: 'One moment.',
        parts: [
          { type: 'reasoning', text: '', encrypted: true, signature: 'c2VhbGVk' },
          { type: 'text', text: 'One moment.' },
        ],
        toolCalls: [
          { id: 'c1', name: 'add', arguments: { a: 1 }, argumentsText: '{"a":1}' },
          { id: 'c2', name: 'shell', arguments: 'ls' },
        ],
      },
      { role: 'tool', content: '2', toolCalls: [], toolCallId: 'c1' },
      { role: 'tool', content: 'a.txt', toolCalls: [], toolCallId: 'c2' },
      {
        role: 'user',
        content: 'And?',
        parts: [
          { type: 'text', text: 'And?' },
          { type: 'image', url: 'https://x/y.png' },
        ],
        toolCalls: [],
      },
      {
        role: 'assistant',
        content: null,
        parts: [{ type: 'unknown', raw: { type: 'item_reference', id: 'msg_1' } }],
        toolCalls: [],
      },
    ]);
    assert.deepEqual(
      request?.tools.map(({ name }) => name),
      ['add', 'dice'],
    );
    assert.deepEqual(request?.params, { store: false });
  });

  it('tells the calls of the caller from what the provider runs itself', () => {
    const { response } = read(
      { input: 'x' },
      {
        model: 'gpt-5-2025',
        output: [
          { type: 'web_search_call', id: 'ws', status: 'completed' },
          { type: 'image_generation_call', id: 'ig', output_format: 'webp', result: PIXEL },
          { type: 'apply_patch_call', call_id: 'p', operation: { type: 'create_file' }, status: 'completed' },
          {
            type: 'message',
            content: [
              { type: 'output_text', text: 'Done', annotations: [{ type: 'url_citation' }] },
              { type: 'refusal', refusal: 'no' },
            ],
          },
          { type: 'compaction', encrypted_content: 'x' },
        ],
        usage: {
          input_tokens: 7,
          input_tokens_details: { cached_tokens: 3 },
          output_tokens: 2,
          output_tokens_details: { reasoning_tokens: 1 },
          total_tokens: 9,
        },
      },
    );
    assert.deepEqual(response, {
      content: 'Done',
      parts: [
        {
          type: 'server_tool',
          name: 'web_search',
          payload: { type: 'web_search_call', id: 'ws', status: 'completed' },
        },
        {
          type: 'server_tool',
          name: 'image_generation',
          payload: { type: 'image_generation_call', id: 'ig', output_format: 'webp' },
        },
        { type: 'image', mime: 'image/webp', base64: PIXEL },
        { type: 'text', text: 'Done' },
        { type: 'unknown', raw: { annotations: [{ type: 'url_citation' }] } },
        { type: 'refusal', text: 'no' },
        { type: 'unknown', raw: { type: 'compaction', encrypted_content: 'x' } },
      ],
      toolCalls: [{ id: 'p', name: 'apply_patch', arguments: { type: 'create_file' } }],
      model: 'gpt-5-2025',
      usage: { promptTokens: 7, completionTokens: 2, totalTokens: 9, cachedTokens: 3, reasoningTokens: 1 },
      finishReason: 'completed',
    });
  });

  it('says why an answer is incomplete, and what failed', () => {
    const incomplete = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
    assert.equal(read({ input: 'x' }, incomplete).response?.finishReason, 'max_output_tokens');
    const failed = { status: 'failed', error: { code: 'server_error', message: 'Sorry' } };
    assert.equal(read({ input: 'x' }, failed).response?.error, 'server_error: Sorry');
  });

  it('reads a stream that was cut off before its end', () => {
    const { response } = readExchange(
      post(
        URL,
        { input: 'x' },
        textBody(
          sse(
            { type: 'response.created', response: { id: 'r', object: 'response', status: 'in_progress', output: [] } },
            { type: 'response.output_item.added', output_index: 0, item: { type: 'reasoning', summary: [] } },
            { type: 'response.reasoning_summary_text.delta', output_index: 0, summary_index: 0, delta: 'Hm' },
            { type: 'response.output_item.added', output_index: 1, item: { type: 'message', content: [] } },
            { type: 'response.output_text.delta', output_index: 1, content_index: 0, delta: 'Hel' },
            { type: 'response.output_text.delta', output_index: 1, content_index: 0, delta: 'lo' },
            {
              type: 'response.output_item.added',
              output_index: 2,
              item: { type: 'function_call', call_id: 'c', name: 'add', arguments: '' },
            },
            { type: 'response.function_call_arguments.delta', output_index: 2, delta: '{"a":' },
          ),
        ),
      ),
    );
    assert.equal(response?.content, 'Hello');
    assert.deepEqual(response?.parts?.[0], { type: 'reasoning', text: 'Hm' });
    assert.deepEqual(response?.toolCalls, [{ id: 'c', name: 'add', arguments: '{"a":', argumentsText: '{"a":' }]);
    assert.equal(response?.finishReason, undefined);
    assert.equal(response?.chunks?.length, 8);
  });
});

describe('OpenAI Assistants', () => {
  it('reads a streamed run', () => {
    const url = 'https://api.openai.com/v1/threads/thread_1/runs';
    const request = {
      assistant_id: 'asst_1',
      instructions: 'Be brief.',
      additional_messages: [{ role: 'user', content: 'Hi' }],
      stream: true,
    };
    const {
      api,
      request: asked,
      response,
    } = readExchange(
      post(
        url,
        request,
        textBody(
          sse(
            ['thread.run.created', { object: 'thread.run', id: 'run_1', status: 'queued', model: 'gpt-4o' }],
            [
              'thread.message.delta',
              {
                object: 'thread.message.delta',
                id: 'msg',
                delta: { content: [{ index: 0, type: 'text', text: { value: 'Hel' } }] },
              },
            ],
            [
              'thread.message.delta',
              {
                object: 'thread.message.delta',
                id: 'msg',
                delta: { content: [{ index: 0, type: 'text', text: { value: 'lo' } }] },
              },
            ],
            [
              'thread.run.completed',
              {
                object: 'thread.run',
                id: 'run_1',
                status: 'completed',
                usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
              },
            ],
            ['done', '[DONE]'],
          ),
        ),
      ),
    );
    assert.equal(api, 'openai-assistants');
    assert.deepEqual(
      asked?.messages.map(({ role, content }) => [role, content]),
      [
        ['system', 'Be brief.'],
        ['user', 'Hi'],
      ],
    );
    assert.equal(response?.content, 'Hello');
    assert.equal(response?.finishReason, 'completed');
    assert.equal(response?.usage?.totalTokens, 5);
  });

  it('leaves a run that is polled for as it is', () => {
    const url = 'https://api.openai.com/v1/threads/thread_1/runs';
    const { kind, summary } = readExchange(
      post(url, { assistant_id: 'a' }, jsonBody({ object: 'thread.run', status: 'queued' })),
    );
    assert.deepEqual([kind, summary], ['http', 'thread.run, queued']);
  });
});
