#!/usr/bin/env node
// node test/soak/hostile.mjs [PATTERN…]   makes more than 100 hostile files, pairs of files and projects, and has the engine's
// commands, the reader's thread and the list of tapes read each: none may take more than 5 s or 400 MB, run anything, or write
// outside. Names those that match a pattern only. A command over thousands of files may take longer where it shows how far it
// is, and ends at once when it is interrupted. Times are of the processor, so that the load of the machine does not decide; a
// process that only waits is ended after some minutes. Needs util-linux's `script` for a terminal. Build the engine first.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { nodeZlib } from '../../build/nodeZlib.mjs';
import { hostile } from './hostileFiles.mjs';

const ENGINE = resolve('dist/engine.js');
const READER = resolve('test/soak/hostileReader.mjs');
const MAX_MS = 5000;
const MAX_MB = 400;
/** After so much time of the processor, or on the clock, a process is ended with SIGTERM, which it must obey. */
const PATIENCE_MS = 45_000;
const PATIENCE_ON_CLOCK_MS = 600_000;
const wanted = process.argv.slice(2).map((pattern) => new RegExp(pattern));

const root = mkdtempSync(join(tmpdir(), 'tapedeck-hostile-'));
/** What is outside of the projects: nothing may appear or change here. */
const outside = join(root, 'outside');
mkdirSync(outside);
/** What the sidebar runs, as the build makes it. */
const LISTER = join(root, 'lister.cjs');
await build({
  entryPoints: ['test/soak/hostileLister.ts'],
  outfile: LISTER,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  logLevel: 'warning',
  plugins: [nodeZlib],
});
writeFileSync(join(outside, 'secret.tape.json'), '{"outside": "canary-4711"}');
writeFileSync(join(outside, 'sentinel'), 'as it was');

/** Milliseconds of processor time: others may use the machine as well. @returns {Promise<{ms: number, mb: number, code: number | null, output: string, stubborn: boolean}>} */
function measure(command, args, cwd, talk) {
  return new Promise((done) => {
    const child = spawn(command, args, {
      cwd,
      env: { PATH: process.env.PATH, HOME: outside, MARKER: join(outside, 'ran') },
    });
    let mb = 0;
    let ms = 0;
    let output = '';
    let stubborn = false;
    const take = (data) => {
      if (output.length < 400_000) output += data.toString('utf8');
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.stdin.on('error', () => {});
    if (talk === undefined) child.stdin.end();
    else talk(child);
    const terminate = () => {
      child.kill('SIGTERM');
      setTimeout(() => {
        stubborn = child.exitCode === null && child.signalCode === null;
        child.kill('SIGKILL');
      }, 5000).unref();
    };
    let isEnding = false;
    const poll = setInterval(() => {
      if (!isEnding && ms > PATIENCE_MS) {
        isEnding = true;
        terminate();
      }
      try {
        const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'));
        mb = Math.max(mb, Number(peak?.[1] ?? 0) / 1024);
        const times = readFileSync(`/proc/${child.pid}/stat`, 'latin1')
          .replace(/^.*\) /s, '')
          .split(' ');
        ms = 10 * (Number(times[11]) + Number(times[12]) + Number(times[13]) + Number(times[14]));
      } catch {}
    }, 20);
    const end = setTimeout(terminate, PATIENCE_ON_CLOCK_MS);
    child.on('close', (code) => {
      clearInterval(poll);
      clearTimeout(end);
      done({ ms, mb, code, output, stubborn });
    });
  });
}

/** The longest time of the processor without a new line of progress, and until a process ends that is interrupted. */
const MAX_SILENCE_MS = 2000;
const MAX_OBEDIENCE_MS = 2000;
/** The same on the clock, for a process that only waits. */
const MAX_WAIT_MS = 30_000;

/** Milliseconds of processor time of a process and its children. */
function treeMs(pid) {
  try {
    const times = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean);
    const own = 10 * (Number(times[11]) + Number(times[12]) + Number(times[13]) + Number(times[14]));
    return children.reduce((sum, child) => sum + treeMs(child), own);
  } catch {
    return 0;
  }
}

/**
 * What is wrong with a command that takes long, on a terminal: it shows nothing for a while, or does not end when interrupted.
 * @returns {Promise<string | undefined>}
 */
function faultWhileWorking(command, args, cwd) {
  return new Promise((done) => {
    const line = [command, ...args].map((word) => `'${word}'`).join(' ');
    const child = spawn('script', ['-qec', line, '/dev/null'], {
      cwd,
      env: { PATH: process.env.PATH, HOME: outside, MARKER: join(outside, 'ran'), TERM: 'xterm', COLUMNS: '80' },
    });
    const now = () => ({ worked: treeMs(child.pid), clock: performance.now() });
    const since = (one) => ({ worked: lastWorked - one.worked, clock: performance.now() - one.clock });
    let lastWorked = 0;
    let shown = now();
    let silence = { worked: 0, clock: 0 };
    let interrupted;
    const observe = () => {
      lastWorked = Math.max(lastWorked, treeMs(child.pid));
      const { worked, clock } = since(shown);
      if (interrupted === undefined)
        silence = { worked: Math.max(silence.worked, worked), clock: Math.max(silence.clock, clock) };
    };
    const poll = setInterval(observe, 20);
    child.stdout.on('data', () => {
      observe();
      shown = now();
    });
    const interrupt = setTimeout(() => {
      observe();
      interrupted = now();
      child.stdin.write('\u0003');
    }, 10_000);
    const kill = setTimeout(() => child.kill('SIGKILL'), 120_000);
    child.on('close', (code) => {
      clearInterval(poll);
      clearTimeout(interrupt);
      clearTimeout(kill);
      if (interrupted === undefined) return done(undefined);
      const took = since(interrupted);
      const text = ({ worked, clock }) => `${Math.round(worked)} ms of work, ${Math.round(clock)} ms on the clock`;
      if (silence.worked > MAX_SILENCE_MS || silence.clock > MAX_WAIT_MS) return done(`silent for ${text(silence)}`);
      if (took.worked > MAX_OBEDIENCE_MS || took.clock > MAX_WAIT_MS || code === 0)
        return done(`ends with ${code} after Ctrl+C and ${text(took)}`);
      console.log(
        `      ${args.slice(1).join(' ')}: silent for ${text(silence)} at most; after Ctrl+C ends with ${code} after ${text(took)}`,
      );
      done(undefined);
    });
  });
}

/** Calls tools over MCP, each when the one before has answered, and then ends the server. */
function callTools(tools) {
  const requests = [
    ['initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'soak', version: '1' } }],
    ...tools.map(([name, args]) => ['tools/call', { name, arguments: args }]),
  ];
  return (child) => {
    let text = '';
    let sent = 0;
    const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const next = () => {
      const [method, params] = requests[sent] ?? [];
      if (method === undefined) return child.stdin.end();
      sent += 1;
      return send({ id: sent, method, params });
    };
    child.stdout.on('data', (data) => {
      text += data.toString('utf8');
      for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n')) {
        const { id } = JSON.parse(text.slice(0, end));
        text = text.slice(end + 1);
        if (id !== sent) continue;
        if (sent === 1) send({ method: 'notifications/initialized' });
        next();
      }
    });
    next();
  };
}

/** Every tool, with what is in the project. */
function projectTools(folder) {
  const files = existsSync(join(folder, 'cases')) ? readdirSync(join(folder, 'cases')) : [];
  const cases = files.filter((name) => name.endsWith('.toml')).slice(0, 3);
  return [
    ['list_cases', {}],
    ...cases.flatMap((name) =>
      ['replay_case', 'explain_drift', 'propose_acceptance'].map((tool) => [
        tool,
        { case: `cases/${name}`, ...(tool === 'propose_acceptance' && { reason: 'It is right.' }) },
      ]),
    ),
    ['read_interaction', { tape: 'tapes/a.tape.json', index: 0 }],
  ];
}

/** What is done with a file or project, by its kind. */
function actions(kind, file, folder) {
  const engine = (...args) => [args.join(' '), process.execPath, [ENGINE, ...args]];
  const named = file.startsWith('-') ? `./${file}` : file;
  if (kind === 'tape')
    return [
      engine('inspect', named),
      engine('verify', named),
      engine('diff', named, named),
      engine('convert', named, 'out.jsonl', '--to', 'tapedeck'),
      ['reader', process.execPath, [READER, named]],
      ['list', process.execPath, [LISTER, named]],
      ['mcp', process.execPath, [ENGINE, 'mcp'], callTools([['read_interaction', { tape: file, index: 0 }]])],
    ];
  if (kind === 'pair')
    return [
      engine('diff', 'old.tape.json', file),
      engine('diff', 'old.tape.json', file, '--json'),
      engine('inspect', file, '--json'),
      engine('convert', file, 'out.har', '--to', 'har'),
      engine('check'),
      engine('reject', file),
    ];
  return [
    engine('run', '.'),
    engine('verify', '.'),
    engine('check'),
    ...(kind === 'case' ? [engine('test-dsl', named)] : []),
    ['mcp', process.execPath, [ENGINE, 'mcp'], callTools(projectTools(folder))],
  ];
}

const ESCAPES = /(?![\n\t\r])\p{Cc}/u;

let held = 0;
let total = 0;
let peakMs = 0;
let peakMb = 0;
for (const { name, kind, file = '.', make } of hostile) {
  if (wanted.length > 0 && !wanted.some((pattern) => pattern.test(name))) continue;
  const folder = join(root, `p${total}`);
  mkdirSync(folder);
  make(folder, { outside });
  const before = JSON.stringify(
    readdirSync(outside).map((entry) => [entry, readFileSync(join(outside, entry), 'utf8')]),
  );
  const faults = [];
  let slowest = 0;
  let largest = 0;
  for (const [label, command, args, talk] of actions(kind, file, folder)) {
    const { ms, mb, output, stubborn, code } = await measure(command, args, folder, talk);
    slowest = Math.max(slowest, ms);
    largest = Math.max(largest, mb);
    if (ms > MAX_MS) {
      const fault =
        name.startsWith('files:') && talk === undefined ? await faultWhileWorking(command, args, folder) : '';
      if (fault !== undefined) faults.push(`${label}: ${Math.round(ms)} ms ${fault}`);
    }
    if (mb > MAX_MB) faults.push(`${label}: ${Math.round(mb)} MB`);
    if (kind === 'pair' && label === 'check' && code !== 1) faults.push(`check: ${code}: ${output.slice(0, 100)}`);
    if (stubborn) faults.push(`${label}: ignores SIGTERM`);
    if (code === null || code === 134 || /JavaScript heap out of memory|\n\s+at .+:\d+:\d+\)/.test(output))
      faults.push(`${label}: crashed: ${output.slice(0, 100)}`);
    if (!label.startsWith('mcp') && !label.startsWith('list') && label !== 'reader' && ESCAPES.test(output))
      faults.push(
        `${label}: control characters in ${JSON.stringify(output.slice(Math.max(0, output.search(ESCAPES) - 40)).slice(0, 80))}`,
      );
    if (/canary-4711/.test(output)) faults.push(`${label}: shows what is outside`);
    if (process.env.SHOW)
      console.log(
        `--- ${name}: ${label} (${code}, ${Math.round(ms)} ms, ${Math.round(mb)} MB)\n${output.slice(0, Number(process.env.SHOW))}`,
      );
  }
  if (kind === 'pair' && !readFileSync(join(folder, file)).equals(readFileSync(join(folder, 'old.tape.json'))))
    faults.push('reject: the file is not as it was committed');
  if (existsSync(join(outside, 'ran'))) faults.push('something ran');
  const after = JSON.stringify(
    readdirSync(outside).map((entry) => [entry, readFileSync(join(outside, entry), 'utf8')]),
  );
  if (after !== before) faults.push(`written outside: ${after.slice(0, 200)}`);
  total += 1;
  peakMs = Math.max(peakMs, slowest);
  peakMb = Math.max(peakMb, largest);
  if (faults.length === 0) held += 1;
  console.log(
    `${faults.length === 0 ? 'held ' : 'BROKE'} ${name.padEnd(44)} ${String(Math.round(slowest)).padStart(6)} ms ${String(Math.round(largest)).padStart(5)} MB  ${faults.join('; ').replaceAll('\n', ' ')}`,
  );
  rmSync(folder, { recursive: true, force: true });
}
rmSync(root, { recursive: true, force: true });
console.log(`slowest ${Math.round(peakMs)} ms, largest ${Math.round(peakMb)} MB`);
console.log(`${held} of ${total} held`);
process.exitCode = held === total ? 0 : 1;
