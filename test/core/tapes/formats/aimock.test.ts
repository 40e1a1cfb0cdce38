import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Interaction } from '../../../../src/core/model/interaction';
import { aimockFormat } from '../../../../src/core/tapes/formats/aimock/index';
import { tapeFileFromText } from '../../../../src/core/tapes/tapeFile';
import { editAnswer, RUNS, readAs } from '../editing';

const fixtures = (...list: string[]): string => `{\n  "fixtures": [${list.join(',')}]\n}\n`;
const fixture = (response: string, match = '{ "userMessage": "hi" }', others = ''): string =>
  `{ "match": ${match}, "response": ${response}${others} }`;

function read(response: string, match?: string, others?: string): Interaction {
  const [interaction] = readAs('aimock', fixtures(fixture(response, match, others))).interactions;
  assert.ok(interaction);
  return interaction;
}

describe('the aimock format', () => {
  it('reads conditions as the messages and parameters that they ask for', () => {
    const { request } = read(
      '{ "content": "ok" }',
      '{ "model": "gpt-4o", "systemMessage": ["be kind", "be brief"], "userMessage": "weather", "toolCallId": "call_1", "toolResultContains": "18", "toolName": "get_weather", "turnIndex": 1, "hasToolResult": true }',
    );
    assert.deepEqual(request, {
      when: { turn: 1, hasToolResult: true },
      model: 'gpt-4o',
      messages: [
        { role: 'system', content: 'be kind', toolCalls: [] },
        { role: 'system', content: 'be brief', toolCalls: [] },
        { role: 'user', content: 'weather', toolCalls: [] },
        { role: 'tool', content: '18', toolCalls: [], toolCallId: 'call_1' },
      ],
      tools: [{ name: 'get_weather' }],
      params: {},
    });
    assert.equal(read('{ "content": "ok" }', '{ "systemMessage": "be kind" }').request?.messages[0]?.role, 'system');
  });

  it('reads texts, objects and tool calls', () => {
    assert.equal(read('{ "content": "hello" }').response?.content, 'hello');
    assert.equal(read('{ "content": "" }').response?.content, '');
    assert.equal(read('{ "content": { "city": "SF", "ids": [1] } }').response?.content, '{"city":"SF","ids":[1]}');
    const { response } = read(
      '{ "toolCalls": [{ "name": "a", "arguments": { "x": 1 } }, { "name": "b", "arguments": "{\\"y\\":2}", "id": "c" }] }',
    );
    assert.deepEqual(response?.toolCalls, [
      { id: '', name: 'a', arguments: { x: 1 } },
      { id: 'c', name: 'b', arguments: { y: 2 }, argumentsText: '{"y":2}' },
    ]);
    const both = read(
      '{ "content": "wait", "toolCalls": [{ "name": "a", "arguments": {} }], "finishReason": "tool_calls" }',
    ).response;
    assert.deepEqual([both?.content, both?.toolCalls.length, both?.finishReason], ['wait', 1, 'tool_calls']);
  });

  it('reads blocks, reasoning and searches in their order', () => {
    const blocks =
      '[{ "type": "toolCall", "name": "a", "arguments": "{}" }, { "type": "text", "text": "Let me " }, { "type": "text", "text": "see" }]';
    const { response } = read(
      `{ "content": "Let me see", "blocks": ${blocks}, "reasoning": "hm", "redactedThinking": ["x"], "webSearches": ["news"] }`,
    );
    assert.equal(response?.content, 'Let me see');
    assert.equal(response?.toolCalls.length, 1);
    assert.deepEqual(
      response?.parts?.map(({ type }) => type),
      ['reasoning', 'reasoning', 'server_tool', 'text', 'text'],
    );
  });

  it('reads errors', () => {
    const error = '{ "error": { "message": "Slow down", "type": "rate_limit_error" }, "status": 429 }';
    assert.equal(read(error).response?.error, 'HTTP 429 rate_limit_error: Slow down');
    assert.equal(read('{ "error": { "message": "Oops" } }').response?.error, 'Oops');
    assert.equal(read('{ "json": { "detail": "no" }, "status": 404 }').response?.error, 'HTTP 404: no');
  });

  it('reads what is no text', () => {
    const embedding = read('{ "embedding": [0.1, 0.2] }', '{ "inputText": "hello" }');
    assert.equal(embedding.kind, 'embedding');
    assert.deepEqual(embedding.response?.parts, [{ type: 'embeddings', count: 1, dimensions: 2 }]);
    const parts = (response: string) => read(response).response?.parts;
    assert.deepEqual(parts('{ "image": { "url": "https://a/b.png" } }'), [{ type: 'image', url: 'https://a/b.png' }]);
    assert.deepEqual(parts('{ "images": [{ "b64Json": "AAEC" }] }'), [
      { type: 'image', mime: 'image/png', base64: 'AAEC' },
    ]);
    assert.deepEqual(parts('{ "audio": "AAEC", "format": "wav" }'), [
      { type: 'audio', mime: 'audio/wav', base64: 'AAEC' },
    ]);
    assert.deepEqual(parts('{ "audio": { "b64Json": "AAEC", "contentType": "audio/ogg" }, "content": "hi" }')?.[1], {
      type: 'audio',
      mime: 'audio/ogg',
      base64: 'AAEC',
    });
    assert.deepEqual(parts('{ "video": { "id": "v", "status": "completed", "url": "https://a/v.mp4" } }'), [
      { type: 'file', url: 'https://a/v.mp4', name: 'v' },
    ]);
    assert.equal(read('{ "transcription": { "text": "said" } }').response?.content, 'said');
    assert.deepEqual(parts('{ "later": 1 }'), [{ type: 'unknown', raw: { later: 1 } }]);
  });

  it('reads JSON that is passed on as what a provider answers', () => {
    const chat =
      '{ "id": "1", "object": "chat.completion", "choices": [{ "index": 0, "message": { "role": "assistant", "content": "hi" } }] }';
    assert.equal(read(`{ "json": ${chat} }`).response?.content, 'hi');
    assert.deepEqual(read('{ "json": { "a": 1 } }').response?.parts, [{ type: 'unknown', raw: { a: 1 } }]);
  });

  it('reads counts under the names of every provider, and recorded times', () => {
    for (const usage of [
      '{ "prompt_tokens": 1, "completion_tokens": 2 }',
      '{ "input_tokens": 1, "output_tokens": 2 }',
      '{ "promptTokenCount": 1, "candidatesTokenCount": 2 }',
    ])
      assert.equal(read(`{ "content": "", "usage": ${usage} }`).response?.usage?.totalTokens, 3);
    const timings = ', "recordedTimings": { "ttftMs": 120, "interChunkDelaysMs": [1], "totalDurationMs": 900 }';
    assert.deepEqual(read('{ "content": "" }', '{}', timings).timing, { durationMs: 900, firstTokenMs: 120 });
    const pieces = ', "recordedTimings": { "ttftMs": 120, "interChunkDelaysMs": [1, 2.5] }';
    assert.deepEqual(read('{ "content": "" }', '{}', pieces).timing, { durationMs: 123.5, firstTokenMs: 120 });
    assert.deepEqual(read('{ "content": "" }', '{}', ', "streamingProfile": { "ttft": 200 }').timing, {
      firstTokenMs: 200,
    });
    const path = 'fixtures/recorded/openai-2026-05-01T10-11-12-123Z-0a1b2c3d.json';
    const tape = readAs('aimock', fixtures(fixture('{ "content": "" }')), path);
    assert.equal(tape.interactions[0]?.timing?.recordedAt, '2026-05-01T10:11:12.123Z');
  });

  it('takes its configuration files for tapes without interactions, and no other configuration', () => {
    for (const text of [
      '{"llm": {"fixtures": "./x.json"}, "port": 4010}',
      '{"mcp": {"tools": []}}',
      '{"agui": {"fixtures": [{"match": {}, "text": "hi"}]}}',
      '{"vector": {"collections": []}, "metrics": true}',
      '{"fixtures": []}',
    ])
      assert.deepEqual(readAs('aimock', text).interactions, []);
    for (const text of [
      '{"mcpServers": {}}',
      '{"mcp": {"servers": {}}}',
      '{"llm": {"fixtures": "x"}, "name": "app"}',
      '{"port": 80}',
      '{"fixtures": ["a"]}',
      '{"toString": 1}',
      '{"port": 80, "constructor": {}}',
    ])
      assert.equal(aimockFormat.looksLike(tapeFileFromText(text)), false, text);
  });

  it('says what a fixture lacks', () => {
    const { problems, interactions } = aimockFormat.read(
      tapeFileFromText('{"fixtures": [{"match": {}}, 1, {"response": {}}]}'),
    );
    assert.equal(interactions.length, 3);
    assert.deepEqual(
      problems.map(({ message }) => message),
      ['missing field `response`', 'a fixture must be an object', 'missing field `match`'],
    );
  });

  it('changes a text, the text of blocks and a transcript; nothing else', () => {
    const said = fixtures(
      fixture('{"content":"Hello\\u00e4", "usage": {"prompt_tokens": 1.0}}'),
      fixture('{ "content": "b" }'),
    );
    assert.equal(editAnswer(tapeFileFromText(said), 0, 'Bye ö').text, said.replace('Hello\\u00e4', 'Bye \\u00f6'));
    const blocks = fixtures(
      fixture(
        '{"blocks": [{"type":"text","text":"Let me "},{"type":"toolCall","name":"a","arguments":{ "x": 1.0 }},{"type":"text","text":"see."}]}',
      ),
    );
    assert.equal(editAnswer(tapeFileFromText(blocks), 0, 'Let me look.').text, blocks.replace('see.', 'look.'));
    const transcript = fixtures(fixture('{ "transcription": { "text": "said" } }'));
    assert.equal(editAnswer(tapeFileFromText(transcript), 0, 'sung').text, transcript.replace('said', 'sung'));
  });

  it('refuses where there is no text', () => {
    for (const response of [
      '{ "toolCalls": [] }',
      '{ "content": { "a": 1 } }',
      '{ "json": { "a": 1 } }',
      '{ "error": {} }',
      '{ "error": {}, "content": "not what is answered" }',
    ]) {
      const outcome = aimockFormat.editText(tapeFileFromText(fixtures(fixture(response))), {
        type: 'response-text',
        interaction: 0,
        text: '',
      });
      assert.ok('refused' in outcome, response);
    }
    assert.ok(
      'refused' in
        aimockFormat.editText(tapeFileFromText('{"llm": {}}'), { type: 'response-text', interaction: 0, text: '' }),
    );
  });

  it('takes any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (text, inBlocks) => {
        const response = inBlocks
          ? '{"blocks":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}'
          : '{"content":"c"}';
        editAnswer(tapeFileFromText(fixtures(fixture('{"content":"d"}'), fixture(response))), 1, text);
      }),
      RUNS,
    );
  });
});
