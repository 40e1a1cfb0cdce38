import type { RecordedInteraction } from '../../../src/core/model/interaction';
import { mastraHash } from '../../../src/core/tapes/formats/mastra/write';
import { formats } from '../../../src/core/tapes/registry';

/** The words of a recorded conversation, each in another place of a tape. */
export interface Words {
  readonly header: string;
  readonly query: string;
  readonly prompt: string;
  readonly result: string;
  readonly answer: string;
}
export type Slot = keyof Words;
export const SLOTS: readonly Slot[] = ['header', 'query', 'prompt', 'result', 'answer'];

export const CLEAN: Words = {
  header: 'REDACTED',
  query: 'REDACTED',
  prompt: 'How is the weather in Berlin, and what should I wear?',
  result: '{"temperature": 21, "sky": "clear"}',
  answer: 'It is sunny and 21 degrees. A T-shirt will do.',
};

/** A file of one format, with its extension. */
export interface SeededTape {
  readonly name: string;
  readonly write: (words: Words) => string;
}

const CALL = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Berlin"}' } };

function requestBody({ prompt, result }: Words): object {
  return {
    model: 'gpt-4o-mini',
    messages: [
      { role: 'user', content: prompt },
      { role: 'assistant', content: null, tool_calls: [CALL] },
      { role: 'tool', tool_call_id: 'call_1', content: result },
    ],
  };
}

function responseBody({ answer }: Words): object {
  const message = { role: 'assistant', content: answer };
  const usage = { prompt_tokens: 12, completion_tokens: 9, total_tokens: 21 };
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage,
  };
}

const url = ({ query }: Words): string => `https://api.example.com/v1/chat/completions?key=${query}`;
const pretty = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
const quoted = (value: unknown): string => `'${JSON.stringify(value).replaceAll("'", "''")}'`;

const vcrpy = (words: Words): string => `interactions:
- request:
    body: ${quoted(requestBody(words))}
    headers:
      authorization:
      - ${words.header}
    method: POST
    uri: ${url(words)}
  response:
    body:
      string: ${quoted(responseBody(words))}
    headers:
      content-type:
      - application/json
    status:
      code: 200
      message: OK
version: 1
`;

const rubyVcr = (words: Words): string => `---
http_interactions:
- request:
    method: post
    uri: ${url(words)}
    body:
      encoding: UTF-8
      string: ${quoted(requestBody(words))}
    headers:
      Authorization:
      - ${words.header}
  response:
    status:
      code: 200
      message: OK
    headers:
      Content-Type:
      - application/json
    body:
      encoding: UTF-8
      string: ${quoted(responseBody(words))}
  recorded_at: Wed, 19 Aug 2026 14:35:49 GMT
recorded_with: VCR 6.4.0
`;

const goVcr = (words: Words): string => `---
version: 2
interactions:
    - id: 0
      request:
        proto: HTTP/1.1
        proto_major: 1
        proto_minor: 1
        content_length: 0
        host: api.example.com
        body: ${quoted(requestBody(words))}
        headers:
            Authorization:
                - ${words.header}
        url: ${url(words)}
        method: POST
      response:
        proto: HTTP/2.0
        proto_major: 2
        proto_minor: 0
        content_length: -1
        body: ${quoted(responseBody(words))}
        headers:
            Content-Type:
                - application/json
        status: 200 OK
        code: 200
        duration: 1.2s
`;

const httpmock = (words: Words): string => `when:
  path: /v1/chat/completions
  method: POST
  query_param:
  - name: key
    value: ${words.query}
  header:
  - name: authorization
    value: ${words.header}
  body: ${quoted(requestBody(words))}
then:
  status: 200
  header:
  - name: content-type
    value: application/json
  body: ${quoted(responseBody(words))}
`;

const azure = (words: Words): string =>
  pretty({
    Entries: [
      {
        RequestUri: url(words),
        RequestMethod: 'POST',
        RequestHeaders: { Authorization: words.header },
        RequestBody: requestBody(words),
        StatusCode: 200,
        ResponseHeaders: { 'Content-Type': 'application/json' },
        ResponseBody: responseBody(words),
      },
    ],
    Variables: {},
  });

const opencode = (words: Words): string =>
  pretty({
    version: 1,
    metadata: { name: 'weather', recordedAt: '2026-05-06T01:33:31.127Z' },
    interactions: [
      {
        request: {
          method: 'POST',
          url: url(words),
          headers: { authorization: words.header },
          body: JSON.stringify(requestBody(words)),
        },
        response: {
          status: 200,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(responseBody(words)),
        },
      },
    ],
  });

const mastra = (words: Words): string =>
  pretty({
    meta: { name: 'suite/test', createdAt: '2026-05-20T15:37:24.594Z' },
    recordings: [
      {
        hash: mastraHash(url(words), JSON.parse(JSON.stringify(requestBody(words)))),
        request: { url: url(words), method: 'POST', body: requestBody(words), timestamp: 1779291425758 },
        response: { status: 200, statusText: 'OK', headers: {}, body: responseBody(words), isStreaming: false },
      },
    ],
  });

const polly = (words: Words): string => {
  const request = JSON.stringify(requestBody(words));
  const response = JSON.stringify(responseBody(words));
  const headers = [{ name: 'authorization', value: words.header }];
  const postData = { mimeType: 'application/json', params: [], text: request };
  const content = { mimeType: 'application/json', size: response.length, text: response };
  const entry = {
    _id: '897d3731',
    _order: 0,
    request: { method: 'POST', url: url(words), headers, postData, bodySize: request.length },
    response: { status: 200, headers: [], content, bodySize: response.length },
    startedDateTime: '2026-03-07T14:55:40.832Z',
    time: 224,
  };
  return pretty({ log: { _recordingName: 'chat', creator: { name: 'Polly.JS' }, entries: [entry], version: '1.2' } });
};

const httprr = (words: Words): string => {
  const asked = JSON.stringify(requestBody(words));
  const told = JSON.stringify(responseBody(words));
  const request = `POST ${url(words)} HTTP/1.1\r\nHost: api.example.com\r\nAuthorization: ${words.header}\r\nContent-Length: ${asked.length}\r\n\r\n${asked}`;
  const response = `HTTP/2.0 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${told.length}\r\n\r\n${told}`;
  return `httprr trace v1\n${request.length} ${response.length}\n${request}${response}`;
};

const aimock = ({ prompt, answer }: Words): string =>
  pretty({ fixtures: [{ match: { userMessage: prompt }, response: { content: answer } }] });

const lines = (...values: readonly object[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');

const gemini = ({ answer }: Words): string =>
  lines({
    method: 'generateContent',
    response: { candidates: [{ content: { role: 'model', parts: [{ text: answer }] }, finishReason: 'STOP' }] },
  });

const codex = ({ prompt, result, answer }: Words): string => {
  const item = (payload: object): object => ({ timestamp: '2026-01-01T00:00:00.000Z', type: 'response_item', payload });
  return lines(
    { timestamp: '2026-01-01T00:00:00.000Z', type: 'session_meta', payload: { id: 's', cli_version: '0.44.0' } },
    item({ type: 'message', role: 'user', content: [{ type: 'input_text', text: prompt }] }),
    item({ type: 'function_call', name: 'shell', arguments: '{"command":["ls"]}', call_id: 'c1' }),
    item({ type: 'function_call_output', call_id: 'c1', output: result }),
    item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: answer }] }),
  );
};

const claude = ({ prompt, result, answer }: Words): string => {
  const line = (type: string, uuid: string, parentUuid: string | null, message: object): object => ({
    parentUuid,
    isSidechain: false,
    sessionId: 's-1',
    type,
    message: { role: type, ...message },
    uuid,
    timestamp: '2026-01-01T00:00:00Z',
  });
  const call = { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } };
  return lines(
    line('user', 'a', null, { content: prompt }),
    line('assistant', 'b', 'a', { id: 'm1', model: 'claude-x', content: [call] }),
    line('user', 'c', 'b', { content: [{ type: 'tool_result', tool_use_id: 't1', content: result }] }),
    line('assistant', 'd', 'c', { id: 'm2', model: 'claude-x', content: [{ type: 'text', text: answer }] }),
  );
};

const mcp = ({ prompt, result }: Words): string =>
  [
    `STDIN: ${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'find', arguments: { text: prompt } } })}\n`,
    `STDOUT: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: result }] } })}\n`,
  ].join('');

const recorded = ({ prompt, result, answer }: Words): RecordedInteraction => {
  const call = { id: 'call_1', name: 'weather', arguments: { city: 'Berlin' } };
  const messages = [
    { role: 'user', content: prompt, toolCalls: [] },
    { role: 'assistant', content: null, toolCalls: [call] },
    { role: 'tool', content: result, toolCalls: [], toolCallId: 'call_1' },
  ];
  const usage = { promptTokens: 12, completionTokens: 9, totalTokens: 21 };
  return {
    kind: 'llm',
    request: { model: 'm-1', messages, tools: [], params: {} },
    response: { content: answer, toolCalls: [], usage },
  };
};

/** The formats that write tapes themselves, each in the syntax that is its own. */
const WRITTEN: readonly SeededTape[] = formats.flatMap(({ id, serialise }) => {
  if (serialise === undefined) return [];
  const write = (words: Words): string => serialise('weather', [recorded(words)]);
  return [{ name: `${id}-written.${/^\s*[{[]/.test(write(CLEAN)) ? 'json' : 'yaml'}`, write }];
});

export const SEEDED_TAPES: readonly SeededTape[] = [
  ...WRITTEN,
  { name: 'vcrpy.yaml', write: vcrpy },
  { name: 'rubyVcr.yml', write: rubyVcr },
  { name: 'goVcr.yaml', write: goVcr },
  { name: 'httpmock.yaml', write: httpmock },
  { name: 'azure.json', write: azure },
  { name: 'opencode.json', write: opencode },
  { name: 'mastra.json', write: mastra },
  { name: 'polly.har', write: polly },
  { name: 'trace.httprr', write: httprr },
  { name: 'aimock.json', write: aimock },
  { name: 'gemini.responses', write: gemini },
  { name: 'codex.jsonl', write: codex },
  { name: 'claude.jsonl', write: claude },
  { name: 'mcp.txt', write: mcp },
];
