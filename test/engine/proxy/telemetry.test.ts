import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { NO_CONFIG, type ProxyConfig } from '../../../src/core/project/projectConfig';
import { freePort } from '../../../src/engine/network/debugPort';
import { KeyRing } from '../../../src/engine/network/keyRing';
import { NetworkPolicy } from '../../../src/engine/network/policy';
import type { OpenProxy, ProxyOptions } from '../../../src/engine/proxy/openProxy';
import { proxyIn } from '../../harness/proxyTakes';
import { inFolder, sendJson, serve } from '../../harness/support';

const PRICES = 'http://raw.githubusercontent.com/BerriAI/litellm/main/model_prices_and_context_window.json';
const TRACES = 'http://api.openai.com/v1/traces/ingest';
/** A tape that was recorded before telemetry was left out. */
const TAPE = `{"tapedeck":"tape","version":1,"name":"old"}
{"request":1,"method":"GET","url":"${PRICES}"}
{"response":1,"status":200,"headers":[["content-type","application/json"]],"json":{"gpt-4o":1}}
{"request":2,"method":"POST","url":"${TRACES}","json":{"data":[{"object":"trace","id":"trace_1"}]}}
{"response":2,"status":204,"headers":[]}
{"request":3,"method":"GET","url":"http://shop.example/orders"}
{"response":3,"status":200,"headers":[["content-type","application/json"]],"json":[]}
`;

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Running {
  readonly proxy: OpenProxy;
  /** Asks an address through the forward proxy. */
  ask(url: string, asked?: Asked): Promise<{ readonly status: number; readonly type: string; readonly body: string }>;
}

async function running(
  options: Pick<ProxyOptions, 'mode'> & Partial<ProxyOptions>,
  config: Partial<ProxyConfig>,
  test: (running: Running) => Promise<void>,
): Promise<void> {
  await inFolder(async (root) => {
    const tapePath = join(root, 'tapes/old.tape.jsonl');
    await mkdir(dirname(tapePath), { recursive: true });
    if (options.mode === 'replay') await writeFile(tapePath, TAPE);
    const proxy = await proxyIn(root, {
      forward: true,
      tapePath,
      config: { ...NO_CONFIG, proxy: { ...NO_CONFIG.proxy, ...config } },
      ...options,
    });
    const { port, password } = new URL(proxy.variables.HTTPS_PROXY ?? '');
    const credentials = `Basic ${Buffer.from(`tapedeck:${password}`).toString('base64')}`;
    const ask: Running['ask'] = async (url, { method = 'POST', headers = {}, body = '{}' } = {}) => {
      const sent = request({
        port,
        method,
        path: url,
        headers: {
          host: new URL(url).host,
          'proxy-authorization': credentials,
          'content-type': 'application/json',
          ...headers,
        },
      });
      sent.end(method === 'GET' ? undefined : body);
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      const { statusCode: status = 0, headers: answered } = response;
      return { status, type: answered['content-type'] ?? '', body: await text(response) };
    };
    try {
      await test({ proxy, ask });
    } finally {
      await proxy.close();
    }
  });
}

const OTLP = { headers: { 'content-type': 'application/x-protobuf', 'x-api-key': 'k' }, body: '\n\u0001' };

describe('telemetry of SDKs', () => {
  it('is answered in a replay, and told: it is neither missing nor sent', async () => {
    await running({ mode: 'replay' }, {}, async ({ proxy, ask }) => {
      const quiet = { status: 200, type: 'application/json', body: '{}' };
      assert.deepEqual(await ask(TRACES, { body: '{"data":[{"object":"trace","id":"trace_2"}]}' }), quiet);
      assert.deepEqual(await ask('http://us.i.posthog.com/batch/'), quiet);
      assert.deepEqual(await ask('http://o1.ingest.sentry.io/api/1/envelope/'), quiet);
      assert.equal((await ask('http://api.smith.langchain.com/runs/batch')).status, 200);
      const spans = await ask('http://collector.example/v1/traces', OTLP);
      assert.deepEqual(spans, { status: 200, type: 'application/x-protobuf', body: '' });
      assert.equal(proxy.tally.misses, 0);
      assert.equal(proxy.tally.text(), 'no requests');
      assert.equal(
        proxy.tally.telemetryText({ isReplay: true }),
        '5 requests for telemetry or packages were answered by Tapedeck and not sent: api.openai.com/v1/traces/ingest (OpenAI Agents SDK), us.i.posthog.com/batch/ (PostHog), o1.ingest.sentry.io/api/1/envelope/ (Sentry), api.smith.langchain.com/runs/batch (LangSmith), collector.example/v1/traces (OpenTelemetry)',
      );
    });
  });

  it('is known below the base URL of an API as well', async () => {
    await running({ mode: 'replay' }, {}, async ({ proxy: { variables, tally } }) => {
      const post = (url: string) => fetch(url, { method: 'POST', body: '{}' });
      assert.equal((await post(`${variables.OPENAI_BASE_URL}/traces/ingest`)).status, 200);
      assert.equal((await post(`${variables.ANTHROPIC_BASE_URL}/api/event_logging/v2/batch`)).status, 200);
      assert.equal(tally.misses, 0);
    });
  });

  it('is passed on in a recording, and not recorded', async () => {
    const collector = await serve((response) => sendJson(response, 202, { partialSuccess: {} }));
    const api = await serve((response) => sendJson(response, 200, { fine: true }));
    try {
      await running({ mode: 'record' }, {}, async ({ proxy, ask }) => {
        assert.equal((await ask(`http://${api.host}/orders`)).status, 200);
        const sent = await ask(`http://${collector.host}/v1/traces`, OTLP);
        assert.deepEqual(sent, { status: 202, type: 'application/json', body: '{"partialSuccess":{}}' });
        assert.deepEqual(
          collector.requests.map(({ url, headers, body }) => [url, headers['x-api-key'], body]),
          [['/v1/traces', 'k', OTLP.body]],
        );
        await proxy.drain();
        assert.deepEqual(
          proxy.recorded.map(({ http }) => http?.url),
          [`http://${api.host}/orders`],
        );
        assert.equal(proxy.tally.text(), '1 recorded');
        assert.equal(
          proxy.tally.telemetryText({ isReplay: false }),
          `1 request for telemetry or packages was not recorded: ${collector.host}/v1/traces (OpenTelemetry)`,
        );
      });
    } finally {
      await Promise.all([collector.close(), api.close()]);
    }
  });

  it('that reaches nobody fails no recording', async () => {
    const host = `127.0.0.1:${await freePort()}`;
    await running({ mode: 'record' }, {}, async ({ proxy, ask }) => {
      const answered = await ask(`http://${host}/v1/traces`, OTLP);
      assert.deepEqual(answered, { status: 200, type: 'application/x-protobuf', body: '' });
      await proxy.drain();
      assert.equal(proxy.tally.count('unreachable'), 0);
      // Nor does what an SDK sends when the recording has ended.
      assert.equal((await ask(`http://${host}/v1/traces`, OTLP)).status, 200);
    });
  });

  it('goes to no other host of a project with a key that belongs to its own', async () => {
    const other = await serve((response) => sendJson(response, 200, {}));
    const upstreams = { 'api.smith.langchain.com': `http://${other.host}` };
    const environment = { LANGSMITH_API_KEY: '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' };
    const keys = KeyRing.confirmed((name) => (name === 'LANGSMITH_API_KEY' ? environment[name] : undefined), []);
    const network = NetworkPolicy.for('record', keys);
    try {
      await running({ mode: 'record', environment, network }, { upstreams }, async ({ proxy, ask }) => {
        const headers = { 'x-api-key': environment.LANGSMITH_API_KEY };
        assert.equal((await ask('http://api.smith.langchain.com/runs/batch', { headers })).status, 200);
        assert.equal(other.requests.length, 0);
        assert.equal(proxy.tally.count('unreachable'), 0);
      });
    } finally {
      await other.close();
    }
  });

  it('is recorded where the project asks for it, and left alone where it ignores its host', async () => {
    const collector = await serve((response) => sendJson(response, 200, {}));
    try {
      await running({ mode: 'record' }, { record: ['127.0.0.1'] }, async ({ proxy, ask }) => {
        await ask(`http://${collector.host}/v1/traces`, OTLP);
        await proxy.drain();
        assert.equal(proxy.tally.text(), '1 recorded');
        assert.equal(proxy.tally.telemetryText({ isReplay: false }), undefined);
      });
      await running({ mode: 'replay' }, { record: ['*', 'api.openai.com/v1/traces'] }, async ({ proxy, ask }) => {
        assert.equal((await ask(TRACES)).status, 400);
        assert.equal((await ask('http://us.i.posthog.com/batch/')).status, 200);
        assert.equal(proxy.tally.misses, 1);
      });
      await running({ mode: 'replay' }, { ignore: ['us.i.posthog.com'] }, async ({ ask }) => {
        assert.equal((await ask('http://us.i.posthog.com/batch/')).status, 502);
      });
    } finally {
      await collector.close();
    }
  });

  it('on an older tape is served as far as it is fetched, and need not be used', async () => {
    await running({ mode: 'replay' }, {}, async ({ proxy, ask }) => {
      assert.equal((await ask(PRICES, { method: 'GET' })).body, '{"gpt-4o":1}');
      assert.equal((await ask(PRICES, { method: 'GET' })).status, 404, 'once more than it was recorded');
      assert.equal((await ask(TRACES, { body: '{"data":[{"object":"trace","id":"trace_2"}]}' })).status, 200);
      assert.equal(proxy.tally.text(), '1 exact');
      assert.deepEqual(await proxy.unused(), [2], 'only what is no telemetry');
    });
  });

  it('needs no tape of a lane', async () => {
    const asked = async () => assert.fail('no lane is asked for');
    await running({ mode: 'replay', laneTapes: { plan: asked, open: asked } }, {}, async ({ proxy, ask }) => {
      assert.equal((await ask('http://us.i.posthog.com/batch/')).status, 200);
      assert.equal(proxy.tally.misses, 0);
    });
  });

  it('comes from clients without the secret of the proxy too, where nothing else can', async () => {
    await running({ mode: 'replay' }, {}, async ({ proxy }) => {
      const asked = async (authority: string) => {
        const socket = connect(Number(new URL(proxy.base).port), '127.0.0.1');
        socket.write(`CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n\r\n`);
        const [head] = (await once(socket, 'data')) as [Buffer];
        socket.destroy();
        return head.toString('latin1').slice(0, 12);
      };
      assert.equal(await asked('o1.ingest.us.sentry.io:443'), 'HTTP/1.1 200');
      assert.equal(await asked('api.smith.langchain.com:443'), 'HTTP/1.1 407');
      assert.deepEqual([...proxy.abandoned.keys()], ['api.smith.langchain.com']);
    });
  });
});
