// How long it takes to align and compare two tapes of 1,000 interactions and 20 MB each: where little changed, where an
// edit of the system prompt is in every request, and where nothing is the same, and how long after the engine's answer the
// panel shows its first change. Then how much longer `check` takes than
// `git status` in a repository with 2,000 tapes in which nothing changed. Times are medians; those of comparing are of the processor,
// so that what else the machine does stays out of them.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { INTERACTIONS, interaction, tapeText } from './review/tapes.mjs';
import { median, report } from './rows.mjs';

const ENGINE = resolve('dist/engine.js');
const TAPES = 2000;
const ROUNDS = 3;

const folder = mkdtempSync(join(tmpdir(), 'tapedeck-bench-'));
try {
  const { compareTapes, readTape, textFile } = await loadCore();
  const read = (text) => readTape(textFile(text, 'a.tape.json'));
  const old = tapeText({});
  const pairs = {
    'the same': old,
    '10 answers edited, 5 inserted, 1 moved': tapeText({ edited: 10, inserted: 5, moved: true }),
    'the system prompt edited, in every request': tapeText({ system: 'You are a terse assistant.' }),
    'everything changed': tapeText({ salt: 'other' }),
  };
  console.log(
    `\n${INTERACTIONS} interactions, ${(old.length / 1e6).toFixed(1)} MB`.padEnd(52) +
      'compare'.padStart(12) +
      'changes'.padStart(9),
  );
  for (const [name, text] of Object.entries(pairs)) {
    const times = [];
    let result;
    for (let round = 0; round < ROUNDS; round += 1) {
      const [before, after] = [read(old), read(text)];
      const start = process.cpuUsage();
      result = compareTapes(before, after);
      const { user, system } = process.cpuUsage(start);
      times.push((user + system) / 1000);
    }
    console.log(`  ${name.padEnd(50)}${ms(median(times)).padStart(12)}${String(result.changes.length).padStart(9)}`);
    for (const notice of result.notices) console.log(`    ${notice}`);
  }
  const [a, b] = [join(folder, 'a.tape.json'), join(folder, 'b.tape.json')];
  writeFileSync(a, old);
  writeFileSync(b, pairs['10 answers edited, 5 inserted, 1 moved']);
  const whole = times(ROUNDS, () => spawnSync(process.execPath, [ENGINE, 'diff', a, b, '--json'], { maxBuffer: 1e9 }));
  console.log(`  ${'`tapedeck diff` of the second, from start to end'.padEnd(50)}${ms(median(whole)).padStart(12)}`);
  const copy = join(folder, 'copy.tape.json');
  writeFileSync(copy, old);
  const same = times(5, () => spawnSync(process.execPath, [ENGINE, 'diff', a, copy, '--json']));
  const hashed = times(5, () => [a, copy].map((path) => createHash('sha256').update(readFileSync(path)).digest('hex')));
  const of = `hashing both takes ${ms(median(hashed))}`;
  report({ what: `review of ${INTERACTIONS} interactions, nothing changed`, of, values: same, unit: 'ms', asked: 300 });
  longTexts(compareTapes, read);
  benchPanel(pairs);
  benchCheck();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function longTexts(compareTapes, read) {
  const lines = (word) =>
    Array.from({ length: 20_000 }, (_, line) => `${word} ${(line * 7919) % 10007} of ${line}`).join('\n');
  const tape = (text) =>
    JSON.stringify({ version: 1, case_name: 'n', interactions: [interaction(['user'], ['Go'], text)] });
  const start = performance.now();
  const { changes } = compareTapes(read(tape(lines('a'))), read(tape(lines('b'))));
  const time = performance.now() - start;
  console.log(
    `  ${'two answers of 20,000 lines, no line the same'.padEnd(50)}${ms(time).padStart(12)}${String(changes.length).padStart(9)}`,
  );
}

/** With real files, a real engine and a real browser. */
function benchPanel(pairs) {
  const paths = Object.entries(pairs).map(([name, text]) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  });
  const [same, ...others] = paths;
  spawnSync(process.execPath, ['--import', 'tsx', 'test/bench/reviewPanel.ts', same, ...others], { stdio: 'inherit' });
}

function benchCheck() {
  const repository = join(folder, 'repository');
  mkdirSync(join(repository, 'tapes'), { recursive: true });
  writeFileSync(join(repository, 'tapedeck.toml'), '');
  for (let index = 0; index < TAPES; index += 1) {
    const text = JSON.stringify({
      version: 1,
      case_name: 'n',
      interactions: [interaction(['user'], [`Question ${index}`], 'Answer')],
    });
    writeFileSync(join(repository, 'tapes', `${index}.tape.json`), text);
  }
  const git = (...args) => execFileSync('git', args, { cwd: repository, stdio: ['ignore', 'pipe', 'ignore'] });
  git('init', '-q');
  git('-c', 'user.name=x', '-c', 'user.email=x@example.com', 'add', '.');
  git('-c', 'user.name=x', '-c', 'user.email=x@example.com', 'commit', '-qm', 'x');
  const status = median(times(9, () => git('status', '--porcelain=v2', '-z')));
  const check = median(times(9, () => spawnSync(process.execPath, [ENGINE, 'check'], { cwd: repository })));
  console.log(`\n${`${TAPES} tapes, nothing changed`.padEnd(52)}${'median'.padStart(12)}`);
  console.log(`  ${'git status'.padEnd(50)}${ms(status).padStart(12)}`);
  console.log(`  ${'tapedeck check'.padEnd(50)}${ms(check).padStart(12)}   ${ms(check - status)} more`);
}

function times(rounds, task) {
  return Array.from({ length: rounds }, () => {
    const start = performance.now();
    task();
    return performance.now() - start;
  });
}

async function loadCore() {
  const contents = `
    export { compareTapes } from './src/core/review/compare/compareTapes';
    export { readTape } from './src/core/tapes/readTape';
    export { tapeFileFromText as textFile } from './src/core/tapes/tapeFile';`;
  const outfile = join(folder, 'core.cjs');
  await build({
    stdin: { contents, resolveDir: resolve('.') },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
  });
  return createRequire(import.meta.url)(outfile);
}

function ms(milliseconds) {
  return `${milliseconds.toFixed(0)} ms`;
}
