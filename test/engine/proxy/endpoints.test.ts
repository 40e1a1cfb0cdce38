import assert from 'node:assert/strict';
import { once } from 'node:events';
import { isRecord, type Json, type JsonRecord } from '../../../src/core/json/json';
import { reynFormat } from '../../../src/core/tapes/formats/reyn/index';
import { seedDrift } from '../../core/match/seededDrifts';
import { buildEngine, ended, inProject, startEngine } from '../../harness/builtEngine';
import { randomOf } from '../../harness/random.mjs';
import { withServe } from '../../harness/servedTape';
import { sendJson, serve } from '../../harness/support';

/** `DRIFTS=1000` for more than a suite has time for. */
const DRIFTS = Number(process.env.DRIFTS ?? 300);

/** One endpoint, as a client calls it through the proxy and as a tape has it. */
interface ClientPath {
  /** Below the base URL of the proxy. */
  readonly called: string;
  /** The URL on the tape. */
  readonly recorded: string;
  /** The body of a request that says a text. */
  body(text: string): JsonRecord;
  /** How the explanation names the text. */
  readonly named: RegExp;
}

const user = (content: string): JsonRecord => ({ role: 'user', content });
const chat = (text: string): JsonRecord => ({
  model: 'm-1',
  temperature: 0,
  messages: [{ role: 'system', content: 'Answer briefly.' }, user(text)],
});
const claude = (text: string): JsonRecord => ({
  model: 'claude-sonnet-4-5',
  max_tokens: 100,
  system: 'Answer briefly.',
  messages: [user(text)],
});
const gemini = (text: string): JsonRecord => ({
  contents: [{ role: 'user', parts: [{ text }] }],
  generationConfig: { temperature: 0 },
});
const converse = (text: string): JsonRecord => ({
  messages: [{ role: 'user', content: [{ text }] }],
  inferenceConfig: { maxTokens: 100, temperature: 0 },
});
const MESSAGE_1 = /message 1 \(user\) edited: /;
const MESSAGE_2 = /message 2 \(user\) edited: /;
const keyed = (key: string): RegExp => RegExp(`\`${key}\` edited: `);
const parameter = (path: string): RegExp => RegExp(`parameter ${path}: `);

const OPENAI = 'https://api.openai.com/v1';
const ANTHROPIC = 'https://api.anthropic.com/v1';
const GEMINI = 'https://generativelanguage.googleapis.com/v1beta/models';
const BEDROCK = 'https://bedrock-runtime.us-east-1.amazonaws.com/model/anthropic.claude-3-haiku-20240307-v1%3A0';
const MODEL = 'anthropic.claude-3-haiku-20240307-v1%3A0';
const AZURE = 'https://mine.openai.azure.com/openai';
const embed = (text: string): JsonRecord => ({ model: 'e-1', input: [text, 'The same in all.'] });

const CLIENT_PATHS: readonly ClientPath[] = [
  { called: '/openai/chat/completions', recorded: `${OPENAI}/chat/completions`, body: chat, named: MESSAGE_2 },
  {
    called: '/openai/chat/completions?gateway=1',
    recorded: 'https://gateway.example/team/api/v1/chat/completions?gateway=1',
    body: chat,
    named: MESSAGE_2,
  },
  {
    called: '/openai/responses',
    recorded: `${OPENAI}/responses`,
    body: (text) => ({ model: 'm-1', instructions: 'Answer briefly.', input: [user(text)] }),
    named: MESSAGE_1,
  },
  {
    called: '/openai/responses/input_tokens',
    recorded: `${OPENAI}/responses/input_tokens`,
    body: (text) => ({ model: 'm-1', input: text }),
    named: keyed('input'),
  },
  {
    called: '/openai/embeddings',
    recorded: `${OPENAI}/embeddings`,
    body: embed,
    named: MESSAGE_1,
  },
  {
    called: '/openai/completions',
    recorded: `${OPENAI}/completions`,
    body: (prompt) => ({ model: 'm-1', prompt, max_tokens: 9 }),
    named: keyed('prompt'),
  },
  {
    called: '/openai/threads/thread_1/messages',
    recorded: `${OPENAI}/threads/thread_1/messages`,
    body: (content) => ({ role: 'user', content }),
    named: parameter('content'),
  },
  {
    called: '/openai/threads/runs',
    recorded: `${OPENAI}/threads/runs`,
    body: (text) => ({ assistant_id: 'asst_1', thread: { messages: [user(text)] } }),
    named: parameter('/thread/messages/0/content'),
  },
  {
    called: '/openai/moderations',
    recorded: `${OPENAI}/moderations`,
    body: (input) => ({ model: 'moderation', input }),
    named: keyed('input'),
  },
  { called: '/anthropic/v1/messages', recorded: `${ANTHROPIC}/messages`, body: claude, named: MESSAGE_1 },
  {
    called: '/anthropic/messages',
    recorded: `${ANTHROPIC}/messages`,
    body: (text) => ({ ...claude(text), model: 'claude-of-vercel' }),
    named: MESSAGE_1,
  },
  {
    called: '/anthropic/v1/messages?beta=true',
    recorded: `${ANTHROPIC}/messages?beta=true`,
    body: claude,
    named: MESSAGE_1,
  },
  {
    called: '/anthropic/v1/messages/count_tokens',
    recorded: `${ANTHROPIC}/messages/count_tokens`,
    body: (text) => ({ model: 'claude-sonnet-4-5', messages: [user(text)] }),
    named: MESSAGE_1,
  },
  {
    called: '/anthropic/v1/messages/batches',
    recorded: `${ANTHROPIC}/messages/batches`,
    body: (text) => ({ requests: [{ custom_id: 'a', params: claude(text) }] }),
    named: parameter('/requests/0/params/messages/0/content'),
  },
  {
    called: '/gemini/v1beta/models/gemini-2.5-flash:generateContent',
    recorded: `${GEMINI}/gemini-2.5-flash:generateContent`,
    body: gemini,
    named: MESSAGE_1,
  },
  {
    called: '/gemini/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
    recorded: `${GEMINI}/gemini-2.5-flash:streamGenerateContent?alt=sse`,
    body: gemini,
    named: MESSAGE_1,
  },
  {
    called: '/gemini/v1beta/models/gemini-2.5-flash:countTokens',
    recorded: `${GEMINI}/gemini-2.5-flash:countTokens`,
    body: (text) => ({ contents: [{ role: 'user', parts: [{ text }] }] }),
    named: MESSAGE_1,
  },
  {
    called: '/gemini/v1beta/models/text-embedding-004:embedContent',
    recorded: `${GEMINI}/text-embedding-004:embedContent`,
    body: (text) => ({ content: { parts: [{ text }] } }),
    named: parameter('/content/parts/0/text'),
  },
  {
    called: `/bedrock/model/${MODEL}/converse`,
    recorded: `${BEDROCK}/converse`,
    body: converse,
    named: MESSAGE_1,
  },
  {
    called: `/bedrock/model/${MODEL}/converse-stream`,
    recorded: `${BEDROCK}/converse-stream`,
    body: converse,
    named: MESSAGE_1,
  },
  {
    called: `/bedrock/model/${MODEL}/invoke`,
    recorded: `${BEDROCK}/invoke`,
    body: (text) => ({ anthropic_version: 'bedrock-2023-05-31', max_tokens: 100, messages: [user(text)] }),
    named: MESSAGE_1,
  },
  {
    called: '/cohere/v1/chat',
    recorded: 'https://api.cohere.com/v1/chat',
    body: (message) => ({ model: 'command-r', message, temperature: 0 }),
    named: keyed('message'),
  },
  {
    called: '/cohere/v2/chat',
    recorded: 'https://api.cohere.com/v2/chat',
    body: (text) => ({ model: 'command-a', messages: [user(text)] }),
    named: MESSAGE_1,
  },
  {
    called: '/cohere/v2/embed',
    recorded: 'https://api.cohere.com/v2/embed',
    body: (text) => ({ model: 'embed-v4.0', texts: [text], input_type: 'search_query' }),
    named: MESSAGE_1,
  },
  {
    called: '/cohere/v2/rerank',
    recorded: 'https://api.cohere.com/v2/rerank',
    body: (query) => ({ model: 'rerank-v3.5', query, documents: ['a', 'b'] }),
    named: parameter('query'),
  },
  {
    called: '/ollama/api/chat',
    recorded: 'http://127.0.0.1:11434/api/chat',
    body: (text) => ({ model: 'llama3.2', messages: [user(text)], stream: false }),
    named: MESSAGE_1,
  },
  {
    called: '/ollama/api/generate',
    recorded: 'http://127.0.0.1:11434/api/generate',
    body: (prompt) => ({ model: 'llama3.2', prompt, stream: false }),
    named: keyed('prompt'),
  },
  {
    called: '/ollama/api/embed',
    recorded: 'http://127.0.0.1:11434/api/embed',
    body: (input) => ({ model: 'nomic', input }),
    named: keyed('input'),
  },
  {
    called: '/ollama/chat/completions',
    recorded: 'http://127.0.0.1:11434/v1/chat/completions',
    body: (text) => ({ model: 'llama3.2', messages: [user(text)] }),
    named: MESSAGE_1,
  },
  {
    called: '/mistral/v1/chat/completions',
    recorded: 'https://api.mistral.ai/v1/chat/completions',
    body: (text) => ({ model: 'mistral-small', messages: [user(text)] }),
    named: MESSAGE_1,
  },
  {
    called: '/mistral/v1/fim/completions',
    recorded: 'https://api.mistral.ai/v1/fim/completions',
    body: (prompt) => ({ model: 'codestral', prompt, suffix: 'end' }),
    named: keyed('prompt'),
  },
  {
    called: '/mistral/v1/agents/completions',
    recorded: 'https://api.mistral.ai/v1/agents/completions',
    body: (text) => ({ agent_id: 'ag:1', messages: [user(text)] }),
    named: MESSAGE_1,
  },
  {
    called: '/azure/openai/deployments/my-gpt/chat/completions?api-version=2024-10-21',
    recorded: `${AZURE}/deployments/my-gpt/chat/completions?api-version=2024-10-21`,
    body: (text) => ({ messages: [user(text)] }),
    named: MESSAGE_1,
  },
  {
    called: '/azure/openai/deployments/my-embedder/embeddings?api-version=2024-10-21',
    recorded: `${AZURE}/deployments/my-embedder/embeddings?api-version=2024-10-21`,
    body: (text) => ({ input: [text] }),
    named: MESSAGE_1,
  },
  {
    called: '/azure/openai/v1/responses',
    recorded: `${AZURE}/v1/responses`,
    body: (text) => ({ model: 'azure-gpt', input: [user(text)] }),
    named: MESSAGE_1,
  },
  {
    called: '/groq/openai/v1/chat/completions',
    recorded: 'https://api.groq.com/openai/v1/chat/completions',
    body: (text) => ({ model: 'qwen', messages: [user(text)] }),
    named: MESSAGE_1,
  },
  {
    called: '/openrouter/chat/completions',
    recorded: 'https://openrouter.ai/api/v1/chat/completions',
    body: (text) => ({ model: 'vendor/model', messages: [user(text)] }),
    named: MESSAGE_1,
  },
];

const TEXTS = [
  'How many bridges does the harbour of Lisbon have, and how old is the oldest one?',
  'Please list three quiet beaches that are near to Marseille and open in winter.',
  'Which trains leave Hamburg for Copenhagen before eight on a weekday morning?',
  'Write a postcard from the market of Palermo to somebody who has never been there.',
] as const;

const interactionAt = (row: number, text: number): number => row * TEXTS.length + text;

interface RecordedCall {
  readonly url: string;
  readonly method?: string;
  readonly body: Json;
}

/** A tape in the form of vcrpy's JSON. Each response tells which interaction it is of, from 0. */
function tapeOf(calls: readonly RecordedCall[]): string {
  const headers = { 'Content-Type': ['application/json'] };
  const interactions = calls.map(({ url, method = 'POST', body }, interaction) => ({
    request: { method, uri: url, headers, body: body === null ? '' : JSON.stringify(body) },
    response: {
      status: { code: 200, message: 'OK' },
      headers,
      body: { string: JSON.stringify({ interaction }) },
    },
  }));
  return JSON.stringify({ version: 1, interactions });
}

/** Every path with every text. */
const EVERYTHING = CLIENT_PATHS.flatMap(({ recorded, body }) =>
  TEXTS.map((text): RecordedCall => ({ url: recorded, body: body(text) })),
);

/** A request with more to change: a longer conversation, and tools. */
function longer(body: JsonRecord, row: number): JsonRecord {
  const { messages, contents } = body;
  const more = [`Because of the ferry, number ${row}.`, `And which one would you take yourself, of all ${row}?`];
  if (Array.isArray(contents))
    return {
      ...body,
      contents: [...contents, ...more.map((text, at) => ({ role: at === 0 ? 'model' : 'user', parts: [{ text }] }))],
    };
  if (!Array.isArray(messages)) return body;
  const inBlocks = typeof (messages[0] as JsonRecord).content !== 'string';
  const added = more.map((text, at) => ({
    role: at === 0 ? 'assistant' : 'user',
    content: inBlocks ? [{ text }] : text,
  }));
  const schema = () => ({ type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } } });
  const tools = ['get_weather', 'book_ferry'].map((name): Json => {
    const about = { name, description: `Does ${name} for a city.` };
    return 'max_tokens' in body
      ? { ...about, input_schema: schema() }
      : { type: 'function', function: { ...about, parameters: schema() } };
  });
  return { ...body, messages: [...messages, ...added], ...(inBlocks ? {} : { tools }) };
}

/** Everything that an explanation names, in the words of `seededDrifts.ts`. */
function namedIn(explanation: string): string[] {
  return explanation
    .split('\n')
    .filter((line) => line.startsWith('    '))
    .map((line) => {
      const [, parameter] = /^ +parameter (\S+): /.exec(line) ?? [];
      if (parameter !== undefined) return `parameter ${parameter.startsWith('/') ? '' : '/'}${parameter}`;
      const [, message, how] = /^ +message (\d+) \(\S+\) (\w+)/.exec(line) ?? [];
      if (message !== undefined) return `message ${Number(message) - 1} ${how}`;
      const [, tool, place] = /^ +tool (\w+),? (\S+?):?(?: |$)/.exec(line) ?? [];
      if (tool !== undefined) return `tool ${tool} ${place}`;
      const [, whole] = /^ +`(\w+)` (?:edited|removed|added): /.exec(line) ?? [];
      if (whole !== undefined) return `parameter /${whole}`;
      return /^ +model: /.test(line) ? 'model' : line.trim();
    })
    .sort();
}

function messageOf(refusal: string): string {
  const { error, message } = JSON.parse(refusal) as { error?: string | { message: string }; message?: string };
  return (typeof error === 'string' ? error : (error?.message ?? message)) ?? refusal;
}

function reversed(value: Json): Json {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value as JsonRecord).reverse();
  return Object.fromEntries(members.map(([key, member]) => [key, reversed(member)]));
}

async function post(url: string, body: string): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  return { status: response.status, text: await response.text() };
}

/** Runs the test against a real `serve` of the tape, and returns what it printed to stderr. */
async function serving(
  calls: readonly RecordedCall[],
  test: (base: string) => Promise<void>,
  options: readonly string[] = [],
  files: Readonly<Record<string, string>> = {},
): Promise<string> {
  let printed = '';
  await inProject({ 'tapedeck.toml': '', 'tapes/all.json': tapeOf(calls), ...files }, async (project) => {
    const upstream = 'azure=https://mine.openai.azure.com';
    const args = ['--tape', 'tapes/all.json', '--upstream', upstream, ...options];
    printed = (await withServe(project, args, test)).stderr;
  });
  return printed;
}

describe('every path of every client, through serve', function () {
  this.timeout(60_000);
  before(buildEngine);

  it('matches by meaning, explains a changed text, and goes on to match equal bytes', async () => {
    const wrong: string[] = [];
    const printed = await serving(EVERYTHING, async (base) => {
      for (const [row, { called, body, named }] of CLIENT_PATHS.entries()) {
        const url = `${base}${called}`;
        const expectServed = async (what: string, text: number, sent: string): Promise<void> => {
          const { status, text: got } = await post(url, sent);
          if (status !== 200 || got !== JSON.stringify({ interaction: interactionAt(row, text) }))
            wrong.push(`${called}: ${what}: ${status} ${got}`);
        };
        await expectServed('unchanged', 0, JSON.stringify(body(TEXTS[0])));
        await expectServed('indented', 1, JSON.stringify(body(TEXTS[1]), null, 2));
        await expectServed('in another order', 2, JSON.stringify(reversed(body(TEXTS[2]))));
        const drifted = await post(url, JSON.stringify(body(TEXTS[3].replace('Palermo', 'Napoli'))));
        const nearest = interactionAt(row, 3) + 1;
        const place = RegExp(`it differs from interaction ${nearest} in one place`);
        if (
          drifted.status !== 400 ||
          !place.test(drifted.text) ||
          !named.test(drifted.text) ||
          /mask/.test(drifted.text)
        )
          wrong.push(`${called}: changed: ${drifted.status} ${drifted.text}`);
        await expectServed('unchanged, after a drift', 3, JSON.stringify(body(TEXTS[3])));
      }
    });
    assert.deepEqual(wrong, [], wrong.join('\n'));
    const served = CLIENT_PATHS.length * TEXTS.length;
    assert.match(printed, RegExp(`replay: (?:${served} exact, ${CLIENT_PATHS.length} drifted)`));
  });

  it('keeps one endpoint apart from another', async () => {
    await serving(EVERYTHING, async (base) => {
      const body = JSON.stringify(chat(TEXTS[0]));
      for (const path of [
        '/openai/chat/completions/other',
        '/openai/files',
        '/anthropic/v1/messages/other',
        '/groq/info',
      ])
        assert.match(
          (await post(`${base}${path}`, body)).text,
          /no recording on tapes\/all\.json resembles this request/,
        );
      const row = CLIENT_PATHS.findIndex(({ called }) => called === '/openai/responses');
      const { text } = await post(`${base}/openai/responses`, body);
      assert.match(text, RegExp(`differs from interaction ${interactionAt(row, 0) + 1} in`));
    });
  });

  it('names seeded drifts exactly, beside the recording that they were made from', async () => {
    const calls = CLIENT_PATHS.flatMap(({ recorded, body }, row) =>
      TEXTS.map((text): RecordedCall => ({ url: recorded, body: longer(body(text), row) })),
    );
    const random = randomOf(20_261_123);
    const wrong: string[] = [];
    let drifts = 0;
    let undecidable = 0;
    const elsewhere: string[] = [];
    await serving(calls, async (base) => {
      while (drifts < DRIFTS) {
        const interaction = random(calls.length);
        const original = calls[interaction]?.body;
        const seeded = isRecord(original) ? seedDrift(original, random) : undefined;
        const called = CLIENT_PATHS[Math.floor(interaction / TEXTS.length)]?.called;
        if (seeded === undefined) continue;
        const { status, text } = await post(`${base}${called}`, JSON.stringify(seeded.body));
        const message = status === 400 ? messageOf(text) : text;
        drifts += 1;
        const named = namedIn(message);
        const isOriginal = message.includes(`it differs from interaction ${interaction + 1} in`);
        // Without the text in which they differ, several recordings are equally near.
        if (!isOriginal && status === 400 && named.length <= seeded.expected.length) undecidable += 1;
        else if (!isOriginal) elsewhere.push(`${called}: ${seeded.expected.join()}: ${status} ${message}`);
        else if (named.join() !== seeded.expected.join() || message.includes('--mask'))
          wrong.push(`${called}, interaction ${interaction + 1}: ${seeded.expected.join()}\n${message}`);
      }
    });
    console.log(
      `      ${drifts} drifts; ${elsewhere.length} explained by another recording; for ${undecidable} several are as near`,
    );
    assert.deepEqual(wrong, [], wrong.slice(0, 5).join('\n\n'));
    assert.ok(elsewhere.length <= DRIFTS / 100, elsewhere.slice(0, 5).join('\n\n'));
  });

  const dated = (date: string): JsonRecord => claude(`Today is ${date}. Which ferries leave?`);
  const DATED: readonly RecordedCall[] = [{ url: `${ANTHROPIC}/messages`, body: dated('2026-04-04') }];

  it('honours masks, and advises them as options', async () => {
    const now = JSON.stringify(dated('2026-11-22'));
    await serving(DATED, async (base) => {
      const { status, text } = await post(`${base}/anthropic/v1/messages`, now);
      assert.equal(status, 400);
      assert.match(text, /It would match with --mask date\./);
      assert.match(text, /With --match recorder, recordings are served in their order/);
    });
    const served = async (base: string): Promise<void> => {
      assert.equal((await post(`${base}/anthropic/v1/messages`, now)).text, '{"interaction":0}');
    };
    assert.match(await serving(DATED, served, ['--mask', 'date']), /replay: 1 masked/);
  });

  it('serves the next recording of the same endpoint where drifts pass, and refuses it where they do not', async () => {
    const info: RecordedCall = { url: 'https://api.example.com/openai/info', method: 'GET', body: null };
    const calls = [info, { url: `${OPENAI}/chat/completions`, body: chat('one') }, ...DATED, info];
    const served = async (base: string): Promise<void> => {
      assert.equal((await post(`${base}/anthropic/v1/messages`, '{}')).text, '{"interaction":2}');
      assert.equal((await post(`${base}/openai/chat/completions`, '{}')).text, '{"interaction":1}');
      assert.equal((await post(`${base}/openai/chat/completions`, '{}')).status, 400);
    };
    const text = await serving(calls, served, ['--match', 'sequence', '--on-drift', 'warn']);
    assert.match(text, /2 differs, 1 missing/);
    const refused = async (base: string): Promise<void> => {
      assert.equal((await post(`${base}/anthropic/v1/messages`, '{}')).status, 400);
      assert.equal((await post(`${base}/openai/chat/completions`, JSON.stringify(chat('one')))).status, 200);
    };
    assert.match(await serving(calls, refused, ['--match', 'sequence']), /1 drifted, 1 exact/);
  });

  it('plays a cassette as its recorder does where drifts pass, by the command line or the project', async () => {
    const calls = ['the weather in Oslo', 'the price of bread'].map((text) => ({
      url: `${OPENAI}/chat/completions`,
      body: chat(text),
    }));
    const served = async (base: string): Promise<void> => {
      const { status, text } = await post(
        `${base}/openai/chat/completions`,
        JSON.stringify(chat('the price of the bread')),
      );
      assert.deepEqual([status, text], [200, '{"interaction":0}']);
    };
    assert.match(await serving(calls, served, ['--on-drift', 'warn']), /: differs\nthis request is not on/);
    const project = { 'tapedeck.toml': '[proxy]\non_drift = "warn"\n[replay]\non_drift = "fail"\n' };
    assert.match(await serving(calls, served, [], project), /replay: 1 differs/);
  });

  it('finds the request of a tape that has keys in place of requests', async () => {
    const ask = (content: string) => ({
      model: 'gpt-4o',
      messages: [{ role: 'user', content, toolCalls: [] }],
      tools: [],
      params: {},
    });
    const response = { content: 'At nine.', toolCalls: [] };
    const fixture = reynFormat.serialise('t', [{ request: ask('When?'), response }]);
    const asked = (content: string): string =>
      JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content }] });
    const served = async (base: string): Promise<void> => {
      const { status, text } = await post(`${base}/openai/chat/completions`, asked('When?'));
      assert.deepEqual([status, text.includes('At nine.')], [200, true]);
      assert.equal((await post(`${base}/openai/chat/completions`, asked('Where?'))).status, 400);
    };
    assert.match(
      await serving([], served, [], { 'tapes/all.json': fixture }),
      /replay: 1 exact, 1 (?:missing|drifted)/,
    );
  });

  it('refuses a mask and a way to match that do not exist', async () => {
    for (const [option, value, message] of [
      ['--mask', 'dates', /unknown mask: dates/],
      ['--match', 'nearly', /--match cannot be `nearly`/],
    ] as const)
      await inProject({ 'a.json': tapeOf(DATED) }, async (project) => {
        const { code, stderr } = await project.engine(['serve', '--tape', 'a.json', option, value]);
        assert.equal(code, 2);
        assert.match(stderr, message);
      });
  });

  it('compares forms by their fields: clients generate the boundary anew', async () => {
    const form = (voice: number, prompt: string): FormData => {
      const data = new FormData();
      data.append('model', 'whisper-1');
      data.append('prompt', prompt);
      data.append(
        'file',
        new Blob([Uint8Array.of(0xff, 0xfb, 0x90, voice, 0, 0x80)], { type: 'audio/mpeg' }),
        'voice.mp3',
      );
      return data;
    };
    const upload = (base: string, data: FormData) =>
      fetch(`${base}/openai/audio/transcriptions`, { method: 'POST', body: data });
    const upstream = await serve((response) => sendJson(response, 200, { text: 'Good morning.' }));
    await inProject({ 'tapedeck.toml': '' }, async (project) => {
      const run = async (mode: string, test: (base: string) => Promise<void>): Promise<string> => {
        const args = [
          'serve',
          mode,
          '--tape',
          'tapes/a.tape.jsonl',
          '--json',
          '--upstream',
          `openai=${upstream.baseUrl}`,
        ];
        const child = startEngine(args, { cwd: project.root });
        const end = ended(child);
        const [line] = (await once(child.stdout, 'data')) as [string];
        try {
          await test((JSON.parse(line) as { readonly TAPEDECK_PROXY: string }).TAPEDECK_PROXY);
        } finally {
          child.kill('SIGINT');
        }
        return (await end).stderr;
      };
      await run('--record', async (base) => void (await (await upload(base, form(1, 'In German.'))).text()));
      await upstream.close();
      const printed = await run('--replay', async (base) => {
        assert.match(messageOf(await (await upload(base, form(1, 'In Polish.'))).text()), /\n {4}`prompt` edited: /);
        assert.match(
          messageOf(await (await upload(base, form(2, 'In German.'))).text()),
          /\n {4}parameter \/file\/sha256: /,
        );
        assert.equal(await (await upload(base, form(1, 'In German.'))).text(), '{"text":"Good morning."}');
      });
      assert.match(printed, /replay: 2 drifted, 1 exact/);
    });
  });

  it("refuses in the form of the SDK's own errors, with what differs first", async () => {
    const calls: readonly RecordedCall[] = [
      { url: `${BEDROCK}/converse`, body: converse('one two three') },
      { url: 'https://api.cohere.com/v2/chat', body: { messages: [user('one two three')] } },
    ];
    await serving(calls, async (base) => {
      const sent = { method: 'POST', body: JSON.stringify(converse('one two four')) };
      const bedrock = await fetch(`${base}/bedrock/model/${MODEL}/converse`, sent);
      assert.equal(bedrock.headers.get('x-amzn-errortype'), 'ValidationException');
      const expected =
        /^Tapedeck: this request is not on tapes\/all\.json: it differs from interaction 1 in one place: message 1 \(user\) edited: /;
      assert.match(((await bedrock.json()) as { message: string }).message, expected);
      const cohere = await post(`${base}/cohere/v2/chat`, JSON.stringify({ messages: [user('one two four')] }));
      assert.match((JSON.parse(cohere.text) as { message: string }).message, /^Tapedeck: .* in one place: message 1/);
    });
  });
});
