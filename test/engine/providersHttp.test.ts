import assert from 'node:assert/strict';
import { ProviderError } from '../../src/engine/providers/chatProvider';
import { createLive } from '../../src/engine/providers/createProvider';
import { resolveEndpoint } from '../../src/engine/providers/endpoint';
import { readRetryAfter } from '../../src/engine/providers/retry';
import { liveCase, Studio } from './studio';
import {
  completion,
  failureOf,
  type Handler,
  inFolder,
  NEVER,
  providerOf,
  requestOf,
  sendJson,
  serve,
  type TestServer,
} from './support';

const KEY = 'sk-test-0123456789abcdef';

/** Runs `test` with a server and a studio, and takes both away afterwards. */
async function against(handler: Handler, test: (server: TestServer, studio: Studio) => Promise<void>): Promise<void> {
  const server = await serve(handler);
  try {
    await inFolder(async (folder) => {
      const studio = new Studio(folder);
      studio.env.OPENAI_API_KEY = KEY;
      await test(server, studio);
    });
  } finally {
    await server.close();
  }
}

/** The error of a recording against the server. The tape it would have replaced is untouched. */
async function failing(
  handler: Handler,
  check: (error: ProviderError, server: TestServer, studio: Studio) => void,
  more = '',
) {
  await against(handler, async (server, studio) => {
    const { error, outputText } = await studio.untouched(() => studio.record(liveCase(server.baseUrl, more)));
    assert.ok(error instanceof ProviderError, `${error}`);
    assert.equal(outputText, null);
    assert.ok(!`${error.message} ${error.fix} ${studio.notices}`.includes(KEY), 'the key is in no text');
    check(error, server, studio);
  });
}

const sse = { 'content-type': 'text/event-stream' };
const frame = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const part = (content: string) => frame({ choices: [{ index: 0, delta: { content } }] });
const STREAM = 'stream = true';

describe('a live provider', function () {
  this.timeout(20_000);

  it('sends the key and the model, and nothing of them to the tape', async () => {
    await against(
      (response) =>
        sendJson(response, 200, completion('hello', { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 })),
      async (server, studio) => {
        const run = await studio.record(liveCase(server.baseUrl));
        assert.equal(run.outputText, 'hello');
        const [request] = server.requests;
        assert.equal(request?.url, '/v1/chat/completions');
        assert.equal(request?.headers.authorization, `Bearer ${KEY}`);
        assert.equal(JSON.parse(request?.body ?? '').model, 'test-model');
        const tape = await studio.tape();
        assert.ok(!tape.includes(KEY) && !tape.includes('Bearer') && !tape.includes(server.host));
        assert.match(tape, /"total_tokens": 3/);
      },
    );
  });

  it('closes its connections', async () => {
    await against(
      (response) => sendJson(response, 200, completion('hello')),
      async (server) => {
        const provider = createLive(providerOf(`kind = "ollama"\nbase_url = "${server.baseUrl}"`), {
          seed: 0,
          env: () => undefined,
        });
        await provider.chat(requestOf('hi'), NEVER);
        assert.equal(server.requests[0]?.headers.connection, 'close');
        assert.equal(server.requests[0]?.headers.authorization, undefined);
      },
    );
  });

  it('does not put a key on the tape that the server echoes', async () => {
    const call = { id: 'c', function: { name: 'weather', arguments: JSON.stringify({ city: `Bearer ${KEY}` }) } };
    await against(
      (response, _request, count) =>
        sendJson(
          response,
          200,
          count === 1 ? { choices: [{ message: { tool_calls: [call] } }] } : completion(`You sent ${KEY}.`),
        ),
      async (server, studio) => {
        const run = await studio.record(liveCase(server.baseUrl));
        assert.equal(run.outputText, 'You sent [redacted].');
        assert.ok(!(await studio.tape()).includes(KEY));
      },
    );
  });

  for (const status of [401, 403]) {
    it(`explains a ${status} with host, status, the provider's words and the variable of the key`, async () => {
      await failing(
        (response) => sendJson(response, status, { error: { message: `Incorrect API key provided: ${KEY}.` } }),
        (error, server) => {
          assert.equal(error.kind, 'provider');
          const words = `HTTP ${status}: Incorrect API key provided: [redacted].`;
          assert.equal(error.message, `${server.host} refused the key in \`OPENAI_API_KEY\`: ${words}`);
          assert.match(error.fix, /OPENAI_API_KEY/);
          assert.equal(server.requests.length, 1, 'a refusal is not tried again');
        },
      );
    });
  }

  it('says that a key is missing where a server on this machine wants one after all', async () => {
    await against(
      (response) => sendJson(response, 401, { error: 'who are you?' }),
      async (server, studio) => {
        delete studio.env.OPENAI_API_KEY;
        const { error } = await studio.untouched(() => studio.record(liveCase(server.baseUrl)));
        assert.equal(
          error?.message,
          `${server.host} wants a key, and \`OPENAI_API_KEY\` is not set: HTTP 401: who are you?`,
        );
      },
    );
  });

  it('explains a 400 and a 404 in the words of the provider, with address and model', async () => {
    for (const status of [400, 404]) {
      await failing(
        (response) => sendJson(response, status, { error: { message: 'The model `test-model` does not exist' } }),
        (error, server) => {
          assert.equal(error.kind, 'provider');
          assert.equal(
            error.message,
            `${server.host} refused the request: HTTP ${status}: The model \`test-model\` does not exist`,
          );
          assert.ok(error.fix.includes(`${server.baseUrl}/chat/completions`) && error.fix.includes('test-model'));
          assert.equal(server.requests.length, 1);
        },
      );
    }
  });

  it('cuts a long explanation, but never through the key', async () => {
    await failing(
      (response) => sendJson(response, 400, { error: { message: `${'x'.repeat(190)}${KEY}${'y'.repeat(500)}` } }),
      (error) => {
        assert.ok(!error.message.includes('sk-test'));
        assert.ok(error.message.length < 300);
      },
    );
  });

  it('waits and asks again after a 429, as long as the provider wants it', async () => {
    await against(
      (response, _request, count) =>
        count === 1
          ? sendJson(response, 429, { error: { message: 'slow down' } }, { 'retry-after': '1' })
          : sendJson(response, 200, completion('hello')),
      async (server, studio) => {
        const run = await studio.record(liveCase(server.baseUrl));
        assert.equal(run.outputText, 'hello');
        assert.equal(server.requests.length, 2);
        assert.ok(run.durationMs >= 990, `${run.durationMs} ms`);
        assert.deepEqual(studio.notices, [
          `${server.host} takes no more requests for now: HTTP 429: slow down; attempt 2 of 3 in 1.0 s`,
        ]);
      },
    );
  });

  it('gives up after three attempts at a 500, which back off', async () => {
    const times: number[] = [];
    await failing(
      (response) => {
        times.push(performance.now());
        sendJson(response, 500, { error: { message: 'the model is on fire' } });
      },
      (error, server, studio) => {
        assert.equal(error.kind, 'unreachable');
        assert.equal(error.message, `${server.host} failed: HTTP 500: the model is on fire (3 attempts)`);
        assert.equal(server.requests.length, 3);
        assert.equal(studio.notices.length, 2);
        const [first = 0, second = 0, third = 0] = times;
        assert.ok(second - first >= 245 && third - second >= 495, `${times}`);
      },
    );
  });

  it('names the web page that answered instead of an API', async () => {
    const page =
      '<!DOCTYPE html><html><head><title>Sign in &#183; Corporate Portal</title></head><body>…</body></html>';
    await failing(
      (response) => response.writeHead(200, { 'content-type': 'text/html' }).end(page),
      (error, server) => {
        assert.equal(error.kind, 'provider');
        assert.equal(
          error.message,
          `${server.host} answered with a web page, not JSON: “Sign in &#183; Corporate Portal”`,
        );
        assert.ok(error.fix.includes('base_url'));
      },
    );
    await failing(
      (response) => response.writeHead(404).end('<html><body><h1>Not Found</h1></body></html>'),
      (error) => assert.match(error.message, /a web page, not JSON: “Not Found”$/),
    );
  });

  it('says where a redirect leads', async () => {
    await failing(
      (response) => response.writeHead(301, { location: 'https://elsewhere.example/v1' }).end(),
      (error) => assert.match(error.message, /sent us on to https:\/\/elsewhere\.example\/v1 \(HTTP 301\)/),
    );
  });

  it('shows the beginning of an answer that makes no sense', async () => {
    for (const body of ['{"object":"list","data":[]}', 'pong', '[1', '{"choices": oops}']) {
      await failing(
        (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(body),
        (error, server) => {
          assert.equal(error.kind, 'provider');
          assert.equal(error.message, `the answer of ${server.host} is not a chat completion: ${body}`);
        },
      );
    }
  });

  it('passes on an error that comes with status 200', async () => {
    await failing(
      (response) => sendJson(response, 200, { error: { message: 'upstream is gone', code: 502 } }),
      (error, server) => assert.equal(error.message, `${server.host} reported an error: upstream is gone`),
    );
  });
});

describe('an answer that breaks off', function () {
  this.timeout(20_000);
  const whole = JSON.stringify(completion('hello'));

  it('is noticed when the JSON is cut but the connection ends well', async () => {
    for (const length of [0, 1, whole.length - 1, whole.length - 20]) {
      await failing(
        (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(whole.slice(0, length)),
        (error, server) => {
          assert.equal(error.kind, 'unreachable');
          assert.equal(error.message, `${server.host}: the answer broke off after ${length} bytes`);
          assert.equal(server.requests.length, 1, 'what was begun is not asked for again');
        },
      );
    }
  });

  it('is noticed when the connection is cut', async () => {
    await failing(
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': whole.length });
        response.write(whole.slice(0, 10), () => setTimeout(() => response.destroy(), 30));
      },
      (error, server) => assert.equal(error.message, `${server.host}: the answer broke off after 10 bytes`),
    );
  });

  it('is noticed in half a stream, with and without a cut connection', async () => {
    const half = part('hel');
    for (const cut of [true, false]) {
      await failing(
        (response) => {
          response.writeHead(200, sse);
          response.write(half, () => setTimeout(() => (cut ? response.destroy() : response.end()), 30));
        },
        (error, server) =>
          assert.equal(error.message, `${server.host}: the answer broke off after ${half.length} bytes`),
        STREAM,
      );
    }
    await failing(
      (response) => response.writeHead(200, sse).end(half + part('lo').slice(0, 15)),
      (error) => assert.match(error.message, /broke off after \d+ bytes/),
      STREAM,
    );
  });

  it('does not hide an error that the stream reports', async () => {
    await failing(
      (response) =>
        response.writeHead(200, sse).end(part('hel') + frame({ error: { message: `no credit for ${KEY}` } })),
      (error, server) => assert.equal(error.message, `${server.host} reported an error: no credit for [redacted]`),
      STREAM,
    );
    await failing(
      (response) => response.writeHead(200, sse).end('data: {oops\n\n'),
      (error) => assert.match(error.message, /is not a chat completion: \{oops$/),
      STREAM,
    );
  });

  it('is none when the server keeps the connection after [DONE], or cannot stream', async () => {
    await against(
      (response) => response.writeHead(200, sse).write(`${part('hello')}data: [DONE]\n\n`),
      async (server, studio) =>
        assert.equal((await studio.record(liveCase(server.baseUrl, STREAM))).outputText, 'hello'),
    );
    await against(
      (response) => sendJson(response, 200, completion('at once')),
      async (server, studio) =>
        assert.equal((await studio.record(liveCase(server.baseUrl, STREAM))).outputText, 'at once'),
    );
  });
});

describe('a connection', function () {
  this.timeout(20_000);

  it('that is refused is tried three times', async () => {
    const server = await serve(() => {});
    await server.close();
    await inFolder(async (folder) => {
      const studio = new Studio(folder);
      const { error } = await studio.untouched(() => studio.record(liveCase(server.baseUrl)));
      assert.ok(error instanceof ProviderError);
      assert.equal(error.kind, 'unreachable');
      assert.equal(error.message, `could not reach ${server.host}: nothing listens there (ECONNREFUSED) (3 attempts)`);
      assert.ok(error.fix.includes(`${server.baseUrl}/chat/completions`));
      assert.equal(studio.notices.length, 2);
    });
  });

  it('that is reset before an answer is tried again, and then named', async () => {
    await failing(
      (response) => response.socket?.resetAndDestroy(),
      (error, server) => {
        assert.equal(error.kind, 'unreachable');
        assert.equal(
          error.message,
          `could not reach ${server.host}: it closed the connection before it answered (ECONNRESET) (3 attempts)`,
        );
        assert.equal(server.requests.length, 3);
      },
    );
    await against(
      (response, _request, count) =>
        count < 3 ? response.socket?.resetAndDestroy() : sendJson(response, 200, completion('third time')),
      async (server, studio) => assert.equal((await studio.record(liveCase(server.baseUrl))).outputText, 'third time'),
    );
  });

  it('that is reset in the middle is not tried again', async () => {
    await failing(
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write('{"choices"', () => setTimeout(() => response.socket?.resetAndDestroy(), 30));
      },
      (error, server) => {
        assert.equal(error.message, `${server.host}: the answer broke off after 10 bytes`);
        assert.equal(server.requests.length, 1);
      },
    );
  });

  it('to no host says so at once', async () => {
    const provider = createLive(providerOf('kind = "ollama"\nbase_url = "http://no-such-host.invalid/v1"'), {
      seed: 0,
      env: () => undefined,
    });
    const error = await failureOf(provider.chat(requestOf('hi'), NEVER));
    assert.equal(error.kind, 'unreachable');
    assert.match(error.message, /^could not reach no-such-host\.invalid: .*(ENOTFOUND|EAI_AGAIN)/);
  });

  it('on which nothing comes is given up, before the answer and in it', async () => {
    assert.equal(providerOf('kind = "practice"').timeoutMs, 60_000, 'by default after a minute');
    await failing(
      () => {},
      (error, server) => {
        assert.equal(error.kind, 'unreachable');
        assert.equal(error.message, `${server.host} said nothing for 0.2 s`);
        assert.match(error.fix, /timeout_ms/);
        assert.equal(server.requests.length, 1);
      },
      'timeout_ms = 200',
    );
    await failing(
      (response) => response.writeHead(200, sse).write(part('hel')),
      (error) => assert.match(error.message, /said nothing for 0\.2 s$/),
      `timeout_ms = 200\n${STREAM}`,
    );
  });

  it('on which a little comes all the time is not', async () => {
    await against(
      (response) => {
        response.writeHead(200, sse);
        const words = ['slow', ' and', ' steady', ' wins', ' the', ' race'];
        const timer = setInterval(() => {
          const word = words.shift();
          if (word !== undefined) return response.write(part(word));
          clearInterval(timer);
          return response.end('data: [DONE]\n\n');
        }, 120);
      },
      async (server, studio) => {
        const run = await studio.record(liveCase(server.baseUrl, `timeout_ms = 300\n${STREAM}`));
        assert.equal(run.outputText, 'slow and steady wins the race');
        assert.ok(run.durationMs > 600);
      },
    );
  });
});

describe('cancelling a recording', function () {
  this.timeout(20_000);
  const reason = new Error('the user pressed Stop');

  const phases: Readonly<Record<string, Handler>> = {
    'before the answer': () => {},
    'in the headers': (response) => response.writeHead(200, sse).flushHeaders(),
    'in the answer': (response) => response.writeHead(200, sse).write(part('hel')),
    'while waiting for another attempt': (response) => sendJson(response, 429, {}, { 'retry-after': '15' }),
    'after the first interaction': (response, _request, count) => {
      const call = { id: 'c', function: { name: 'weather', arguments: '{}' } };
      if (count === 1) sendJson(response, 200, { choices: [{ message: { tool_calls: [call] } }] });
    },
  };
  for (const [phase, handler] of Object.entries(phases)) {
    it(`${phase} ends it at once, and leaves the tape as it was`, async () => {
      await against(handler, async (server, studio) => {
        const controller = new AbortController();
        const started = performance.now();
        setTimeout(() => controller.abort(reason), 150);
        await studio.untouched(() =>
          assert.rejects(studio.record(liveCase(server.baseUrl, STREAM), controller.signal), reason),
        );
        assert.ok(performance.now() - started < 1500);
      });
    });
  }

  it('before it began asks nobody', async () => {
    await against(
      () => {},
      async (server, studio) => {
        await studio.untouched(() =>
          assert.rejects(studio.record(liveCase(server.baseUrl), AbortSignal.abort(reason)), reason),
        );
        assert.equal(server.requests.length, 0);
      },
    );
  });
});

describe("a live provider's settings", () => {
  const resolve = (toml: string, env: Record<string, string> = {}) =>
    resolveEndpoint(providerOf(toml), (name) => env[name]);
  const thrownBy = (toml: string, env: Record<string, string> = {}): ProviderError => {
    try {
      resolve(toml, env);
    } catch (error) {
      assert.ok(error instanceof ProviderError);
      return error;
    }
    return assert.fail('nothing was thrown');
  };
  const REMOTE = 'kind = "open_ai_compatible"\nbase_url = "https://api.example.com/v1"';

  it("are filled in as MoFA's", () => {
    const openAi = resolve(REMOTE, { OPENAI_API_KEY: ` ${KEY}\n` });
    assert.equal(openAi.url.href, 'https://api.example.com/v1/chat/completions');
    assert.deepEqual([openAi.model, openAi.key, openAi.idleTimeoutMs], ['gpt-4o-mini', KEY, 60_000]);
    const ollama = resolve('kind = "ollama"');
    assert.equal(ollama.url.href, 'http://127.0.0.1:11434/v1/chat/completions');
    assert.deepEqual([ollama.model, ollama.key], ['llama3', undefined]);
    const elsewhere = resolve('kind = "ollama"', { OLLAMA_BASE_URL: 'http://gpu:1/v1/', OLLAMA_MODEL: 'qwen3' });
    assert.deepEqual([elsewhere.url.href, elsewhere.model], ['http://gpu:1/v1/chat/completions', 'qwen3']);
    assert.equal(resolve('kind = "ollama"\nmodel = "mine"', { OLLAMA_MODEL: 'qwen3' }).model, 'mine');
  });

  it('want a key, unless the server is on this machine', () => {
    const missing = thrownBy(REMOTE);
    assert.equal(missing.message, 'missing environment variable `OPENAI_API_KEY` for llm provider');
    assert.equal(missing.kind, 'provider');
    assert.equal(
      thrownBy(`${REMOTE}\napi_key_env = "GROQ"`).message,
      'missing environment variable `GROQ` for llm provider',
    );
    assert.match(thrownBy(REMOTE, { OPENAI_API_KEY: '' }).message, /^missing environment variable/);
    for (const host of ['127.0.0.1:1', 'localhost:1']) {
      assert.equal(resolve(`kind = "open_ai_compatible"\nbase_url = "http://${host}/v1"`).key, undefined);
    }
  });

  it('refuse a key that cannot be one, without showing it', () => {
    const error = thrownBy(REMOTE, { OPENAI_API_KEY: 'my secret\nkey' });
    assert.match(error.message, /`OPENAI_API_KEY` does not hold a key/);
    assert.ok(!`${error.message}${error.fix}`.includes('secret'));
  });

  it('refuse an address that is none', () => {
    assert.match(
      thrownBy('kind = "ollama"', { OLLAMA_BASE_URL: 'gpu:11434' }).message,
      /not an http\(s\) address: `gpu:11434`/,
    );
  });

  it('keep a query, take the whole address too, and show nothing secret', () => {
    const azure = 'kind = "ollama"\nbase_url = "https://user:pass@az.example/openai/v1/?api-version=1&code=secret"';
    const endpoint = resolve(azure);
    assert.equal(endpoint.url.pathname + endpoint.url.search, '/openai/v1/chat/completions?api-version=1&code=secret');
    assert.equal(endpoint.label, 'ollama https://az.example/openai/v1');
    const full = 'kind = "ollama"\nbase_url = "http://h/v1/chat/completions"';
    assert.equal(resolve(full).url.href, 'http://h/v1/chat/completions');
  });

  it('understand Retry-After in seconds and as a date', () => {
    const now = Date.parse('2026-11-01T12:00:00Z');
    assert.equal(readRetryAfter('2', now), 2000);
    assert.equal(readRetryAfter('0.5', now), 500);
    assert.equal(readRetryAfter('Sun, 01 Nov 2026 12:00:05 GMT', now), 5000);
    for (const useless of [undefined, '', 'soon', '-3', 'Sun, 01 Nov 2020 12:00:05 GMT'])
      assert.equal(readRetryAfter(useless, now), 0);
  });
});
