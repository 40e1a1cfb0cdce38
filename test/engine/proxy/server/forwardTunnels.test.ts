import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { promisify } from 'node:util';
import { NO_CONFIG } from '../../../../src/core/project/projectConfig';
import type { OpenProxy } from '../../../../src/engine/proxy/openProxy';
import type { InteractionReport } from '../../../../src/engine/proxy/session/report';
import type { ProxyMode } from '../../../../src/engine/proxy/session/sessionOptions';
import { saveRecording } from '../../../../src/engine/recording/saveRecording';
import { proxyIn } from '../../../harness/proxyTakes';
import { inFolder, RECORDER, sendJson, serve } from '../../../harness/support';

const run = promisify(execFile);
const TAPE = `{"tapedeck":"tape","version":1,"name":"other"}
{"request":1,"method":"GET","url":"https://other.example/"}
{"response":1,"status":200,"headers":[["content-type","application/json"]],"json":{}}
`;

interface Opened {
  readonly proxy: OpenProxy;
  readonly reports: readonly InteractionReport[];
  readonly port: number;
  readonly secret: string;
  /** A tunnel to a host, behind the response to its `CONNECT`, which is checked. */
  tunnel(authority: string, status?: number): Promise<Socket>;
}

async function open(
  mode: ProxyMode,
  ignore: readonly string[],
  test: (opened: Opened) => Promise<void>,
): Promise<void> {
  await inFolder(async (root) => {
    const { mkdir, writeFile } = await import('node:fs/promises');
    await mkdir(join(root, 'tapes'), { recursive: true });
    if (mode === 'replay') await writeFile(join(root, 'tapes/agent.tape.jsonl'), TAPE);
    const reports: InteractionReport[] = [];
    const proxy = await proxyIn(root, {
      mode,
      forward: true,
      tapePath: join(root, 'tapes/agent.tape.jsonl'),
      config: { ...NO_CONFIG, proxy: { ...NO_CONFIG.proxy, ignore } },
      onReport: (report) => reports.push(report),
    });
    const { port, password } = new URL(proxy.variables.HTTPS_PROXY ?? '');
    const secret = `proxy-authorization: Basic ${Buffer.from(`tapedeck:${password}`).toString('base64')}`;
    const tunnel = async (authority: string, status = 200): Promise<Socket> => {
      const socket = connect(Number(port), '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(`CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n${secret}\r\n\r\n`);
      const [head] = (await once(socket, 'data')) as [Buffer];
      assert.match(head.toString('latin1'), new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*\r\n\r\n$`));
      return socket;
    };
    try {
      await test({ proxy, reports, port: Number(port), secret, tunnel });
    } finally {
      await proxy.close();
    }
  });
}

/** A server that speaks a protocol of its own: what it gets, it returns in capitals. */
async function withEcho(test: (authority: string, heard: () => string) => Promise<void>): Promise<void> {
  let heard = '';
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      heard += bytes.toString('latin1');
      socket.write(bytes.toString('latin1').toUpperCase());
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await test(`localhost:${(server.address() as AddressInfo).port}`, () => heard);
  } finally {
    server.close();
  }
}

async function said(socket: Socket, text: string): Promise<string> {
  socket.write(text, 'latin1');
  const answer = await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => [''])]);
  socket.destroy();
  return String(answer[0]);
}

describe('tunnels through the proxy', () => {
  it('pass what is not HTTP on in a recording, and are closed in a replay', async () => {
    await withEcho(async (authority, heard) => {
      await open('record', [], async ({ tunnel, reports, proxy }) => {
        assert.equal(await said(await tunnel(authority), '\u0001\u0002hello'), '\u0001\u0002HELLO');
        await proxy.drain();
        assert.deepEqual(proxy.recorded, []);
        assert.equal(reports[0]?.verdict, 'passed');
        assert.match(reports[0]?.explanation ?? '', /localhost:\d+ is not HTTP, so it was passed on and not recorded/);
      });
      const before = heard();
      await open('replay', [], async ({ tunnel, reports, proxy }) => {
        assert.equal(await said(await tunnel(authority), '\u0001\u0002hello'), '');
        await proxy.drain();
        assert.equal(reports[0]?.verdict, 'unreachable');
        assert.match(
          reports[0]?.explanation ?? '',
          /is not HTTP, so it is not on the tape, and a replay reaches nobody/,
        );
      });
      assert.equal(heard(), before);
    });
  });

  it('to hosts under [proxy] ignore are passed on unread in a recording, and refused in a replay', async () => {
    await withEcho(async (authority, heard) => {
      await open('record', ['localhost'], async ({ tunnel, reports, proxy }) => {
        const handshake = '\u0016\u0003\u0001 is not ended here';
        assert.equal(await said(await tunnel(authority), handshake), handshake.toUpperCase());
        await proxy.drain();
        assert.deepEqual([proxy.recorded, reports], [[], []]);
      });
      const before = heard();
      await open('replay', ['localhost'], async ({ tunnel }) => {
        (await tunnel(authority, 502)).destroy();
      });
      assert.equal(heard(), before);
    });
  });

  it('without TLS carry ignored requests on in a recording, and refuse them in a replay', async () => {
    const server = await serve((response) => sendJson(response, 200, { fine: true }));
    const request = `GET http://${server.host}/a HTTP/1.1\r\nhost: ${server.host}\r\n`;
    const ask = async ({ port, secret }: Opened): Promise<string> =>
      said(connect(port, '127.0.0.1'), `${request}${secret}\r\n\r\n`);
    try {
      await open('record', ['127.0.0.1', 'localhost'], async (opened) => {
        assert.match(await ask(opened), /^HTTP\/1\.1 200 /);
        await opened.proxy.drain();
        assert.deepEqual(opened.proxy.recorded, []);
        assert.equal(opened.reports[0]?.verdict, 'passed');
      });
      await open('replay', ['127.0.0.1', 'localhost'], async (opened) => {
        assert.match(await ask(opened), /^HTTP\/1\.1 502 [\s\S]*under \[proxy\] ignore/);
      });
    } finally {
      await server.close();
    }
  });

  it('serve a client that speaks only HTTP/2 as any other, whatever it has agreed on', async () => {
    const server = await serve((response, { body }, count) => sendJson(response, 200, { count, body }));
    try {
      const ask = async (session: ClientHttp2Session, path: string, body: string): Promise<string> => {
        const stream = session.request({ ':method': 'POST', ':path': path, 'content-type': 'application/json' });
        stream.end(body);
        let status = 0;
        stream.once('response', (headers) => {
          status = Number(headers[':status']);
        });
        let text = '';
        for await (const chunk of stream.setEncoding('utf8')) text += chunk;
        return `${status} ${text}`;
      };
      await inFolder(async (root) => {
        const tapePath = join(root, 'agent.tape.jsonl');
        const upstreams = { commandLine: { openai: server.baseUrl } };
        const talk = async (mode: ProxyMode, protocols: string[], bodies: readonly string[]) => {
          const proxy = await proxyIn(root, { mode, forward: true, tapePath, upstreams });
          const ca = await readFile(proxy.variables.SSL_CERT_FILE ?? '');
          const { port, password } = new URL(proxy.variables.HTTPS_PROXY ?? '');
          const socket = connect(Number(port), '127.0.0.1');
          const secret = Buffer.from(`tapedeck:${password}`).toString('base64');
          socket.write(`CONNECT api.openai.com:443 HTTP/1.1\r\nproxy-authorization: Basic ${secret}\r\n\r\n`);
          await once(socket, 'data');
          const secure = connectTls({ socket, ca, servername: 'api.openai.com', ALPNProtocols: protocols });
          await once(secure, 'secureConnect');
          Object.assign(secure, { alpnProtocol: 'h2' });
          const session = connectHttp2('https://api.openai.com', { createConnection: () => secure });
          const answers = await Promise.all(bodies.map((body) => ask(session, '/v1/moderations', body)));
          session.close();
          await once(session, 'close');
          await proxy.drain();
          const { recorded } = proxy;
          if (mode === 'record')
            await saveRecording({
              root,
              path: tapePath,
              format: undefined,
              recorded,
              recorder: RECORDER,
              append: false,
            });
          const text = proxy.tally.text();
          await proxy.close();
          return { answers, text };
        };
        const live = await talk('record', ['h2'], ['{"input":"a"}', '{"input":"b"}']);
        assert.match(live.answers.join(' '), /200 .*200 /);
        assert.equal(live.text, '2 recorded');
        const replayed = await talk('replay', ['h2', 'http/1.1'], ['{"input":"a"}', '{"input":"b"}', '{"input":"c"}']);
        assert.deepEqual(replayed.answers.slice(0, 2), live.answers);
        assert.match(replayed.answers[2] ?? '', /^400 .*not on agent\.tape\.jsonl|^400 .*no recording/);
      });
    } finally {
      await server.close();
    }
  });

  it('take gRPC, and HTTP/2 without TLS, and say why a call of gRPC failed', async () => {
    await open('record', [], async ({ tunnel, reports, proxy }) => {
      const secure = connectTls({
        socket: await tunnel('localhost:9'),
        servername: 'localhost',
        ALPNProtocols: ['h2'],
        rejectUnauthorized: false,
      });
      const plain = await tunnel('localhost:9');
      for (const [scheme, socket] of [['https', secure] as const, ['http', plain] as const]) {
        const session = connectHttp2(`${scheme}://localhost:9`, { createConnection: () => socket });
        const stream = session.request({ ':method': 'POST', ':path': '/a.B/C', 'content-type': 'application/grpc' });
        const [headers] = (await once(stream, 'response')) as [Record<string, string>];
        assert.equal(headers['grpc-status'], '14');
        assert.match(
          decodeURIComponent(headers['grpc-message'] ?? ''),
          /^Tapedeck: localhost:9 at .* cannot be reached/,
        );
        const got = session.request({ ':path': '/' });
        const [response] = (await once(got, 'response')) as [Record<string, number>];
        assert.equal(response[':status'], 502);
        session.destroy();
      }
      await proxy.drain();
      assert.deepEqual(
        reports.map(({ path, verdict }) => `${path} ${verdict}`),
        [
          'localhost:9/a.B/C unreachable',
          'localhost:9/ unreachable',
          'localhost:9/a.B/C unreachable',
          'localhost:9/ unreachable',
        ],
      );
    });
  });

  it('take HTTP/1.0 from a client that offers nothing else', async () => {
    await open('replay', [], async ({ tunnel }) => {
      const socket = await tunnel('other.example:443');
      const offered = { ALPNProtocols: ['http/1.0'], rejectUnauthorized: false };
      const secure = connectTls({ socket, servername: 'other.example', ...offered });
      assert.match(await said(secure, 'GET / HTTP/1.0\r\nhost: other.example\r\n\r\n'), /^HTTP\/1\.1 200 [\s\S]*\{\}$/);
    });
  });

  it('admit Java, which cannot give the secret, when it has it in its environment', async function () {
    if (process.platform !== 'linux') return this.skip();
    const folder = await mkdtemp(join(tmpdir(), 'tapedeck-java-'));
    try {
      for (const name of ['java', 'browser']) await copyFile('/bin/bash', join(folder, name));
      await open('record', [], async ({ proxy, port }) => {
        const line = 'CONNECT plain.example:443 HTTP/1.1\\r\\nhost: plain.example\\r\\n\\r\\n';
        const script = `exec 3<>/dev/tcp/127.0.0.1/${port}; printf '${line}' >&3; read -r status <&3; echo "$status"`;
        const answer = async (program: string, env: Record<string, string>): Promise<string> =>
          (await run(join(folder, program), ['-c', script], { env })).stdout;
        const { TAPEDECK_FORWARD = '' } = proxy.variables;
        assert.match(await answer('java', { TAPEDECK_FORWARD }), /^HTTP\/1\.1 200 /);
        assert.match(await answer('java', {}), /^HTTP\/1\.1 407 /);
        assert.deepEqual([...proxy.abandoned], [['plain.example', 'no-secret']]);
        assert.match(await answer('browser', { TAPEDECK_FORWARD }), /^HTTP\/1\.1 407 /);
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
