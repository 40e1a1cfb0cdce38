import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { createLive } from '../../../src/engine/providers/createProvider';
import { against, failing, KEY } from '../../harness/liveServer';
import { recordingWith } from '../../harness/network';
import { liveCase } from '../../harness/studio';
import { completion, NEVER, providerOf, RECORDER, requestOf, sendJson } from '../../harness/support';

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

  it('reads a response that is compressed although nobody asked for that', async () => {
    await against(
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
        response.end(gzipSync(JSON.stringify(completion('hello'))));
      },
      async (server, studio) => assert.equal((await studio.record(liveCase(server.baseUrl))).outputText, 'hello'),
    );
  });

  it('closes its connections', async () => {
    await against(
      (response) => sendJson(response, 200, completion('hello')),
      async (server) => {
        const provider = await createLive(providerOf(`kind = "ollama"\nbase_url = "${server.baseUrl}"`), {
          recorder: RECORDER,
          seed: 0,
          network: recordingWith(),
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
          assert.equal(error.message, `${server.host} rejected the key in \`OPENAI_API_KEY\`: ${words}`);
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
          `${server.host} requires a key, and \`OPENAI_API_KEY\` is not set: HTTP 401: who are you?`,
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
          `the rate limit of ${server.host} was exceeded: HTTP 429: slow down; attempt 2 of 3 in 1.0 s`,
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

  it('names the web page that was served instead of an API', async () => {
    const page =
      '<!DOCTYPE html><html><head><title>Sign in &#183; Corporate Portal</title></head><body>…</body></html>';
    await failing(
      (response) => response.writeHead(200, { 'content-type': 'text/html' }).end(page),
      (error, server) => {
        assert.equal(error.kind, 'provider');
        assert.equal(
          error.message,
          `${server.host} responded with a web page, not JSON: “Sign in &#183; Corporate Portal”`,
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
      (error) => assert.match(error.message, /redirects to https:\/\/elsewhere\.example\/v1 \(HTTP 301\)/),
    );
  });

  it('shows the beginning of a malformed response', async () => {
    for (const body of ['{"object":"list","data":[]}', 'pong', '[1', '{"choices": oops}']) {
      await failing(
        (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(body),
        (error, server) => {
          assert.equal(error.kind, 'provider');
          assert.equal(error.message, `the response from ${server.host} is not a chat completion: ${body}`);
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
