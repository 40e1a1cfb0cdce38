// Sends each payload, asks for each, and does what else clients of HTTP do. Prints a line for each response: what a program sees of it, but for cookies, which are
// secrets and not recorded.
import { createHash } from 'node:crypto';
import { PAYLOADS } from './payloads.mjs';

const BASE = 'https://api.example.com';

/** @param {string} name @param {string} path @param {RequestInit} [init] */
async function show(name, path, init) {
  const response = await fetch(BASE + path, init).catch((/** @type {Error} */ error) => error);
  if (response instanceof Error) {
    console.log(`${name}: ${response.message}`);
    return;
  }
  const body = Buffer.from(await response.arrayBuffer());
  const told = ['content-type', 'x-multi', 'link', 'location', 'etag'].map(
    (header) => response.headers.get(header) ?? '-',
  );
  const sha = createHash('sha256').update(body).digest('hex').slice(0, 12);
  console.log(`${name}: ${response.status} ${body.length} ${sha} ${told.join(' ')} ${response.redirected}`);
}

for (const [at, [name, { headers, body }]] of Object.entries(PAYLOADS).entries()) {
  await show(`get ${name}`, `/payload/${at}`);
  const type = headers['content-type'];
  if (body.length > 0 && headers['content-encoding'] === undefined)
    await show(`send ${name}`, `/upload/${at}`, {
      method: 'POST',
      body,
      headers: type === undefined ? {} : { 'content-type': type },
    });
}
for (let time = 0; time < 4; time += 1) await show(`poll ${time}`, '/poll');
for (let time = 0; time < 2; time += 1) await show(`flaky ${time}`, '/flaky');
for (const name of ['redirect', 'moved', 'cookie', 'none', 'twice', 'last', 'stream']) await show(name, `/${name}`);
await show('head', '/head', { method: 'HEAD' });
await show('unchanged', '/unchanged', { headers: { 'if-none-match': '"x"' } });
await show('options', '/x', { method: 'OPTIONS' });
await show('put', '/x?b=2&a=1', {
  method: 'PUT',
  body: '{"b":1,"a":[1,2]}',
  headers: { 'content-type': 'application/json' },
});
await show('patch', '/x', { method: 'PATCH', body: Buffer.from([0, 255]) });
await show('delete', '/x', { method: 'DELETE' });
await show('form', '/form', { method: 'POST', body: new URLSearchParams({ a: '1', b: 'x y' }) });
const [file, text] = ['application/octet-stream', 'text/plain'].map((type) => multipart(type));
await show('multipart of bytes', '/upload', file);
await show('multipart of a text', '/upload', text);
const words = ['dog', 'cat', 'turtle', 'elephant', 'flower', 'a', 'bb'];
const embedded = await Promise.all(
  words.map(async (input) => {
    const init = { method: 'POST', body: JSON.stringify({ input }), headers: { 'content-type': 'application/json' } };
    const response = await fetch(`${BASE}/embed`, init);
    return `${input} ${response.status} ${await response.text()}`;
  }),
);
console.log(embedded.join('\n'));

/** @param {string} type */
function multipart(type) {
  const content =
    type === 'text/plain' ? Buffer.from('plain text') : Buffer.from(Array.from({ length: 200 }, (_, at) => at));
  const head = `--limit\r\ncontent-disposition: form-data; name="f"; filename="a"\r\ncontent-type: ${type}\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), content, Buffer.from('\r\n--limit--\r\n')]);
  return { method: 'POST', body, headers: { 'content-type': 'multipart/form-data; boundary=limit' } };
}
