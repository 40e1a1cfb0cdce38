// The whole run of an agent on tape: a model, an MCP server over stdio that writes a file, one over HTTP whose address is in the
// agent's code, and a web API. Recorded once; then replayed COUNT times with all of them removed, under strace where there is one:
// the same artifact each time, no file written, nobody started, and no connection but to the engine.
//   node esbuild.mjs node && node test/soak/wholeRun.mjs [COUNT]
import { spawn, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { started, strangers, TRACED } from './whole/connections.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const project = resolve(here, '../..');
const engine = join(project, 'dist/engine.js');
const count = Number(process.argv[2] ?? 100);
const work = realpathSync(mkdtempSync(join(tmpdir(), 'tapedeck-whole-')));
const at = (name) => join(work, name);
const hasStrace = spawnSync('strace', ['-V']).status === 0;
/** Different in every run, and no part of a result. */
const VOLATILE = ['duration_ms', 'started_at_ms', 'execution_id', 'session_id', 'workspace_root', 'id', 'modified_ms'];
let failed = 0;

function check(what, problems) {
  if (problems.length > 0) failed += 1;
  console.log(`${problems.length === 0 ? 'ok  ' : 'FAIL'} ${what}`);
  for (const problem of [...new Set(problems)].slice(0, 20)) console.log(`     ${problem}`);
}

function prepare(port) {
  for (const name of ['agent.mjs', 'disk.mjs']) copyFileSync(join(here, 'whole', name), at(name));
  symlinkSync(join(project, 'node_modules'), at('node_modules'));
  writeFileSync(at('path.txt'), 'note.txt');
  writeFileSync(at('mcp.json'), JSON.stringify({ mcpServers: { disk: { command: 'node', args: ['disk.mjs'] } } }));
  const address = `http://127.0.0.1:${port}`;
  const upstreams = { 'tools.example': address, 'weather.example': address, openai: `${address}/v1` };
  const lines = Object.entries(upstreams).map(([name, url]) => `"${name}" = "${url}"`);
  writeFileSync(at('tapedeck.toml'), `[proxy.upstream]\n${lines.join('\n')}\n`);
  writeFileSync(
    at('whole.toml'),
    `name = "whole"\nprompt = "p"\n\n[agent]\ncommand = ["${process.execPath}", "agent.mjs"]\nmcp_config = "mcp.json"\n\n[llm]\ntape = "whole.tape.jsonl"\n`,
  );
}

function run(options, { tracer = [], env = {} } = {}) {
  const [program, ...args] = [...tracer, process.execPath, engine, 'run', 'whole.toml', ...options];
  const child = spawn(program, args, {
    cwd: work,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  const timer = setTimeout(() => child.kill('SIGKILL'), 120_000);
  return new Promise((done) => {
    child.once('close', (code) => {
      clearTimeout(timer);
      done({ code, output });
    });
  });
}

/** The artifact of the last run, without what differs in every run. */
function artifact() {
  const [path] = readdirSync(at('.tapedeck'), { recursive: true }).filter((name) => name.endsWith('.artifact.json'));
  const value = JSON.parse(readFileSync(join(work, '.tapedeck', path), 'utf8'));
  return JSON.stringify(value, (key, member) => (VOLATILE.includes(key) ? undefined : member));
}

/** All files but the engine's own, with their sizes and times. */
function files() {
  const names = readdirSync(work).filter((name) => !['.tapedeck', 'node_modules', 'trace'].includes(name));
  return names.map((name) => `${name} ${statSync(at(name)).size} ${statSync(at(name)).mtimeMs}`).sort();
}

async function replayOnce(expected) {
  const tracer = hasStrace ? ['strace', '-f', '-qq', '-s', '4096', '-e', TRACED, '-o', at('trace')] : [];
  const { code, output } = await run([], { tracer });
  if (code !== 0) return [`exit code ${code}: ${output}`];
  const trace = hasStrace ? readFileSync(at('trace'), 'utf8') : '';
  return [
    ...(artifact() === expected.artifact ? [] : [`another artifact: ${artifact()}\n     ${expected.artifact}`]),
    ...(files().join() === expected.files.join() ? [] : [`other files: ${files().join(', ')}`]),
    ...strangers(trace).map((line) => `connected: ${line}`),
    ...started(trace)
      .filter(
        (words) =>
          !/^(?:.*\/)?(?:node|sh|which|uname|ldd)$/.test(words[0]) ||
          (words.includes('disk.mjs') && !words.includes('mcp-tape')),
      )
      .map((words) => `started: ${words.join(' ')}`),
  ];
}

const services = spawn(process.execPath, [join(here, 'whole/services.mjs')], {
  cwd: project,
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const port = await new Promise((done) => services.stdout.once('data', (chunk) => done(Number(chunk))));
  prepare(port);
  const recorded = await run(['--record', '--allow-key', 'OPENAI_API_KEY=127.0.0.1'], { env: { OPENAI_API_KEY: 'k' } });
  check('recorded, and the server over stdio wrote the file', [
    ...(recorded.code === 0 ? [] : [recorded.output]),
    ...(existsSync(at('note.txt')) ? [] : ['there is no note.txt']),
  ]);
  services.kill('SIGKILL');
  for (const name of ['disk.mjs', 'note.txt', 'started.txt']) rmSync(at(name), { force: true });
  const first = await run(['--update-baselines']);
  const expected = { artifact: artifact(), files: files() };
  check('replayed, and accepted as the baseline', first.code === 0 ? [] : [first.output]);
  const problems = [];
  const began = Date.now();
  for (let round = 0; round < count && problems.length < 20; round += 1) problems.push(...(await replayOnce(expected)));
  const how = hasStrace ? 'no connection but to the engine' : 'connections not looked at: there is no strace';
  check(
    `${count} replays with all of them removed: the same artifact, no file written, nobody started, ${how}`,
    problems,
  );
  console.log(`     ${Math.round((Date.now() - began) / 1000)} s`);
  writeFileSync(at('path.txt'), 'other.txt');
  const missed = await run([]);
  check('a changed argument of a tool is a miss that names it', [
    ...(missed.code === 4 && /tools\/call write .*argument path: "note\.txt" → "other\.txt"/.test(missed.output)
      ? []
      : [`${missed.code} ${missed.output}`]),
    ...(existsSync(at('other.txt')) ? ['it was written'] : []),
  ]);
} finally {
  services.kill('SIGKILL');
  if (process.env.KEEP) console.log(work);
  else rmSync(work, { recursive: true, force: true });
}
process.exit(failed === 0 ? 0 : 1);
