import assert from 'node:assert/strict';
import type { Json } from '../../../src/core/json/json';
import type { HttpBody } from '../../../src/core/model/http';
import type { Part } from '../../../src/core/model/message';
import { describeHttp, messageExtras } from '../../../src/core/transcript/messageExtras';
import { readExchange } from '../../../src/core/wire/read/readExchange';

const only = (part: Part): { label: string; text: string } => {
  const [aside, ...others] = messageExtras([part]);
  assert.ok(aside !== undefined && others.length === 0);
  return { label: aside.label, text: aside.text };
};
const unknown = (raw: Json): { label: string; text: string } => only({ type: 'unknown', raw });

describe('what a message has besides its text', () => {
  const sources: Readonly<Record<string, readonly [Json, string]>> = {
    Anthropic: [
      {
        citations: [
          {
            type: 'web_search_result_location',
            cited_text: 'It is  large.',
            url: 'https://a.example',
            title: 'A',
            encrypted_index: 'x',
          },
        ],
      },
      '"It is large.": A, https://a.example',
    ],
    'OpenAI chat': [
      { annotations: [{ type: 'url_citation', url_citation: { url: 'https://a.example', title: 'A' } }] },
      'A, https://a.example',
    ],
    'OpenAI responses': [
      { annotations: [{ type: 'url_citation', start_index: 1, end_index: 2, url: 'https://a.example', title: 'A' }] },
      'A, https://a.example',
    ],
    'OpenAI assistants': [
      { annotations: [{ type: 'file_citation', text: '[4:0]', file_citation: { file_id: 'file-1' } }] },
      '"[4:0]": file-1',
    ],
    Cohere: [
      {
        citations: [
          {
            start: 1,
            end: 4,
            text: 'Matz',
            sources: [{ type: 'tool', id: 't', tool_output: { title: 'A', url: 'https://a.example' } }],
          },
        ],
      },
      '"Matz": A, https://a.example',
    ],
    Gemini: [
      { citationMetadata: { citationSources: [{ startIndex: 1, endIndex: 9, uri: 'https://a.example' }] } },
      'https://a.example',
    ],
    Bedrock: [
      {
        citationsContent: {
          content: [{ text: '' }],
          citations: [{ location: { web: { domain: 'a.example', url: 'https://a.example' } } }],
        },
      },
      'a.example, https://a.example',
    ],
    Perplexity: [
      { search_results: [{ title: 'A', url: 'https://a.example', snippet: 'It is.' }] },
      '"It is.": A, https://a.example',
    ],
    'plain addresses': [{ citations: ['https://a.example', 'https://a.example'] }, 'https://a.example'],
  };
  for (const [provider, [raw, text]] of Object.entries(sources))
    it(`tells the sources as ${provider} has them`, () => assert.deepEqual(unknown(raw), { label: 'Sources', text }));

  it('tells all sources of a message in one place, each once', () => {
    const cited = (...urls: string[]): Part => ({ type: 'unknown', raw: { citations: urls } });
    const parts: Part[] = [cited('https://a.example'), { type: 'reasoning', text: 'Well.' }];
    assert.deepEqual(
      messageExtras([...parts, cited('https://b.example', 'https://a.example')]).map(({ label, text }) => [
        label,
        text,
      ]),
      [
        ['Reasoning', 'Well.'],
        ['Sources', 'https://a.example\nhttps://b.example'],
      ],
    );
  });

  it('shows as it is what it cannot tell in words', () => {
    const raws: Json[] = [{ citations: [{ start: 1 }] }, { citations: [], more: 1 }, { annotations: 'x' }, [1], null];
    for (const raw of raws)
      assert.deepEqual(unknown(raw), { label: 'Unsupported content', text: JSON.stringify(raw, null, 2) });
  });

  it('counts an input that was sent as tokens', () => {
    assert.deepEqual(unknown({ tokens: 1 }), { label: 'Input', text: '1 token, sent as token ids' });
    assert.equal(unknown({ tokens: 12 }).text, '12 tokens, sent as token ids');
  });

  it('begins with what a tool of the provider was asked and found', () => {
    const payload = { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'Tokyo' } };
    const call = only({ type: 'server_tool', name: 'web_search', payload });
    assert.equal(call.label, 'web_search (run by the provider)');
    assert.ok(call.text.startsWith('{\n  "input": {'));
    assert.deepEqual(JSON.parse(call.text), payload);
    const found = { type: 'web_search_tool_result', tool_use_id: 's1', content: [] };
    const result = only({ type: 'server_tool', name: 'web_search', payload: found });
    assert.equal(result.label, 'web_search result (run by the provider)');
    assert.ok(result.text.startsWith('{\n  "content": []'));
  });

  it('gives the size of what is on the tape in a unit that fits', () => {
    const sized = (length: number): string => only({ type: 'file', base64: 'A'.repeat(length) }).text;
    assert.equal(sized(4000), '3.0 kB');
    assert.equal(sized(4_000_000), '3.0 MB');
  });
});

describe('the line of plain traffic', () => {
  it('says the status of a failure once', () => {
    const failed = (status: number, responseBody: HttpBody): string => {
      const asked = { method: 'GET', url: '/a', requestHeaders: [], requestBody: { type: 'none' } } as const;
      const http = { ...asked, status, responseHeaders: [], responseBody };
      return describeHttp({ ...readExchange(http), index: 0, source: { start: 0, end: 0 }, http });
    };
    assert.equal(failed(404, { type: 'text', text: 'gone' }), '`GET /a` **404** gone');
    assert.equal(
      failed(400, { type: 'json', json: { error: { type: 'bad', message: 'No' } } }),
      '`GET /a` **400** bad: No',
    );
    assert.equal(failed(502, { type: 'text', text: '502 Bad Gateway' }), '`GET /a` **502** Bad Gateway');
    assert.equal(failed(500, { type: 'none' }), '`GET /a` **500**');
  });
});
