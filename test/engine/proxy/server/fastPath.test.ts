import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as fc from 'fast-check';
import { readPlainHead } from '../../../../src/engine/network/plainHead';
import type { Route } from '../../../../src/engine/proxy/routes/route';
import { FastPath } from '../../../../src/engine/proxy/server/fastPath';
import { sendResponse } from '../../../../src/engine/proxy/session/sendResponse';
import type { ServedResponse } from '../../../../src/engine/proxy/tape/servedResponse';

interface Listening {
  readonly port: number;
  /** How many requests `node:http` was asked. */
  readonly askedHttp: number;
  readonly faults: readonly unknown[];
  close(): void;
}

/** A server that responds with what `respond` gives, by `node:http`; with a door, by that where it can. */
async function listen(respond: (body: string) => ServedResponse | undefined, isQuick: boolean): Promise<Listening> {
  let askedHttp = 0;
  const faults: unknown[] = [];
  const http = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    askedHttp += 1;
    let body = '';
    request.setEncoding('latin1').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => sendResponse(response, respond(body) ?? ofHttp(body, request.url), 0));
  });
  const door = isQuick ? openDoor(http, respond, faults) : undefined;
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    port: (http.address() as AddressInfo).port,
    get askedHttp() {
      return askedHttp;
    },
    faults,
    close: () => {
      door?.close();
      http.close();
      http.closeAllConnections();
    },
  };
}

function openDoor(http: Server, respond: (body: string) => ServedResponse | undefined, faults: unknown[]): FastPath {
  return new FastPath(http, {
    routeOf: (_socket, { url }) => (url === '/known' ? ({ path: url } as Route) : undefined),
    respond: (_method, _route, body) => respond(body.toString('latin1')),
    onFault: (error) => faults.push(error),
  });
}

/** What is not on the tape. */
function ofHttp(body: string, url = ''): ServedResponse {
  const text = Buffer.from(`no recording of ${body.length} bytes at ${url}`);
  return { status: 400, headers: ['content-length', String(text.length)], body: text };
}

/** All that a server sends in return to requests, and to a last one that asks to close the connection. */
async function exchange(port: number, parts: readonly Buffer[]): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const received = read(socket);
  await once(socket, 'connect');
  for (const part of parts) {
    socket.write(part);
    await nextTurn();
  }
  while (received.text === '' && !received.isEnded) await nextTurn();
  socket.write(post('', 'host: here\r\nconnection: close', '/last'));
  while (!received.isEnded) await nextTurn();
  return received.text.replaceAll(/\r\nDate: .*(?=\r\n)/g, '\r\nDate: …');
}

function read(socket: Socket): { readonly text: string; readonly isEnded: boolean } {
  const state = { text: '', isEnded: false };
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    state.text += chunk;
  });
  socket.on('close', () => {
    state.isEnded = true;
  });
  socket.on('error', () => undefined);
  return state;
}

const post = (body: string, head = 'host: here', url = '/known') =>
  Buffer.from(`POST ${url} HTTP/1.1\r\n${head}\r\ncontent-length: ${body.length}\r\n\r\n${body}`, 'latin1');
const json = (text: string): ServedResponse => ({
  status: 200,
  headers: ['content-type', 'application/json', 'content-length', String(text.length)],
  body: Buffer.from(text),
});
/** Bodies that start with `a` are on the tape. */
const onTape = (body: string) => (body.startsWith('a') ? json(`{"of":"${body.slice(0, 20)}"}`) : undefined);

/** Uses the same server without and with a door, one after the other. */
async function both<T>(
  respond: (body: string) => ServedResponse | undefined,
  use: (server: Listening) => Promise<T>,
): Promise<readonly [T, T]> {
  const outcomes: T[] = [];
  for (const isQuick of [false, true]) {
    const server = await listen(respond, isQuick);
    try {
      outcomes.push(await use(server));
      assert.deepEqual(server.faults, []);
    } finally {
      server.close();
    }
  }
  return outcomes as unknown as readonly [T, T];
}

const headerValue = fc.stringMatching(/^[!-~](?:[ -~]{0,10}[!-~])?$/);
const response: fc.Arbitrary<ServedResponse> = fc
  .record({
    status: fc.constantFrom(200, 201, 204, 304, 299, 400, 429, 500, 599),
    headers: fc.array(
      fc.tuple(fc.constantFrom('Content-Type', 'x-request-id', 'date', 'Set-X', 'x-ünï'.slice(0, 2)), headerValue),
      { maxLength: 4 },
    ),
    body: fc.uint8Array({ maxLength: 40_000, size: 'max' }),
    hasLength: fc.boolean(),
    broken: fc.boolean(),
  })
  .map(({ status, headers, body, hasLength, broken }) => {
    const length = hasLength && status !== 204 && status !== 304 ? ['Content-Length', String(body.length)] : [];
    return {
      status,
      headers: [...headers.flat(), ...length],
      body: Buffer.from(body),
      ...(broken && { broken: true as const }),
    };
  });

describe('the quick door', () => {
  it('responds with the bytes that node:http sends', async () => {
    const cases = fc.sample(response, 60);
    const [plain, quick] = await both(
      (body) => (body === '' ? undefined : cases[Number(body)]),
      async ({ port }) => Promise.all(cases.map((_, at) => exchange(port, [post(String(at))]))),
    );
    assert.deepEqual(quick, plain);
    assert.ok(quick.every((text) => text.startsWith('HTTP/1.1 ')));
  });

  it('reads requests however their bytes come, and hands those over that are not on the tape', async () => {
    const request = fc.record({
      body: fc.constantFrom('a', 'aa', 'a'.repeat(3_000), 'b', '', `a${'x'.repeat(70_000)}`),
      head: fc.constantFrom('host: here', 'Host:here\r\nx-trace: 1', 'host: here\r\nConnection: keep-alive'),
      url: fc.constantFrom('/known', '/known', '/known', '/other'),
    });
    const conversations = fc.sample(
      fc.record({
        requests: fc.array(request, { minLength: 1, maxLength: 5 }),
        cuts: fc.array(fc.nat(), { maxLength: 6 }),
      }),
      60,
    );
    const [plain, quick] = await both(onTape, async (server) => {
      const texts = await Promise.all(
        conversations.map(({ requests, cuts }) => {
          const bytes = Buffer.concat(requests.map(({ body, head, url }) => post(body, head, url)));
          return exchange(server.port, cut(bytes, cuts));
        }),
      );
      return { texts, asked: server.askedHttp };
    });
    assert.deepEqual(quick.texts, plain.texts);
    assert.ok(quick.asked < plain.asked && quick.asked > conversations.length, `${quick.asked} of ${plain.asked}`);
  });

  it('needs node:http for none of the requests of a client that asks one after the other', async () => {
    const server = await listen(onTape, true);
    const socket = connect({ port: server.port, host: '127.0.0.1', noDelay: true });
    const received = read(socket);
    // As Python's clients do, the body is sent by itself.
    for (const body of ['a', 'ab', 'a'.repeat(100), `a${'c'.repeat(300_000)}`]) {
      const before = received.text.length;
      const bytes = post(body);
      socket.write(bytes.subarray(0, bytes.length - body.length));
      await nextTurn();
      socket.write(bytes.subarray(bytes.length - body.length));
      while (received.text.length === before) await nextTurn();
    }
    assert.equal(received.text.match(/HTTP\/1\.1 200 OK/g)?.length, 4);
    assert.equal(server.askedHttp, 0);
    socket.destroy();
    server.close();
  });

  it('leaves all that can be read in two ways to node:http', async () => {
    const heads = [
      'host: here\r\ntransfer-encoding: chunked',
      'host: here\r\nTransfer-Encoding : chunked',
      'host: here\r\ncontent-length: 3',
      'host: here\r\nhost: there',
      'host: here\r\n folded: yes',
      'host: here\r\nx: 1\n\ry: 2',
      'host: here\r\nbad header',
      'host: here\r\nx: a\u0000b',
      'host: here\r\nexpect: 100-continue',
      'host: here\r\nconnection: close',
      'host: here\r\nconnection: upgrade\r\nupgrade: websocket',
      'x: there is no host',
    ];
    const [plain, quick] = await both(onTape, async (server) => {
      const texts = await Promise.all(heads.map((head) => exchange(server.port, [post('a', head)])));
      return { texts, asked: server.askedHttp };
    });
    assert.deepEqual(quick, plain);
    for (const head of heads)
      assert.equal(readPlainHead(`POST / HTTP/1.1\r\n${head}\r\ncontent-length: 1`), undefined, head);
  });

  it('reads heads as node:http does, or not at all', async () => {
    const seen: unknown[] = [];
    const http = createServer((request, response) => {
      seen.push({ method: request.method, url: request.url, headers: { ...request.headers } });
      request.resume().on('end', () => response.end());
    });
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
    const { port } = http.address() as AddressInfo;
    const odd = fc.stringMatching(/^[\t -~\u0080-\u00ff]{0,6}$/);
    const header = fc.oneof(
      fc.tuple(fc.stringMatching(/^[a-zA-Z0-9_.!~-]{1,8}$/), odd).map(([name, value]) => `${name}:${value}`),
      fc.stringMatching(/^[\t\n -~]{1,12}$/),
      fc.constantFrom('Host: x', 'connection: Keep-Alive', 'accept:', 'content-length: 0', 'a:  b \t', 'cookie: a=b'),
    );
    const url = fc.oneof(fc.constant('/known?q=1'), fc.stringMatching(/^\/[!-~ ]{0,8}$/));
    const texts = fc
      .sample(fc.record({ url, headers: fc.array(header, { maxLength: 5 }) }), 3_000)
      .map(({ url, headers }) => [`POST ${url} HTTP/1.1`, 'host: here', ...headers, 'content-length: 0'].join('\r\n'));
    let read = 0;
    for (const text of texts) {
      const head = readPlainHead(text);
      if (head === undefined) continue;
      read += 1;
      seen.length = 0;
      const socket = connect({ port, host: '127.0.0.1' });
      socket.write(`${text}\r\n\r\n`, 'latin1');
      await once(socket, 'data');
      socket.destroy();
      const { method, url, headers } = head;
      assert.deepEqual(seen, [{ method, url, headers: { ...headers } }], text);
    }
    assert.ok(read > 300, String(read));
    http.close();
    http.closeAllConnections();
  });

  it('ends the connection of a client that ends it in the middle of a request', async () => {
    const server = await listen(onTape, true);
    const bytes = post('a');
    for (const length of [10, bytes.length - 1, bytes.length]) {
      const socket = connect({ port: server.port, host: '127.0.0.1' });
      const received = read(socket);
      socket.end(bytes.subarray(0, length));
      while (!received.isEnded) await nextTurn();
      assert.match(received.text, length === bytes.length ? /200 OK/ : /^(?:HTTP\/1\.1 400 |$)/);
    }
    server.close();
  });

  it('reads on only as fast as a client reads its responses', async () => {
    const server = await listen(() => json(`a${'b'.repeat(500_000)}`), true);
    const socket = connect({ port: server.port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    socket.pause();
    const request = post('a');
    for (let written = 0; written < 400_000 && socket.writableLength < 2_000_000; written += 1) {
      socket.write(request);
      if (written % 100 === 0) await nextTurn();
    }
    assert.ok(socket.writableLength >= 2_000_000, 'what was asked was read');
    const received = read(socket.resume());
    while (received.text.length < 5_000_000) await nextTurn();
    socket.destroy();
    server.close();
  });
});

function cut(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [0, ...cuts.map((at) => at % bytes.length).sort((left, right) => left - right), bytes.length];
  return places.slice(1).map((end, at) => bytes.subarray(places[at], end));
}
