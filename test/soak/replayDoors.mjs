// The doors by which an agent of somebody else's reaches its model, its tools, and anything else: base URLs, the forward proxy,
// and MCP servers, of `exec`, of a case with a command, and of `mcp-tape`. Each is tempted in a replay.

/** @typedef {{args: string[], input?: string, expect: RegExp}} DoorCommand what it prints, on either stream, shows that the door was reached */

const MODEL = 'https://api.openai.com/v1/chat/completions';

/** @param {string} prompt */
export const question = (prompt) => JSON.stringify({ model: 'm', messages: [{ role: 'user', content: prompt }] });

/** A recording of that question. @param {string} prompt */
export const cassette = (prompt) => `interactions:
- request:
    body: '${question(prompt)}'
    headers:
      content-type: [application/json]
    method: POST
    uri: ${MODEL}
  response:
    body: {string: '${JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content: 'fine' } }] })}'}
    headers:
      content-type: [application/json]
    status: {code: 200, message: OK}
version: 1
`;

/** Asks the model that its environment names, which in a replay is the tape. */
export const AGENT = `const answer = await fetch(process.env.OPENAI_BASE_URL + '/chat/completions', {
  method: 'POST', headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] }),
});
console.log(answer.status);
`;

/** Uses addresses of its own, with every client that Node has; a tunnel for what is no HTTP; and a host that has only a name. @param {string} elsewhere */
const forwardAgent = (elsewhere) => `import http from 'node:http';
import https from 'node:https';
const told = (what, work) => work.then((found) => console.log(what, found), (error) => console.log(what, 'failed', error.message));
const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(${question('hi')}) };
const get = (client, url) => new Promise((resolve, reject) => {
  const options = { agent: new client.Agent(), timeout: 5000 };
  client.get(url, options, (response) => resolve(response.resume().statusCode)).on('error', reject).on('timeout', function () { this.destroy(new Error('timeout')); });
});
const tunnel = (bytes) => new Promise((resolve, reject) => {
  const proxy = new URL(process.env.HTTPS_PROXY ?? process.env.https_proxy);
  const authorization = 'Basic ' + Buffer.from(proxy.username + ':' + proxy.password).toString('base64');
  const request = http.request({ host: proxy.hostname, port: proxy.port, method: 'CONNECT', path: '${elsewhere}:6379', headers: { 'proxy-authorization': authorization } });
  request.on('error', reject).end();
  request.on('connect', ({ statusCode }, socket) => {
    socket.on('error', reject).on('close', () => resolve(statusCode)).resume();
    socket.write(bytes);
    setTimeout(() => socket.destroy(), 4000);
  });
});
await told('model', fetch('${MODEL}', init).then(({ status }) => status));
await told('other question', fetch('${MODEL}', { ...init, body: init.body.replace('hi', 'other') }).then(({ status }) => status));
await told('host', get(https, 'https://weather.example/forecast'));
await told('address', get(https, 'https://${elsewhere}/'));
await told('plain', get(http, 'http://${elsewhere}/'));
await told('fetched', fetch('http://${elsewhere}/v1/models').then(({ status }) => status));
await told('tunnel', tunnel('PING\\r\\n\\r\\n\\u0000'));
`;

const PYTHON_AGENT = `import http.client, urllib.request
for ask in (lambda: http.client.HTTPSConnection('weather.example', timeout=5).request('GET', '/'),
            lambda: urllib.request.urlopen('https://weather.example/', timeout=5)):
    try:
        print('python', ask())
    except Exception as error:
        print('python failed', error)
`;

/** A server of MCP that is started in no replay: it would connect, and leave a mark. @param {string} elsewhere */
export const temptingServer = (elsewhere) => `import { appendFileSync } from 'node:fs';
import { connect } from 'node:net';
appendFileSync('started.txt', 'x');
connect(80, '${elsewhere}');
`;

/** A harmless server, for the recording. */
export const MCP_SERVER = `import { createInterface } from 'node:readline';
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const say = (result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
  if (method === 'initialize') say({ protocolVersion: params.protocolVersion, capabilities: {}, serverInfo: { name: 's', version: '1' } });
  if (method === 'tools/call') say({ content: [{ type: 'text', text: 'found ' + params.arguments.what }] });
});
`;

/** @param {string[]} whats */
export function mcpInput(...whats) {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } };
  const calls = whats.map((what, at) => ({
    id: at + 2,
    method: 'tools/call',
    params: { name: 'find', arguments: { what } },
  }));
  const messages = [{ id: 1, method: 'initialize', params }, { method: 'notifications/initialized' }, ...calls];
  return messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');
}

/** Speaks with both servers of the configuration that it is given: that of a command, and that of a URL. */
const MCP_AGENT = `import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
const { files, remote } = JSON.parse(readFileSync(process.env.TAPEDECK_MCP_CONFIG, 'utf8')).mcpServers;
const server = spawn(files.command, files.args, { env: { PATH: process.env.PATH, ...files.env }, stdio: ['pipe', 'pipe', 'inherit'] });
let heard = '';
server.stdout.on('data', (data) => { heard += data; if (heard.split('\\n').length > 2) server.stdin.end(); });
server.stdin.write(${JSON.stringify(mcpInput('a'))});
await new Promise((done) => server.on('close', done));
console.log('files', heard.includes('found a'));
const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const answer = await fetch(remote.url, { method: 'POST', headers, body });
console.log('remote', answer.status, (await answer.text()).slice(0, 200));
`;

/** @param {string} elsewhere an address that nobody has @returns {Record<string, string>} */
export const doorFiles = (elsewhere) => ({
  'agent.mjs': AGENT,
  'forward.mjs': forwardAgent(elsewhere),
  'forward.py': PYTHON_AGENT,
  'mcpAgent.mjs': MCP_AGENT,
  'server.mjs': MCP_SERVER,
  '.mcp.json': JSON.stringify({
    mcpServers: {
      files: { command: 'node', args: ['server.mjs'] },
      remote: { type: 'http', url: `http://${elsewhere}/mcp` },
    },
  }),
  'tapedeck.toml': `[proxy.upstream]\nopenai = "http://${elsewhere}/v1"\n"weather.example" = "http://${elsewhere}"\n`,
  't.yaml': cassette('hi'),
  'empty.yaml': 'interactions: []\nversion: 1\n',
  'cases/served.toml': caseOf('agent.mjs'),
  'cases/forward.toml': caseOf('forward.mjs'),
  'cases/python.toml': caseOf('forward.py', 'python3'),
});

/** @param {string} script @param {string} program */
const caseOf = (script, program = 'node') =>
  `name = "${script}"\nprompt = "hi"\n[agent]\ncommand = ["${program}", "../${script}"]\n[llm]\ntape = "../t.yaml"\n`;

/** @type {readonly DoorCommand[]} */
export const DOOR_COMMANDS = [
  { args: ['exec', '--replay', '--tape', 't.yaml', '--', 'node', 'agent.mjs'], expect: /^200$/m },
  { args: ['exec', '--once', '--tape', 't.yaml', '--', 'node', 'agent.mjs'], expect: /^200$/m },
  { args: ['exec', '--tape', 'empty.yaml', '--', 'node', 'agent.mjs'], expect: /no recording|drifted|not on/ },
  {
    args: ['exec', '--tape', 't.yaml', '--', 'node', 'forward.mjs'],
    expect: /^model 200$[\s\S]*^host [\s\S]*^address [\s\S]*^plain [\s\S]*^fetched [\s\S]*^tunnel /m,
  },
  { args: ['exec', '--tape', 't.yaml', '--', 'python3', 'forward.py'], expect: /^python/m },
  { args: ['run', 'cases/served.toml'], expect: /✓ agent\.mjs/ },
  { args: ['run', 'cases/forward.toml', 'cases/python.toml', '--jobs', '2'], expect: /forward/ },
  { args: ['test-dsl', 'cases/served.toml'], expect: /./ },
  {
    args: ['mcp-tape', '--replay', '--tape', 'mcp.tape.jsonl', '--server', 'files', '--', 'node', 'server.mjs'],
    input: mcpInput('a', 'b'),
    expect: /found a[\s\S]*not on mcp\.tape\.jsonl/,
  },
  {
    args: ['exec', '--tape', 'mcp.tape.jsonl', '--mcp-config', '.mcp.json', '--', 'node', 'mcpAgent.mjs'],
    expect: /^files true$[\s\S]*^remote /m,
  },
];
