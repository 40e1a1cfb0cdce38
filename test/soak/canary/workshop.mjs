// The project of the canary soak, and the processes that record, replay and report in it.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PATTERN } from './secrets.mjs';

const ENGINE = resolve(process.env.ENGINE ?? 'dist/engine.js');
const SCRIPTS = ['mofa-scenario', 'mofa-agent-scenario'];
const BASES = {
  openai: 'OPENAI_BASE_URL',
  anthropic: 'ANTHROPIC_BASE_URL',
  gemini: 'GOOGLE_GEMINI_BASE_URL',
  ollama: 'OLLAMA_HOST',
  bedrock: 'AWS_ENDPOINT_URL_BEDROCK_RUNTIME',
  cohere: 'CO_API_URL',
  other: 'OTHER_BASE_URL',
};

const AGENT = `import { readFileSync } from 'node:fs';
const BASES = ${JSON.stringify(BASES)};
const items = JSON.parse(readFileSync(process.argv[2], 'utf8'));
for (const { api, path, method, headers, body } of items) {
  const sent = { method, headers, redirect: 'manual', ...(body && { body: Buffer.from(body, 'base64') }) };
  try { await (await fetch(process.env[BASES[api]] + path, sent)).arrayBuffer(); } catch (error) { console.error(String(error.cause ?? error)); }
}
const [first, second] = items.filter(({ isNamed }) => !isNamed);
console.log('I used ' + first?.secret);
console.error('Beware of ' + second?.secret);
if (process.argv[3]) process.exit(1);
`;

/** The name of a new tape in a format. @param {string} name @param {string} format */
export function tapeName(name, format) {
  if (/vcr|httpmock|flakestorm/.test(format)) return `${name}.tape.yaml`;
  if (format === 'har' || format === 'polly-har') return `${name}.har`;
  if (format === 'httprr') return `${name}.httprr`;
  if (format === 'langchain-gz') return `${name}.yaml.gz`;
  return `${name}.tape.${format === 'tapedeck' || format === 'reyn' ? 'jsonl' : 'json'}`;
}

export class Workshop {
  folder = mkdtempSync(join(tmpdir(), 'tapedeck-canaries-'));
  /** @type {string[]} */
  failures = [];
  runs = 0;
  /** Where the provider listens. */
  upstream;
  #secrets;

  /** @param {Record<string, string>} secrets  The environment. @param {string} upstream */
  constructor(secrets, upstream) {
    this.#secrets = secrets;
    this.upstream = upstream;
    for (const name of ['said', 'told', 'tmp', 'cases', 'inputs', 'built', 'out', 'state'])
      mkdirSync(join(this.folder, name));
    writeFileSync(join(this.folder, 'agent.mjs'), AGENT);
    writeFileSync(
      join(this.folder, 'tapedeck.toml'),
      `[redact]\npatterns = ["${PATTERN}"]\n[proxy.upstream]\nother = "${upstream}"\n`,
    );
    writeFileSync(join(this.folder, '.gitignore'), 'inputs/\nsaid/\ntold/\ntmp/\nstate/\n.tapedeck/\n');
    // What a user confirms who sends secrets of the environment to a server of their own.
    const hosts = ['127.0.0.1', upstream.slice('http://'.length)];
    const targets = hosts.flatMap((host) => Object.keys(this.environment).map((variable) => ({ host, variable })));
    mkdirSync(join(this.folder, 'state/tapedeck'));
    const confirmed = { version: 1, confirmed: { [realpathSync(this.folder)]: targets } };
    writeFileSync(join(this.folder, 'state/tapedeck/confirmed.json'), JSON.stringify(confirmed));
    for (const args of [
      ['init', '-q'],
      ['add', '.'],
      ['-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-qm', 'first'],
    ])
      spawnSync('git', args, { cwd: this.folder });
  }

  /** What the soak itself put there, with secrets in it. @param {string} path */
  isInput(path) {
    return ['inputs', 'state', '.git', '.mcp.json'].some((name) => path.startsWith(join(this.folder, name)));
  }

  /** Gives secrets to an MCP server, in the configuration of a client. @param {Record<string, string>} env */
  writeClient(env) {
    const servers = { notes: { command: 'node', args: ['notes.mjs'], env } };
    writeFileSync(join(this.folder, '.mcp.json'), JSON.stringify({ mcpServers: servers }));
  }

  get environment() {
    const { folder } = this;
    return {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      TMPDIR: join(folder, 'tmp'),
      XDG_STATE_HOME: join(folder, 'state'),
      OPENAI_API_KEY: 'sk-proj-0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV1wX2yZ3aB4cD5e',
      ...Object.fromEntries(Object.entries(BASES).map(([api, name]) => [name, this.#address(api)])),
      ...this.#secrets,
    };
  }

  /** @param {string} api */
  #address(api) {
    return api === 'openai' ? `${this.upstream}/v1` : this.upstream;
  }

  /** Runs the engine to its end; what it prints is kept. @param {string} log @param {string[]} args @param {Record<string, string>} [environment] */
  async engine(log, args, environment = this.environment) {
    const { code, said } = await this.process(args, environment, () => undefined);
    writeFileSync(join(this.folder, 'said', `${log}.txt`), said);
    return { code, said: said.toString() };
  }

  /** Runs the engine while `attend` talks to it. @param {string[]} args @param {Record<string, string>} environment @param {(child: import('node:child_process').ChildProcessWithoutNullStreams, said: () => string) => void} attend */
  async process(args, environment, attend) {
    this.runs += 1;
    const child = spawn(process.execPath, [ENGINE, ...args], { cwd: this.folder, env: environment });
    /** @type {Buffer[]} */
    const said = [];
    child.stdout.on('data', (chunk) => said.push(chunk));
    child.stderr.on('data', (chunk) => said.push(chunk));
    child.stdin.on('error', () => undefined);
    const timer = setTimeout(() => child.kill('SIGKILL'), 300_000);
    attend(child, () => Buffer.concat(said).toString());
    /** @type {number | null} */
    const code = await new Promise((done) => child.once('close', done));
    clearTimeout(timer);
    return { code, said: Buffer.concat(said) };
  }

  /** The formats that can be recorded, and those that are only converted to: scripts of scenarios. */
  async formats() {
    const help = await this.engine('convert-help', ['convert', '--help']);
    const { said } = await this.engine('exec-help', [
      'exec',
      '--allow-none',
      '--record',
      '--to',
      SCRIPTS[0] ?? '',
      '--',
      'true',
    ]);
    const recorded = /Formats that can be written: (.*)\./.exec(said)?.[1]?.split(', ') ?? [];
    const scripts = SCRIPTS.filter((format) => help.said.includes(`  ${format} `));
    if (recorded.length < 20 || scripts.length === 0) this.failures.push(`the formats are not listed: ${said}`);
    return { recorded, scripts };
  }

  /** @param {string} what @param {{ code: number | null, said: string }} outcome @param {readonly (number | null)[]} [allowed] */
  require(what, { code, said }, allowed = [0]) {
    if (!allowed.includes(code)) this.failures.push(`${what} ended with ${code}: ${said.slice(0, 700)}`);
  }

  /** A recording that is saved, or whose format cannot hold it: then it is saved elsewhere. @param {string} what @param {string} tape @param {{ code: number | null, said: string }} outcome */
  async requireSaved(what, tape, outcome) {
    if (outcome.code !== 2 || !outcome.said.includes('cannot hold')) return this.require(what, outcome);
    const args = ['recover', '--save', tape, '--as', `${tape.replace(/\.[^/]*$/, '')}-recovered.tape.jsonl`];
    this.require(`${what}: recover`, await this.engine(`recover-${tape.replaceAll('/', '-')}`, args));
  }

  /** Where an agent finds what it is to send. @param {string} name @param {unknown} items */
  items(name, items) {
    const path = join(this.folder, 'inputs', `${name}.json`);
    writeFileSync(path, JSON.stringify(items));
    return path;
  }

  /** The options that lead each API to the provider. */
  upstreams() {
    return Object.keys(BASES).flatMap((api) => ['--upstream', `${api}=${this.#address(api)}`]);
  }

  /** A plain recording; false where it failed. @param {string} path @param {string} format @param {readonly any[]} items */
  async record(path, format, items) {
    const input = this.items(path.replaceAll('/', '-'), items);
    const agent = ['--', 'sh', '-c', `node agent.mjs '${input}' >/dev/null 2>&1`];
    const outcome = await this.engine(path.replaceAll('/', '-'), [
      'exec',
      '--tape',
      path,
      '--to',
      format,
      ...this.upstreams(),
      '--record',
      ...agent,
    ]);
    await this.requireSaved(`exec in ${format}`, path, outcome);
    return outcome.code === 0;
  }

  /** A recording by `exec`, and then another take, a replay that drifts, or new ones beside it. @param {string} name @param {string} format @param {readonly any[]} items @param {number} turn */
  async exec(name, format, items, turn) {
    const input = this.items(name, items);
    const drifting = this.items(
      `${name}-drift`,
      items.map((one) => ({ ...one, path: one.path.replace('run=', 'again=1&run=') })),
    );
    const tape = `cases/${tapeName(name, format)}`;
    const options = ['exec', '--tape', tape, '--to', format, ...this.upstreams()];
    // The agent's own output is the terminal's, not the engine's: it goes nowhere here.
    const agent = (/** @type {string} */ path) => ['--', 'sh', '-c', `node agent.mjs '${path}' >/dev/null 2>&1`];
    const recorded = await this.engine(`exec-${name}`, [...options, '--record', ...agent(input)]);
    await this.requireSaved(`exec in ${format}`, tape, recorded);
    if (turn === 1) await this.engine(`exec-${name}-again`, [...options, '--record', ...agent(input)]);
    if (turn === 2) await this.engine(`exec-${name}-drift`, [...options, '--replay', ...agent(drifting)]);
    if (turn === 3) await this.engine(`exec-${name}-auto`, [...options, '--auto', ...agent(drifting)]);
  }

  /** `serve`, which ends as asked, or is killed. @param {string} name @param {string} format @param {readonly any[]} items @param {'SIGINT' | 'SIGKILL'} [signal] */
  async serve(name, format, items, signal = 'SIGINT') {
    const tape = `cases/${tapeName(`served-${name}`, format)}`;
    const args = ['serve', '--json', '--record', '--tape', tape, '--to', format, ...this.upstreams()];
    let begun = false;
    const { code, said } = await this.process(args, this.environment, (child, heard) => {
      child.stdout.on('data', async () => {
        const line = heard()
          .split('\n')
          .find((one) => one.startsWith('{'));
        if (begun || line === undefined) return;
        begun = true;
        await this.#play(items, JSON.parse(line));
        child.kill(signal);
      });
    });
    writeFileSync(join(this.folder, 'said', `serve-${name}.txt`), said);
    const outcome = { code, said: said.toString() };
    if (signal === 'SIGKILL') this.require(`serve in ${format}`, outcome, [null]);
    else await this.requireSaved(`serve in ${format}`, tape, outcome);
  }

  /** @param {readonly any[]} items @param {Record<string, string>} variables */
  async #play(items, variables) {
    for (const { api, path, method, headers, body } of items) {
      const base = variables[BASES[/** @type {keyof typeof BASES} */ (api)]];
      try {
        await (
          await fetch(`${base}${path}`, {
            method,
            headers,
            redirect: 'manual',
            ...(body && { body: Buffer.from(body, 'base64') }),
          })
        ).arrayBuffer();
      } catch {
        // A broken response is recorded as one.
      }
    }
  }

  /** An agent by command: recorded, replayed, failing, in every report. @param {string} name @param {readonly any[]} items @param {number} at */
  async command(name, items, at) {
    const input = this.items(`command-${name}`, items);
    const agent = (/** @type {string} */ more) => `[agent]\ncommand = ["node", "../agent.mjs", "${input}"${more}]\n`;
    const toml = (/** @type {string} */ more) =>
      `name = "${name}"\nprompt = "go"\n${agent(more)}[llm]\ntape = "own-${name}.tape.jsonl"\n[assert]\ncontains = "I used"\n`;
    const path = `cases/own-${name}.toml`;
    writeFileSync(join(this.folder, path), toml(''));
    const reporter = ['--reporter', ['junit', 'json', 'ndjson', 'text'][at % 4] ?? 'text'];
    this.require(
      'an agent by command',
      await this.engine(`run-${name}-record`, ['run', path, '--record', '--update-baselines', ...reporter]),
      [0, 1],
    );
    await this.engine(`run-${name}-replay`, ['run', path, '--update-baselines', ...reporter]);
    writeFileSync(join(this.folder, path), toml(', "fail"'));
    await this.engine(`run-${name}-fail`, ['run', path, ...reporter]);
    writeFileSync(join(this.folder, path), toml(''));
  }

  /** An agent by URL. @param {string} name @param {readonly any[]} items */
  async service(name, items) {
    const server = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk) => {
        text += chunk;
      });
      request.on('end', async () => {
        await this.#play(items, JSON.parse(text).variables);
        const [first, second] = items.filter(({ isNamed }) => !isNamed);
        response.end(`I used ${first?.secret} and "${second?.secret}"`);
      });
    });
    await new Promise((done) => server.listen(0, '127.0.0.1', () => done(undefined)));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const path = `cases/url-${name}.toml`;
    writeFileSync(
      join(this.folder, path),
      `name = "${name}"\nprompt = "go"\n[agent]\nurl = "http://127.0.0.1:${port}/run"\n[llm]\ntape = "url-${name}.tape.jsonl"\n`,
    );
    this.require(
      'an agent by URL',
      await this.engine(`url-${name}-record`, ['run', path, '--record', '--update-baselines', '--reporter', 'json']),
    );
    await this.engine(`url-${name}-replay`, ['run', path, '--reporter', 'junit']);
    server.close();
    server.closeAllConnections();
  }

  /** A case of the built-in agent for each exchange; `builtIns` runs them. @param {string} name @param {any} item @param {boolean} isStreamed @param {string} [kind] */
  builtInCase(name, item, isStreamed, kind = 'open_ai_compatible') {
    const provider = kind === 'vscode_lm' ? '' : `base_url = "${this.#address('openai')}"\nstream = ${isStreamed}\n`;
    const text = `name = "${name}"\nprompt = "Say ${item.id}"\n[llm]\ntape = "${name}.tape.json"\n[llm.provider]\nkind = "${kind}"\n${provider}[assert]\nnot_contains = "zzz"\n`;
    writeFileSync(join(this.folder, 'built', `${name}.toml`), text);
    return `built/${name}.toml`;
  }

  /** All cases of the built-in agent: recorded twice, from an interaction, replayed, stability, test-dsl. @param {readonly string[]} paths */
  async builtIns(paths) {
    const all = (/** @type {string} */ log, /** @type {string[]} */ args) =>
      this.engine(`built-${log}`, ['run', 'built', ...args]);
    this.require(
      'the built-in agent',
      await all('record', ['--record', '--update-baselines', '--reporter', 'json']),
      [0, 1, 3],
    );
    await all('again', ['--record', '--reporter', 'junit']);
    await all('from', ['--record', '--from', '1', '--reporter', 'ndjson']);
    await all('replay', ['--reporter', 'text']);
    await all('live', ['--live', '--reporter', 'json']);
    for (const [at, path] of paths.slice(0, 6).entries()) {
      const out = (/** @type {string} */ what) => join('out', `${at}-${what}`);
      const files = [
        '--artifact-out',
        out('artifact.json'),
        '--report-out',
        out('report.json'),
        '--report-format',
        at % 2 ? 'json' : 'text',
        '--baseline-out',
        out('baseline.json'),
      ];
      await this.engine(`dsl-${at}`, ['--output-format', at % 3 ? 'text' : 'json', 'test-dsl', path, ...files]);
      await this.engine(`dsl-${at}-compared`, [
        'test-dsl',
        path,
        '--baseline-in',
        out('baseline.json'),
        '--comparison-out',
        out('comparison.json'),
      ]);
    }
    for (const [at, path] of paths.filter((_, index) => index % Math.ceil(paths.length / 12) === 0).entries())
      await this.engine(`stability-${at}`, ['stability', path, '-n', '2', ...(at % 2 ? ['--json'] : [])]);
  }

  /**
   * The editor's calls. The secrets are not in the environment: the host gives them from its storage.
   * @param {string} name @param {readonly any[]} items
   */
  async rpc(name, items) {
    const paths = items.flatMap((item, at) => [
      this.builtInCase(`${name}-${at}`, item, false),
      this.builtInCase(`${name}-lm-${at}`, item, false, 'vscode_lm'),
    ]);
    const { OPENAI_API_KEY: key, ...others } = this.environment;
    const bare = Object.fromEntries(Object.entries(others).filter(([variable]) => !(variable in this.#secrets)));
    const keys = { ...this.#secrets, OPENAI_API_KEY: key };
    const casePaths = paths.map((path) => join(this.folder, path));
    let asked = 0;
    const { said } = await this.process(['rpc'], bare, (child) => {
      const send = (/** @type {unknown} */ message) =>
        child.stdin.write(`${JSON.stringify({ v: 1, ...Object(message) })}\n`);
      let rest = '';
      child.stdout.on('data', (chunk) => {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          const message = JSON.parse(line);
          if (message.method === 'chat')
            send({
              id: message.id,
              ok: { content: `It is ${items.filter(({ isNamed }) => !isNamed)[asked++ % 5]?.secret}.`, toolCalls: [] },
            });
          else if (message.id === 1)
            send({ id: 2, method: 'run', params: { runId: 'r', root: this.folder, casePaths, mode: 'record', keys } });
          else if (message.id === 2)
            send({ id: 3, method: 'run', params: { runId: 's', root: this.folder, casePaths, mode: 'replay', keys } });
          else if (message.id === 3) child.stdin.end();
        }
      });
      send({ id: 1, method: 'hello' });
    });
    writeFileSync(join(this.folder, 'said', `${name}.txt`), said);
    if (!said.includes('"finished"')) this.failures.push(`rpc ran nothing: ${said.toString().slice(0, 500)}`);
  }

  /** @param {string} folder */
  tapes(folder = 'cases') {
    return readdirSync(join(this.folder, folder))
      .filter((name) => /\.(?:tape\.\w+|har|httprr|yaml\.gz)$/.test(name))
      .map((name) => `${folder}/${name}`);
  }

  /** Everything that prints what was recorded. */
  async reports() {
    const tapes = [...this.tapes(), ...this.tapes('built').slice(0, 3)].slice(0, 40);
    for (const [at, tape] of tapes.entries()) {
      if (at % 2 === 0 || at < 25) await this.engine(`inspect-${at}`, ['inspect', tape, ...(at % 2 ? ['--json'] : [])]);
      if (at % 3 === 0)
        await this.engine(`diff-${at}`, [
          'diff',
          tape,
          tapes[(at + 1) % tapes.length] ?? tape,
          ...(at % 2 ? ['--json'] : []),
        ]);
      if (at % 4 === 0)
        await this.engine(`convert-${at}`, ['convert', tape, `out/converted-${at}.json`, '--to', 'vcrpy']);
    }
    for (const reporter of ['text', 'json', 'junit', 'markdown'])
      await this.engine(`check-${reporter}`, ['check', '--reporter', reporter]);
    this.require('verify', await this.engine('verify', ['verify', 'cases', 'built', '--json']), [0, 1, 5]);
  }

  /** What a model is told by the tools. @param {readonly string[]} [tapes] @param {string} [log] @param {Record<string, string>} [environment] */
  async tools(tapes = this.tapes(), log = 'mcp', environment = this.environment) {
    const cases = readdirSync(join(this.folder, 'cases'))
      .filter((name) => name.endsWith('.toml'))
      .slice(0, 12)
      .map((name) => `cases/${name}`);
    const built = readdirSync(join(this.folder, 'built'))
      .filter((name) => name.endsWith('.toml'))
      .slice(0, 30)
      .map((name) => `built/${name}`);
    const calls = [
      ['list_cases', {}],
      ...[...cases, ...built].flatMap((path) =>
        ['replay_case', 'explain_drift', 'propose_acceptance'].map((tool) => [tool, { case: path, reason: 'r' }]),
      ),
      ...tapes.flatMap((tape) => Array.from({ length: 109 }, (_, index) => ['read_interaction', { tape, index }])),
    ];
    let answered = 0;
    const { said } = await this.process(['mcp'], environment, (child) => {
      const send = (/** @type {unknown} */ message) =>
        child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...Object(message) })}\n`);
      const ask = (/** @type {number} */ at) =>
        send({ id: at + 1, method: 'tools/call', params: { name: calls[at]?.[0], arguments: calls[at]?.[1] } });
      let rest = '';
      child.stdout.on('data', (chunk) => {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines.filter((one) => one.includes('"id"'))) {
          const { id } = JSON.parse(line);
          if (id === 0) send({ method: 'notifications/initialized' });
          else answered += 1;
          if (id >= calls.length) child.stdin.end();
          else ask(id);
        }
      });
      send({
        id: 0,
        method: 'initialize',
        params: { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'soak', version: '1' } },
      });
    });
    writeFileSync(join(this.folder, 'told', `${log}.txt`), said);
    if (answered < calls.length)
      this.failures.push(`mcp answered ${answered} of ${calls.length}: ${said.toString().slice(-500)}`);
  }
}
