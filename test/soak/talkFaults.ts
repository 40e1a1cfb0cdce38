// npx mocha test/soak/talkFaults.ts   WebSockets and calls of gRPC through a proxy that records, then through one that replays, for SECONDS (600) in all,
// AT_ONCE (200) of them, among clients that cut, stall, send broken or huge frames, close half, or leave. Whoever does nothing wrong has to
// get exactly what the server says, the proxy has no fault of its own, and its memory stays bounded. Not among the tests: it takes minutes.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect as connectHttp2, constants } from 'node:http2';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket, WebSocketServer } from 'ws';
import { messageBytes } from '../../src/core/wire/grpc/messageJson';
import type { OpenProxy } from '../../src/engine/proxy/openProxy';
import { saveRecording } from '../../src/engine/recording/saveRecording';
import { framed, Unframer, withGrpcServer } from '../harness/grpcServer';
import { proxyIn } from '../harness/proxyTakes';
import { inFolder, RECORDER } from '../harness/support';
import { Random } from './random';

const SECONDS = Number(process.env.SECONDS ?? 600);
const AT_ONCE = Number(process.env.AT_ONCE ?? 200);
const MAX_MEMORY = 1.5 * 1024 ** 3;
const OPTIONS = {
  maxPayload: 1e8,
  perMessageDeflate: false,
  handshakeTimeout: 600_000,
  followRedirects: false,
} as const;
const say = (text: string) => messageBytes({ field_1: text });

/** What a client does that is not what it should do; none for one that is right. */
const FAULTS = ['cut', 'garbage', 'huge', 'half', 'stall', 'leave'] as const;

async function withEcho(use: (address: string) => Promise<void>): Promise<void> {
  const http = createServer();
  const server = new WebSocketServer({
    ...OPTIONS,
    noServer: true,
    clientTracking: false,
    handleProtocols: () => false,
  });
  http.on('upgrade', (request, socket, head) => {
    server.handleUpgrade(request, socket, head, (client) => {
      client.on('error', () => undefined);
      client.on('message', (data) => client.send(JSON.stringify({ said: data.toString() }), { binary: false }));
    });
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  try {
    await use(`http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`);
  } finally {
    http.closeAllConnections();
    http.close();
  }
}

async function socketTurn(base: string, words: readonly string[]): Promise<string[]> {
  const socket = new WebSocket(new URL(`${base.replace(/^http/, 'ws')}/openai/echo`), [], { ...OPTIONS, headers: {} });
  const got: string[] = [];
  socket.on('error', (error) => got.push(error.message));
  socket.on('message', (data) => {
    got.push((JSON.parse(data.toString()) as { said?: string }).said ?? data.toString());
    const next = words[got.length];
    if (next === undefined) socket.close(1000, 'done');
    else socket.send(next, { binary: false });
  });
  socket.on('open', () => socket.send(words[0] ?? '', { binary: false }));
  await new Promise((resolve) => socket.once('close', resolve));
  return got;
}

async function grpcTurn(base: string, words: readonly string[], fault?: (typeof FAULTS)[number]): Promise<string[]> {
  const { origin, pathname } = new URL(base);
  const session = connectHttp2(origin);
  session.on('error', () => undefined);
  const headers = { ':method': 'POST', ':path': `${pathname}/test.Echo/Talk`, 'content-type': 'application/grpc' };
  const stream = session.request({ ...headers, te: 'trailers' });
  const unframer = new Unframer();
  const got: string[] = [];
  let status = 'none';
  stream.on('error', () => undefined);
  stream.on('data', (bytes: Buffer) => got.push(...unframer.take(bytes).map((one) => one.subarray(2).toString())));
  for (const name of ['response', 'trailers'] as const)
    stream.on(name, (last: Record<string, unknown>) => {
      if ('grpc-status' in last) status = String(last['grpc-status']);
    });
  for (const word of words) stream.write(framed(say(word)));
  if (fault === undefined || fault === 'half') stream.end();
  if (fault === 'garbage') stream.end(Buffer.from([7, 0, 0, 0, 1, 1]));
  if (fault === 'huge') stream.end(Buffer.from([0, 255, 255, 255, 255]));
  if (fault === 'cut') stream.end(framed(say('x'.repeat(90))).subarray(0, 20));
  if (fault === 'leave') setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), 5);
  if (fault === 'stall') setTimeout(() => session.destroy(), 400);
  await new Promise((resolve) => stream.once('close', resolve));
  session.destroy();
  return [status, ...got];
}

/** A connection on which nothing is right. */
async function rawFault(base: string, random: Random): Promise<void> {
  const { port, pathname } = new URL(base);
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => undefined);
  const handshake = `GET ${pathname}/openai/echo HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`;
  const begun = random.pick([handshake, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', handshake.slice(0, 40), '']);
  socket.write(begun);
  await wait(random.below(30));
  const bytes = Buffer.from(Array.from({ length: 1 + random.below(300) }, () => random.below(256)));
  // A frame that says it is larger than any.
  if (random.chance(0.3)) Buffer.from([0x81, 0xff, 127, 255, 255, 255, 255, 255, 255, 255]).copy(bytes);
  socket.write(bytes);
  await wait(random.below(100));
  if (random.chance(0.3)) socket.end();
  await wait(random.below(50));
  socket.destroy();
}

describe('talks among faults', () => {
  it(`are as the server says for ${SECONDS} s`, async function () {
    this.timeout((SECONDS + 120) * 1000);
    const methods = {
      '/test.Echo/Talk': ({
        onMessage,
        onLast,
        say: answer,
        end,
      }: Parameters<Parameters<typeof withGrpcServer>[0][string]>[0]) => {
        onMessage((message) => answer(say(message.subarray(2).toString().toUpperCase())));
        onLast(() => end());
      },
    };
    await withEcho((address) =>
      withGrpcServer(methods, (origin) =>
        inFolder(async (root) => {
          const tapePath = join(root, 'talks.tape.jsonl');
          const opened: OpenProxy[] = [];
          const open = async (mode: 'record' | 'replay') => {
            const proxy = await proxyIn(root, {
              ...{ tapePath, mode, forward: true, upstreams: { commandLine: { openai: address } } },
              onFault: (fault) => assert.fail(fault),
              ...(mode === 'replay' && { rules: { match: 'exact', onDrift: 'fail', masks: [] }, repeat: true }),
            });
            opened.push(proxy);
            return proxy;
          };
          const tell = async (proxy: OpenProxy, seconds: number, words: (random: Random) => string[]) => {
            const end = performance.now() + seconds * 1000;
            const grpc = `${proxy.base}/@/${origin.replace('://', '/')}`;
            let right = 0;
            let faults = 0;
            let most = 0;
            const one = async (worker: number) => {
              for (let run = 0; performance.now() < end; run += 1) {
                const random = new Random(worker * 100_003 + run);
                const said = words(random);
                most = Math.max(most, process.memoryUsage().rss);
                if (random.chance(0.3)) {
                  faults += 1;
                  await (random.chance(0.5) ? rawFault(proxy.base, random) : grpcTurn(grpc, said, random.pick(FAULTS)));
                } else if (random.chance(0.5)) {
                  right += 1;
                  assert.deepEqual(await socketTurn(proxy.base, said), said);
                } else {
                  right += 1;
                  assert.deepEqual(await grpcTurn(grpc, said), ['0', ...said.map((word) => word.toUpperCase())]);
                }
                // Each of them is on the tape: so that it stays one that can be read.
                await wait(proxy.recorded.length > 2_000 ? 500 : 0);
              }
            };
            await Promise.all(Array.from({ length: AT_ONCE }, (_, worker) => one(worker)));
            console.log(`      ${right} right, ${faults} faults, at most ${Math.round(most / 1024 / 1024)} MB`);
            assert.ok(most < MAX_MEMORY);
          };
          try {
            const words = (random: Random) => Array.from({ length: 1 + random.below(4) }, () => `w${random.below(50)}`);
            const live = await open('record');
            await tell(live, SECONDS / 2, words);
            await live.drain();
            const known = await open('record');
            for (let at = 0; at < 5; at += 1) {
              await socketTurn(known.base, [`w${at}`, 'again']);
              await grpcTurn(`${known.base}/@/${origin.replace('://', '/')}`, [`w${at}`, 'again']);
            }
            await known.drain();
            await saveRecording({
              root,
              path: tapePath,
              format: undefined,
              recorded: known.recorded,
              recorder: RECORDER,
              append: false,
            });
            await tell(await open('replay'), SECONDS / 2, (random) => [`w${random.below(5)}`, 'again']);
          } finally {
            for (const proxy of opened) await proxy.close();
          }
        }),
      ),
    );
  });
});
