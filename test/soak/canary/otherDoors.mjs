// Recordings of the canary soak that come in by other doors than a base URL: requests to the own addresses of APIs and of other
// hosts, through the forward proxy, and the messages of an MCP server.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WRITINGS } from './secrets.mjs';
import { tapeName } from './workshop.mjs';

const ADDRESSES = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com',
  gemini: 'https://generativelanguage.googleapis.com',
  cohere: 'https://api.cohere.com',
  bedrock: 'https://bedrock-runtime.us-east-1.amazonaws.com',
  other: 'https://tools.example.com',
};

const AGENT = `import { readFileSync } from 'node:fs';
const ADDRESSES = ${JSON.stringify(ADDRESSES)};
const items = JSON.parse(readFileSync(process.argv[2], 'utf8'));
for (const { api, path, method, headers, body } of items) {
  const sent = { method, headers, redirect: 'manual', ...(body && { body: Buffer.from(body, 'base64') }) };
  try { await (await fetch(ADDRESSES[api] + path, sent)).arrayBuffer(); } catch (error) { console.error(String(error.cause ?? error)); }
}
`;

const SERVER = `import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const texts = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const blob = (text) => Buffer.from('The key is ' + text).toString('base64');
for await (const line of createInterface(process.stdin)) {
  const { id, method, params } = JSON.parse(line);
  const text = texts[params?.arguments?.at];
  if (method === 'initialize')
    send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'canary', version: '1' } } });
  else if (method === 'tools/list')
    send({ id, result: { tools: [{ name: 'log_in', inputSchema: { type: 'object' } }] } });
  else if (id !== undefined) {
    send({ method: 'notifications/message', params: { level: 'info', data: { note: 'as ' + text } } });
    console.error('log in as ' + text);
    const resource = { uri: 'note://' + params.arguments.at, mimeType: 'text/plain', blob: blob(text) };
    if (params.arguments.at % 5 === 4) send({ id, error: { code: -32000, message: 'Cannot log in as ' + text } });
    else send({ id, result: { content: [{ type: 'text', text: 'The key is ' + text }, { type: 'resource', resource }], structuredContent: { note: text } } });
  }
}
`;

/** A recording of requests to the own addresses, and a replay that drifts. @param {import('./workshop.mjs').Workshop} workshop @param {string} name @param {string} format @param {readonly any[]} items */
export async function recordOwnAddresses(workshop, name, format, items) {
  writeFileSync(join(workshop.folder, 'forwarded.mjs'), AGENT);
  const known = items.filter(({ api }) => api in ADDRESSES);
  const agent = (/** @type {string} */ input) => [
    '--',
    'sh',
    '-c',
    `node forwarded.mjs '${input}' > 'said/forwarded-agent-${name}.txt' 2>&1`,
  ];
  const host = `tools.example.com=${workshop.upstream}`;
  const tape = `cases/${tapeName(`forwarded-${name}`, format)}`;
  const options = ['exec', '--tape', tape, '--to', format, ...workshop.upstreams(), '--upstream', host];
  const recorded = await workshop.engine(`forwarded-${name}`, [
    ...options,
    '--record',
    ...agent(workshop.items(`forwarded-${name}`, known)),
  ]);
  await workshop.requireSaved(`own addresses in ${format}`, tape, recorded);
  const count = Number(/(\d+) recorded/.exec(recorded.said)?.[1]);
  if (!(count >= known.length * 0.9))
    workshop.failures.push(`own addresses in ${format}: ${count} of ${known.length} recorded: ${recorded.said}`);
  const drifting = known.map((one) => ({ ...one, path: one.path.replace('run=', 'again=1&run=') }));
  await workshop.engine(`forwarded-${name}-drift`, [
    ...options,
    '--replay',
    ...agent(workshop.items(`forwarded-${name}-drift`, drifting)),
  ]);
}

/** A recording of an MCP server, a replay, and one that drifts. @param {import('./workshop.mjs').Workshop} workshop @param {string} name @param {readonly any[]} items */
export async function recordServer(workshop, name, items) {
  writeFileSync(join(workshop.folder, 'mcpServer.mjs'), SERVER);
  const writings = Object.values(WRITINGS);
  const texts = items
    .filter(({ isNamed }) => !isNamed)
    .map(({ secret }, at) => (writings[at % writings.length] ?? String)(secret));
  const server = ['--', 'node', 'mcpServer.mjs', workshop.items(`mcp-${name}`, texts)];
  const options = ['mcp-tape', '--tape', `cases/mcp-${name}.tape.jsonl`];
  await talk('record', texts, []);
  await talk('replay', texts, []);
  await talk('drift', texts, ['again']);

  /** @param {string} step @param {readonly string[]} notes @param {readonly string[]} more */
  async function talk(step, notes, more) {
    const mode = step === 'record' ? ['--record'] : ['--on-drift', 'warn'];
    let answered = 0;
    const { code, said } = await workshop.process([...options, ...mode, ...server], workshop.environment, (child) => {
      const send = (/** @type {unknown} */ message) =>
        child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...Object(message) })}\n`);
      const call = (/** @type {number} */ at) =>
        send({
          id: at,
          method: 'tools/call',
          params: { name: 'log_in', arguments: { at, note: notes[at], ...(more.length > 0 && { more }) } },
        });
      let rest = '';
      child.stdout.on('data', (chunk) => {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop() ?? '';
        for (const message of lines.map((line) => JSON.parse(line)).filter(({ id }) => id !== undefined)) {
          if (message.id === 'begin') {
            send({ method: 'notifications/initialized' });
            send({ id: 'list', method: 'tools/list' });
          } else if (message.id === 'list') call(0);
          else {
            answered += 1;
            if (answered < notes.length) call(answered);
            else child.stdin.end();
          }
        }
      });
      send({
        id: 'begin',
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'soak', version: '1' } },
      });
    });
    // A live server's answers reach the client as they are, and its stderr is its own; a replay's come from the tape.
    if (step !== 'record') writeFileSync(join(workshop.folder, 'said', `mcp-${name}-${step}.txt`), said);
    if (answered < notes.length || (step === 'record' && code !== 0))
      workshop.failures.push(`mcp-tape, ${step}: ended with ${code}, ${answered} of ${notes.length} answers`);
  }
}
