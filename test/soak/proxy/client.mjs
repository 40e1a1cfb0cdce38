// One client among many: asks, hangs up, or talks nonsense.
import { request } from 'node:http';
import net from 'node:net';
import { answerPieces } from './badUpstream.mjs';

/** @typedef {{ whole: number, broken: number, refused: number, nonsense: number, wrong: string[] }} Score */

/** @param {string} base @param {string} question @param {boolean} stream @param {number | undefined} hangUpAfterMs @param {Score} score */
export function ask(base, question, stream, hangUpAfterMs, score) {
  return new Promise((done) => {
    const body = JSON.stringify({ model: 'm', stream, messages: [{ role: 'user', content: question }] });
    const call = request(`${base}/openai/chat/completions`, { method: 'POST', agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      answer.on('error', () => undefined);
      answer.on('close', () => {
        judge(question, stream, answer.statusCode ?? 0, answer.complete, text, score);
        done(undefined);
      });
    });
    call.on('error', () => {
      score.broken += 1;
      done(undefined);
    });
    // A stalled upstream is for the client to give up on.
    call.setTimeout(2_000, () => call.destroy());
    if (hangUpAfterMs !== undefined) setTimeout(() => call.destroy(), hangUpAfterMs);
    call.end(body);
  });
}

/** An answer that looks whole has to be the right one. @param {string} question @param {boolean} stream @param {number} status @param {boolean} complete @param {string} text @param {Score} score */
function judge(question, stream, status, complete, text, score) {
  if (!complete) {
    score.broken += 1;
    return;
  }
  if (status !== 200) {
    score.refused += 1;
    const isOurs = text.includes('tapedeck_') || text.includes(`busy ${question}"`);
    if (!isOurs) score.wrong.push(`${question}: ${status} ${text.slice(0, 200)}`);
    return;
  }
  score.whole += 1;
  const said = stream ? sseText(text) : jsonText(text);
  if (said !== answerPieces(question).join('')) score.wrong.push(`${question}: ${text.slice(0, 200)}`);
}

/** @param {string} text */
function jsonText(text) {
  try {
    return JSON.parse(text).choices[0].message.content;
  } catch {
    return 'no JSON';
  }
}

/** @param {string} text */
function sseText(text) {
  if (!text.endsWith('data: [DONE]\n\n')) return 'an end is missing';
  const events = text.split('\n\n').filter((line) => line.startsWith('data: {'));
  return events.map((line) => JSON.parse(line.slice(6)).choices[0].delta.content).join('');
}

const NONSENSE = [
  'GET / HTTP/1.1\r\n\r\n',
  'POST /x HTTP/1.1\r\nhost: evil.example\r\ncontent-length: 10\r\n\r\n',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'POST / HTTP/1.1\r\nhost: 127.0.0.1\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
  `GET /${'x'.repeat(100_000)} HTTP/1.1\r\n`,
  'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\n123456',
];

/** @param {string} base @param {() => number} random @param {Score} score */
export function talkNonsense(base, random, score) {
  const { hostname, port, pathname } = new URL(base);
  return new Promise((done) => {
    const text = NONSENSE[Math.floor(random() * NONSENSE.length)] ?? '';
    const socket = net.connect({ host: hostname, port: Number(port) }, () => {
      const half = `POST ${pathname}/openai/chat/completions HTTP/1.1\r\nhost: ${hostname}:${port}\r\ncontent-length: 500\r\n\r\n{"model"`;
      socket.write(random() < 0.5 ? text : half);
    });
    score.nonsense += 1;
    socket.on('error', () => undefined).on('data', () => undefined);
    socket.on('close', () => done(undefined));
    setTimeout(() => socket.destroy(), 20 + random() * 200);
  });
}
