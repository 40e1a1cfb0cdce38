import assert from 'node:assert/strict';
import type { Json } from '../../../../src/core/json/json';
import type { HttpExchange } from '../../../../src/core/model/http';
import { blankExchange } from '../../../../src/core/wire/edit/blankExchange';
import { editResponse } from '../../../../src/core/wire/edit/editResponse';
import { detectProtocol } from '../../../../src/core/wire/read/detectProtocol';
import { readExchange, readResponseFrames, readResponseJson } from '../../../../src/core/wire/read/readExchange';
import { jsonBody, post, sse, textBody } from '../exchanges';

const URL = 'https://cloudcode-pa.googleapis.com/v1internal:generateContent';
const STREAM = 'https://cloudcode-pa.googleapis.com/v1internal:streamGenerateContent?alt=sse';

const REQUEST: Json = {
  model: 'gemini-2.5-pro',
  project: 'my-project',
  user_prompt_id: 'p-1',
  request: {
    contents: [{ role: 'user', parts: [{ text: 'List the files.' }] }],
    systemInstruction: { role: 'user', parts: [{ text: 'Be brief.' }] },
    tools: [{ functionDeclarations: [{ name: 'ls', parametersJsonSchema: { type: 'object' } }] }],
    generationConfig: { temperature: 0 },
    session_id: 's-1',
  },
};
const USAGE = { promptTokenCount: 9, candidatesTokenCount: 3, totalTokenCount: 12 };

function wrapped(parts: Json, finishReason?: string): Json {
  const candidate = { content: { role: 'model', parts }, ...(finishReason === undefined ? {} : { finishReason }) };
  return {
    response: { candidates: [candidate], usageMetadata: USAGE, modelVersion: 'gemini-2.5-pro' },
    traceId: 't-1',
  };
}

const CALL = { functionCall: { name: 'ls', args: { path: '.' } } };
const WHOLE = wrapped([{ text: 'I will look. ' }, { text: 'Now.' }, CALL], 'STOP');
const EVENTS = [
  wrapped([{ text: 'Thinking', thought: true }]),
  wrapped([{ text: 'I will ' }]),
  wrapped([{ text: 'look. Now.' }, CALL], 'STOP'),
  { remainingCredits: [{ creditType: 'G1', creditAmount: '5' }] },
];

function withText(exchange: HttpExchange, text: string): HttpExchange {
  const edit = editResponse(exchange, { type: 'response-text', text });
  assert('body' in edit, 'refused' in edit ? edit.refused : '');
  return { ...exchange, responseBody: edit.body };
}

describe('Gemini Code Assist', () => {
  it('reads the request inside its wrapper', () => {
    const { api, request } = readExchange(post(URL, REQUEST, jsonBody(WHOLE)));
    assert.equal(api, 'gemini-code-assist');
    assert.deepEqual(request, {
      model: 'gemini-2.5-pro',
      messages: [
        { role: 'system', content: 'Be brief.', toolCalls: [] },
        { role: 'user', content: 'List the files.', toolCalls: [] },
      ],
      tools: [{ name: 'ls', schema: { type: 'object' } }],
      params: { project: 'my-project', user_prompt_id: 'p-1', session_id: 's-1', temperature: 0 },
    });
  });

  it('reads a response, streamed or not, with its tool calls and tokens', () => {
    const streams = [sse(...EVENTS), JSON.stringify(EVENTS)].map((text) => post(STREAM, REQUEST, textBody(text)));
    for (const exchange of [post(URL, REQUEST, jsonBody(WHOLE)), ...streams]) {
      const { api, response, problems } = readExchange(exchange);
      assert.deepEqual(problems, []);
      assert.equal(api, 'gemini-code-assist');
      assert.equal(response?.content, 'I will look. Now.');
      assert.deepEqual(response?.toolCalls, [{ id: 'ls_1', name: 'ls', arguments: { path: '.' } }]);
      assert.deepEqual(response?.usage, { promptTokens: 9, completionTokens: 3, totalTokens: 12 });
      assert.equal(response?.finishReason, 'STOP');
      assert.equal(response?.model, 'gemini-2.5-pro');
    }
  });

  it('recognises a response without its request', () => {
    assert.equal(readResponseJson(WHOLE).api, 'gemini-code-assist');
    const { api, response } = readResponseFrames(EVENTS.map((event) => JSON.stringify(event)));
    assert.equal(api, 'gemini-code-assist');
    assert.equal(response?.content, 'I will look. Now.');
  });

  it('is distinguished from Gemini by its path alone', () => {
    const apiAt = (path: string) =>
      detectProtocol({ path, request: undefined, response: undefined, events: [] })?.id ?? 'none';
    assert.equal(apiAt('/v1internal:streamGenerateContent'), 'gemini-code-assist');
    assert.equal(apiAt('/v1beta/models/m:generateContent'), 'gemini');
    assert.equal(apiAt('/v1internal:loadCodeAssist'), 'none');
  });

  it('reads the error of a stream, of a failed call and of a successful one', () => {
    const error = { code: 429, message: 'Quota exceeded', status: 'RESOURCE_EXHAUSTED' };
    assert.equal(
      readExchange(post(STREAM, REQUEST, textBody(sse({ error })))).response?.error,
      'RESOURCE_EXHAUSTED: Quota exceeded',
    );
    assert.equal(
      readExchange(post(URL, REQUEST, jsonBody({ error }), { status: 429 })).response?.error,
      'HTTP 429 RESOURCE_EXHAUSTED: Quota exceeded',
    );
    assert.equal(
      readExchange(post(URL, REQUEST, jsonBody({ error }))).response?.error,
      'RESOURCE_EXHAUSTED: Quota exceeded',
    );
  });

  it('edits the text of a response, streamed or not', () => {
    const whole = withText(post(URL, REQUEST, jsonBody(WHOLE)), 'I will look. Later.');
    assert.equal(readExchange(whole).response?.content, 'I will look. Later.');
    for (const text of [sse(...EVENTS), JSON.stringify(EVENTS)]) {
      const exchange = post(STREAM, REQUEST, textBody(text));
      assert.deepEqual(withText(exchange, 'I will look. Later.').responseBody, {
        type: 'text',
        text: text.replace('Now.', 'Later.'),
      });
    }
  });

  it('adds a call that is not streamed', () => {
    const blank = blankExchange(post(STREAM, REQUEST, jsonBody(WHOLE)), 'gemini-code-assist', 'gemini-2.5-pro');
    assert.ok(blank);
    assert.equal(blank.url, URL);
    const { api, request, response } = readExchange(blank);
    assert.equal(api, 'gemini-code-assist');
    assert.equal(request?.model, 'gemini-2.5-pro');
    assert.equal(request?.messages[0]?.content, 'New request');
    assert.equal(response?.content, '');
    assert.equal(readExchange(withText(blank, 'Hello')).response?.content, 'Hello');
  });
});
