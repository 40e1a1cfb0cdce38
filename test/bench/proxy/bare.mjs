// The least that a server of HTTP can do: read the request, and give the same answer to every one.
import { createServer } from 'node:http';
import { answer, frames } from './conversations.mjs';

const stream = process.argv[2] === 'stream';
const body = Buffer.from(
  stream ? frames(0).join('').replace('A0.', 'constant') : JSON.stringify(answer(0)).replace('A0.', 'constant'),
);
const headers = stream
  ? { 'content-type': 'text/event-stream' }
  : { 'content-type': 'application/json', 'content-length': body.length };
const server = createServer((request, response) => {
  /** @type {Buffer[]} */
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    response.writeHead(200, headers);
    response.end(body);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`http://127.0.0.1:${typeof address === 'object' && address?.port}/v1/chat/completions`);
});
