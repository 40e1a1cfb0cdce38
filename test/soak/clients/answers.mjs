// The APIs that the clients of the table call, over TLS, on this machine: each answer is one of its own.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';

const usage = { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12, input_tokens: 7, output_tokens: 5 };

/** What each API answers, by path. @type {[path: RegExp, answer: (text: string) => object][]} */
const ANSWERS = [
  [
    /\/chat\/completions$/,
    (content) => ({
      ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'm', usage },
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
    }),
  ],
  [
    /\/v1\/messages$/,
    (text) => ({
      ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn', usage },
      content: [{ type: 'text', text }],
    }),
  ],
  [
    /:generateContent$/,
    (text) => ({ candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' }] }),
  ],
  [
    /\/v2\/chat$/,
    (text) => ({
      id: 'c',
      finish_reason: 'COMPLETE',
      message: { role: 'assistant', content: [{ type: 'text', text }] },
    }),
  ],
  [/\/api\/chat$/, (content) => ({ model: 'm', done: true, message: { role: 'assistant', content } })],
  [
    /\/converse$/,
    (text) => ({
      ...{ stopReason: 'end_turn', metrics: { latencyMs: 1 } },
      output: { message: { role: 'assistant', content: [{ text }] } },
      usage: { inputTokens: 7, outputTokens: 5, totalTokens: 12 },
    }),
  ],
  [/^\/forecast/, (forecast) => ({ forecast })],
];

/** Starts the server; `trust` is the certificate to trust. @param {string} folder */
export async function serveAnswers(folder) {
  const [key, trust] = ['answers.key', 'answers.pem'].map((name) => join(folder, name));
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  execFileSync('openssl', [...made, ...names, '-keyout', String(key), '-out', String(trust)], { stdio: 'ignore' });
  let asked = 0;
  /** Requests to AWS. @type {{ method: string | undefined, url: string | undefined, headers: object, body: string }[]} */
  const signed = [];
  const server = createServer(
    { key: readFileSync(String(key)), cert: readFileSync(String(trust)) },
    (request, response) => {
      asked += 1;
      const path = (request.url ?? '').replace(/\?.*$/, '');
      const answer = ANSWERS.find(([pattern]) => pattern.test(path))?.[1];
      /** @type {Buffer[]} */
      const body = [];
      request.on('data', (piece) => body.push(piece));
      request.on('end', () => {
        const { method, url, headers } = request;
        if (/^AWS4-/.test(headers.authorization ?? ''))
          signed.push({ method, url, headers, body: Buffer.concat(body).toString('base64') });
        response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
        response.end(JSON.stringify(answer?.(`Answer ${asked}: sunny.`) ?? { error: { message: `no ${path}` } }));
      });
    },
  );
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return {
    url: `https://localhost:${port}`,
    trust: String(trust),
    asked: () => asked,
    signed,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
