import assert from 'node:assert/strict';
import type { JsonRecord } from '../../../src/core/json/json';
import { formatJsonPath } from '../../../src/core/json/jsonPath';
import { requestParts } from '../../../src/core/match/requestParts';

function partsOf(body: JsonRecord) {
  const { messages, tools, params } = requestParts({ body });
  const named = (parts: typeof messages) => parts.map(({ name, path }) => `${name} ${formatJsonPath(path)}`);
  return { messages: named(messages), tools: named(tools), params };
}

describe('the parts of a request', () => {
  it('stand in members of their own', () => {
    assert.deepEqual(
      partsOf({
        model: 'm',
        system: [{ type: 'text', text: 'Be kind.' }],
        messages: [{ role: 'user', content: 'Hi' }],
        tools: [{ name: 'refund' }],
        top_k: 1,
      }),
      { messages: ['system system', 'user messages[0]'], tools: ['refund tools[0]'], params: { top_k: 1 } },
    );
  });

  it('may be inside of another member', () => {
    assert.deepEqual(
      partsOf({
        messages: [{ role: 'user', content: [{ text: 'Hi' }] }],
        toolConfig: { tools: [{ toolSpec: { name: 'refund' } }], toolChoice: { any: {} } },
      }),
      {
        messages: ['user messages[0]'],
        tools: ['refund toolConfig.tools[0]'],
        params: { toolConfig: { toolChoice: { any: {} } } },
      },
    );
    assert.deepEqual(
      partsOf({
        project: 'p',
        request: {
          systemInstruction: { parts: [{ text: 'Be kind.' }] },
          contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
          tools: [{ functionDeclarations: [{ name: 'refund' }] }],
          labels: {},
        },
      }),
      {
        messages: ['system request.systemInstruction', 'user request.contents[0]'],
        tools: ['refund request.tools[0].functionDeclarations[0]'],
        params: { project: 'p', request: { labels: {} } },
      },
    );
  });

  it('are none of the settings that only share their name', () => {
    const body = { prompt: { id: 'pmpt_1' }, contents: { text: true }, input: [1, 2] };
    assert.deepEqual(partsOf(body), { messages: [], tools: [], params: body });
  });
});
