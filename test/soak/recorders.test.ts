import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { LLMock } from '@copilotkit/aimock';
import type { HttpExchange } from '../../src/core/model/http';
import type { RecordedInteraction } from '../../src/core/model/interaction';
import { convertTape } from '../../src/core/tapes/convert';
import { formatById } from '../../src/core/tapes/registry';
import { tapeFileFromText } from '../../src/core/tapes/tapeFile';
import { isWritable } from '../../src/core/tapes/writableFormat';
import { pythonWith } from '../harness/peers';

const run = promisify(execFile);

interface Call {
  readonly method?: string;
  readonly path: string;
  readonly request?: object;
  readonly response: object;
}

function exchangeOf({ method = 'POST', path, request, response }: Call): HttpExchange {
  const json = [['content-type', 'application/json']] as const;
  return {
    method,
    url: `https://api.openai.com${path}`,
    requestHeaders: request === undefined ? [] : json,
    requestBody: request === undefined ? { type: 'none' } : { type: 'text', text: JSON.stringify(request) },
    status: 200,
    responseHeaders: json,
    responseBody: { type: 'text', text: JSON.stringify(response) },
  };
}

/** The calls as a tape of another recorder. */
function converted(calls: readonly Call[], id: string): string {
  const [har, target] = [formatById('har'), formatById(id)];
  assert.ok(isWritable(har) && isWritable(target));
  const recorded = calls.map((call): RecordedInteraction => ({ http: exchangeOf(call) }) as RecordedInteraction);
  const tape = har.read(tapeFileFromText(har.serialise('calls', recorded), 'calls.har'));
  return convertTape(tape, 'calls', target).text;
}

type Message = { readonly role: string; readonly [key: string]: unknown };
const user = (content: string): Message => ({ role: 'user', content });
const CALLS = [{ id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"days": 1.0}' } }];

function chat(messages: readonly Message[], message: object): Call {
  const choices = [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }];
  return {
    path: '/v1/chat/completions',
    request: { model: 'gpt-4o', messages },
    response: { object: 'chat.completion', model: 'gpt-4o', choices },
  };
}

function embedding(input: string | readonly string[], vectors: readonly (readonly number[])[]): Call {
  const data = vectors.map((vector, index) => ({ object: 'embedding', index, embedding: vector }));
  return { path: '/v1/embeddings', request: { model: 'e', input }, response: { object: 'list', model: 'e', data } };
}

/** A text that contains another, a question that is asked again, a tool's result, a second turn, and vectors. */
const CONVERSATION: readonly Call[] = [
  chat([user('Hi')], { content: 'one' }),
  chat([user('Hi there')], { content: 'two' }),
  chat([user('Hi')], { content: 'three' }),
  chat([user('weather')], { content: 'Let me see', tool_calls: CALLS }),
  chat(
    [
      user('weather'),
      { role: 'assistant', content: 'Let me see', tool_calls: CALLS },
      { role: 'tool', tool_call_id: 'c1', content: '18' },
    ],
    {
      content: 'It is 18',
    },
  ),
  chat([user('Hi'), { role: 'assistant', content: 'one' }, user('Hi')], { content: 'second turn' }),
  embedding('abc', [[0.1, 0.2]]),
  embedding(
    ['abc', 'd'],
    [
      [0.3, 0.4],
      [0.3, 0.4],
    ],
  ),
];

interface Body {
  readonly choices?: readonly { readonly message: { readonly content: string; readonly tool_calls?: unknown } }[];
  readonly data?: readonly { readonly embedding: readonly number[] }[];
}

function said(body: Body): unknown {
  const message = body.choices?.[0]?.message;
  return message === undefined ? body.data?.map((item) => item.embedding) : [message.content, message.tool_calls];
}

const PLAY = `
import json, sys, vcr, requests
calls = json.load(open(sys.argv[2]))
with vcr.use_cassette(sys.argv[1], record_mode='none', match_on=['method', 'uri', 'body']) as cassette:
    for call in calls:
        body = None if 'request' not in call else json.dumps(call['request'], separators=(',', ':'), ensure_ascii=False).encode()
        answer = requests.request(call.get('method', 'POST'), 'https://api.openai.com' + call['path'], data=body, headers={'content-type': 'application/json'})
        assert answer.json() == call['response'], call
    assert cassette.all_played
print('played', len(calls))
`;

describe('what is written for other recorders', function () {
  this.timeout(600_000);

  it('is played by aimock as it was recorded', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tapedeck-aimock-'));
    await writeFile(join(folder, 'fixtures.json'), converted(CONVERSATION, 'aimock'));
    const mock = new LLMock({ port: 0 });
    mock.loadFixtureFile(join(folder, 'fixtures.json'));
    await mock.start();
    try {
      for (const { path, request, response } of CONVERSATION) {
        const answer = await fetch(new URL(path, mock.url), {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(request),
        });
        assert.deepEqual(said((await answer.json()) as Body), said(response as Body), JSON.stringify(request));
      }
    } finally {
      await mock.stop();
    }
  });

  it('is played by vcrpy, a GET without a body too', async function () {
    const peer = await pythonWith('vcr');
    if ('missing' in peer) return this.skip();
    const calls = [{ method: 'GET', path: '/v1/models', response: { data: [1.5, 'ä\u2028'] } }, ...CONVERSATION];
    const folder = await mkdtemp(join(tmpdir(), 'tapedeck-vcrpy-'));
    const [cassette, list] = [join(folder, 'cassette.yaml'), join(folder, 'calls.json')];
    await writeFile(cassette, converted(calls, 'vcrpy'));
    await writeFile(list, JSON.stringify(calls));
    assert.match((await run(peer.python, ['-c', PLAY, cassette, list])).stdout, /played 9/);
  });
});
