import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { type IncomingMessage, type RequestOptions, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import OpenAI from 'openai';
import { reynFormat } from '../../../src/core/tapes/formats/reyn/index';
import { tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import type { OpenProxy, ProxyOptions } from '../../../src/engine/proxy/openProxy';
import { saveRecording } from '../../../src/engine/recording/saveRecording';
import { usageAdvice } from '../../../src/engine/recording/streamsWithoutUsage';
import { proxyIn } from '../../harness/proxyTakes';
import { completion, type Handler, inFolder, RECORDER, sendJson, serve } from '../../harness/support';

interface ReceivedResponse {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

function ask(
  url: string,
  { body = '', ...options }: RequestOptions & { readonly body?: string } = {},
): Promise<ReceivedResponse> {
  return new Promise((resolve, reject) => {
    const call = request(url, { method: 'POST', ...options }, (received) => {
      let text = '';
      received.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      received.on('end', () => resolve({ status: received.statusCode, headers: received.headers, text }));
      received.on('error', reject);
    });
    call.on('error', reject);
    call.end(body);
  });
}

/** A proxy before an upstream of ours; the tape is what the first call records. */
async function between(
  handler: Handler,
  use: (stage: {
    root: string;
    open(options: Partial<ProxyOptions> & Pick<ProxyOptions, 'mode'>): Promise<OpenProxy>;
    asked(): number;
  }) => Promise<void>,
): Promise<void> {
  const server = await serve(handler);
  const opened: OpenProxy[] = [];
  try {
    await inFolder(async (root) => {
      const open = async (options: Partial<ProxyOptions> & Pick<ProxyOptions, 'mode'>) => {
        const proxy = await proxyIn(root, {
          upstreams: { commandLine: { openai: server.baseUrl, tools: `http://${server.host}` } },
          ...options,
        });
        opened.push(proxy);
        return proxy;
      };
      await use({ root, open, asked: () => server.requests.length });
    });
  } finally {
    for (const proxy of opened) await proxy.close();
    await server.close();
  }
}

const question = (text: string, more: object = {}) =>
  JSON.stringify({ model: 'm', messages: [{ role: 'user', content: text }], ...more });
const chat = (proxy: OpenProxy, text: string, options: RequestOptions = {}) =>
  ask(`${proxy.base}/openai/chat/completions`, { body: question(text), ...options });
const requestText = (proxy: OpenProxy, text: string) => {
  const { pathname, host } = new URL(proxy.base);
  const body = question(text);
  return `POST ${pathname}/openai/chat/completions HTTP/1.1\r\nhost: ${host}\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
};
/** The contents of the answers to questions that are sent in one piece over one connection. */
const pipelined = async (proxy: OpenProxy, texts: readonly string[]): Promise<readonly (string | undefined)[]> => {
  const socket = connect(Number(new URL(proxy.base).port), '127.0.0.1');
  socket.write(texts.map((text) => requestText(proxy, text)).join(''));
  let received = '';
  const contents = () => [...received.matchAll(/"content":"([^"]*)"/g)].map(([, content]) => content);
  for await (const chunk of socket.setEncoding('utf8')) {
    received += chunk;
    if (contents().length === texts.length) break;
  }
  return contents();
};
const save = async (root: string, proxy: OpenProxy, append = false) => {
  await proxy.drain();
  return saveRecording({
    root,
    path: join(root, 'tapes/agent.tape.yaml'),
    format: 'vcrpy',
    recorded: proxy.recorded,
    recorder: RECORDER,
    append,
  });
};

const echo: Handler = (response, { body }, count) => {
  const [message] = (JSON.parse(body) as { messages: { content: string }[] }).messages;
  sendJson(response, 200, completion(`${message?.content} ${count}`));
};

describe('the door of the proxy', () => {
  it('is closed to pages, to other names for this machine, and to who does not know the token', async () => {
    await between(echo, async ({ open, asked }) => {
      const proxy = await open({ mode: 'passthrough' });
      const url = new URL(proxy.base);
      const statuses = await Promise.all(
        [
          chat(proxy, 'x', { headers: { origin: 'https://evil.example' } }),
          chat(proxy, 'x', { headers: { 'sec-fetch-site': 'cross-site' } }),
          chat(proxy, 'x', { headers: { host: `evil.example:${url.port}` } }),
          chat(proxy, 'x', { headers: { origin: 'null' }, method: 'OPTIONS' }),
          ask(`${url.origin}/openai/chat/completions`, { body: question('x') }),
          ask(`${url.origin}/${'x'.repeat(24)}/openai/chat/completions`, { body: question('x') }),
          ask(`${proxy.base}/unknown/chat`),
        ].map(async (received) => (await received).status),
      );
      assert.deepEqual(statuses, [403, 403, 403, 403, 404, 404, 404]);
      assert.equal(asked(), 0);
      assert.equal((await chat(proxy, 'x', { headers: { host: `localhost:${url.port}` } })).status, 200);
    });
  });
});

describe('a replay', () => {
  it('serves equal requests in their order, keeps lanes apart, and says when they are used up', async () => {
    await between(echo, async ({ root, open, asked }) => {
      const live = await open({ mode: 'record' });
      for (const text of ['a', 'b', 'a']) await chat(live, text);
      await save(root, live);
      const proxy = await open({ mode: 'replay' });
      const contents = async (text: string, lane?: string) => {
        const { text: body } = await chat(proxy, text, lane ? { headers: { 'x-tapedeck-lane': lane } } : {});
        return /"content":"([^"]*)"/.exec(body)?.[1];
      };
      assert.deepEqual([await contents('a'), await contents('a', 'other')], ['a 1', 'a 1']);
      assert.deepEqual([await contents('a'), await contents('b')], ['a 3', 'b 2']);
      const again = await chat(proxy, 'a');
      assert.equal(again.status, 400);
      assert.equal(again.headers['x-should-retry'], 'false');
      assert.match(again.text, /tapedeck_used_up/);
      assert.equal(await contents('b', 'other'), 'b 2', 'the matcher knows what was served before it');
      assert.equal(await contents('a', 'other'), 'a 3');
      assert.equal(asked(), 3);
    });
  });

  it('answers requests that come together each with its own recording, in the order of their connection', async () => {
    await between(echo, async ({ root, open }) => {
      const live = await open({ mode: 'record' });
      const texts = Array.from({ length: 8 }, (_, at) => `question ${at}`);
      for (const text of texts) await chat(live, text);
      await save(root, live);
      const proxy = await open({ mode: 'replay', repeat: true });
      const contents = await Promise.all([texts, texts.toReversed(), texts].map((all) => pipelined(proxy, all)));
      const expected = texts.map((text, at) => `${text} ${at + 1}`);
      assert.deepEqual(contents, [expected, expected.toReversed(), expected]);
    });
  });

  it('is not disturbed by clients that leave in the middle of a request, or before its answer', async () => {
    await between(echo, async ({ root, open }) => {
      const live = await open({ mode: 'record' });
      await chat(live, 'a');
      await save(root, live);
      const faults: string[] = [];
      const proxy = await open({ mode: 'replay', repeat: true, onFault: (message) => faults.push(message) });
      for (const part of [0.2, 0.9, 1]) {
        const whole = requestText(proxy, 'a');
        const socket = connect(Number(new URL(proxy.base).port), '127.0.0.1');
        await once(socket, 'connect');
        socket.write(whole.slice(0, whole.length * part), () => socket.destroy());
        await once(socket, 'close');
        assert.match((await chat(proxy, 'a')).text, /"content":"a 1"/);
      }
      assert.deepEqual(faults, []);
    });
  });

  it('finds a request whose keys are in another order', async () => {
    await between(echo, async ({ root, open }) => {
      const live = await open({ mode: 'record' });
      await chat(live, 'a');
      await save(root, live);
      const proxy = await open({ mode: 'replay' });
      const body = '{"messages":[{"content":"a","role":"user"}],"model":"m"}';
      const received = await ask(`${proxy.base}/openai/chat/completions`, { body });
      assert.equal(received.status, 200);
      assert.equal(proxy.tally.text(), '1 exact');
    });
  });

  it('counts what it refuses before it looks at the tape, and nothing that is not of the agent', async () => {
    await between(echo, async ({ root, open }) => {
      const live = await open({ mode: 'record' });
      await chat(live, 'a');
      await save(root, live);
      const refused = async (ask: (proxy: OpenProxy) => Promise<unknown>, mode: 'replay' | 'record' = 'replay') => {
        const proxy = await open({ mode });
        await ask(proxy);
        await proxy.drain();
        return proxy.tally.reports.map(({ verdict, path, explanation }) => `${verdict} ${path} ${explanation}`);
      };
      const send = async (proxy: OpenProxy, text: string) => {
        const socket = connect(Number(new URL(proxy.base).port), '127.0.0.1');
        socket.end(text);
        for await (const _ of socket);
      };
      const away = (proxy: OpenProxy) =>
        ask(proxy.base, { path: `${new URL(proxy.base).pathname}/openai/%2e%2e/x?key=k`, body: question('a') });
      assert.deepEqual(await refused(away), ['missing /openai/%2e%2e/x the path leads out of the base URL of its API']);
      assert.deepEqual(await refused((proxy) => ask(`${proxy.base}/unknown/chat`), 'record'), [
        `unreachable /unknown/chat there is no API with this name; the available APIs are: ${[...live.upstreams.keys()].join(', ')}`,
      ]);
      for (const path of ['/unknown', '/unknown/']) {
        const [nowhere] = await refused((proxy) => ask(`${proxy.base}${path}`, { body: question('a') }));
        assert.match(nowhere ?? '', /^missing /);
      }
      const tooLarge = (proxy: OpenProxy) => chat(proxy, 'x'.repeat(64 * 1024 * 1024));
      assert.deepEqual(await refused(tooLarge), ['missing /openai/chat/completions the request is too large']);
      const [noHttp = ''] = await refused((proxy) => send(proxy, 'POST /x HTTP/1.1\r\nhost x\r\n\r\n'));
      assert.match(noHttp, /^missing \/ the request is not valid HTTP/);
      const long = `GET / HTTP/1.1\r\na: ${'x'.repeat(80 * 1024)}\r\n\r\n`;
      assert.deepEqual(await refused((proxy) => send(proxy, long)), [
        'missing / the headers of the request are too large',
      ]);
      const strangers = await refused(async (proxy) => {
        await chat(proxy, 'a', { headers: { origin: 'https://evil.example' } });
        await ask(`${new URL(proxy.base).origin}/openai/chat/completions`, { body: question('a') });
      });
      assert.deepEqual(strangers, []);
    });
  });

  it('refuses in the shape of each API, so that its SDK says why and asks once', async () => {
    await between(echo, async ({ root, open }) => {
      const live = await open({ mode: 'record' });
      await chat(live, 'hello there');
      await save(root, live);
      const proxy = await open({ mode: 'replay' });
      const client = new OpenAI({ baseURL: `${proxy.base}/openai`, apiKey: 'x' });
      const messages = [{ role: 'user' as const, content: 'hello you' }];
      await assert.rejects(client.chat.completions.create({ model: 'm', messages }), (error) => {
        assert.ok(error instanceof OpenAI.BadRequestError);
        assert.match(error.message, /differs from interaction 1 in one place/);
        assert.match(error.message, /\[-there-\]\{\+you\+\}/);
        return true;
      });
      assert.equal(proxy.tally.text(), '1 drifted');
      const bodies = await Promise.all(
        ['anthropic/v1/messages', 'gemini/v1beta/models/g:generateContent', 'ollama/api/chat'].map(
          async (path) => JSON.parse((await ask(`${proxy.base}/${path}`, { body: question('x') })).text) as object,
        ),
      );
      assert.deepEqual(
        bodies.map((body) => Object.keys(body)),
        [['type', 'error', 'request_id'], ['error'], ['error']],
      );
      assert.equal(typeof (bodies[2] as { error: unknown }).error, 'string');
    });
  });

  it('matches without the secrets of both sides', async () => {
    const key = (end: string) => `sk-proj-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9v${end}`;
    await between(echo, async ({ root, open }) => {
      const live = await open({ mode: 'record' });
      await chat(live, `my key is ${key('W1xY')}`);
      await save(root, live);
      const proxy = await open({ mode: 'replay' });
      assert.equal((await chat(proxy, `my key is ${key('ZZ99')}`)).status, 200);
      assert.equal(proxy.tally.text(), '1 exact');
    });
  });

  it('gives bytes that are no text as they were', async () => {
    const bytes = Buffer.from([0, 255, 128, 7, 200, 1]);
    const binary: Handler = (response) =>
      void response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(bytes);
    await between(binary, async ({ root, open }) => {
      const live = await open({ mode: 'record' });
      await ask(`${live.base}/tools/file`, { method: 'GET' });
      await save(root, live);
      const proxy = await open({ mode: 'replay' });
      const fetched = await fetch(`${proxy.base}/tools/file`);
      assert.deepEqual(Buffer.from(await fetched.arrayBuffer()), bytes);
    });
  });
});

describe('a recording', () => {
  it('passes a stream on piece by piece, before it ends', async () => {
    let finish = () => undefined as undefined;
    const slow: Handler = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: {"a":1}\n\n');
      finish = () => void response.end('data: [DONE]\n\n') as undefined;
    };
    await between(slow, async ({ open }) => {
      const proxy = await open({ mode: 'record' });
      const pieces: string[] = [];
      await new Promise<void>((resolve, reject) => {
        const call = request(`${proxy.base}/openai/chat/completions`, { method: 'POST' }, (received) => {
          received.setEncoding('utf8').on('data', (piece: string) => {
            pieces.push(piece);
            if (pieces.length === 1) finish();
          });
          received.on('end', resolve);
        });
        call.on('error', reject);
        call.end(question('x', { stream: true }));
      });
      assert.deepEqual(pieces, ['data: {"a":1}\n\n', 'data: [DONE]\n\n']);
    });
  });

  it('keeps what failed at the upstream, and not what was cut off', async () => {
    const failing: Handler = (response, _request, count) => {
      if (count === 1) sendJson(response, 429, { error: { message: 'slow down' } }, { 'retry-after': '1' });
      else {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: {"a":1}\n\n');
        setTimeout(() => response.destroy(), 20);
      }
    };
    await between(failing, async ({ root, open }) => {
      const proxy = await open({ mode: 'record' });
      const limited = await chat(proxy, 'x');
      assert.deepEqual([limited.status, limited.headers['retry-after']], [429, '1']);
      await assert.rejects(chat(proxy, 'y'), 'what is cut off does not look whole');
      await proxy.drain();
      assert.equal(proxy.tally.text(), '1 recorded, 1 cut-off');
      assert.equal((await save(root, proxy)).interactions, 1);
    });
  });

  it('keeps the beginning of a response without an end, and passes on all of it', async () => {
    const MEBIBYTE = 2 ** 20;
    const long: Handler = (response, { body }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      let left = body.includes('"long"') ? 40 : 2;
      const more = (): void => {
        left -= 1;
        if (left < 0) response.end();
        else response.write(`data: ${'x'.repeat(MEBIBYTE - 8)}\n\n`, more);
      };
      more();
    };
    await between(long, async ({ open }) => {
      const proxy = await open({ mode: 'record' });
      assert.equal((await chat(proxy, 'long')).text.length, 40 * MEBIBYTE);
      assert.equal((await chat(proxy, 'short')).text.length, 2 * MEBIBYTE);
      await proxy.drain();
      assert.equal(proxy.tally.text(), '1 cut-off, 1 recorded');
      assert.match(proxy.tally.reports[0]?.explanation ?? '', /its beginning is recorded/);
      const [first, second] = proxy.recorded.map(({ http }) => http);
      assert.deepEqual([first?.ended, second?.ended], ['reset', undefined]);
      const body = first?.responseBody;
      const length = body?.type === 'chunks' ? body.chunks.reduce((sum, { data }) => sum + data.length, 0) : 0;
      assert.ok(length > 16 * MEBIBYTE && length <= 32 * MEBIBYTE, `${length}`);
      const passing = await open({ mode: 'passthrough' });
      assert.equal((await chat(passing, 'long')).text.length, 40 * MEBIBYTE);
    });
  });

  it('replays what broke off as broken off, in a format that can say so', async () => {
    const half: Handler = (response, { body }) => {
      const isStream = body.includes('"stream":true');
      response.writeHead(200, {
        'content-type': isStream ? 'text/event-stream' : 'application/json',
        ...(!isStream && { 'content-length': '100' }),
      });
      response.write('{"choices":[{');
      setTimeout(() => response.destroy(), 20);
    };
    await between(half, async ({ root, open }) => {
      const tapePath = join(root, 'half.tape.jsonl');
      const questions = [question('a'), question('b', { stream: true })];
      const live = await open({ mode: 'record', tapePath });
      for (const body of questions) await assert.rejects(ask(`${live.base}/openai/chat/completions`, { body }));
      await live.drain();
      await saveRecording({
        root,
        path: tapePath,
        format: undefined,
        recorded: live.recorded,
        recorder: RECORDER,
        append: false,
      });
      const proxy = await open({ mode: 'replay', tapePath });
      for (const body of questions) await assert.rejects(ask(`${proxy.base}/openai/chat/completions`, { body }));
      assert.equal(proxy.tally.text(), '2 exact');
    });
  });

  it('says which streams have no token counts, because they were not asked for', async () => {
    const chunk = {
      id: 'c',
      object: 'chat.completion.chunk',
      model: 'm',
      choices: [{ index: 0, delta: { content: 'Hi' } }],
    };
    const streaming: Handler = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
    };
    await between(streaming, async ({ root, open }) => {
      const proxy = await open({ mode: 'record', tapePath: join(root, 'usage.tape.jsonl') });
      const asked = { model: 'm', messages: [{ role: 'user', content: 'Hello' }], stream: true };
      await ask(`${proxy.base}/openai/chat/completions`, { body: JSON.stringify(asked) });
      await proxy.drain();
      assert.match(usageAdvice(proxy.recorded) ?? '', /^1 recorded stream has no token counts\. Ask for them/);
    });
  });

  it('serves a request that offers another protocol besides, such as HTTP/2, as if it did not', async () => {
    await between(echo, async ({ root, open }) => {
      const headers = {
        connection: 'Upgrade, HTTP2-Settings',
        upgrade: 'h2c',
        'http2-settings': 'AAMAAABkAAQCAAAAAAIAAAAA',
      };
      const live = await open({ mode: 'record' });
      assert.equal((await chat(live, 'a', { headers })).status, 200);
      await save(root, live);
      const proxy = await open({ mode: 'replay' });
      assert.equal((await chat(proxy, 'a', { headers })).status, 200);
      assert.deepEqual([live.tally.text(), proxy.tally.text()], ['1 recorded', '1 exact']);
    });
  });

  it('replays an API under any name, without its address', async () => {
    await between(
      (response) => sendJson(response, 200, { found: 1 }),
      async ({ root, open, asked }) => {
        const tapePath = join(root, 'tools.tape.jsonl');
        const host = (await open({ mode: 'record', tapePath })).upstreams.get('tools')?.address?.host ?? '';
        const upstreams = { commandLine: { search: `http://${host}/base/api` } };
        const live = await open({ mode: 'record', tapePath, upstreams });
        const find = (proxy: OpenProxy) => ask(`${proxy.base}/search/find?q=1`, { body: '{"a":1}' });
        await find(live);
        await live.drain();
        const kept = { root, path: tapePath, format: undefined, recorded: live.recorded, recorder: RECORDER };
        await saveRecording({ ...kept, append: false });
        const proxy = await open({ mode: 'replay', tapePath, upstreams: {} });
        assert.deepEqual(JSON.parse((await find(proxy)).text), { found: 1 });
        assert.match((await ask(`${proxy.base}/search/find?q=1`, { body: '{"a":2}' })).text, /parameter a: 1 → 2/);
        assert.equal(asked(), 1);
      },
    );
  });

  it('plays a stream in the time that it took', async () => {
    const slow: Handler = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
      setTimeout(() => response.end('data: [DONE]\n\n'), 60);
    };
    await between(slow, async ({ root, open }) => {
      const tapePath = join(root, 'slow.tape.jsonl');
      const live = await open({ mode: 'record', tapePath });
      await chat(live, 'x');
      await live.drain();
      await saveRecording({
        root,
        path: tapePath,
        format: undefined,
        recorded: live.recorded,
        recorder: RECORDER,
        append: false,
      });
      const proxy = await open({ mode: 'replay', tapePath, pace: 1 });
      const pieces: string[] = [];
      await new Promise((resolve, reject) => {
        const call = request(`${proxy.base}/openai/chat/completions`, { method: 'POST' }, (received) => {
          received
            .setEncoding('utf8')
            .on('data', (piece: string) => pieces.push(piece))
            .on('end', resolve);
        });
        call.on('error', reject).end(question('x'));
      });
      assert.deepEqual(pieces, ['data: 1\n\n', 'data: [DONE]\n\n'], 'piece by piece');
    });
  });

  it('says which upstream cannot be reached', async () => {
    await between(echo, async ({ open }) => {
      const proxy = await open({ mode: 'record', upstreams: { commandLine: { openai: 'http://127.0.0.1:9/v1' } } });
      const received = await chat(proxy, 'x');
      assert.equal(received.status, 502);
      assert.match(received.text, /openai at http:\/\/127\.0\.0\.1:9 cannot be reached: ECONNREFUSED/);
      assert.equal((await ask(`${proxy.base}/azure/openai/deployments/d/chat/completions`)).status, 400);
      await proxy.drain();
      assert.equal(proxy.tally.count('unreachable'), 2);
    });
  });

  it('adds to a Reyn fixture behind entries whose keys cannot be computed again', async () => {
    await between(echo, async ({ root, open }) => {
      const stored = '{"model": "m", "choices": [{"message": {"content": "old"}}]}';
      const old = `{"key": "${'a'.repeat(64)}", "model": "m", "prompt_preview": "hi", "response": ${stored}}\n`;
      const path = join(root, 'fixture.jsonl');
      await writeFile(path, old);
      const live = await open({ mode: 'record' });
      await chat(live, 'a');
      await live.drain();
      const saved = await saveRecording({
        root,
        path,
        format: undefined,
        recorded: live.recorded,
        recorder: RECORDER,
        append: true,
      });
      assert.equal(saved.interactions, 2);
      const text = await readFile(path, 'utf8');
      assert.ok(text.startsWith(old), text);
      assert.deepEqual(
        reynFormat.read(tapeFileFromText(text)).interactions.map(({ response }) => response?.content),
        ['old', 'a 1'],
      );
    });
  });

  it('in auto mode adds to the tape what is not on it', async () => {
    await between(echo, async ({ root, open, asked }) => {
      const live = await open({ mode: 'record' });
      await chat(live, 'a');
      await save(root, live);
      const proxy = await open({ mode: 'auto' });
      await chat(proxy, 'a');
      await chat(proxy, 'b');
      await proxy.drain();
      assert.equal(asked(), 2);
      assert.equal(proxy.tally.text(), '1 exact, 1 recorded');
      assert.equal((await save(root, proxy, true)).interactions, 2);
      const replay = await open({ mode: 'replay' });
      assert.deepEqual([(await chat(replay, 'a')).status, (await chat(replay, 'b')).status], [200, 200]);
      assert.deepEqual(await replay.unused(), []);
    });
  });
});
