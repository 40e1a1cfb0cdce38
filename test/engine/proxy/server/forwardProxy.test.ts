import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { NO_CONFIG } from '../../../../src/core/project/projectConfig';
import { proxyIn } from '../../../harness/proxyTakes';
import { inFolder, sendJson, serve } from '../../../harness/support';

/** The first line of what the proxy answers to a request, as it stands. */
function answerTo(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (bytes) => {
      answer += bytes.toString('latin1');
      if (!answer.includes('\r\n\r\n')) return;
      socket.destroy();
      resolve(answer);
    });
    socket.on('error', reject);
  });
}

const basic = (user: string, secret: string) => Buffer.from(`${user}:${secret}`).toString('base64');

describe('the forward door of the proxy', () => {
  it('admits only clients with the secret of the session', async () => {
    await inFolder(async (root) => {
      const server = await serve((response) => sendJson(response, 200, { fine: true }));
      const proxy = await proxyIn(root, {
        mode: 'record',
        forward: true,
        upstreams: { commandLine: { 'plain.example': `http://${server.host}` } },
        config: { ...NO_CONFIG, proxy: { ...NO_CONFIG.proxy, ignore: ['*.telemetry.example'] } },
      });
      try {
        const { port, password } = new URL(proxy.variables.HTTPS_PROXY ?? '');
        const ask = (line: string, ...headers: readonly string[]) =>
          answerTo(Number(port), [`${line} HTTP/1.1`, 'host: plain.example', ...headers, '', ''].join('\r\n'));
        const secret = `proxy-authorization: Basic ${basic('tapedeck', password)}`;
        const wrong = `proxy-authorization: Basic ${basic('tapedeck', `${password.slice(1)}x`)}`;
        for (const headers of [[], [wrong]]) {
          assert.match(await ask('CONNECT plain.example:443', ...headers), /^HTTP\/1\.1 407 .*\r\nproxy-authenticate/);
          assert.match(await ask('GET http://plain.example/a', ...headers), /^HTTP\/1\.1 407 /);
        }
        assert.match(await ask('CONNECT plain.example:443', secret), /^HTTP\/1\.1 200 /);
        assert.match(await ask('CONNECT plain.example:99999', secret), /^HTTP\/1\.1 400 /);
        assert.match(await ask('GET http://plain.example/a', secret, 'sec-fetch-site: cross-site'), /^HTTP\/1\.1 403 /);
        assert.match(await ask('GET http://plain.example/a', secret), /^HTTP\/1\.1 200 [\s\S]*"fine":true/);
        await proxy.drain();
        assert.deepEqual(
          proxy.recorded.map(({ http }) => http?.url),
          ['http://plain.example/a'],
        );
      } finally {
        await proxy.close();
        await server.close();
      }
    });
  });
});
