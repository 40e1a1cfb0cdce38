import { gzipSync } from 'node:zlib';
import { type MofaCase, type Reply, type TomlTable, toml } from '../mofaCase';
import { runOf } from './common';

const TOOLS = [{ name: 'add', description: 'Adds.', schema: { type: 'object' }, result: { sum: 3 } }];
const PROVIDER: TomlTable = { kind: 'open_ai_compatible', base_url: '{{upstream}}/v1', model: 'm-1' };

const recorded = (provider: TomlTable = {}, more: TomlTable = {}) =>
  toml({
    name: 'recorded',
    prompt: 'Add.',
    tools: TOOLS,
    llm: { record_tape: 'r.tape.json', provider: { ...PROVIDER, ...provider } },
    ...more,
  });

const USAGE = { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 };
const json = (value: unknown): Reply => ({ body: JSON.stringify(value) });
const choice = (message: unknown, more: Readonly<Record<string, unknown>> = {}) =>
  json({ choices: [{ message }], ...more });
const SAID = { role: 'assistant', content: 'Three.' };
const FINAL = choice(SAID, { usage: USAGE });
const toolCall = (args: unknown, more: Readonly<Record<string, unknown>> = {}) => ({
  id: 'up_1',
  type: 'function',
  function: { name: 'add', arguments: args },
  ...more,
});
const calling = (...calls: readonly unknown[]) => choice({ role: 'assistant', content: null, tool_calls: calls });
const CALLING = calling(toolCall('{"a": 1, "b": 2}'));

/** What an upstream may respond; the agent goes on as long as it calls tools. */
const REPLIES: readonly (readonly [string, readonly Reply[]])[] = [
  ['a text', [FINAL]],
  ['a call and a text', [CALLING, FINAL]],
  ['two calls at once', [calling(toolCall('{"a":1}'), toolCall('{"b":2}', { id: 'up_2' })), FINAL]],
  ['text beside a call', [choice({ ...SAID, tool_calls: [toolCall('{}')] }), FINAL]],
  ['calls for ever', [CALLING]],
  ['no usage', [choice(SAID)]],
  ['usage that is null', [choice(SAID, { usage: null })]],
  ['usage with more', [choice(SAID, { usage: { ...USAGE, prompt_tokens_details: { cached_tokens: 4 } } })]],
  ['partial usage', [choice(SAID, { usage: { prompt_tokens: 12 } })]],
  ['usage without a total', [choice(SAID, { usage: { prompt_tokens: 12, completion_tokens: 3 } })]],
  ['usage with floats', [choice(SAID, { usage: { ...USAGE, prompt_tokens: 1.5 } })]],
  ['two choices', [json({ choices: [{ message: SAID }, { message: { ...SAID, content: 'Four.' } }] })]],
  ['no choices', [json({ choices: [] })]],
  ['choices left out', [json({ id: 'x' })]],
  ['a choice without a message', [json({ choices: [{ text: 'Three.' }] })]],
  ['a message without a role', [choice({ content: 'Three.' })]],
  ['a message without a content', [choice({ role: 'assistant' })]],
  ['a content that is null', [choice({ role: 'assistant', content: null })]],
  ['a content of parts', [choice({ role: 'assistant', content: [{ type: 'text', text: 'Three.' }] })]],
  ['a refusal', [choice({ role: 'assistant', content: null, refusal: 'No.' })]],
  ['tool calls that are null', [choice({ ...SAID, tool_calls: null })]],
  ['tool calls that are empty', [choice({ ...SAID, tool_calls: [] })]],
  ['arguments that are no JSON', [calling(toolCall('{"a": ')), FINAL]],
  ['arguments that are empty', [calling(toolCall('')), FINAL]],
  ['arguments that are a JSON text', [calling(toolCall('"x"')), FINAL]],
  ['arguments that are an object', [calling(toolCall({ a: 1 })), FINAL]],
  ['arguments with floats', [calling(toolCall('{"a":1.0,"b":-0.0,"c":1e2}')), FINAL]],
  ['arguments with large numbers', [calling(toolCall('{"a":9007199254740993}')), FINAL]],
  ['a call without an id', [calling({ type: 'function', function: { name: 'add', arguments: '{}' } }), FINAL]],
  ['a call with an empty id', [calling(toolCall('{}', { id: '' })), FINAL]],
  ['a call without a type', [calling({ id: 'up_1', function: { name: 'add', arguments: '{}' } }), FINAL]],
  ['a call without a function', [calling({ id: 'up_1', type: 'function' }), FINAL]],
  ['a call without a name', [calling(toolCall('{}', { function: { arguments: '{}' } })), FINAL]],
  ['a call without arguments', [calling(toolCall('{}', { function: { name: 'add' } })), FINAL]],
  ['a call of an unknown tool', [calling(toolCall('{}', { function: { name: 'ghost', arguments: '{}' } })), FINAL]],
  [
    'an unknown tool after a call',
    [CALLING, calling(toolCall('{}', { function: { name: 'ghost', arguments: '{}' } }))],
  ],
  ['an error after a call', [CALLING, { status: 500, body: 'down' }]],
  ...[400, 401, 403, 404, 408, 409, 413, 422, 429, 500, 502, 503, 529].map(
    (status) => [`status ${status}`, [{ status, body: `{"error":{"message":"it is ${status}"}}` }, FINAL]] as const,
  ),
  ['status 500 without a body', [{ status: 500, body: '' }]],
  ['status 429 with a wait', [{ status: 429, headers: { 'retry-after': '1' }, body: 'slow down' }, FINAL]],
  ['status 201', [{ ...FINAL, status: 201 }]],
  ['status 204', [{ status: 204, body: '' }]],
  ['status 307', [{ status: 307, headers: { location: '/v2/chat/completions' }, body: '' }, FINAL]],
  ['status 308', [{ status: 308, headers: { location: '/v2/chat/completions' }, body: '' }, FINAL]],
  ['status 302', [{ status: 302, headers: { location: '/v2/chat/completions' }, body: '' }, FINAL]],
  ['status 304', [{ status: 304, body: '' }, FINAL]],
  ['a web page', [{ headers: { 'content-type': 'text/html' }, body: '<html><title>Sign in</title></html>' }]],
  ['JSON said to be text', [{ ...FINAL, headers: { 'content-type': 'text/plain' } }]],
  ['JSON without a type', [{ ...FINAL, headers: { 'content-type': '' } }]],
  ['an empty body', [{ body: '' }]],
  ['no JSON', [{ body: 'Three.' }]],
  ['half of the JSON', [{ body: FINAL.body.slice(0, 40) }]],
  ['a response that is cut off', [{ ...FINAL, cut: true }]],
  ['a connection that is closed', [{ body: '', hangUp: true }]],
  ['an error with status 200', [json({ error: { message: 'no credit' } })]],
  ['gzip that nobody asked for', [{ headers: { 'content-encoding': 'gzip' }, body: gzipSync(FINAL.body) }]],
  [
    'a stream that nobody asked for',
    [
      {
        headers: { 'content-type': 'text/event-stream' },
        body: 'data: {"choices":[{"index":0,"delta":{"content":"Three."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
      },
    ],
  ],
  ['a byte order mark', [{ body: `\uFEFF${FINAL.body}` }]],
  ['a field twice', [{ body: '{"choices":[],"choices":[{"message":{"role":"assistant","content":"x"}}]}' }]],
];

export function recordingCases(): readonly MofaCase[] {
  const replies = REPLIES.map(([title, upstream]) => runOf('recording', title, recorded(), { upstream }));
  const asserted = [
    'a text',
    'status 500',
    'status 401',
    'calls for ever',
    'no JSON',
    'a connection that is closed',
  ].map((title) => {
    const [, upstream = []] = REPLIES.find(([name]) => name === title) ?? [];
    return runOf('recording', `${title}, asserted`, recorded({}, { assert: { contains: 'Three' } }), { upstream });
  });
  return [...replies, ...asserted, ...settings(), ...places()];
}

function settings(): readonly MofaCase[] {
  const one = (title: string, provider: TomlTable, env: Readonly<Record<string, string>> = {}) =>
    runOf('recording', title, recorded(provider), { upstream: [FINAL], env });
  const far = { base_url: 'http://provider.invalid/v1' };
  return [
    one('base_url with a slash', { base_url: '{{upstream}}/v1/' }),
    one('base_url with three slashes', { base_url: '{{upstream}}/v1///' }),
    one('base_url without a path', { base_url: '{{upstream}}' }),
    one('base_url that ends in /completions', { base_url: '{{upstream}}/v1/completions' }),
    one('base_url that ends in /chat/completions', { base_url: '{{upstream}}/v1/chat/completions' }),
    one('base_url that ends in /chat/completions/', { base_url: '{{upstream}}/v1/chat/completions/' }),
    one('base_url with a query', { base_url: '{{upstream}}/v1?version=2' }),
    one('base_url that is no address', { base_url: 'not an address' }),
    one('base_url of another protocol', { base_url: 'ftp://127.0.0.1/v1' }),
    one('base_url of nobody', { base_url: 'http://127.0.0.1:9/v1' }),
    one('an empty base_url', { base_url: '' }),
    one('a key', { api_key_env: 'THE_API_KEY' }, { THE_API_KEY: 'local-key' }),
    one('a key that is secret', { api_key_env: 'THE_API_KEY' }, { THE_API_KEY: 'local-key-of-ours' }),
    one('the usual key, which the case does not name', {}, { OPENAI_API_KEY: 'local-key-of-ours' }),
    one('an empty key', { api_key_env: 'THE_API_KEY' }, { THE_API_KEY: '' }),
    one('a key that is not set', { api_key_env: 'THE_API_KEY' }),
    one('no name of a key', { api_key_env: '' }, { OPENAI_API_KEY: 'local-key-of-ours' }),
    one('a key far away that is not set', { ...far, api_key_env: 'THE_API_KEY' }),
    one('the usual key far away that is not set', far),
    one('Ollama', { kind: 'ollama' }),
    one('Ollama with a key', { kind: 'ollama', api_key_env: 'THE_API_KEY' }, { THE_API_KEY: 'local-key-of-ours' }),
    runOf(
      'recording',
      'Ollama by its variables',
      toml({ name: 'o', prompt: 'p', llm: { record_tape: 'o.json', provider: { kind: 'ollama' } } }),
      {
        upstream: [FINAL],
        env: { OLLAMA_BASE_URL: '{{upstream}}/v1', OLLAMA_MODEL: 'tiny' },
      },
    ),
    runOf(
      'recording',
      'Ollama without a model',
      toml({
        name: 'o',
        prompt: 'p',
        llm: { record_tape: 'o.json', provider: { kind: 'ollama', base_url: '{{upstream}}' } },
      }),
      { upstream: [FINAL] },
    ),
    runOf(
      'recording',
      'no model',
      toml({
        name: 'o',
        prompt: 'p',
        llm: { record_tape: 'o.json', provider: { kind: 'open_ai_compatible', base_url: '{{upstream}}' } },
      }),
      { upstream: [FINAL] },
    ),
    runOf(
      'recording',
      'with files and a name',
      recorded(
        {},
        { agent: { name: 'Nora', description: 'a bot' }, bootstrap_files: [{ path: 'A.md', content: 'Be brief.' }] },
      ),
      { upstream: [CALLING, FINAL] },
    ),
  ];
}

function places(): readonly MofaCase[] {
  const at = (path: string) =>
    toml({ name: 'recorded', prompt: 'Add.', tools: TOOLS, llm: { record_tape: path, provider: PROVIDER } });
  const upstream = [CALLING, FINAL];
  const old = '{"version":1,"case_name":"old","interactions":[{"response":"old"}]}';
  return [
    runOf('recording', 'over an old tape', at('r.json'), { upstream, files: { 'r.json': old } }),
    runOf('recording', 'over what is no tape', at('r.json'), { upstream, files: { 'r.json': 'precious' } }),
    runOf('recording', 'a failure, with an old tape', at('r.json'), {
      upstream: [{ status: 500, body: '' }],
      files: { 'r.json': old },
    }),
    runOf('recording', 'in a folder', at('tapes/r.json'), { upstream, files: { 'tapes/x.txt': '' } }),
    runOf('recording', 'in a folder that is missing', at('tapes/r.json'), { upstream }),
    runOf('recording', 'in place of a folder', at('tapes'), { upstream, files: { 'tapes/x.txt': '' } }),
    runOf('recording', 'to an absolute path', at('{{root}}/r.json'), { upstream }),
    runOf('recording', 'to an empty path', at(''), { upstream }),
    {
      group: 'recording',
      title: 'beside the folder of the case, by an absolute path from elsewhere',
      cwd: 'elsewhere',
      args: ['test-dsl', '{{root}}/cases/a.toml', '--artifact-out', 'x.json'],
      files: { 'cases/a.toml': at('../fixtures/r.json'), 'fixtures/kept.txt': '' },
      upstream,
    },
    {
      group: 'recording',
      title: 'beside the folder of the case, by a relative path',
      args: ['test-dsl', 'cases/a.toml', '--artifact-out', 'x.json'],
      files: { 'cases/a.toml': at('../fixtures/r.json'), 'fixtures/kept.txt': '' },
      upstream,
    },
  ];
}
