#!/usr/bin/env node
// node test/soak/canaries.mjs [COUNT]   puts secrets (500 by default), each another one, into headers, queries, bodies, tool
// results, the environment, answers, streams and error texts of agents that are recorded in every format that is written, and
// looks for them in everything that is on disk afterwards: tapes, takes, caches, artifacts, logs, and in what is packed in
// them. Some requests and answers are compressed, whatever was asked for. Build the engine first.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';

const ENGINE = resolve('dist/engine.js');
const COUNT = Number(process.argv[2] ?? 500);
const folder = mkdtempSync(join(tmpdir(), 'tapedeck-canaries-'));
/** @type {string[]} */
const failures = [];

/** @param {number} length @param {string} alphabet */
function letters(length, alphabet = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789') {
  return Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join('');
}

/** Secrets as those who give them out make them. */
const SHAPES = [
  () => `sk-proj-${letters(48)}`,
  () => `sk-ant-api03-${letters(60)}`,
  () => `AIza${letters(35)}`,
  () => `gsk_${letters(52)}`,
  () => `AKIA${letters(16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')}`,
  () => `ghp_${letters(36)}`,
  () => `hf_${letters(34)}`,
  () => `xoxb-${letters(12, '0123456789')}-${letters(24)}`,
  () => `pplx-${letters(48)}`,
  () => `eyJ${letters(30)}.eyJ${letters(60)}.${letters(43)}`,
];
/** Any other secret, where its place tells what it is. */
const PLAIN = () => letters(24);

let made = 0;
const secret = () => SHAPES[made++ % SHAPES.length]?.() ?? '';
/** By the place that it was put into. @type {Map<string, string>} */
const canaries = new Map();

/** @param {string} place @param {() => string} make */
function canary(place, make = secret) {
  const value = make();
  canaries.set(value, place);
  return value;
}

/** One agent's run: what it sends, what it is answered, and what its environment holds. @param {number} run */
function scene(run) {
  const account = `org-${letters(24)}`;
  canaries.set(account, 'account in an error');
  return {
    environment: {
      OPENAI_API_KEY: canary('environment: key'),
      MY_DATABASE_PASSWORD: canary('environment: password', PLAIN),
    },
    headers: {
      authorization: `Bearer ${canary('header: authorization')}`,
      'x-api-key': canary('header: x-api-key', PLAIN),
      cookie: `session=${canary('header: cookie', PLAIN)}`,
      'openai-organization': canary('header: organization', PLAIN),
      'x-unknown-thing': canary('header: unknown', PLAIN),
    },
    query: `?api-key=${canary('query', PLAIN)}&run=${run}`,
    body: {
      model: 'm',
      user: `run ${run}`,
      messages: [
        { role: 'system', content: `Use ${canary('body: text')} to log in.` },
        {
          role: 'user',
          content: `Run ${run}. My password is in {"password": "${canary('body: JSON in a text', PLAIN)}"}`,
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: 'c',
              type: 'function',
              function: {
                name: 'login',
                arguments: JSON.stringify({ user: 'ada', password: canary('tool arguments', PLAIN) }),
              },
            },
          ],
        },
        {
          role: 'tool',
          tool_call_id: 'c',
          content: JSON.stringify({
            access_token: canary('tool result', PLAIN),
            note: `export KEY=${canary('tool result: text')}`,
          }),
        },
      ],
    },
    answer: `The key is ${canary('answer')}, and {"client_secret": "${canary('answer: JSON', PLAIN)}"}`,
    packed: {
      gzip: canary('gzip request'),
      br: canary('br request'),
      plain: canary('packed request: password', PLAIN),
    },
    packedAnswer: `It is ${canary('gzip answer')}, {"client_secret": "${canary('gzip answer: JSON', PLAIN)}"}`,
    streamed: canary('streamed answer'),
    error: `Incorrect key ${canary('error text')} in organization ${account}`,
    responseHeaders: {
      'set-cookie': `sid=${canary('answer: cookie', PLAIN)}`,
      'openai-organization': canary('answer: organization', PLAIN),
      'x-debug': `key ${canary('answer: header')}`,
    },
    output: canary('output of the agent'),
    complaint: canary('stderr of the agent'),
  };
}

const scenes = Array.from({ length: Math.ceil(COUNT / 22) }, (_, run) => scene(run));
const server = createServer((request, response) => {
  /** @type {Buffer[]} */
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const body = JSON.parse(unpacked(Buffer.concat(chunks), request.headers['content-encoding']));
    const { answer, packedAnswer, streamed, error, responseHeaders } =
      scenes[Number(/run (\d+)/.exec(body.user)?.[1])] ?? scene(-1);
    if (body.packed) {
      const message = { role: 'assistant', content: packedAnswer };
      const text = JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] });
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(gzipSync(text));
    } else if (body.seed === 1) {
      response
        .writeHead(401, { 'content-type': 'application/json', ...responseHeaders })
        .end(JSON.stringify({ error: { message: error, type: 'auth' } }));
    } else if (body.stream) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      // Token by token, as models write.
      for (let at = 0; at < streamed.length; at += 7)
        response.write(
          `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: streamed.slice(at, at + 7) } }] })}\n\n`,
        );
      response.end(
        `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: ` ${streamed}` } }] })}\n\ndata: [DONE]\n\n`,
      );
    } else {
      response.writeHead(200, { 'content-type': 'application/json', ...responseHeaders });
      response.end(
        JSON.stringify({
          choices: [{ index: 0, message: { role: 'assistant', content: answer }, finish_reason: 'stop' }],
        }),
      );
    }
  });
});
await new Promise((done) => server.listen(0, '127.0.0.1', () => done(undefined)));
const address = server.address();
const upstream = `http://127.0.0.1:${typeof address === 'object' && address?.port}/v1`;

const AGENT = `import { brotliCompressSync, gzipSync } from 'node:zlib';
const { headers, query, body, packed, output, complaint } = JSON.parse(process.env.SCENE_OF_THE_TEST);
const url = process.env.OPENAI_BASE_URL + '/chat/completions' + query;
for (const more of [{}, { stream: true }, { seed: 1 }]) {
  const send = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify({ ...body, ...more }) };
  await (await fetch(url, send)).text();
}
for (const [encoding, pack] of [['gzip', gzipSync], ['br', brotliCompressSync]]) {
  const content = 'Use ' + packed[encoding] + ' or ' + JSON.stringify({ password: packed.plain, env: process.env.MY_DATABASE_PASSWORD });
  const asked = pack(JSON.stringify({ ...body, packed: true, messages: [{ role: 'user', content }] }));
  const send = { method: 'POST', headers: { ...headers, 'content-type': 'application/json', 'content-encoding': encoding }, body: asked };
  await (await fetch(url, send)).text();
}
console.log(output);
console.error(complaint);
if (process.env.FAIL_THE_TEST) process.exit(1);
`;

/** @param {string[]} args @param {Record<string, string>} environment @param {string} log */
async function engine(args, environment, log) {
  const child = spawn(process.execPath, [ENGINE, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, TMPDIR: join(folder, 'tmp'), ...environment },
  });
  /** @type {Buffer[]} */
  const said = [];
  child.stdout.on('data', (chunk) => said.push(chunk));
  child.stderr.on('data', (chunk) => said.push(chunk));
  const code = await new Promise((done) => child.once('close', done));
  writeFileSync(join(folder, 'logs', log), Buffer.concat(said));
  return { code, said: Buffer.concat(said).toString() };
}

mkdirSync(join(folder, 'logs'));
mkdirSync(join(folder, 'tmp'));
mkdirSync(join(folder, 'cases'));
writeFileSync(join(folder, 'agent.mjs'), AGENT);
writeFileSync(join(folder, 'tapedeck.toml'), '');
const help = await engine(['exec', '--record', '--to', 'nothing', '--', 'true'], {}, 'help.txt');
const formats = [...(/Formats that can be written: (.*)\./.exec(help.said)?.[1] ?? '').matchAll(/([a-z-]+)/g)]
  .map(([, id = '']) => id)
  .filter((id) => !id.startsWith('-'));
console.log(`formats: ${formats.join(', ')}`);
let runs = 0;
for (const [index, one] of scenes.entries()) {
  const format = formats[index % formats.length] ?? 'tapedeck';
  const environment = { ...one.environment, SCENE_OF_THE_TEST: JSON.stringify(one) };
  const tape = `cases/${format}-${index}.tape`;
  const exec = ['exec', '--tape', tape, '--to', format, '--upstream', `openai=${upstream}`];
  // The agent's own output is the terminal's, not Tapedeck's: it goes nowhere here.
  const quiet = ['--', 'sh', '-c', 'node agent.mjs >/dev/null 2>&1'];
  const recorded = await engine([...exec, '--record', ...quiet], environment, `record-${index}.txt`);
  if (recorded.code !== 0)
    failures.push(`recording in ${format} ended with ${recorded.code}: ${recorded.said.slice(0, 500)}`);
  // A second take, and a replay that drifts: both write more about the same secrets.
  await engine([...exec, '--record', ...quiet], environment, `again-${index}.txt`);
  const drifting = { ...one, body: { ...one.body, temperature: 1 } };
  await engine(
    [...exec, '--replay', ...quiet],
    { ...environment, SCENE_OF_THE_TEST: JSON.stringify(drifting) },
    `drift-${index}.txt`,
  );
  const toml = `name = "c${index}"\nprompt = "go"\n[agent]\ncommand = ["node", "../agent.mjs"]\n[llm]\ntape = "case-${index}.tape.jsonl"\n[llm.provider]\nkind = "open_ai_compatible"\nbase_url = "${upstream}"\n`;
  writeFileSync(join(folder, `cases/c${index}.toml`), toml);
  for (const [mode, more] of [
    ['--record', {}],
    ['--replay', {}],
    ['--replay', { FAIL_THE_TEST: '1' }],
  ])
    await engine(
      [
        'run',
        `cases/c${index}.toml`,
        String(mode),
        '--update-baselines',
        '--reporter',
        index % 2 === 0 ? 'junit' : 'json',
      ],
      { ...environment, .../** @type {Record<string, string>} */ (more) },
      `case-${index}-${runs++}.txt`,
    );
}
server.close();

/** @param {Buffer} bytes @param {string} [encoding] */
function unpacked(bytes, encoding) {
  if (encoding === undefined) return bytes.toString();
  return (encoding === 'br' ? brotliDecompressSync : gunzipSync)(bytes).toString();
}

/** All that is compressed in base64 of a text. @param {string} text */
function packedIn(text) {
  const found = [];
  for (const [base64] of text.matchAll(/[A-Za-z0-9+/]{40}(?:[A-Za-z0-9+/]|\s+|\\n)*={0,2}/g)) {
    const bytes = Buffer.from(base64.replaceAll('\\n', ''), 'base64');
    for (const encoding of ['gzip', 'br']) {
      try {
        found.push(unpacked(bytes, encoding));
      } catch {
        // It is something else.
      }
    }
  }
  return found;
}

const files = readdirSync(folder, { recursive: true })
  .map((name) => join(folder, String(name)))
  .filter((path) => statSync(path).isFile());
let bytes = 0;
let packings = 0;
for (const path of files) {
  const stored = readFileSync(path, 'latin1');
  const inside = packedIn(stored);
  packings += inside.length;
  const text = [stored, ...inside].join('\n');
  bytes += text.length;
  for (const [value, place] of canaries) {
    const forms = [value, Buffer.from(value).toString('base64').replace(/=+$/, '').slice(0, -2)];
    if (forms.some((form) => text.includes(form))) failures.push(`${place}: in ${path.slice(folder.length + 1)}`);
  }
}
const tapes = files.filter((path) => /cases\/.*tape/.test(path)).length;
console.log(
  `${canaries.size} secrets, ${files.length} files (${tapes} tapes), ${(bytes / 1e6).toFixed(1)} MB searched, ${packings} compressed bodies`,
);
if (tapes < scenes.length) failures.push('there are not as many tapes as runs');
if (process.env.KEEP) console.log(folder);
else rmSync(folder, { recursive: true, force: true });
for (const failure of [...new Set(failures)].slice(0, 40)) console.log(`FAILED: ${failure}`);
console.log(failures.length === 0 ? 'ok: none is on disk' : `${failures.length} found`);
process.exitCode = failures.length === 0 ? 0 : 1;
