import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { NO_CONFIG } from '../../../../src/core/project/projectConfig';
import { ENGLISH, useTranslation } from '../../../../src/core/text/l10n';
import { heldKeys } from '../../../../src/engine/network/heldKeys';
import { KeyRing } from '../../../../src/engine/network/keyRing';
import { NetworkPolicy } from '../../../../src/engine/network/policy';
import type { OpenProxy, ProxyOptions } from '../../../../src/engine/proxy/openProxy';
import { MODEL_APIS, type ModelApi } from '../../../../src/engine/proxy/routes/apis';
import { saveRecording } from '../../../../src/engine/recording/saveRecording';
import { KEYS, proxyIn } from '../../../harness/proxyTakes';
import { inFolder, sendJson, serve } from '../../../harness/support';

/** A host that a pattern of the registry describes, such as `bedrock-runtime.some.amazonaws.com`. */
function hostLike(pattern: RegExp): string {
  const host = pattern.source
    .replace(/^\^|\$$/g, '')
    .replaceAll('\\.', '.')
    .replaceAll('[a-z0-9-]+', 'some')
    .replace(/\(\?:[^()]*\)\?/g, '')
    .replace(/\(\?:([^|()]*)[^()]*\)/g, '$1');
  assert.match(host, pattern);
  return host;
}

interface ApiHost {
  readonly api: ModelApi;
  readonly host: string;
  /** Where its base URL at the proxy leads without `--upstream`. */
  readonly isPublic: boolean;
}

/** Every host of every API that Tapedeck knows. */
const HOSTS: readonly ApiHost[] = MODEL_APIS.flatMap((api) => [
  ...(api.url === undefined ? [] : [{ api, host: new URL(api.url).host, isPublic: true }]),
  ...(api.hosts === undefined ? [] : [{ api, host: hostLike(api.hosts), isPublic: false }]),
]);

/** The ways by which an agent reaches a host. */
type Way = (proxy: OpenProxy, host: ApiHost, path: string) => Promise<string>;

async function through(socket: Socket, request: string): Promise<string> {
  socket.write(request);
  let text = '';
  for await (const piece of socket) text += piece;
  return text;
}

function get(path: string, host: string, ...headers: readonly string[]): string {
  return [`GET ${path} HTTP/1.1`, `host: ${host}`, 'connection: close', ...headers, '', ''].join('\r\n');
}

function proxyAddress({ variables }: OpenProxy): { readonly port: number; readonly secret: string } {
  const { port, username, password } = new URL(variables.HTTPS_PROXY ?? '');
  const credentials = Buffer.from(`${username}:${password}`).toString('base64');
  return { port: Number(port), secret: `proxy-authorization: Basic ${credentials}` };
}

async function tunnel(proxy: OpenProxy, authority: string): Promise<Socket> {
  const { port, secret } = proxyAddress(proxy);
  const socket = connect(port, '127.0.0.1');
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n${secret}\r\n\r\n`);
  const [head] = (await once(socket, 'data')) as [Buffer];
  assert.match(head.toString('latin1'), /^HTTP\/1\.1 200 /);
  return socket;
}

const atPort = (host: string, port: number): string => (host.includes(':') ? host : `${host}:${port}`);

async function byTls(proxy: OpenProxy, { host }: Pick<ApiHost, 'host'>, path: string): Promise<string> {
  const socket = await tunnel(proxy, atPort(host, 443));
  // Whether the certificate is trusted is not what is asked here.
  return through(connectTls({ socket, host: host.split(':')[0], rejectUnauthorized: false }), get(path, host));
}

async function byForwardProxy(proxy: OpenProxy, { host }: Pick<ApiHost, 'host'>, path: string): Promise<string> {
  const { port, secret } = proxyAddress(proxy);
  return through(connect(port, '127.0.0.1'), get(`http://${host}${path}`, host, secret));
}

const WAYS: Readonly<Record<string, Way>> = {
  'a tunnel with TLS': byTls,
  'a tunnel without TLS': async (proxy, { host }, path) =>
    through(await tunnel(proxy, atPort(host, 80)), get(path, host)),
  'a forward proxy': byForwardProxy,
};

const BASE_WAYS: Readonly<Record<string, Way>> = {
  'its base URL': async ({ base }, { api }, path) => (await fetch(`${base}/${api.name}${path}`)).text(),
  'its base URL of a lane': async ({ base }, { api }, path) => (await fetch(`${base}/~one/${api.name}${path}`)).text(),
};

/** Runs `ask` on a proxy, and resolves with the paths that a server on this machine was asked for, and the addresses that were recorded. */
async function asked(
  options: (server: string) => Partial<ProxyOptions>,
  ask: (proxy: OpenProxy) => Promise<void>,
): Promise<{ readonly reached: readonly string[]; readonly recorded: readonly string[] }> {
  const server = await serve((response) => sendJson(response, 200, { reached: true }));
  let recorded: readonly string[] = [];
  try {
    await inFolder(async (root) => {
      const proxy = await proxyIn(root, {
        mode: 'record',
        forward: true,
        environment: {},
        ...options(`http://${server.host}`),
      });
      try {
        await ask(proxy);
        await proxy.drain();
        recorded = proxy.recorded.map(({ http }) => http?.url ?? '');
      } finally {
        await proxy.close();
      }
    });
  } finally {
    await server.close();
  }
  return { reached: server.requests.map(({ url }) => url), recorded };
}

const led = (hosts: readonly string[], to: string) => Object.fromEntries(hosts.map((host) => [host, to]));

describe('the upstream of a host', () => {
  it('is where requests to a host of any known API go, by every way, recorded as the agent asked for them', async () => {
    const expected: string[] = [];
    const hostsByPath = new Map<string, string>();
    const { reached, recorded } = await asked(
      (server) => ({
        upstreams: {
          commandLine: led(
            HOSTS.map(({ host }) => host),
            server,
          ),
        },
      }),
      async (proxy) => {
        for (const one of HOSTS) {
          const ways = { ...WAYS, ...(one.isPublic ? BASE_WAYS : {}) };
          for (const [name, ask] of Object.entries(ways)) {
            const path = `/ping?${new URLSearchParams({ host: one.host, way: name })}`;
            assert.match(await ask(proxy, one, path), /"reached":true/, `${name} to ${one.host}`);
            expected.push(path);
            hostsByPath.set(path, one.host);
          }
        }
      },
    );
    const pathOf = (url: string) => /\/ping\?.*/.exec(url)?.[0] ?? url;
    assert.deepEqual(reached.map(pathOf), expected);
    for (const url of recorded) assert.equal(new URL(url).host, hostsByPath.get(pathOf(url)), url);
    assert.equal(recorded.length, expected.length);
  });

  for (const [by, choices] of [
    ['the command line', (to: string) => ({ commandLine: led(['api.anthropic.com'], to) })],
    ['the case', (to: string) => ({ case: led(['api.anthropic.com'], to) })],
    ['tapedeck.toml', (to: string) => ({ project: led(['api.anthropic.com'], to) })],
  ] as const)
    it(`may be named by ${by}, with a base path of its own`, async () => {
      const { reached, recorded } = await asked(
        (server) => ({ upstreams: choices(`${server}/gateway/`), mode: 'record' }),
        async (proxy) => {
          await byTls(proxy, { host: 'api.anthropic.com' }, '/v1/messages?a=1');
          await fetch(`${proxy.base}/anthropic/v1/messages?b=2`);
        },
      );
      assert.deepEqual(reached, ['/gateway/v1/messages?a=1', '/gateway/v1/messages?b=2']);
      const own = 'https://api.anthropic.com/v1/messages';
      assert.deepEqual(recorded, [`${own}?a=1`, `${own}?b=2`]);
    });

  it('counts in every language of the user, as that of an API does', async () => {
    useTranslation({ language: 'x', messages: { 'the case': 'der Fall' } });
    try {
      const { reached } = await asked(
        (server) => ({ upstreams: { case: { openai: `${server}/v1`, ...led(['files.example'], server) } } }),
        async (proxy) => {
          await byTls(proxy, { host: 'api.openai.com' }, '/v1/models');
          await byTls(proxy, { host: 'files.example' }, '/a');
        },
      );
      assert.deepEqual(reached, ['/v1/models', '/a']);
    } finally {
      useTranslation(ENGLISH);
    }
  });

  it('gets the keys of its API only where they may go: a file of the project does not decide that', async () => {
    const environment = {
      ANTHROPIC_API_KEY: KEYS.ANTHROPIC_API_KEY,
      MY_TOKEN: 'ghp_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY2zA4',
    };
    const withKeys = (confirmed: readonly string[]) =>
      NetworkPolicy.for(
        'record',
        KeyRing.confirmed(
          (name) => Object.entries(environment).find(([known]) => known === name)?.[1],
          confirmed.map((variable) => ({ host: '127.0.0.1', variable })),
        ),
      );
    const toml = (to: string) => ({ project: led(['api.anthropic.com'], to) });
    const nobody = asked(
      (to) => ({ environment, upstreams: toml(to), network: withKeys([]) }),
      async () => undefined,
    );
    await assert.rejects(nobody, /ANTHROPIC_API_KEY would be sent to 127\.0\.0\.1/);
    const send = (proxy: OpenProxy, key: string) =>
      fetch(`${proxy.base}/anthropic/v1/messages`, { headers: { 'x-api-key': key } });
    const { reached } = await asked(
      (to) => ({ environment, upstreams: toml(to), network: withKeys(['ANTHROPIC_API_KEY']) }),
      async (proxy) => {
        assert.equal((await send(proxy, environment.ANTHROPIC_API_KEY)).status, 200);
        assert.equal((await send(proxy, environment.MY_TOKEN)).status, 403);
      },
    );
    assert.deepEqual(reached, ['/v1/messages']);
    // A key that the editor keeps does not follow the user's own --upstream to a host that it does not belong to either.
    const held = await asked(
      (to) => ({ upstreams: { commandLine: led(['api.anthropic.com'], to) }, network: withKeys([]) }),
      async (proxy) => {
        assert.equal((await send(proxy, heldKeys(['ANTHROPIC_API_KEY']).ANTHROPIC_API_KEY ?? '')).status, 502);
      },
    );
    assert.deepEqual(held.reached, []);
  });

  it('is not needed to replay what was recorded through it, whatever its base path', async () => {
    const server = await serve((response, { url }) => sendJson(response, 200, { url }));
    const urls = ['/v1/messages?a=1', '/anything/else?b=2'];
    try {
      await inFolder(async (root) => {
        const upstreams = { commandLine: led(['api.anthropic.com', 'files.example'], `http://${server.host}/below`) };
        const path = join(root, 'tapes/agent.tape.jsonl');
        const ask = async (proxy: OpenProxy) => {
          const answers = [];
          for (const host of ['api.anthropic.com', 'files.example'])
            for (const url of urls) answers.push(/\{.*\}/.exec(await byTls(proxy, { host }, url))?.[0]);
          return answers;
        };
        const common = { forward: true, tapePath: path, environment: {} };
        const recording = await proxyIn(root, { ...common, mode: 'record', upstreams });
        const first = await ask(recording);
        await recording.drain();
        const { recorded } = recording;
        await saveRecording({
          root,
          path,
          format: undefined,
          recorded,
          recorder: await recording.recorder.get(),
          append: false,
        });
        await recording.close();
        for (const again of [{}, { upstreams }]) {
          const replay = await proxyIn(root, { ...common, mode: 'replay', ...again });
          try {
            assert.deepEqual(await ask(replay), first);
            assert.equal(replay.tally.text(), '4 exact');
          } finally {
            await replay.close();
          }
        }
      });
    } finally {
      await server.close();
    }
  });

  it('is that of the port, where that is named, and that of a region of Bedrock for what was signed for it', async () => {
    const region = 'bedrock-runtime.eu-west-1.amazonaws.com';
    const { reached } = await asked(
      (server) => ({ upstreams: { commandLine: led(['api.openai.com:443', region], server) } }),
      async (proxy) => {
        await byTls(proxy, { host: 'api.openai.com' }, '/v1/models');
        const credential = 'Credential=AKIDEXAMPLE/20150830/eu-west-1/bedrock/aws4_request';
        const authorization = `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=host;x-amz-date, Signature=0bad`;
        await fetch(`${proxy.base}/bedrock/model/m/converse`, { headers: { authorization } });
      },
    );
    assert.deepEqual(reached, ['/v1/models', '/model/m/converse']);
  });

  it('gives way to who is stronger and leads the whole API, and wins over who is not', async () => {
    const ask = (proxy: OpenProxy) => byTls(proxy, { host: 'api.openai.com' }, '/v1/models').then(() => undefined);
    const api = (server: string) => ({ openai: `${server}/api/v1` });
    const host = (server: string) => led(['api.openai.com'], `${server}/host`);
    const stronger = await asked((to) => ({ upstreams: { commandLine: api(to), project: host(to) } }), ask);
    assert.deepEqual(stronger.reached, ['/api/v1/models']);
    const weaker = await asked((to) => ({ upstreams: { commandLine: host(to), project: api(to) } }), ask);
    assert.deepEqual(weaker.reached, ['/host/v1/models']);
    const same = await asked((to) => ({ upstreams: { commandLine: { ...host(to), ...api(to) } } }), ask);
    assert.deepEqual(same.reached, ['/host/v1/models']);
  });

  it('also counts where the host is under [proxy] ignore, whose requests are passed on and not recorded', async () => {
    const { reached, recorded } = await asked(
      (server) => ({
        upstreams: { commandLine: led(['api.groq.com', 'files.example'], server) },
        config: { ...NO_CONFIG, proxy: { ...NO_CONFIG.proxy, ignore: ['api.groq.com', '*.example'] } },
      }),
      async (proxy) => {
        for (const host of ['api.groq.com', 'files.example']) await byTls(proxy, { host }, `/${host}`);
      },
    );
    assert.deepEqual([reached, recorded], [['/api.groq.com', '/files.example'], []]);
  });

  it('may be the host itself, over another scheme or below another base', async () => {
    const server = await serve((response) => sendJson(response, 200, { reached: true }));
    try {
      const { port } = new URL(`http://${server.host}`);
      const own = `localhost:${port}`;
      await inFolder(async (root) => {
        const commandLine = led([own], `http://${own}/below`);
        const proxy = await proxyIn(root, { mode: 'record', forward: true, upstreams: { commandLine } });
        try {
          await byTls(proxy, { host: own }, '/there');
          await byForwardProxy(proxy, { host: own }, '/below/here');
        } finally {
          await proxy.close();
        }
      });
      assert.deepEqual(
        server.requests.map(({ url }) => url),
        ['/below/there', '/below/here'],
      );
    } finally {
      await server.close();
    }
  });
});
