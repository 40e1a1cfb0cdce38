import assert from 'node:assert/strict';
import { ProviderError } from '../../../src/engine/errors/runErrors';
import { createLive } from '../../../src/engine/providers/createProvider';
import { against, failing, frame, KEY, part, STREAM, sse } from '../../harness/liveServer';
import { recordingWith } from '../../harness/network';
import { liveCase, Studio } from '../../harness/studio';
import {
  completion,
  failureOf,
  type Handler,
  inFolder,
  NEVER,
  providerOf,
  RECORDER,
  requestOf,
  sendJson,
  serve,
} from '../../harness/support';

describe('a response that is cut off', function () {
  this.timeout(20_000);
  const whole = JSON.stringify(completion('hello'));

  it('is noticed when the JSON is cut but the connection ends well', async () => {
    for (const length of [0, 1, whole.length - 1, whole.length - 20]) {
      await failing(
        (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(whole.slice(0, length)),
        (error, server) => {
          assert.equal(error.kind, 'unreachable');
          assert.equal(error.message, `${server.host}: the response was cut off after ${length} bytes`);
          assert.equal(server.requests.length, 1, 'a response that has begun is not requested again');
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
      (error, server) => assert.equal(error.message, `${server.host}: the response was cut off after 10 bytes`),
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
          assert.equal(error.message, `${server.host}: the response was cut off after ${half.length} bytes`),
        STREAM,
      );
    }
    await failing(
      (response) => response.writeHead(200, sse).end(half + part('lo').slice(0, 15)),
      (error) => assert.match(error.message, /was cut off after \d+ bytes/),
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
      assert.equal(error.message, `could not reach ${server.host}: connection refused (ECONNREFUSED) (3 attempts)`);
      assert.ok(error.fix.includes(`${server.baseUrl}/chat/completions`));
      assert.equal(studio.notices.length, 2);
    });
  });

  it('that is reset before a response is retried, and then named', async () => {
    await failing(
      (response) => response.socket?.resetAndDestroy(),
      (error, server) => {
        assert.equal(error.kind, 'unreachable');
        assert.equal(
          error.message,
          `could not reach ${server.host}: it closed the connection before it responded (ECONNRESET) (3 attempts)`,
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
        assert.equal(error.message, `${server.host}: the response was cut off after 10 bytes`);
        assert.equal(server.requests.length, 1);
      },
    );
  });

  it('to no host says so at once', async () => {
    const provider = await createLive(providerOf('kind = "ollama"\nbase_url = "http://no-such-host.invalid/v1"'), {
      recorder: RECORDER,
      seed: 0,
      network: recordingWith(),
    });
    const error = await failureOf(provider.chat(requestOf('hi'), NEVER));
    assert.equal(error.kind, 'unreachable');
    assert.match(error.message, /^could not reach no-such-host\.invalid: .*(ENOTFOUND|EAI_AGAIN)/);
  });

  it('with https to a server without it says so', async () => {
    await against(
      () => {},
      async (server, studio) => {
        const address = server.baseUrl.replace('http:', 'https:');
        const { error } = await studio.untouched(() => studio.record(liveCase(address)));
        assert.equal(error?.message, `could not reach ${server.host}: it does not support https (EPROTO)`);
      },
    );
  });

  it('that is silent is given up, before the response and within it', async () => {
    assert.equal(providerOf('kind = "practice"').timeoutMs, 60_000, 'by default after a minute');
    await failing(
      () => {},
      (error, server) => {
        assert.equal(error.kind, 'unreachable');
        assert.equal(error.message, `${server.host} sent nothing for 0.2 s`);
        assert.match(error.fix, /timeout_ms/);
        assert.equal(server.requests.length, 1);
      },
      'timeout_ms = 200',
    );
    await failing(
      (response) => response.writeHead(200, sse).write(part('hel')),
      (error) => assert.match(error.message, /sent nothing for 0\.2 s$/),
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
        }, 150);
      },
      async (server, studio) => {
        const run = await studio.record(liveCase(server.baseUrl, `timeout_ms = 600\n${STREAM}`));
        assert.equal(run.outputText, 'slow and steady wins the race');
        assert.ok(run.durationMs > 800);
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
    'while waiting for another attempt': (response) => sendJson(response, 429, {}, { 'retry-after': '600' }),
    'after the first interaction': (response, _request, count) => {
      const call = { id: 'c', function: { name: 'weather', arguments: '{}' } };
      if (count === 1) sendJson(response, 200, { choices: [{ message: { tool_calls: [call] } }] });
    },
  };
  for (const [phase, handler] of Object.entries(phases)) {
    it(`${phase} ends it at once, and leaves the tape as it was`, async () => {
      await against(handler, async (server, studio) => {
        const controller = new AbortController();
        setTimeout(() => controller.abort(reason), 150);
        await studio.untouched(() =>
          assert.rejects(studio.record(liveCase(server.baseUrl, STREAM), controller.signal), reason),
        );
      });
    });
  }

  it('before it began sends no request', async () => {
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
