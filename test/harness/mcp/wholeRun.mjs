// An agent with a model, an MCP server over stdio that writes a file, and one over HTTP: recorded once, and replayed COUNT times
// under strace with all of them removed. Each replay has to print the same, write no file, and connect to nobody but the engine.
//   node test/harness/mcp/wholeRun.mjs SERVERS [COUNT]      (SERVERS as in servers.mjs)
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const engine = resolve(dirname(fileURLToPath(import.meta.url)), '../../../dist/engine.js');
const servers = resolve(process.argv[2] ?? '.');
const count = Number(process.argv[3] ?? 100);
const scope = join(servers, 'node_modules', '@modelcontextprotocol');
const script = (name) => join(scope, `server-${name}`, 'dist', 'index.js');
const work = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-run-')));
const files = join(work, 'files');
mkdirSync(files);

const AGENT = `
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
const load = (name) => import(pathToFileURL(createRequire(${JSON.stringify(join(servers, 'x.js'))}).resolve('@modelcontextprotocol/sdk/' + name)));
const { Client } = await load('client/index.js');
const { StdioClientTransport } = await load('client/stdio.js');
const { StreamableHTTPClientTransport } = await load('client/streamableHttp.js');
const ask = async (content) => {
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] });
  const answer = await fetch(process.env.OPENAI_BASE_URL + '/chat/completions', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()).choices[0].message.content;
};
const { mcpServers } = JSON.parse(readFileSync(process.env.TAPEDECK_MCP_CONFIG, 'utf8'));
const connect = async ({ command, args, env, url }) => {
  const client = new Client({ name: 'a', version: '1' });
  await client.connect(command ? new StdioClientTransport({ command, args, env: { PATH: process.env.PATH, ...env }, stderr: 'ignore' }) : new StreamableHTTPClientTransport(new URL(url)));
  return client;
};
const content = process.argv[2] ?? await ask('What shall I write?');
const disk = await connect(mcpServers.disk);
const web = await connect(mcpServers.web);
console.log((await disk.callTool({ name: 'write_file', arguments: { path: ${JSON.stringify(join(files, 'note.txt'))}, content } })).content[0].text);
console.log((await web.callTool({ name: 'echo', arguments: { message: content } })).content[0].text);
await disk.close(); await web.close();
`;

const model = createServer((request, response) => {
  request.resume();
  const message = { role: 'assistant', content: 'the note' };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(
    JSON.stringify({
      id: 'c',
      object: 'chat.completion',
      model: 'm',
      choices: [{ index: 0, message, finish_reason: 'stop' }],
    }),
  );
}).listen(0, '127.0.0.1');
await new Promise((done) => model.once('listening', done));
const web = spawn(process.execPath, [script('everything'), 'streamableHttp'], {
  env: { ...process.env, PORT: '43131' },
  stdio: 'ignore',
});
const names = ['everything', 'filesystem'];
const move = (from, to) => {
  for (const name of names)
    if (existsSync(join(scope, `${from}${name}`)))
      renameSync(join(scope, `${from}${name}`), join(scope, `${to}${name}`));
};
let failed = 0;
const check = (what, isGood) => {
  if (!isGood) failed += 1;
  console.log(`${isGood ? 'ok  ' : 'FAIL'} ${what}`);
};

try {
  for (let tries = 0; tries < 100; tries += 1) {
    if (
      await fetch('http://127.0.0.1:43131/x').then(
        () => true,
        () => false,
      )
    )
      break;
    await new Promise((done) => setTimeout(done, 100));
  }
  writeFileSync(join(work, 'agent.mjs'), AGENT);
  const mcpServers = {
    disk: { command: 'node', args: [script('filesystem'), files] },
    web: { url: 'http://127.0.0.1:43131/mcp' },
  };
  writeFileSync(join(work, 'mcp.json'), JSON.stringify({ mcpServers }));
  const recorded = await run(['--record'], [], {
    OPENAI_BASE_URL: `http://127.0.0.1:${model.address().port}/v1`,
    OPENAI_API_KEY: 'k',
  });
  check('recorded, and a file was written', recorded.code === 0 && existsSync(join(files, 'note.txt')));
  if (recorded.code !== 0) console.log(recorded.stderr);
  web.kill('SIGKILL');
  model.close();
  rmSync(files, { recursive: true });
  move('server-', '.away-');
  const problems = new Set();
  for (let at = 0; at < count; at += 1) {
    const trace = join(work, 'trace');
    const replayed = await run(['--replay'], ['strace', '-f', '-qq', '-e', 'trace=connect,sendto', '-o', trace]);
    if (replayed.code !== 0 || replayed.stdout !== recorded.stdout)
      problems.add(`${replayed.code} ${replayed.stdout}${replayed.stderr}`);
    if (existsSync(files)) problems.add('a file was written');
    for (const line of readFileSync(trace, 'utf8').split('\n'))
      if (/connect\(\d+, \{sa_family=AF_INET/.test(line) && !/127\.0\.0\.1|::1/.test(line)) problems.add(line);
      else if (/sin_port=htons\((43131|53)\)/.test(line)) problems.add(line);
  }
  check(
    `${count} replays without any of them: the same output, no file, no connection but to the engine`,
    problems.size === 0,
  );
  for (const problem of problems) console.log(problem);
  const changed = await run(['--replay'], [], {}, ['another note']);
  check('a changed argument is a miss that names it', changed.code === 4 && /argument content: /.test(changed.stderr));
} finally {
  move('.away-', 'server-');
  web.kill('SIGKILL');
  model.close();
  rmSync(work, { recursive: true, force: true });
}
process.exit(failed === 0 ? 0 : 1);

async function run(options, tracer = [], env = {}, args = []) {
  const words = [
    engine,
    'exec',
    '--tape',
    'run.tape.jsonl',
    ...options,
    '--mcp-config',
    'mcp.json',
    '--',
    process.execPath,
    'agent.mjs',
    ...args,
  ];
  const [program, ...rest] = [...tracer, process.execPath, ...words];
  const child = spawn(program, rest, {
    cwd: work,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), 60_000);
  const code = await new Promise((done) => child.once('close', done));
  clearTimeout(timer);
  return { code, stdout, stderr };
}
