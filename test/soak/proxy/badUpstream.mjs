// An upstream that answers questions, and now and then resets, stalls, sends half an event, or an error.
import { createServer } from 'node:http';

const WORDS = Array.from({ length: 12 }, (_, at) => `word${at} `);

/** What the model says to a question, in pieces. @param {string} question */
export function answerPieces(question) {
  return [`<${question}>`, ...WORDS, `</${question}>`];
}

/** @param {string} content */
const event = (content) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;

/** @typedef {'fine' | 'fails' | 'resets' | 'breaks' | 'halves' | 'stalls' | 'garbage'} Mood */
/** @type {readonly Mood[]} */
const MOODS = [
  'fine',
  'fine',
  'fine',
  'fine',
  'fine',
  'fine',
  'fails',
  'resets',
  'breaks',
  'halves',
  'stalls',
  'garbage',
];

/** @param {() => number} random */
export async function startUpstream(random) {
  let open = 0;
  const server = createServer((request, response) => {
    /** @type {Buffer[]} */
    const chunks = [];
    request.on('error', () => undefined).on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { messages, stream } = JSON.parse(Buffer.concat(chunks).toString());
      const mood = MOODS[Math.floor(random() * MOODS.length)] ?? 'fine';
      void reply(response, messages[0].content, stream, mood);
    });
  });
  server.on('connection', (socket) => {
    open += 1;
    socket.on('close', () => {
      open -= 1;
    });
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', () => done(undefined)));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return { url: `http://127.0.0.1:${port}/v1`, connections: () => open, close: () => server.close() };
}

/** @param {import('node:http').ServerResponse} response @param {string} question @param {boolean} stream @param {Mood} mood */
async function reply(response, question, stream, mood) {
  response.on('error', () => undefined);
  if (mood === 'resets') return response.socket?.resetAndDestroy();
  if (mood === 'fails')
    return response
      .writeHead(503, { 'content-type': 'application/json' })
      .end(`{"error":{"message":"busy ${question}"}}`);
  if (mood === 'garbage')
    return response.socket?.end('HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-type\r\n\r\n\0\0\0');
  const pieces = answerPieces(question);
  if (!stream) {
    const text = JSON.stringify({
      choices: [{ index: 0, message: { role: 'assistant', content: pieces.join('') }, finish_reason: 'stop' }],
    });
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
    if (mood === 'fine') return response.end(text);
    response.write(text.slice(0, text.length / 2));
    if (mood !== 'stalls') setTimeout(() => response.destroy(), 5);
    return undefined;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const [index, piece] of pieces.entries()) {
    if (mood !== 'fine' && index === 6) {
      if (mood === 'halves') response.write(event(piece).slice(0, 20));
      if (mood !== 'stalls') setTimeout(() => response.destroy(), 5);
      return undefined;
    }
    response.write(event(piece));
    await new Promise((done) => setTimeout(done, 1));
  }
  return response.end('data: [DONE]\n\n');
}
