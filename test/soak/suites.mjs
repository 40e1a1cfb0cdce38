#!/usr/bin/env node
// node test/soak/suites.mjs [NAME…]   runs the tests of public projects twice: with their own recorder, and with `tapedeck serve`
// in its place on the same recordings. Prints how many of those that pass with the recorder pass with serve, and each that does
// not. Needs Python, Go, and the package indexes; build the engine first: node esbuild.mjs node
// KEEP=FOLDER keeps what is installed, for the next time.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const HERE = import.meta.dirname;
const ENGINE = resolve(HERE, '../../dist/engine.js');
const folder = process.env.KEEP ? resolve(process.env.KEEP) : mkdtempSync(join(tmpdir(), 'tapedeck-suites-'));

/** Keys that SDKs want to see, as in the environment of somebody who runs these tests. None of them is one. */
const KEYS = { OPENAI_API_KEY: 'sk-none', ANTHROPIC_API_KEY: 'none', GOOGLE_API_KEY: 'none' };

const SUITES = {
  mirascope: {
    kind: 'pytest',
    package: 'mirascope==2.8.2',
    needs:
      'anthropic==0.78.0 fastmcp==2.14.4 google-genai==1.60.0 httpx==0.28.1 inline-snapshot==0.31.1 mcp==1.26.0 openai==2.16.0 opentelemetry-sdk==1.39.1 orjson==3.11.5 pillow==10.4.0 proto-plus==1.27.0 pydantic==2.12.5 pytest==9.0.2 pytest-asyncio==1.3.0 pytest-httpserver==1.1.3 pytest-vcr==1.0.2 vcrpy==8.1.1 libcst==1.8.6 opentelemetry-instrumentation==0.60b1 opentelemetry-propagator-b3==1.39.1 opentelemetry-propagator-jaeger==1.39.1',
    tests: ['tests/e2e/input'],
    recorder: 'vcr',
    hosts:
      'openrouter.ai=openrouter,api.together.xyz=together,localhost:3000=mirascope@http://localhost:3000,localhost:11434=ollama,api.anthropic.com=anthropic',
  },
  magentic: {
    kind: 'pytest',
    package: 'magentic==0.41.1',
    needs:
      'anthropic==0.42.0 httpx==0.27.2 inline-snapshot==0.14.0 litellm==1.77.5 logfire==0.49.1 logfire-api==2.2.1 openai==1.109.1 pydantic==2.10.4 pydantic-settings==2.6.1 pytest==8.3.3 pytest-asyncio==0.24.0 pytest-mock==3.14.0 pytest-recording==0.13.2 python-dotenv==1.0.1 vcrpy==8.1.1 aiohttp==3.12.15',
    tests: ['tests'],
    recorder: 'recording',
    hosts:
      'openrouter.ai=openrouter,api.mistral.ai=mistral,api.x.ai=xai,generativelanguage.googleapis.com=gemini,localhost:11434=ollama,api.openai.com=openai',
  },
  langchaingo: {
    kind: 'go',
    package: 'github.com/tmc/langchaingo@v0.1.14',
    recorder: 'internal/httprr',
    /** Their tests need databases in containers. */
    without: 'vectorstores/',
    hosts:
      'api.openai.com=openai,generativelanguage.googleapis.com=gemini,localhost:11434=ollama,api.cohere.ai=cohere,openrouter.ai=openrouter,api.anthropic.com=anthropic,bedrock-runtime.us-east-1.amazonaws.com=bedrock,bedrock-runtime.us-west-2.amazonaws.com=bedrock,api-inference.huggingface.co=hf@https://api-inference.huggingface.co,router.huggingface.co=router@https://router.huggingface.co,en.wikipedia.org=wikipedia@https://en.wikipedia.org,api.perplexity.ai=perplexity@https://api.perplexity.ai,serpapi.com=serpapi@https://serpapi.com,html.duckduckgo.com=duckduckgo@https://html.duckduckgo.com',
  },
};

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !Object.hasOwn(SUITES, name));
if (unknown.length > 0) throw new Error(`no suite ${unknown.join(', ')}; there are ${Object.keys(SUITES).join(', ')}`);

let isWorse = false;
for (const [name, suite] of Object.entries(SUITES)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  const log = join(folder, `${name}.log`);
  rmSync(log, { force: true });
  const run = suite.kind === 'go' ? prepareGo(name, suite, log) : preparePytest(name, suite, log);
  const recorded = run('recorder');
  const served = run('serve');
  isWorse = !report(name, recorded, served, log) || isWorse;
}
if (!process.env.KEEP) rmSync(folder, { recursive: true, force: true });
process.exitCode = isWorse ? 1 : 0;

/** Prints what passes, and returns whether at least 99 % of what passes with the recorder passes with serve. */
function report(name, recorded, served, log) {
  const passing = [...recorded].filter(([, verdict]) => verdict === 'passed').map(([test]) => test);
  const lost = passing.filter((test) => served.get(test) !== 'passed');
  const won = [...served].filter(([test, verdict]) => verdict === 'passed' && recorded.get(test) !== 'passed');
  const share = passing.length === 0 ? 0 : (100 * (passing.length - lost.length)) / passing.length;
  console.log(
    `${name}: ${passing.length} pass with the recorder; ${passing.length - lost.length} of them with serve (${share.toFixed(1)} %), and ${won.length} that fail with the recorder`,
  );
  for (const test of lost) console.log(`  lost: ${test} (${served.get(test) ?? 'did not run'})`);
  const totals = existsSync(log) ? countRequests(readFileSync(log, 'utf8')) : {};
  console.log(
    `  requests: ${Object.entries(totals)
      .map(([verdict, count]) => `${count} ${verdict}`)
      .join(', ')}`,
  );
  return share >= 99;
}

/** The verdicts on requests, of the last line that each serve printed. */
function countRequests(log) {
  const totals = {};
  for (const [, line] of log.matchAll(/replay: ((?:\d+ [a-z ]+?(?:, )?)+)(?:\\n|\n|$)/g)) {
    for (const [, count, verdict] of line.matchAll(/(\d+) ([a-z ]+)/g))
      totals[verdict] = (totals[verdict] ?? 0) + Number(count);
  }
  return totals;
}

function preparePytest(name, suite, log) {
  const home = join(folder, name);
  const python = join(home, 'venv/bin/python');
  if (!existsSync(join(home, 'ready'))) {
    mkdirSync(home, { recursive: true });
    const run = (command, ...args) =>
      execFileSync(command, args, { cwd: home, stdio: ['ignore', 'ignore', 'inherit'] });
    run('python3', '-m', 'venv', 'venv');
    run(python, '-m', 'pip', 'install', '-q', suite.package, ...suite.needs.split(' '));
    run(python, '-m', 'pip', 'download', '-q', '--no-deps', '--no-binary', ':all:', suite.package);
    run(
      'tar',
      'xzf',
      readdirSync(home).find((file) => file.endsWith('.tar.gz')),
    );
    writeFileSync(join(home, 'ready'), '');
  }
  const source = join(home, suite.package.replace('==', '-'));
  const hosts = suite.hosts.split(',').map((pair) => pair.split('@'));
  const upstreams = hosts
    .filter(([, address]) => address)
    .map(([pair, address]) => `--upstream ${pair.split('=')[1]}=${address}`);
  return (player) => {
    const report = join(home, `${player}.xml`);
    const options = { recorder: [], serve: ['-p', `no:${suite.recorder}`, '-p', 'tapedeck_serve'] }[player];
    const args = ['-m', 'pytest', '-q', '-o', 'addopts=', '-p', 'no:cacheprovider', `--junitxml=${report}`, ...options];
    const environment = {
      ...process.env,
      ...KEYS,
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONPATH: join(HERE, 'suites'),
      TAPEDECK_ENGINE: ENGINE,
      TAPEDECK_SUITE_TAPE: firstCassette(source),
      TAPEDECK_SUITE_RECORDER: suite.recorder,
      TAPEDECK_SUITE_HOSTS: hosts.map(([pair]) => pair).join(','),
      TAPEDECK_SUITE_OPTIONS: upstreams.join(' '),
      TAPEDECK_SUITE_LOG: log,
    };
    const { status, stdout } = spawnSync(python, [...args, ...suite.tests], {
      cwd: source,
      env: environment,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    writeFileSync(join(folder, `${name}.${player}.txt`), stdout);
    if (status !== 0 && status !== 1) throw new Error(`${name}: pytest ended with ${status}\n${stdout.slice(-2000)}`);
    return readJunit(readFileSync(report, 'utf8'));
  };
}

function firstCassette(source) {
  const found = readdirSync(source, { recursive: true }).find((file) => /(?:^|\/)cassettes\/.*\.yaml$/.test(file));
  return join(source, found);
}

/** The verdict of each test: a JUnit report lists a test that fails at its end a second time. */
function readJunit(xml) {
  const verdicts = new Map();
  for (const [, attributes, rest] of xml.matchAll(/<testcase ([^>]*?)(\/>|>[\s\S]*?<\/testcase>)/g)) {
    const test = ['classname', 'name'].map((key) => new RegExp(`\\b${key}="([^"]*)"`).exec(attributes)?.[1]).join('::');
    const verdict = /<(?:failure|error)\b/.test(rest) ? 'failed' : /<skipped\b/.test(rest) ? 'skipped' : 'passed';
    if (verdicts.get(test) !== 'failed') verdicts.set(test, verdict);
  }
  return verdicts;
}

/** A copy of the module for each player; in that of serve, the recorder's RoundTrip asks ours first. */
function prepareGo(name, suite, log) {
  const home = join(folder, name);
  const { Dir: module } = JSON.parse(
    execFileSync('go', ['mod', 'download', '-json', suite.package], { encoding: 'utf8' }),
  );
  if (!existsSync(home)) {
    mkdirSync(home);
    execFileSync('cp', ['-r', module, join(home, 'recorder')]);
    execFileSync('chmod', ['-R', 'u+w', home]);
    execFileSync('cp', ['-r', join(home, 'recorder'), join(home, 'serve')]);
    takePlaceOfRecorder(join(home, 'serve', suite.recorder), suite.package);
  }
  return (player) => {
    const source = join(home, player);
    const { stdout, stderr } = spawnSync(
      'go',
      ['test', '-json', '-count=1', '-p=1', ...packagesWithTapes(source, suite)],
      {
        cwd: source,
        env: { ...process.env, TAPEDECK_ENGINE: ENGINE, TAPEDECK_SUITE_HOSTS: suite.hosts, TAPEDECK_SUITE_LOG: log },
        encoding: 'utf8',
        maxBuffer: 1 << 28,
      },
    );
    writeFileSync(join(folder, `${name}.${player}.txt`), stdout + stderr);
    return readGoTests(stdout);
  };
}

function takePlaceOfRecorder(recorder, version) {
  const file = join(recorder, 'rr.go');
  const opening = 'func (rr *RecordReplay) RoundTrip(req *http.Request) (*http.Response, error) {';
  const original = readFileSync(file, 'utf8');
  if (!original.includes(opening)) throw new Error(`${version}: the recorder has another RoundTrip`);
  const detour =
    '\tif response, isServed, err := servedRoundTrip(rr.file, req); isServed {\n\t\treturn response, err\n\t}\n';
  writeFileSync(file, original.replace(opening, `${opening}\n${detour}`));
  copyFileSync(join(HERE, 'suites/tapedeck_serve.go'), join(recorder, 'tapedeck_serve.go'));
}

function packagesWithTapes(source, { without }) {
  const tapes = readdirSync(source, { recursive: true }).filter((file) => /\.httprr(?:\.gz)?$/.test(file));
  const packages = new Set(tapes.map((file) => `./${file.replace(/\/testdata\/.*/, '')}`));
  return [...packages].filter((each) => !each.includes(without)).sort();
}

/** The verdict of each test that has none below it. */
function readGoTests(output) {
  const verdicts = new Map();
  for (const line of output.split('\n')) {
    if (!line.startsWith('{')) continue;
    const { Action: action, Package: of, Test: test } = JSON.parse(line);
    if (test !== undefined && ['pass', 'fail', 'skip'].includes(action)) verdicts.set(`${of}::${test}`, `${action}ed`);
  }
  return verdicts;
}
