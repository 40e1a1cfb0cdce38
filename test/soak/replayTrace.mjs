#!/usr/bin/env node
// node test/soak/replayTrace.mjs [doors|sample|corpus]   runs every command that replays, checks, or reads, over the sample, over cases made to tempt
// it, over the doors of agents of somebody else's, and over the corpus, under `strace -f -e trace=connect,sendto`: nothing may reach any address but the engine's own
// port on the loopback. Needs strace (Debian's package), the corpus (TAPEDECK_CORPUS, or ../shared/corpus), and a built engine
// (node esbuild.mjs node).
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { AGENT, cassette, DOOR_COMMANDS, doorFiles, mcpInput, question, temptingServer } from './replayDoors.mjs';

const ENGINE = resolve('dist/engine.js');
const CORPUS = process.env.TAPEDECK_CORPUS ?? resolve('../shared/corpus');
if (spawnSync('strace', ['-V']).error) {
  console.error('NOT TESTED: strace is not installed (apt-get install strace), so nothing was traced.');
  process.exit(2);
}
if (!existsSync(ENGINE)) {
  console.error('NOT TESTED: build the engine first (node esbuild.mjs node).');
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'tapedeck-trace-'));
/** A real address that is nobody's (RFC 5737): a connection to it shows in the trace, and goes nowhere. */
const ELSEWHERE = '192.0.2.1';
const KEYS = {
  OPENAI_API_KEY: 'sk-proj-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY',
  MISTRAL_API_KEY: 'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY',
  MY_GITHUB_TOKEN: 'ghp_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5',
  OPENAI_BASE_URL: `http://${ELSEWHERE}/v1`,
  OLLAMA_HOST: `${ELSEWHERE}:11434`,
  LANGSMITH_API_KEY: 'lsv2_pt_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY',
};
const environment = {
  PATH: process.env.PATH,
  HOME: folder,
  TMPDIR: folder,
  XDG_STATE_HOME: join(folder, 'state'),
  ...KEYS,
};

let traces = 0;
let connections = 0;
/** @type {string[]} */
const violations = [];
/** @type {Map<string, number>} */
const counts = new Map();

/**
 * Runs the engine under strace; `input` goes to its stdin, `until` sees its output and may end it. With `isTalk`, its stdin
 * stays open until then.
 * @param {string[]} args @param {string} cwd
 * @param {{ input?: string, isTalk?: boolean, until?: (stdout: string, end: () => void) => void }} [options]
 */
async function traced(args, cwd, { input = '', isTalk = false, until } = {}) {
  const file = join(folder, `trace-${traces++}.txt`);
  const what = ['-f', '-qq', '-e', 'trace=connect,sendto,getsockname', '-e', 'signal=none', '-o', file];
  const child = spawn('strace', [...what, process.execPath, ENGINE, ...args], { cwd, env: environment, stdio: 'pipe' });
  let stdout = '';
  let stderr = '';
  let isEnding = false;
  const end = () => {
    if (isEnding) return;
    isEnding = true;
    // strace passes no signal on: the engine is its only child.
    spawnSync('pkill', ['-TERM', '-P', String(child.pid)]);
  };
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
    until?.(stdout, end);
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  child.stdin.on('error', () => undefined);
  child.stdin.write(input);
  if (!isTalk) child.stdin.end();
  const limit = setTimeout(end, 120_000);
  const code = await new Promise((settle) => child.once('close', settle));
  clearTimeout(limit);
  const found = judge(readFileSync(file, 'utf8'));
  rmSync(file);
  counts.set(args[0] ?? '', (counts.get(args[0] ?? '') ?? 0) + 1);
  return { code, stdout, stderr, found };
}

/** The addresses of a trace that are not the engine's own. @param {string} trace */
function judge(trace) {
  const own = new Set();
  for (const [, port] of trace.matchAll(
    /getsockname\(.*sin_port=htons\((\d+)\), sin_addr=inet_addr\("127\.0\.0\.1"\)/g,
  ))
    own.add(port);
  const found = [];
  for (const line of trace.split('\n')) {
    if (!/(?:connect|sendto)\(.*sa_family=AF_INET/.test(line)) continue;
    connections += 1;
    const [, port, address] = /sin_port=htons\((\d+)\), sin_addr=inet_addr\("([\d.]+)"\)/.exec(line) ?? [];
    if (address === '127.0.0.1' && own.has(port)) continue;
    found.push(line.trim());
  }
  return found;
}

/** Traces a command that may reach nobody. @param {string[]} args @param {string} cwd @param {Parameters<typeof traced>[2]} [options] */
async function silent(args, cwd, options) {
  const ended = await traced(args, cwd, options);
  for (const line of ended.found) violations.push(`tapedeck ${args.join(' ')} (${relative(folder, cwd)}): ${line}`);
  return ended;
}

/** @param {string} root @param {RegExp} pattern */
const filesIn = (root, pattern) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (name) => pattern.test(name) && !/(?:^|\/)(?:\.git|\.tapedeck)\//.test(name),
  );

/** @param {string} root @param {Record<string, string>} files */
function write(root, files) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
}

/** Every way out that a case or a project can name. */
function temptingProject() {
  const root = join(folder, 'tempting');
  const request = { messages: [{ role: 'user', content: 'something else' }], tools: [] };
  const tape = JSON.stringify({ version: 1, case_name: 'c', interactions: [{ request, response: 'fine' }] });
  const provider = `[llm.provider]\nkind = "open_ai_compatible"\nbase_url = "http://${ELSEWHERE}/v1"\napi_key_env = "MY_GITHUB_TOKEN"\n`;
  const taped = (/** @type {string} */ more) => `name = "c"\nprompt = "hi"\n[llm]\ntape = "t.tape.json"\n${more}`;
  const own = (/** @type {string} */ agent) =>
    `name = "c"\nprompt = "hi"\n[agent]\n${agent}\n[llm]\ntape = "own.yaml"\n`;
  write(root, {
    'tapedeck.toml': `[provider]\nkind = "ollama"\nbase_url = "http://${ELSEWHERE}/v1"\n[proxy.upstream]\nopenai = "http://${ELSEWHERE}/v1"\n`,
    't.tape.json': tape,
    'record.toml': taped(`[llm.replay]\nmatch = "exact"\non_miss = "record"\n${provider}`),
    'passthrough.toml': taped(`[llm.replay]\nmatch = "exact"\non_miss = "passthrough"\n${provider}`),
    'project.toml': taped('[llm.replay]\nmatch = "exact"\non_miss = "record"\n'),
    'position.toml': taped(provider),
    'absent.toml': taped(provider).replace('t.tape.json', 'absent.tape.json'),
    'scripted.toml': `name = "s"\nprompt = "hi"\n[llm]\nresponses = ["x"]\n`,
    'service.toml': own(`url = "http://${ELSEWHERE}/run"`),
    'own.toml': `${own('command = ["node", "agent.mjs"]')}[llm.replay]\non_miss = "record"\n${provider}`,
    'agent.mjs': AGENT,
    'own.yaml': cassette('something else'),
    'flakestorm.yaml': `version: "2.0"\nagent:\n  endpoint: http://${ELSEWHERE}/chat\n  type: http\n  reset_endpoint: http://${ELSEWHERE}/reset\ngolden_prompts:\n  - "hi"\ninvariants:\n  - type: contains\n    value: fine\nreplays:\n  sources:\n    - type: langsmith_run\n      run_id: abc\n`,
    'flakestorm.prompt-1.tape.json': tape,
  });
  return root;
}

/** @param {string} name @param {string} source */
function copied(name, source) {
  const root = join(folder, name);
  cpSync(source, root, { recursive: true, dereference: true });
  return root;
}

/** @param {string} root */
function commit(root) {
  const git = (/** @type {string[]} */ ...args) => spawnSync('git', args, { cwd: root, stdio: 'ignore' });
  git('init', '-q');
  git('config', 'user.email', 'a@example.com');
  git('config', 'user.name', 'a');
  git('add', '-A');
  git('commit', '-q', '-m', 'all');
}

/** All that replays and reads, over one project. @param {string} root */
async function overProject(root) {
  commit(root);
  await silent(['run', '.'], root);
  await silent(['run', '--jobs', '4', '--reporter', 'json'], root);
  await silent(['verify', '.'], root);
  await silent(['check'], root);
  await silent(['check', '--since', 'HEAD'], root);
  for (const name of filesIn(root, /\.toml$/)) {
    const text = readFileSync(join(root, name), 'utf8');
    // As in MoFA, test-dsl records a case with `record_tape` and a provider: that is no replay.
    if (!/^\s*record_tape/m.test(text)) await silent(['test-dsl', name], root);
  }
  if (existsSync(join(root, 'flakestorm.yaml'))) await silent(['flakestorm', 'ci'], root);
  await overTools(root);
  await overEditor(root);
}

/** @param {string} root */
async function overTools(root) {
  const cases = filesIn(root, /\.(?:toml|ya?ml|json)$/).slice(0, 60);
  const call = (/** @type {number} */ id, /** @type {string} */ name, /** @type {object} */ input) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: input },
  });
  const messages = [
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'trace', version: '1' } },
    },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    call(2, 'list_cases', {}),
    ...cases.flatMap((path, at) => [
      call(10 + 4 * at, 'replay_case', { case: path }),
      call(11 + 4 * at, 'explain_drift', { case: path }),
      call(12 + 4 * at, 'read_interaction', { tape: path, index: 0 }),
      call(13 + 4 * at, 'propose_acceptance', { case: path, reason: 'r' }),
    ]),
  ];
  const input = messages.map((message) => `${JSON.stringify(message)}\n`).join('');
  await silent(['mcp'], root, { input });
}

/** What an editor asks the engine for: runs of all cases, the list of reviews, and a tool. @param {string} root */
async function overEditor(root) {
  const casePaths = filesIn(root, /\.toml$/)
    .slice(0, 30)
    .map((name) => join(root, name));
  const calls = [
    ['hello', undefined],
    ['run', { root, runId: 'r', casePaths, mode: 'replay', keys: KEYS }],
    ['reviews', { root }],
    ['callTool', { root, name: 'list_cases', input: {}, keys: KEYS }],
  ];
  const input = calls
    .map(([method, params], at) => `${JSON.stringify({ v: 1, id: at + 1, method, params })}\n`)
    .join('');
  const answered = (/** @type {string} */ stdout) => new Set(stdout.match(/^\{"v":1,"id":\d+,"(?:ok|error)"/gm)).size;
  const { stdout } = await silent(['rpc'], root, {
    input,
    isTalk: true,
    until: (heard, end) => {
      if (answered(heard) === calls.length) end();
    },
  });
  if (answered(stdout) !== calls.length)
    violations.push(`rpc answered ${answered(stdout)} calls: ${stdout.slice(0, 500)}`);
  if (process.env.SHOW) console.log(`--- rpc\n${stdout.slice(0, 3000)}`);
}

/** @param {string} root @param {RegExp} pattern @param {number} most */
async function overFiles(root, pattern, most) {
  const files = filesIn(root, pattern).slice(0, most);
  for (const name of files) await silent(['inspect', name, '--json'], root);
  for (const [at, name] of files.entries()) if (at > 0) await silent(['diff', files[at - 1] ?? '', name], root);
  for (const name of files.slice(0, 2))
    await silent(['convert', name, `converted${files.indexOf(name)}.har`, '--to', 'har'], root);
  for (const name of files.slice(0, 2)) writeFileSync(join(root, name), `${readFileSync(join(root, name), 'utf8')}\n`);
  for (const [at, name] of files.slice(0, 2).entries()) await silent([at === 0 ? 'accept' : 'reject', name], root);
}

/** The doors of agents of somebody else's: see `replayDoors.mjs`. */
async function overDoors() {
  const root = join(folder, 'doors');
  write(root, doorFiles(ELSEWHERE));
  const recording = [
    'mcp-tape',
    '--record',
    '--tape',
    'mcp.tape.jsonl',
    '--server',
    'files',
    '--',
    'node',
    'server.mjs',
  ];
  spawnSync(process.execPath, [ENGINE, ...recording], { cwd: root, env: environment, input: mcpInput('a') });
  write(root, { 'server.mjs': temptingServer(ELSEWHERE) });
  for (const { args, input, expect } of DOOR_COMMANDS) {
    const { stdout, stderr } = await silent(args, root, input === undefined ? {} : { input });
    if (!expect.test(stdout + stderr))
      violations.push(`tapedeck ${args.join(' ')} did not come to its door: ${stdout}${stderr}`);
    if (process.env.SHOW) console.log(`--- ${args.join(' ')}\n${stdout}${stderr}`);
  }
  if (existsSync(join(root, 'started.txt'))) violations.push('a server of MCP was started in a replay');
  await overServe(root);
}

/** @param {string} root */
async function overServe(root) {
  const body = question('hi');
  let isAsked = false;
  await silent(['serve', '--tape', 't.yaml'], root, {
    until: (stdout, end) => {
      const [, base] = /OPENAI_BASE_URL=(\S+)/.exec(stdout) ?? [];
      if (base === undefined || isAsked) return;
      isAsked = true;
      const ask = async () => {
        const init = { method: 'POST', headers: { 'content-type': 'application/json' } };
        await (await fetch(`${base}/chat/completions`, { ...init, body })).text();
        await (await fetch(`${base}/chat/completions`, { ...init, body: body.replace('hi', 'other') })).text();
      };
      ask().finally(end);
    },
  });
}

/** The one command that records here does so with the model that is built in, and offline. */
async function overStability() {
  const root = join(folder, 'stability');
  write(root, {
    'a.toml': 'name = "a"\nprompt = "hi"\n[llm]\ntape = "a.tape.json"\n[llm.provider]\nkind = "practice"\n',
  });
  await silent(['stability', 'a.toml', '-n', '3'], root);
}

async function overCorpus() {
  if (!existsSync(CORPUS))
    return console.error('NOT TESTED: there is no corpus here; set TAPEDECK_CORPUS to its folder.');
  const corpus = copied('corpus', CORPUS);
  for (const name of readdirSync(corpus, { withFileTypes: true })) {
    if (!name.isDirectory()) continue;
    const root = join(corpus, name.name);
    await overProject(root);
    await overFiles(root, /\.(?:ya?ml|jsonl?|httprr|eval|gz|responses|txt)$/, 12);
    console.log(`${name.name}: ${traces} commands traced so far, ${violations.length} violations`);
  }
}

/** That a request is seen at all: a recording makes one. */
async function control(/** @type {string} */ root) {
  const args = ['run', 'position.toml', '--record', '--allow-key', `MY_GITHUB_TOKEN=http://${ELSEWHERE}`];
  const { found } = await traced(args, root, { until: undefined });
  if (!found.some((line) => line.includes(ELSEWHERE)))
    violations.push('CONTROL: the request of a recording was not seen');
  console.log(`control: ${found.length} connection(s) of a recording seen: ${found[0] ?? 'none'}`);
}

/** The part that is asked for, or all of them. */
const [, , only] = process.argv;
const isWanted = (/** @type {string} */ part) => only === undefined || only === part;
const started = performance.now();
try {
  const tempting = temptingProject();
  if (isWanted('doors')) await overDoors();
  if (isWanted('sample')) {
    for (const root of [copied('sample', resolve('media/sample')), tempting]) {
      await overProject(root);
      await overFiles(root, /\.tape\.jsonl?$/, 20);
    }
    await overStability();
  }
  if (isWanted('corpus')) await overCorpus();
  await control(tempting);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const each = Array.from(counts, ([name, count]) => `${name} ${count}`).join(', ');
console.log(`${traces} commands traced in ${Math.round((performance.now() - started) / 1000)} s: ${each}`);
console.log(`${connections} connections seen in them; to no address but the engine's own: ${violations.length === 0}`);
for (const violation of violations.slice(0, 50)) console.log(`VIOLATION ${violation}`);
process.exit(violations.length === 0 ? 0 : 1);
