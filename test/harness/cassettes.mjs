#!/usr/bin/env node
// node test/harness/cassettes.mjs FOLDER [COUNT] [ECOSYSTEM…]   writes so many cassettes (2,153), of all ecosystems or of those named,
// into a new project. The same arguments write the same files. The rows of the tree and of verify are measured on them:
//   node test/harness/cassettes.mjs ../cassettes && cd ../cassettes && tapedeck verify
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { randomOf } from './random.mjs';

/**
 * Cassettes as projects keep them: six folders of six ecosystems, with their nesting, their long names, and their sizes. Half of
 * them have 12 kB or less, a tenth has over 65 kB, and a few have some MB.
 */

const WORDS =
  'order shipped carrier tracking customer refund invoice delivery address policy agent request window tomorrow please thanks number parcel account update confirm label return'.split(
    ' ',
  );
const MODELS = ['gpt-5-mini', 'gpt-4o-2024-08-06', 'claude-sonnet-4-5', 'gemini-2.5-flash', 'command-a-03-2025'];

/** @typedef {import('./random.mjs').Random} Random */

/** @param {Random} random @param {number} count */
const words = (random, count) => Array.from({ length: count }, () => WORDS[random(WORDS.length)]).join(' ');
/** @param {Random} random @param {number} length */
const hex = (random, length) => Array.from({ length }, () => random(16).toString(16)).join('');

/** How many bytes the responses of a cassette have. @param {Random} random */
function sizeOf(random) {
  const share = random(1000);
  if (share < 100) return 300;
  if (share < 550) return 600 + random(7000);
  if (share < 900) return 8000 + random(60_000);
  return share < 995 ? 100_000 + random(200_000) : 1_000_000 + random(2_500_000);
}

/** The exchanges of a conversation with tools. @param {Random} random */
function exchanges(random) {
  const count = 1 + random(6);
  const chars = Math.ceil(sizeOf(random) / count);
  return Array.from({ length: count }, (_, at) => {
    const model = MODELS[random(MODELS.length)];
    const messages = [
      { role: 'system', content: `You help with orders. ${words(random, 12)}.` },
      { role: 'user', content: `Where is order ${1000 + random(9000)}? ${words(random, 6)}.` },
    ];
    const tools = [
      {
        type: 'function',
        function: { name: 'lookup_order', parameters: { type: 'object', properties: { id: { type: 'string' } } } },
      },
    ];
    const message = { role: 'assistant', content: words(random, Math.ceil(chars / 8)) };
    const usage = {
      prompt_tokens: 80 + at,
      completion_tokens: Math.ceil(chars / 4),
      total_tokens: 80 + at + Math.ceil(chars / 4),
    };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    const answer = {
      id: `chatcmpl-${hex(random, 24)}`,
      object: 'chat.completion',
      created: 1_780_000_000 + random(9_000_000),
      model,
      choices,
      usage,
    };
    return { request: { model, messages, tools }, answer, id: hex(random, 32) };
  });
}

const URL_OF_CHAT = 'https://api.openai.com/v1/chat/completions';
const headersOf = (/** @type {string} */ id, /** @type {number} */ size) => ({
  'Content-Type': 'application/json',
  'Content-Length': String(size),
  'x-request-id': `req_${id}`,
  'openai-processing-ms': '812',
});
const quoted = (/** @type {unknown} */ value) => `'${JSON.stringify(value).replaceAll("'", "''")}'`;
const yamlHeaders = (/** @type {Record<string, string>} */ headers, /** @type {string} */ indent) =>
  Object.entries(headers)
    .map(([name, value]) => `${indent}${name}:\n${indent}- ${JSON.stringify(value)}\n`)
    .join('');

/** vcrpy. @param {Random} random */
const vcrpy = (random) =>
  `interactions:\n${exchanges(random)
    .map(({ request, answer, id }) => {
      const sent = JSON.stringify(request).length;
      return `- request:\n    body: ${quoted(request)}\n    headers:\n${yamlHeaders({ ...headersOf(id, sent), 'user-agent': 'OpenAI/Python 2.9.0' }, '      ')}    method: POST\n    uri: ${URL_OF_CHAT}\n  response:\n    body:\n      string: ${quoted(answer)}\n    headers:\n${yamlHeaders(headersOf(id, JSON.stringify(answer).length), '      ')}    status:\n      code: 200\n      message: OK\n`;
    })
    .join('')}version: 1\n`;

/** VCR of Ruby. @param {Random} random */
const rubyVcr = (random) =>
  `---\nhttp_interactions:\n${exchanges(random)
    .map(
      ({ request, answer, id }) =>
        `- request:\n    method: post\n    uri: ${URL_OF_CHAT}\n    body:\n      encoding: UTF-8\n      string: ${quoted(request)}\n    headers:\n${yamlHeaders({ 'User-Agent': 'Faraday v2.14.3' }, '      ')}  response:\n    status:\n      code: 200\n      message: OK\n    headers:\n${yamlHeaders(headersOf(id, 1), '      ')}    body:\n      encoding: UTF-8\n      string: ${quoted(answer)}\n  recorded_at: Wed, 23 Sep 2026 10:00:00 GMT\n`,
    )
    .join('')}recorded_with: VCR 6.4.0\n`;

/** Polly.JS. @param {Random} random @param {string} name */
const polly = (random, name) => {
  const entries = exchanges(random).map(({ request, answer, id }) => ({
    _id: id,
    _order: 0,
    cache: {},
    request: {
      bodySize: 1,
      cookies: [],
      headers: [],
      headersSize: -1,
      httpVersion: 'HTTP/1.1',
      method: 'POST',
      postData: { mimeType: 'application/json', params: [], text: JSON.stringify(request) },
      queryString: [],
      url: URL_OF_CHAT,
    },
    response: {
      bodySize: 1,
      content: { mimeType: 'application/json', size: 1, text: JSON.stringify(answer) },
      cookies: [],
      headers: [],
      headersSize: -1,
      httpVersion: 'HTTP/1.1',
      redirectURL: '',
      status: 200,
      statusText: 'OK',
    },
    startedDateTime: '2026-09-23T10:00:00.000Z',
    time: 812,
    timings: { blocked: -1, connect: -1, dns: -1, receive: 0, send: 0, ssl: -1, wait: 812 },
  }));
  return JSON.stringify(
    {
      log: {
        _recordingName: name,
        creator: { comment: 'persister:fs', name: 'Polly.JS', version: '6.0.6' },
        entries,
        pages: [],
        version: '1.2',
      },
    },
    null,
    2,
  );
};

/** The test proxy of Azure's SDKs. @param {Random} random */
const azure = (random) => {
  const Entries = exchanges(random).map(({ request, answer, id }) => ({
    RequestUri: 'https://sanitized.openai.azure.com/openai/v1/chat/completions',
    RequestMethod: 'POST',
    RequestHeaders: { Authorization: 'Sanitized', 'Content-Type': 'application/json' },
    RequestBody: request,
    StatusCode: 200,
    ResponseHeaders: headersOf(id, 1),
    ResponseBody: answer,
  }));
  return JSON.stringify({ Entries, Variables: {} }, null, 2);
};

/** aimock. @param {Random} random */
const aimock = (random) =>
  JSON.stringify(
    {
      fixtures: exchanges(random).map(({ request, answer }) => ({
        match: { userMessage: request.messages[1].content },
        response: { content: answer.choices[0].message.content },
      })),
    },
    null,
    2,
  );

/** A configuration of aimock, which no one wants to read as a tape. */
const aimockConfig = () => JSON.stringify({ llm: { fixtures: './fixtures', chaos: { dropRate: 0.1 } } }, null, 2);

const pick = (/** @type {readonly string[]} */ list, /** @type {number} */ at) => list[at % list.length];
const TOPICS = [
  'chat',
  'streaming',
  'tools',
  'vision',
  'structured_output',
  'retries',
  'embeddings',
  'agents',
  'handoffs',
  'memory',
];
const CLASSES = ['TestOpenAIStandard', 'TestAnthropicStandard', 'TestOpenAIResponses'];
const ACTIONS = ['create', 'run_stream', 'update_instructions', 'list_messages', 'delete', 'submit_tool_outputs'];

/** Each with the share of the cassettes, where the one of this number lies, and what is in it. */
const ECOSYSTEMS = [
  {
    folder: 'agents-python',
    share: 0.3,
    path: (at) =>
      `tests/${pick(['models', 'providers', 'graph'], at)}/cassettes/test_${pick(TOPICS, at)}/test_${pick(TOPICS, at >> 2)}_case_${at}.yaml`,
    text: vcrpy,
  },
  {
    folder: 'chain-partners',
    share: 0.13,
    path: (at) =>
      `libs/partners/openai/tests/cassettes/${pick(CLASSES, at)}.test_${pick(TOPICS, at >> 1)}_${at}.yaml.gz`,
    text: vcrpy,
    isPacked: true,
  },
  {
    folder: 'ruby-client',
    share: 0.15,
    path: (at) => `spec/fixtures/vcr_cassettes/${pick(TOPICS, at)}/${pick(ACTIONS, at)}_${at}.yml`,
    text: rubyVcr,
  },
  {
    folder: 'web-app',
    share: 0.1,
    path: (at) =>
      `packages/server/test/__recordings__/${pick(TOPICS, at)}_${1000 + at}/returns-an-answer_${at}/recording.har`,
    text: polly,
  },
  {
    folder: 'mocks',
    share: 0.12,
    path: (at) => `fixtures/${pick(TOPICS, at)}/${pick(ACTIONS, at)}-${at}.json`,
    text: aimock,
  },
  {
    folder: 'sdk-tests',
    share: 0.2,
    path: (at) =>
      `sdk/ai/recordings/test_agents.pyTestAgentsCrud/test_agents_${pick(ACTIONS, at)}[${pick(TOPICS, at)}-${at}].json`,
    text: azure,
  },
];

/**
 * The files of a workspace with this many cassettes, by folder, path and content; mocks have a tenth more, their configuration files.
 * @param {number} count @param {readonly string[]} [folders] of the ecosystems @returns {Generator<{folder: string, path: string, content: string | Buffer}>}
 */
export function* cassettes(count, folders = CASSETTE_FOLDERS) {
  const random = randomOf(16);
  const chosen = ECOSYSTEMS.filter(({ folder }) => folders.includes(folder));
  const whole = chosen.reduce((sum, { share }) => sum + share, 0);
  for (const { folder, share, path, text, isPacked } of chosen) {
    const own = Math.round((count * share) / whole);
    for (let at = 0; at < own; at += 1) {
      const content = text(random, path(at));
      yield { folder, path: path(at), content: isPacked ? gzipSync(content, { level: 1 }) : content };
    }
    if (folder === 'mocks')
      for (let at = 0; at < own / 10; at += 1)
        yield { folder, path: `fixtures/config-${at}.json`, content: aimockConfig() };
  }
}

/** The folders of the cassettes. */
const CASSETTE_FOLDERS = ECOSYSTEMS.map(({ folder }) => folder);

/** Writes them below a folder; gives their size in bytes. @param {string} root @param {number} count @param {readonly string[]} [folders] */
export function writeCassettes(root, count, folders) {
  let bytes = 0;
  for (const { folder, path, content } of cassettes(count, folders)) {
    const file = join(root, folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    bytes += content.length;
  }
  return bytes;
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [root, count = '2153', ...folders] = process.argv.slice(2);
  const unknown = folders.filter((folder) => !CASSETTE_FOLDERS.includes(folder));
  if (root === undefined || !/^[1-9]\d{0,6}$/.test(count) || unknown.length > 0)
    throw new Error(`Say a folder, a number, and which of ${CASSETTE_FOLDERS.join(', ')}, or none of them for all.`);
  const bytes = writeCassettes(root, Number(count), folders.length > 0 ? folders : undefined);
  writeFileSync(join(root, 'tapedeck.toml'), '');
  console.log(`${(bytes / 1e6).toFixed(1)} MB in ${root}`);
}
