#!/usr/bin/env node
// node test/soak/replayTrace.mjs   runs every command that replays, checks, or reads, over the sample, over cases made to tempt
// it, and over the corpus, under `strace -f -e trace=connect,sendto`: nothing may reach any address but the engine's own
// port on the loopback. Needs strace (Debian's package), the corpus (TAPEDECK_CORPUS, or ../shared/corpus), and a built engine
// (node esbuild.mjs node).
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';

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
 * Runs the engine under strace; `input` goes to its stdin, `until` sees its output and may end it.
 * @param {string[]} args @param {string} cwd
 * @param {{ input?: string, until?: (stdout: string, end: () => void) => void }} [options]
 */
async function traced(args, cwd, { input = '', until } = {}) {
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
  child.stdin.end(input);
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

/** @param {string} prompt */
const question = (prompt) => JSON.stringify({ model: 'm', messages: [{ role: 'user', content: prompt }] });

/** A recording of that question. @param {string} prompt */
const cassette = (prompt) => `interactions:
- request:
    body: '${question(prompt)}'
    headers:
      content-type: [application/json]
    method: POST
    uri: https://api.openai.com/v1/chat/completions
  response:
    body: {string: '${JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content: 'fine' } }] })}'}
    headers:
      content-type: [application/json]
    status: {code: 200, message: OK}
version: 1
`;

/** Asks the model that its environment names, which in a replay is the tape. */
const AGENT = `const answer = await fetch(process.env.OPENAI_BASE_URL + '/chat/completions', {
  method: 'POST', headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] }),
});
console.log(answer.status);
`;

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

/** @param {string} root @param {RegExp} pattern @param {number} most */
async function overFiles(root, pattern, most) {
  const files = filesIn(root, pattern).slice(0, most);
  for (const name of files) await silent(['inspect', name, '--json'], root);
  for (const [at, name] of files.entries()) if (at > 0) await silent(['diff', files[at - 1] ?? '', name], root);
}

/** A replay of the proxy's: an agent that is started by it, and one that is not. */
async function overProxy() {
  const root = join(folder, 'proxy');
  write(root, { 'agent.mjs': AGENT, 'tapedeck.toml': `[proxy.upstream]\nopenai = "http://${ELSEWHERE}/v1"\n` });
  const body = question('hi');
  write(root, { 't.yaml': cassette('hi'), 'empty.yaml': 'interactions: []\nversion: 1\n' });
  const replayed = await silent(['exec', '--replay', '--tape', 't.yaml', '--', 'node', 'agent.mjs'], root);
  if (!replayed.stdout.includes('200'))
    violations.push(`the agent was not served: ${replayed.stdout}${replayed.stderr}`);
  await silent(['exec', '--tape', 'empty.yaml', '--', 'node', 'agent.mjs'], root);
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

/** That a request is seen at all: a recording makes one. */
async function control(/** @type {string} */ root) {
  const args = ['run', 'position.toml', '--record', '--allow-key', `MY_GITHUB_TOKEN=http://${ELSEWHERE}`];
  const { found } = await traced(args, root, { until: undefined });
  if (!found.some((line) => line.includes(ELSEWHERE)))
    violations.push('CONTROL: the request of a recording was not seen');
  console.log(`control: ${found.length} connection(s) of a recording seen: ${found[0] ?? 'none'}`);
}

const started = performance.now();
try {
  const tempting = temptingProject();
  for (const root of [copied('sample', resolve('media/sample')), tempting]) {
    await overProject(root);
    await overFiles(root, /\.tape\.jsonl?$/, 20);
  }
  await overProxy();
  await overStability();
  if (existsSync(CORPUS)) {
    const corpus = copied('corpus', CORPUS);
    for (const name of readdirSync(corpus, { withFileTypes: true })) {
      if (!name.isDirectory()) continue;
      const root = join(corpus, name.name);
      await overProject(root);
      await overFiles(root, /\.(?:ya?ml|jsonl?|httprr|eval|gz|responses|txt)$/, 12);
      console.log(`${name.name}: ${traces} commands traced so far, ${violations.length} violations`);
    }
  } else console.error('NOT TESTED: there is no corpus here; set TAPEDECK_CORPUS to its folder.');
  await control(tempting);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const each = Array.from(counts, ([name, count]) => `${name} ${count}`).join(', ');
console.log(`${traces} commands traced in ${Math.round((performance.now() - started) / 1000)} s: ${each}`);
console.log(`${connections} connections seen in them; to no address but the engine's own: ${violations.length === 0}`);
for (const violation of violations.slice(0, 50)) console.log(`VIOLATION ${violation}`);
process.exit(violations.length === 0 ? 0 : 1);
