// Answers with every payload below its name (`/payload/0`), and as servers of HTTP do otherwise: it polls, limits, redirects, streams, and
// says what was sent to it. Prints its port.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { PAYLOADS } from './payloads.mjs';

const payloads = Object.values(PAYLOADS);
const JSON_TYPE = { 'content-type': 'application/json' };
const times = { poll: 0, flaky: 0 };
const next = (/** @type {keyof typeof times} */ name) => {
  times[name] += 1;
  return times[name];
};

/** @type {Readonly<Record<string, () => readonly [status: number, headers: Record<string, string | string[]>, body?: string]>>} */
const ANSWERS = {
  poll: () => [200, JSON_TYPE, JSON.stringify({ n: next('poll') })],
  flaky: () =>
    next('flaky') > 1 ? [200, JSON_TYPE, '{"ok":true}'] : [429, { ...JSON_TYPE, 'retry-after': '0' }, '{}'],
  redirect: () => [302, { location: '/target?x=1' }],
  moved: () => [307, { location: 'https://api.example.com/target?x=2' }],
  target: () => [200, JSON_TYPE, '{"at":"target"}'],
  cookie: () => [200, { ...JSON_TYPE, 'set-cookie': ['theme=dark; Path=/', 'lang=en; Path=/'] }, '{}'],
  head: () => [200, { 'x-length': '7' }],
  none: () => [204, {}],
  unchanged: () => [304, { etag: '"x"' }],
  twice: () => [200, { ...JSON_TYPE, 'x-multi': ['1', '2'], link: ['<a>; rel=next', '<b>; rel=prev'] }, '{}'],
  last: () => [599, JSON_TYPE, '{"e":1}'],
  stream: () => [200, { 'content-type': 'text/event-stream' }],
};

const server = createServer((request, response) => {
  const chunks = /** @type {Buffer[]} */ ([]);
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => void answer(Buffer.concat(chunks)));

  /** @param {Buffer} sent */
  async function answer(sent) {
    const [, name = '', at = ''] = (request.url ?? '').split('?')[0]?.split('/') ?? [];
    const payload = name === 'payload' ? payloads[Number(at)] : undefined;
    if (payload !== undefined) {
      response.writeHead(200, { ...payload.headers, 'content-length': payload.body.length });
      response.end(payload.body);
      return;
    }
    const sha = createHash('sha256').update(sent).digest('hex').slice(0, 12);
    const said = ANSWERS[name]?.() ?? [
      200,
      JSON_TYPE,
      JSON.stringify({ length: sent.length, sha, method: request.method }),
    ];
    const [status, headers, body = ''] = said;
    response.writeHead(status, headers);
    if (name !== 'stream') {
      response.end(body);
      return;
    }
    const pear = Buffer.from('data: piña 🍐\n\n');
    for (const piece of [
      'event: a\ndata: 1\n\n',
      ': comment\n\n',
      'id: 7\nretry: 10\ndata: x\n\n',
      pear.subarray(0, 14),
      pear.subarray(14),
    ]) {
      response.write(piece);
      await wait(10);
    }
    response.end();
  }
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null) console.log(address.port);
});
