import { traceFiles } from '../core/tapes/formats/traceSamples';
import { readmeSamples } from '../harness/readmeSamples';

const QUESTION = '{"model":"gpt-4o-mini","messages":[{"role":"user","content":"Say \\"hi\\"."}]}';
const ANSWER =
  '{"id":"c1","object":"chat.completion","model":"gpt-4o-mini","choices":[{"index":0,"message":{"role":"assistant","content":"hi é\\nthere"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}}';
const STREAM =
  'data: {"id":"c1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"role":"assistant","content":"hi"}}]}\n\ndata: {"id":"c1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":" there"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
const URL = 'https://api.openai.com/v1/chat/completions';
const single = (text: string): string => `'${text.replaceAll("'", "''")}'`;
/** ANSWER, gzipped. */
const gzipped =
  'H4sIAAAAAAAAAz2OUU7DMBBEr1LNt4NaCj++SkGVcZZ4Id61vIuEFOVAPQcXQ/lIPudJ82YW8IiIfEGAfnxR9i2V5E9Za5vJWQUBVUeaETE1H150qCyMgFyUMxnibQHLSL+I54BKZmkixAVdZ0JEMmPzJL51VJxkWyl8+nu8iRfqhDXgk4Wt3DslU0GEuTas7wE/u651rc3vrt8khnjdbPvJgz4HuHqaD/C6rv9eBNiy5gAAAA==';

/** Small files as the tools write them. Which format a sample is of is decided by looking at it. */
export const samples: readonly { readonly path: string; readonly text: string }[] = [
  ...traceFiles,
  ...readmeSamples(),
  {
    path: 'vcrpy.yaml',
    text: `interactions:
- request:
    body: ${single(QUESTION)}
    headers:
      content-type:
      - application/json
    method: POST
    uri: ${URL}
  response:
    body:
      string: ${single(ANSWER)}
    headers:
      Content-Length:
      - '${Buffer.byteLength(ANSWER)}'
      Content-Type:
      - application/json
    status:
      code: 200
      message: OK
- request:
    body: ${single(QUESTION)}
    headers: {}
    method: POST
    uri: ${URL}
  response:
    body:
      string: ${JSON.stringify(STREAM)}
    headers:
      content-type:
      - text/event-stream
    status:
      code: 200
      message: OK
- request:
    body: null
    headers: {}
    method: POST
    uri: ${URL}
  response:
    body:
      string: !!binary |
        ${gzipped}
    headers:
      content-encoding:
      - gzip
    status: {code: 200, message: OK}
version: 1
`,
  },
  {
    path: 'vcrpy.json',
    text: JSON.stringify({
      version: 1,
      interactions: [
        {
          request: { method: 'POST', uri: URL, body: QUESTION, headers: { 'content-type': ['application/json'] } },
          response: { status: { code: 200, message: 'OK' }, headers: {}, body: { string: ANSWER } },
        },
      ],
    }),
  },
  {
    path: 'parsed.yaml',
    text: `interactions:
- request:
    headers:
      content-type:
      - application/json
    method: POST
    parsed_body:
      messages:
      - content: Say "hi".
        role: user
      model: gpt-4o-mini
    uri: ${URL}
  response:
    headers:
      content-length:
      - '200'
    parsed_body:
      choices:
      - finish_reason: stop
        index: 0
        message:
          content: |-
            hi
            there
          role: assistant
      model: gpt-4o-mini
      object: chat.completion
    status:
      code: 200
      message: OK
version: 1
`,
  },
  {
    path: 'ruby.yml',
    text: `---
http_interactions:
- request:
    method: post
    uri: ${URL}
    body:
      encoding: UTF-8
      string: ${single(QUESTION)}
    headers:
      User-Agent:
      - Faraday v2.14.0
  response:
    status:
      code: 200
      message: OK
    headers:
      Content-Type:
      - application/json
    body:
      encoding: UTF-8
      string: |-
        ${ANSWER}
  recorded_at: Fri, 14 Nov 2025 12:00:00 GMT
recorded_with: VCR 6.3.1
`,
  },
  {
    path: 'r.yml',
    text: `http_interactions:
- request:
    method: POST
    uri: ${URL}
    body:
      string: ${single(QUESTION)}
  response:
    status: 200
    headers:
      content-type: application/json
    body:
      string: |
        ${ANSWER}
  recorded_at: 2026-08-02 17:44:02
recorded_with: VCR-vcr/2.1.0
`,
  },
  {
    path: 'go2.yaml',
    text: `---
version: 2
interactions:
- id: 0
  request:
    proto: HTTP/1.1
    content_length: ${QUESTION.length}
    host: api.openai.com
    body: ${single(QUESTION)}
    headers:
      Content-Type:
      - application/json
    url: ${URL}
    method: POST
  response:
    proto: HTTP/2.0
    content_length: -1
    uncompressed: true
    body: ${JSON.stringify(STREAM)}
    headers:
      Content-Type:
      - text/event-stream; charset=utf-8
    status: 200 OK
    code: 200
    duration: 1.784823583s
`,
  },
  {
    path: 'go1.yaml',
    text: `---
version: 1
interactions:
- request:
    body: ${single(QUESTION)}
    form: {}
    headers: {}
    url: ${URL}
    method: POST
  response:
    body: ${single(ANSWER)}
    headers: {}
    status: 200 OK
    code: 200
    duration: ""
`,
  },
  {
    path: 'httpmock.yaml',
    text: `when:
  path: /v1/chat/completions
  method: POST
  query_param: []
  header:
  - name: content-type
    value: application/json
  body: ${single(QUESTION)}
then:
  status: 200
  header:
  - name: content-type
    value: application/json
  body: ${single(ANSWER)}
---
when:
  path: /v1/chat/completions
  method: POST
  body: null
then:
  status: 200
  header: []
  body: |+
${STREAM.replace(/^(?=.)/gm, '    ')}`,
  },
  {
    path: 'azure.json',
    text: JSON.stringify(
      {
        Entries: [
          {
            RequestUri: URL,
            RequestMethod: 'POST',
            RequestHeaders: { 'Content-Type': 'application/json' },
            RequestBody: JSON.parse(QUESTION),
            StatusCode: 200,
            ResponseHeaders: { 'Content-Type': 'application/json' },
            ResponseBody: JSON.parse(ANSWER),
          },
          {
            RequestUri: URL,
            RequestMethod: 'POST',
            RequestHeaders: {},
            RequestBody: JSON.parse(QUESTION),
            StatusCode: 200,
            ResponseHeaders: { 'Content-Type': 'text/event-stream' },
            ResponseBody: STREAM.split(/(?<=\n)/),
          },
        ],
        Variables: {},
      },
      null,
      2,
    ),
  },
  { path: 'trace.httprr', text: httprr() },
  {
    path: 'fake.responses',
    text: `{"method":"generateContentStream","response":[{"candidates":[{"content":{"parts":[{"text":"hi"}],"role":"model"},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":1,"totalTokenCount":4}}]}
{"method":"generateContent","response":{"candidates":[{"content":{"parts":[{"functionCall":{"name":"find","args":{"a":1}}}],"role":"model"}}]}}
{"method":"countTokens","response":{"totalTokens":4}}
`,
  },
  {
    path: 'aimock.json',
    text: JSON.stringify(
      {
        fixtures: [
          { match: { userMessage: 'hi', sequenceIndex: 0 }, response: { content: 'hi "there"' }, latency: 10 },
          { match: { toolName: 'find' }, response: { toolCalls: [{ name: 'find', arguments: '{"id": 7}' }] } },
          { match: { endpoint: 'chat' }, response: { error: { message: 'slow down', type: 'rate' }, status: 429 } },
          { match: {}, response: { blocks: [{ type: 'text', text: 'a' }] }, recordedTimings: { ttftMs: 1 } },
        ],
      },
      null,
      2,
    ),
  },
  {
    path: 'a.chunks.txt',
    text: STREAM.replace(/^data: (?:\[DONE\])?/gm, '').replace(/\n+/g, '\n'),
  },
  { path: 'a.json', text: ANSWER },
  {
    path: 'recorder.json',
    text: `${JSON.stringify(
      {
        version: 1,
        metadata: { name: 'x', recordedAt: '2026-01-01' },
        interactions: [
          {
            transport: 'http',
            request: { method: 'POST', url: URL, headers: {}, body: QUESTION },
            response: { status: 200, headers: { 'content-length': `${Buffer.byteLength(ANSWER)}` }, body: ANSWER },
          },
          {
            request: { method: 'POST', url: URL, headers: {}, body: QUESTION },
            response: { status: 200, headers: {}, body: gzipped, bodyEncoding: 'base64' },
          },
        ],
      },
      null,
      2,
    )}\n`,
  },
  {
    path: 'mastra.json',
    text: JSON.stringify(
      {
        meta: { name: 'x', createdAt: '2026-01-01' },
        recordings: [
          {
            hash: '0123456789abcdef',
            request: { url: URL, method: 'POST', body: JSON.parse(QUESTION), timestamp: 1 },
            response: { status: 200, statusText: 'OK', headers: {}, body: JSON.parse(ANSWER), isStreaming: false },
          },
          {
            hash: 'fedcba9876543210',
            request: { url: URL, method: 'POST', body: JSON.parse(QUESTION), timestamp: 1 },
            response: {
              status: 200,
              statusText: 'OK',
              headers: {},
              chunks: STREAM.split(/(?<=\n\n)/),
              chunkTimings: [1, 2, 3],
              isStreaming: true,
            },
          },
        ],
      },
      null,
      2,
    ),
  },
  { path: 'recording.har', text: har({ _recordingName: 'x', creator: { name: 'Polly.JS', version: '6' } }) },
  { path: 'plain.har', text: har({ creator: { name: 'WebInspector', version: '1' } }) },
  {
    path: 'semantic.yaml',
    text: `- kind: contains_all_facts
  facts: ["shipped", "order 7"]
- kind: matches_pattern
  pattern: "Thursday|Friday"
`,
  },
  {
    path: 'flakestorm.yaml',
    text: `version: "2.0"
agent:
  endpoint: "http://localhost:8000/invoke"
  type: http
golden_prompts:
  - "Where is order 7?"
  - 'Say "hi".'
`,
  },
  {
    path: 'inspect.json',
    text: JSON.stringify({
      version: 2,
      status: 'success',
      eval: { task: 'orders' },
      samples: [
        {
          id: 1,
          epoch: 1,
          events: [
            {
              event: 'model',
              timestamp: '2026-01-01T00:00:00+00:00',
              model: 'openai/gpt-4o-mini',
              input: [{ role: 'user', content: 'attachment://a1' }],
              tools: [{ name: 'bash', description: 'Runs a command', parameters: { type: 'object' } }],
              config: { temperature: 0.5 },
              output: {
                model: 'gpt-4o-mini',
                choices: [
                  {
                    message: {
                      role: 'assistant',
                      content: 'hi é',
                      tool_calls: [{ id: 'c1', function: 'bash', arguments: { cmd: 'ls' }, type: 'function' }],
                    },
                    stop_reason: 'tool_calls',
                  },
                ],
                usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5 },
              },
            },
          ],
          attachments: { a1: 'Say "hi".' },
        },
      ],
    }),
  },
  {
    path: 'ws.yaml',
    text: `version: 1
interactions:
- kind: message
  direction: sent
  data: {"type": "conversation.item.create", "item": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hi"}]}}
- kind: message
  direction: sent
  data: {"type": "response.create"}
- kind: message
  direction: received
  data: {"type": "response.done", "response": {"status": "completed", "output": [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "hi there"}]}], "usage": {"input_tokens": 2, "output_tokens": 1, "total_tokens": 3}}}
`,
  },
  {
    path: 'nock.json',
    text: JSON.stringify([
      nocked({ response: JSON.parse(ANSWER) }, 'application/json'),
      nocked({ response: STREAM }, 'text/event-stream'),
      nocked({ response: [Buffer.from(gzipped, 'base64').toString('hex')] }, 'application/json', 'gzip'),
    ]),
  },
  {
    path: 'reqllm.json',
    text: JSON.stringify(
      {
        request: {
          body: { b64: btoa(QUESTION) },
          canonical_json: JSON.parse(QUESTION),
          headers: { a: ['b'] },
          method: 'POST',
          url: URL,
        },
        response: { status: 200, headers: { 'content-type': ['application/json'] }, body: JSON.parse(ANSWER) },
      },
      null,
      2,
    ),
  },
  {
    path: 'order.tape.jsonl',
    text: [
      { tapedeck: 'tape', version: 1, name: 'order' },
      {
        request: 1,
        method: 'POST',
        url: URL,
        headers: [['Content-Type', 'application/json']],
        json: JSON.parse(QUESTION),
      },
      { response: 1, ms: 1784.8, status: 200, headers: [['Content-Type', 'text/event-stream']], text: STREAM },
    ]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  },
  {
    path: 'mcp',
    text: 'STDIN: {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find","arguments":{"id":7}}}\nSTDOUT: {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"shipped"}]}}\nSTDERR: hello\n',
  },
  {
    path: 'rollout.jsonl',
    text: `{"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{"id":"s","cwd":"/","originator":"codex","cli_version":"1"}}
{"timestamp":"2026-01-01T00:00:01Z","type":"turn_context","payload":{"model":"gpt-5"}}
{"timestamp":"2026-01-01T00:00:02Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}}
{"timestamp":"2026-01-01T00:00:03Z","type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{\\"a\\":1}","call_id":"c"}}
{"timestamp":"2026-01-01T00:00:04Z","type":"response_item","payload":{"type":"function_call_output","call_id":"c","output":"ok"}}
{"timestamp":"2026-01-01T00:00:05Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"done"}]}}
`,
  },
  {
    path: 'claude.jsonl',
    text: `{"type":"user","uuid":"a","parentUuid":null,"sessionId":"s","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"hi"}}
{"type":"assistant","uuid":"b","parentUuid":"a","sessionId":"s","timestamp":"2026-01-01T00:00:01Z","message":{"id":"m","role":"assistant","model":"claude","content":[{"type":"text","text":"done"},{"type":"tool_use","id":"t","name":"Bash","input":{}}],"usage":{"input_tokens":1,"output_tokens":1}}}
`,
  },
  {
    path: 'reyn.jsonl',
    text: `{"key": "k", "kind": "completion", "model": "m", "prompt_preview": "Say hi.", "response": {"choices": [{"message": {"role": "assistant", "content": "hi"}}], "usage": {"prompt_tokens": 1, "completion_tokens": 1}}}\n`,
  },
  {
    path: 'flakestorm.yaml',
    text: `id: incident-001
name: "An incident"
source: manual
input: "What is the capital of France?"
tool_responses:
- tool: search
  response: {status: 200, body: 'Paris'}
  latency_ms: 5
expected_failure: "No source"
contract: "Contract"
`,
  },
  {
    path: 'loader.json',
    text: JSON.stringify(
      {
        prompt: 'Read it.',
        supports_native_tools: true,
        completions: [
          { content: "I'll read.", tool_calls: [{ id: 'r', name: 'read', arguments: { p: 'x' } }], usage: {} },
        ],
        streams: [
          [
            { content: 'Mock ', full_content: '', tool_calls: [], is_done: false },
            { content: '', full_content: 'Mock ', tool_calls: [], is_done: true },
          ],
        ],
      },
      null,
      2,
    ),
  },
  {
    path: 'mcp-recorder.json',
    text: JSON.stringify(
      {
        version: '1.0',
        metadata: {
          recorded_at: '2026-11-22T22:35:58+00:00',
          server_url: 'http://127.0.0.1:8711',
          transport_type: 'http',
        },
        interactions: [
          {
            type: 'jsonrpc_request',
            request: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'find', arguments: { id: 7 } } },
            response: { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'hi é' }] } },
            response_is_sse: false,
            response_status: 200,
            latency_ms: 7,
          },
          {
            type: 'notification',
            request: { jsonrpc: '2.0', method: 'notifications/initialized' },
            response: null,
            response_is_sse: false,
            response_status: 202,
            latency_ms: 1,
          },
        ],
      },
      undefined,
      2,
    ),
  },
  {
    path: 'langchain.yaml',
    text: `requests:
- body: ${single(QUESTION)}
  headers: {}
  method: POST
  uri: ${URL}
responses:
- body:
    string: ${single(ANSWER)}
  headers: {}
  status:
    code: 200
    message: OK
`,
  },
  {
    path: 'xai.yaml',
    text: `version: 1
interactions:
- request_sample:
    json:
      messages:
      - content:
        - text: 'Reply: Paris'
        role: ROLE_USER
      model: grok-4
    raw: !!binary |
      Ch8KGwoZ
  response_sample:
    json:
      id: a
      outputs:
      - finish_reason: REASON_STOP
        message:
          role: ROLE_ASSISTANT
          content: Paris
      model: grok-4
      usage: {completion_tokens: 1, prompt_tokens: 3, total_tokens: 4}
    raw: !!binary |
      CiQ4
`,
  },
];

function httprr(): string {
  const request = `POST ${URL} HTTP/1.1\r\nHost: api.openai.com\r\nContent-Length: ${QUESTION.length}\r\nContent-Type: application/json\r\n\r\n${QUESTION}`;
  const responses = [
    `HTTP/2.0 200 OK\r\nContent-Length: ${Buffer.byteLength(ANSWER)}\r\nContent-Type: application/json\r\n\r\n${ANSWER}`,
    `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: text/event-stream\r\n\r\n${STREAM.length.toString(16)}\r\n${STREAM}\r\n0\r\n\r\n`,
  ];
  const records = responses.map(
    (response) => `${request.length} ${Buffer.byteLength(response)}\n${request}${response}`,
  );
  return `httprr trace v1\n${records.join('')}`;
}

/** The examples in the READMEs of formats: whole files, in blocks with the name of their syntax. */
function har(log: object): string {
  const entry = {
    _id: '0123456789abcdef',
    _order: 0,
    startedDateTime: '2026-01-01T00:00:00.000Z',
    time: 12,
    request: {
      method: 'POST',
      url: URL,
      headers: [{ name: 'a', value: 'b' }],
      postData: { mimeType: 'application/json', text: QUESTION },
    },
    response: {
      status: 200,
      statusText: 'OK',
      headers: [{ name: 'content-type', value: 'application/json' }],
      content: { mimeType: 'application/json', size: ANSWER.length, text: ANSWER },
    },
  };
  return JSON.stringify({ log: { ...log, entries: [entry], pages: [], version: '1.2' } }, null, 2);
}

/** An exchange of a `nock.back` fixture. */
function nocked(response: { readonly response: unknown }, type: string, encoding?: string): unknown {
  const rawHeaders = ['Content-Type', type, ...(encoding === undefined ? [] : ['Content-Encoding', encoding])];
  const { origin, pathname } = new globalThis.URL(URL);
  const request = { scope: origin, method: 'POST', path: pathname, body: JSON.parse(QUESTION) };
  return { ...request, status: 200, ...response, rawHeaders, responseIsBinary: false };
}
