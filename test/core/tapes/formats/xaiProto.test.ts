import assert from 'node:assert/strict';
import { readTextAs } from '../readAsFormat';

describe('the xAI gRPC cassette format', () => {
  const doc = (member: string, value: object, more = ''): string =>
    `version: 1\ninteractions:\n- ${member}: ${JSON.stringify(value)}\n${more}`;
  const request = {
    json: {
      model: 'grok',
      temperature: 0.5,
      messages: [{ role: 'ROLE_USER', content: [{ text: 'hi' }] }],
      tools: [{ function: { name: 'f', parameters: '{"type": "object"}' } }, { web_search: {} }],
    },
    raw: 'AAAA',
  };

  it('reads a sample', () => {
    const call = { id: 'c1', type: 'TOOL_CALL_TYPE_CLIENT_SIDE_TOOL', function: { name: 'f', arguments: '{}' } };
    const search = {
      id: 'c2',
      type: 'TOOL_CALL_TYPE_WEB_SEARCH_TOOL',
      function: { name: 'web_search', arguments: '{}' },
    };
    const outputs = [
      { message: { role: 'ROLE_ASSISTANT', tool_calls: [search], reasoning_content: 'hm' } },
      { message: { role: 'ROLE_TOOL', tool_calls: [search], encrypted_content: 'x' } },
      { finish_reason: 'REASON_STOP', message: { role: 'ROLE_ASSISTANT', content: 'done', tool_calls: [call] } },
    ];
    const response = { json: { outputs, usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } }, raw: '' };
    const [only] = readTextAs(
      doc('request_sample', request, `  response_sample: ${JSON.stringify(response)}\n`),
      'xai-proto',
    ).interactions;
    assert.deepEqual(only?.request?.params, { temperature: 0.5 });
    assert.deepEqual(only?.request?.tools, [
      { name: 'f', schema: { type: 'object' } },
      { name: 'web_search', settings: { web_search: {} } },
    ]);
    assert.deepEqual([only?.response?.content, only?.response?.finishReason], ['done', 'stop']);
    assert.deepEqual(
      only?.response?.parts?.map(({ type }) => type),
      ['reasoning', 'server_tool', 'server_tool', 'text'],
    );
    assert.deepEqual(
      only?.response?.toolCalls.map(({ id }) => id),
      ['c1'],
    );
  });

  it('joins a stream', () => {
    const chunk = (content: string): object => ({
      chunk: { outputs: [{ delta: { role: 'ROLE_ASSISTANT', content } }] },
    });
    const text = doc(
      'request_stream',
      request,
      `  response_stream: ${JSON.stringify({ chunks_json: [chunk('Hel'), chunk('lo')] })}\n`,
    );
    const [only] = readTextAs(text, 'xai-proto').interactions;
    assert.deepEqual([only?.response?.content, only?.response?.chunks?.length], ['Hello', 2]);
  });

  it('names calls of the collections API, and says when there is only protobuf', () => {
    const search = { method: 'search', request_json: { query: 'cats' }, response_raw: '' };
    const collections = readTextAs(doc('collections_method', search), 'xai-proto');
    assert.deepEqual(
      [collections.interactions[0]?.kind, collections.interactions[0]?.summary],
      ['http', 'collections: search, cats'],
    );
    const raw = readTextAs(doc('request_sample', { raw: 'AAAA' }), 'xai-proto');
    assert.deepEqual(
      raw.problems.map(({ severity }) => severity),
      ['info'],
    );
  });
});
