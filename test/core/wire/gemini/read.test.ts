import assert from 'node:assert/strict';
import type { Json, JsonRecord } from '../../../../src/core/json/json';
import { editResponse } from '../../../../src/core/wire/edit/editResponse';
import { readExchange } from '../../../../src/core/wire/read/readExchange';
import { jsonBody, post, sse, textBody } from '../exchanges';

const URL = 'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:generateContent?key=x';
const STREAM = URL.replace('generateContent', 'streamGenerateContent');

describe('Gemini', () => {
  const read = (request: Json, response: Json = { candidates: [] }) =>
    readExchange(post(URL, request, jsonBody(response)));

  it('reads contents, instructions, tools and settings, in camel case and in snake case', () => {
    const camel: JsonRecord = {
      contents: [{ role: 'user', parts: [{ text: 'Hi' }, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }] }],
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      tools: [
        { functionDeclarations: [{ name: 'f', description: 'd', parameters: { type: 'OBJECT' } }] },
        { googleSearch: {} },
      ],
      generationConfig: { temperature: 0.5 },
      safetySettings: [],
    };
    const snake: JsonRecord = {
      contents: [{ role: 'user', parts: [{ text: 'Hi' }, { inline_data: { mime_type: 'image/png', data: 'AAAA' } }] }],
      system_instruction: { parts: [{ text: 'Be brief.' }] },
      tools: [
        { function_declarations: [{ name: 'f', description: 'd', parameters: { type: 'OBJECT' } }] },
        { googleSearch: {} },
      ],
      generation_config: { temperature: 0.5 },
      safetySettings: [],
    };
    for (const request of [camel, snake]) {
      assert.deepEqual(read(request).request, {
        model: 'gemini-2.5-flash',
        messages: [
          { role: 'system', content: 'Be brief.', toolCalls: [] },
          {
            role: 'user',
            content: 'Hi',
            parts: [
              { type: 'text', text: 'Hi' },
              { type: 'image', mime: 'image/png', base64: 'AAAA' },
            ],
            toolCalls: [],
          },
        ],
        tools: [
          { name: 'f', description: 'd', schema: { type: 'OBJECT' } },
          { name: 'googleSearch', settings: { googleSearch: {} } },
        ],
        params: { temperature: 0.5, safetySettings: [] },
      });
    }
  });

  it('has a result whose `error` says something as a failed one', () => {
    const isError = (response: Json) =>
      read({ contents: [{ role: 'user', parts: [{ functionResponse: { name: 'f', response } }] }] }, {}).request
        ?.messages[0]?.isError;
    const failures: Json[] = [{ error: 'no such order' }, { error: { code: 404 }, output: '' }];
    for (const failed of failures) assert.equal(isError(failed), true, JSON.stringify(failed));
    const others: Json[] = [{ output: 'error' }, { error: null, output: 1 }, { error: '' }, { error: false }, 'error'];
    for (const fine of others) assert.equal(isError(fine), undefined, JSON.stringify(fine));
  });

  it('assigns ids to calls without ids, equal in a response and in the request that repeats it', () => {
    const call = (name: string) => ({ functionCall: { name, args: { x: 1 } } });
    const result = (name: string, value: string) => ({ functionResponse: { name, response: { result: value } } });
    const response = { candidates: [{ content: { role: 'model', parts: [call('f'), call('g'), call('f')] } }] };
    const asked = [{ role: 'user', parts: [{ text: 'Go' }] }];
    const first = read({ contents: asked }, response);
    assert.deepEqual(
      first.response?.toolCalls.map(({ id }) => id),
      ['f_1', 'g_1', 'f_2'],
    );
    const repeated = [
      ...asked,
      { role: 'model', parts: [call('f'), call('g'), call('f')] },
      { role: 'user', parts: [result('f', 'one'), result('f', 'two'), result('g', 'three')] },
    ];
    const second = read({ contents: repeated }, { candidates: [{ content: { parts: [call('f')] } }] });
    assert.deepEqual(
      second.request?.messages[1]?.toolCalls.map(({ id }) => id),
      ['f_1', 'g_1', 'f_2'],
    );
    assert.deepEqual(
      second.request?.messages.slice(2).map(({ role, content, toolCallId, name }) => [role, content, toolCallId, name]),
      [
        ['tool', '{"result":"one"}', 'f_1', 'f'],
        ['tool', '{"result":"two"}', 'f_2', 'f'],
        ['tool', '{"result":"three"}', 'g_1', 'g'],
      ],
    );
    assert.deepEqual(
      second.response?.toolCalls.map(({ id }) => id),
      ['f_3'],
    );
  });

  it('reports an unframed error that ends a stream', () => {
    const begun = sse({ candidates: [{ content: { parts: [{ text: 'Hel' }] } }] });
    const error = { error: { code: 503, message: 'Overloaded.', status: 'UNAVAILABLE' } };
    const body = textBody(begun + JSON.stringify(error, null, 2));
    const { response } = readExchange(post(STREAM, { contents: [] }, body));
    assert.deepEqual([response?.content, response?.error], ['Hel', 'UNAVAILABLE: Overloaded.']);
    assert.equal(response?.chunks?.length, 2);
  });

  it('keeps existing ids', () => {
    const parts = [{ functionCall: { id: 'x1', name: 'f', args: {} } }];
    assert.equal(read({ contents: [] }, { candidates: [{ content: { parts } }] }).response?.toolCalls[0]?.id, 'x1');
  });

  it('reads thoughts, code, files, citations and token counts', () => {
    const { response } = read(
      { contents: [] },
      {
        candidates: [
          {
            content: {
              parts: [
                { text: 'Hm', thought: true },
                { text: 'Hello', thoughtSignature: 'sig' },
                { executableCode: { language: 'PYTHON', code: '1' } },
                { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
                { fileData: { fileUri: 'https://x/y.pdf', mimeType: 'application/pdf' } },
                { novelty: 1 },
              ],
            },
            finishReason: 'STOP',
            groundingMetadata: { webSearchQueries: ['x'] },
          },
        ],
        modelVersion: 'gemini-2.5-flash-001',
        usageMetadata: {
          promptTokenCount: 4,
          candidatesTokenCount: 2,
          thoughtsTokenCount: 10,
          totalTokenCount: 16,
          cachedContentTokenCount: 1,
        },
      },
    );
    assert.deepEqual(response, {
      content: 'Hello',
      parts: [
        { type: 'reasoning', text: 'Hm' },
        { type: 'reasoning', text: '', encrypted: true, signature: 'sig' },
        { type: 'text', text: 'Hello' },
        { type: 'server_tool', name: 'code_execution', payload: { executableCode: { language: 'PYTHON', code: '1' } } },
        {
          type: 'server_tool',
          name: 'code_execution',
          payload: { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
        },
        { type: 'file', mime: 'application/pdf', url: 'https://x/y.pdf' },
        { type: 'unknown', raw: { novelty: 1 } },
        { type: 'server_tool', name: 'groundingMetadata', payload: { webSearchQueries: ['x'] } },
      ],
      toolCalls: [],
      model: 'gemini-2.5-flash-001',
      usage: { promptTokens: 4, completionTokens: 12, totalTokens: 16, cachedTokens: 1, reasoningTokens: 10 },
      finishReason: 'STOP',
    });
  });

  it('reports a blocked prompt', () => {
    const { response } = read(
      { contents: [{ parts: [{ text: 'x' }] }] },
      { promptFeedback: { blockReason: 'SAFETY' } },
    );
    assert.equal(response?.error, 'The prompt was blocked: SAFETY');
  });

  it('reads numeric finish reasons', () => {
    const parts = [{ text: 'x' }];
    assert.equal(
      read({ contents: [] }, { candidates: [{ content: { parts }, finishReason: 2 }] }).response?.finishReason,
      'MAX_TOKENS',
    );
  });

  it('shows why a response ended early, streamed or not', () => {
    const finishMessage = 'Malformed function call: print(default_api.get_weather(city="Paris"))';
    const ended = (finishReason: string) => ({ candidates: [{ content: {}, finishReason, finishMessage }] });
    const malformed = ended('MALFORMED_FUNCTION_CALL');
    for (const body of [jsonBody(malformed), textBody(sse(malformed))]) {
      const { response, problems } = readExchange(post(STREAM, { contents: [] }, body));
      assert.deepEqual(response?.parts, [{ type: 'unknown', raw: { finishMessage } }]);
      assert.equal(response?.finishReason, 'MALFORMED_FUNCTION_CALL');
      assert.deepEqual(problems, []);
    }
    assert.equal(read({ contents: [] }, ended('STOP')).response?.parts, undefined);
  });

  it('joins a stream, sent as events or as a list', () => {
    const pieces: Json[] = [
      {
        candidates: [{ content: { role: 'model', parts: [{ text: 'Th', thought: true }] } }],
        usageMetadata: { promptTokenCount: 3, totalTokenCount: 3 },
      },
      { candidates: [{ content: { parts: [{ text: 'ought', thought: true }, { text: 'Hel' }] } }] },
      {
        candidates: [
          { content: { parts: [{ text: 'lo' }, { functionCall: { name: 'f', args: {} } }] }, finishReason: 'STOP' },
        ],
        usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
      },
    ];
    for (const body of [textBody(sse(...pieces)), jsonBody(pieces), { type: 'json', json: pieces } as const]) {
      const { api, response } = readExchange(post(STREAM, { contents: [] }, body));
      assert.equal(api, 'gemini');
      assert.equal(response?.content, 'Hello');
      assert.deepEqual(response?.parts, [
        { type: 'reasoning', text: 'Thought' },
        { type: 'text', text: 'Hello' },
      ]);
      assert.deepEqual(response?.toolCalls, [{ id: 'f_1', name: 'f', arguments: {} }]);
      assert.equal(response?.finishReason, 'STOP');
      assert.deepEqual(response?.usage, { promptTokens: 3, completionTokens: 2, totalTokens: 5 });
      assert.equal(response?.chunks?.length, 3);
    }
  });

  describe('with calls streamed by Vertex', () => {
    const stream = (...parts: Json[]) =>
      post(
        STREAM,
        { contents: [] },
        textBody(sse(...parts.map((part) => ({ candidates: [{ content: { role: 'model', parts: [part] } }] })))),
      );
    const begin = { functionCall: { name: 'w', willContinue: true }, thoughtSignature: 'sig' };
    const piece = (...partialArgs: Json[]) => ({ functionCall: { partialArgs, willContinue: true } });
    const exchange = stream(
      begin,
      piece({ jsonPath: '$.location', stringValue: 'New ', willContinue: true }),
      { functionCall: { partialArgs: [{ jsonPath: '$.location', stringValue: 'Delhi' }] } },
      { functionCall: {} },
      { functionCall: { name: 'other', args: { x: 1 } } },
    );

    it('joins the parts of a call, up to the next one with a name', () => {
      const { response } = readExchange(exchange);
      assert.deepEqual(response?.toolCalls, [
        { id: 'w_1', name: 'w', arguments: { location: 'New Delhi' } },
        { id: 'other_1', name: 'other', arguments: { x: 1 } },
      ]);
      assert.deepEqual(response?.parts, [{ type: 'reasoning', text: '', encrypted: true, signature: 'sig' }]);
    });

    it('sets values of every type at their paths', () => {
      const { response } = readExchange(
        stream(
          begin,
          piece({ jsonPath: '$.a.b[0].c', numberValue: 0 }, { jsonPath: '$.a.b[1]', boolValue: false }),
          piece({ jsonPath: "$['d e']", nullValue: 'NULL_VALUE' }, { jsonPath: '$.f', stringValue: '' }),
          piece({ jsonPath: '$.f' }, { jsonPath: '$.__proto__.g', numberValue: 1 }),
        ),
      );
      const expected = '{"a":{"b":[{"c":0},false]},"d e":null,"f":"","__proto__":{"g":1}}';
      assert.equal(JSON.stringify(response?.toolCalls[0]?.arguments), expected);
    });

    it('treats a call with arguments as a separate call, with or without a name', () => {
      const calls = [{ args: { x: 1 } }, { args: { x: 2 } }].map((functionCall) => ({ functionCall }));
      const { response } = readExchange(stream(...calls));
      assert.deepEqual(
        response?.toolCalls.map((call) => call.arguments),
        [{ x: 1 }, { x: 2 }],
      );
    });

    it('keeps nameless calls apart if there is no call to continue', () => {
      const { response } = readExchange(
        stream({ functionCall: { args: { x: 1 } } }, { text: 'x' }, { functionCall: {} }),
      );
      assert.deepEqual(
        response?.toolCalls.map((call) => call.arguments),
        [{ x: 1 }, {}],
      );
    });

    it('refuses to edit arguments that are in pieces', () => {
      const edit = editResponse(exchange, { type: 'arguments', call: 0, json: '{"location":"Goa"}' });
      assert.ok('refused' in edit);
    });
  });

  it('reports an error in a list', () => {
    const body = jsonBody([{ error: { code: 429, message: 'Quota', status: 'RESOURCE_EXHAUSTED' } }]);
    const { response } = readExchange(post(STREAM, { contents: [] }, body, { status: 429 }));
    assert.equal(response?.error, 'HTTP 429 RESOURCE_EXHAUSTED: Quota');
  });
});
