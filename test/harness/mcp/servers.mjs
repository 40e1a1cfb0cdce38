// Records and replays the reference servers of MCP with the SDK's own client, over every transport, and compares all messages
// byte by byte, but for ids and progress tokens.
//
//   npm install --prefix FOLDER @modelcontextprotocol/{sdk,server-everything,server-filesystem,server-memory}
//   node esbuild.mjs node && node test/harness/mcp/servers.mjs FOLDER
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
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const engine = resolve(here, '../../../dist/engine.js');
const servers = resolve(process.argv[2] ?? '.');
const scope = join(servers, 'node_modules', '@modelcontextprotocol');
const script = (name) => join(scope, `server-${name}`, 'dist', 'index.js');
const work = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-servers-')));
const files = join(work, 'files');
const ports = { http: 43117, sse: 43118 };
const started = [];
let failed = 0;

mkdirSync(files);
writeFileSync(
  join(work, '.mcp.json'),
  JSON.stringify({
    mcpServers: {
      everything: { command: 'node', args: [script('everything'), 'stdio'] },
      'everything-http': { type: 'http', url: `http://127.0.0.1:${ports.http}/mcp` },
      'everything-sse': { type: 'sse', url: `http://127.0.0.1:${ports.sse}/sse` },
      filesystem: { command: 'node', args: [script('filesystem'), files] },
      memory: { command: 'node', args: [script('memory')], env: { MEMORY_FILE_PATH: join(work, 'memory.jsonl') } },
    },
  }),
);

try {
  await listen('streamableHttp', ports.http);
  await listen('sse', ports.sse);
  check('recording', (await exec('--record', 'recorded.log')) === 0);
  for (const child of started) child.kill('SIGKILL');
  check('the server wrote a file', existsSync(join(files, 'note.txt')));
  rmSync(files, { recursive: true });
  rmSync(join(work, 'memory.jsonl'), { force: true });
  for (const name of ['everything', 'filesystem', 'memory'])
    renameSync(join(scope, `server-${name}`), join(scope, `.away-${name}`));
  try {
    check('replay without the servers', (await exec('--replay', 'replayed.log')) === 0);
  } finally {
    for (const name of ['everything', 'filesystem', 'memory'])
      renameSync(join(scope, `.away-${name}`), join(scope, `server-${name}`));
  }
  check('no file was written', !existsSync(files) && !existsSync(join(work, 'memory.jsonl')));
  compare();
} finally {
  for (const child of started) child.kill('SIGKILL');
  rmSync(work, { recursive: true, force: true });
}
process.exit(failed === 0 ? 0 : 1);

async function exec(mode, log) {
  const agent = [process.execPath, join(here, 'client.mjs'), '.mcp.json', join(work, log), servers];
  const words = [engine, 'exec', '--tape', 'run.tape.jsonl', mode, '--mcp-config', '.mcp.json', '--', ...agent];
  const child = spawn(process.execPath, words, {
    cwd: work,
    env: { ...process.env, MCP_FOLDER: files },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), 120_000);
  const code = await new Promise((done) => child.once('exit', done));
  clearTimeout(timer);
  return code;
}

async function listen(transport, port) {
  const child = spawn(process.execPath, [script('everything'), transport], {
    env: { ...process.env, PORT: String(port) },
    stdio: 'ignore',
  });
  started.push(child);
  for (let tries = 0; tries < 100; tries += 1) {
    const isUp = await fetch(`http://127.0.0.1:${port}/nothing`).then(
      () => true,
      () => false,
    );
    if (isUp) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`server-everything ${transport} does not start`);
}

function compare() {
  const [recorded, replayed] = ['recorded.log', 'replayed.log'].map((name) =>
    byServer(readFileSync(join(work, name), 'utf8')),
  );
  for (const [server, lines] of recorded) {
    const now = replayed.get(server) ?? [];
    // What both sides say at once may pass in another order; each side keeps its own.
    for (const side of ['client', 'server', 'told']) {
      const [before, after] = [lines, now].map((all) => all.filter((line) => line.startsWith(side)));
      const at = before.findIndex((line, index) => line !== after[index]);
      const isSame = at === -1 && before.length === after.length;
      check(`${server}: ${before.length} × ${side}, the same`, isSame);
      if (!isSame)
        console.log(
          `  recorded: ${before[at]?.slice(0, 400)}\n  replayed: ${after[Math.max(at, 0)]?.slice(0, 400)} (${after.length})`,
        );
    }
    const methods = new Set(
      lines.flatMap((line) => /^(\w+) .*?"method":"([^"]+)"/.exec(line)?.slice(1).join(' ') ?? []),
    );
    console.log(`    ${[...methods].sort().join(', ')}`);
  }
}

/** The messages by server, their ids and tokens numbered by their first appearance. */
function byServer(text) {
  const found = new Map();
  for (const line of text.trim().split('\n')) {
    const [, server, rest] = /^(\S+) (.*)$/s.exec(line);
    const plain = rest.replace(/"(id|requestId|progressToken)":(?:\d+|"[^"]*")/g, '"$1":0');
    found.set(server, [...(found.get(server) ?? []), plain]);
  }
  return found;
}

function check(what, isGood) {
  if (!isGood) failed += 1;
  console.log(`${isGood ? 'ok  ' : 'FAIL'} ${what}`);
}
