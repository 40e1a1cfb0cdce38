import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { proxyFor } from '../../../src/engine/network/userProxy';
import { buildEngine, inProject } from '../../harness/builtEngine';
import { sendJson } from '../../harness/support';
import { serveTls } from '../../harness/tlsServer';

describe('the proxy of the user', () => {
  const chosen = (address: string, environment: Record<string, string>) =>
    proxyFor(new URL(address), environment)?.href;

  it('is the one that the environment names for an address', () => {
    const both = { HTTPS_PROXY: 'http://secure.example:3128', http_proxy: 'plain.example:8080' };
    assert.equal(chosen('https://api.openai.com/v1', both), 'http://secure.example:3128/');
    assert.equal(chosen('http://api.example/', both), 'http://plain.example:8080/');
    assert.equal(chosen('http://api.example/', { ALL_PROXY: 'http://all.example' }), 'http://all.example/');
    assert.equal(chosen('https://api.example/', {}), undefined);
    assert.equal(chosen('https://api.example/', { HTTPS_PROXY: 'socks5://s.example' }), undefined);
  });

  it('is none for this machine, and for what NO_PROXY leaves out', () => {
    const HTTPS_PROXY = 'http://secure.example:3128';
    const through = (address: string, NO_PROXY: string) => chosen(address, { HTTPS_PROXY, NO_PROXY }) !== undefined;
    for (const address of ['https://localhost:8443/', 'https://127.0.0.1/', 'https://[::1]/'])
      assert.ok(!through(address, ''));
    for (const list of ['*', 'corp.example', '.corp.example', '*.corp.example', 'a, api.corp.example'])
      assert.ok(!through('https://api.corp.example/', list), list);
    for (const list of ['', 'api.corp', 'xcorp.example', 'api.corp.example:8443'])
      assert.ok(through('https://api.corp.example/', list), list);
    assert.ok(!through('https://api.corp.example:8443/', 'api.corp.example:8443'));
  });
});

const AGENT = `const response = await fetch('ADDRESS');
console.log(response.status, await response.text());
if (!response.ok) process.exit(9);
`;

/** A proxy that leads every host to `port` on this machine, and keeps what it was asked. */
async function corporateProxy(port: number) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers['proxy-authorization']}`);
    sendJson(response, 200, { through: 'the proxy' });
  });
  server.on('connect', (request, socket) => {
    asked.push(`${request.method} ${request.url} ${request.headers['proxy-authorization']}`);
    const upstream = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(upstream).pipe(socket);
    });
    for (const end of [upstream, socket]) end.on('error', () => end.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://user:pass@127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { asked, address, close: () => server.close() };
}

describe('tapedeck exec, behind the proxy of a company', () => {
  before(buildEngine);

  it('records through it, over TLS and without, and keeps its password off the tape', async () => {
    const files = {
      'tapedeck.toml': '',
      'secure.mjs': AGENT.replace('ADDRESS', 'https://weather.example/forecast'),
      'plain.mjs': AGENT.replace('ADDRESS', 'http://weather.example/forecast'),
    };
    await inProject(files, async (project) => {
      const server = await serveTls(
        project.path('authority.pem'),
        (_, response) => sendJson(response, 200, { sunny: 1 }),
        'weather.example',
      );
      const proxy = await corporateProxy(Number(new URL(server.url).port));
      const env = {
        XDG_STATE_HOME: project.path('../state-of-the-user'),
        NODE_EXTRA_CA_CERTS: project.path('authority.pem'),
        HTTPS_PROXY: proxy.address,
        HTTP_PROXY: proxy.address,
      };
      const record = (script: string) =>
        project.engine(['exec', '--record', '--tape', `tapes/${script}.tape.jsonl`, '--', 'node', script], env);
      const secure = await record('secure.mjs');
      assert.equal(secure.stdout, '200 {"sunny":1}\n', secure.stderr);
      const plain = await record('plain.mjs');
      assert.equal(plain.stdout, '200 {"through":"the proxy"}\n', plain.stderr);
      const credentials = `Basic ${Buffer.from('user:pass').toString('base64')}`;
      assert.deepEqual(proxy.asked, [
        `CONNECT weather.example:443 ${credentials}`,
        `GET http://weather.example/forecast ${credentials}`,
      ]);
      for (const script of ['secure.mjs', 'plain.mjs'])
        assert.ok(!(await project.read(`tapes/${script}.tape.jsonl`)).includes(credentials));
      proxy.close();
      await server.close();
    });
  });
});
