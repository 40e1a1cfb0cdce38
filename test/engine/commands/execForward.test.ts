import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { makeAuthority } from '../../../src/engine/network/certificates/issue';
import { buildEngine, inProject, type TestProject } from '../../harness/builtEngine';
import { serveTls } from '../../harness/tlsServer';

/** Calls a web API and a model by their own addresses, with clients that read no proxy variable. */
const NODE_AGENT = `import https from 'node:https';
import { get } from 'node:https';
const text = (url) => new Promise((resolve, reject) => {
  get(url, { agent: new https.Agent() }, (response) => {
    let body = '';
    response.on('data', (piece) => { body += piece; }).on('end', () => resolve(response.statusCode + ' ' + body));
  }).on('error', reject);
});
const [, , city = 'Berlin'] = process.argv;
console.log(await text('https://weather.example/forecast?city=' + city));
const asked = await fetch('https://api.openai.com/v1/chat/completions', {
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: 'Bearer ' + process.env.OPENAI_API_KEY },
  body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: city }] }),
});
console.log(asked.status, await asked.text());
if (!asked.ok) process.exit(9);
`;
/** The same with what OpenAI's Agents SDK sends after a run: other ids each time. */
const TRACED_AGENT = `${NODE_AGENT}
const traced = await fetch('https://api.openai.com/v1/traces/ingest', {
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: 'Bearer ' + process.env.OPENAI_API_KEY },
  body: JSON.stringify({ data: [{ object: 'trace', id: 'trace_' + crypto.randomUUID() }] }),
});
if (!traced.ok) process.exit(8);
`;
const PYTHON_AGENT = `import http.client
connection = http.client.HTTPSConnection('weather.example')
connection.request('GET', '/forecast?city=Berlin')
response = connection.getresponse()
print(response.status, response.read().decode())
`;
const TAPE = 'tapes/agent.tape.jsonl';
const NO_CALLS = '{"tapedeck":"tape","version":1,"name":"t"}\n';
const KEY = 'sk-proj-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY';

interface Recorded {
  readonly project: TestProject;
  readonly stdout: string;
  readonly env: Readonly<Record<string, string>>;
  /** Runs the agent again on the tape, with the server gone. */
  replay(...command: readonly string[]): ReturnType<TestProject['engine']>;
}

async function recorded(command: readonly string[], test: (recorded: Recorded) => Promise<void>): Promise<void> {
  const files = { 'agent.mjs': NODE_AGENT, 'traced.mjs': TRACED_AGENT, 'agent.py': PYTHON_AGENT, 'tapedeck.toml': '' };
  await inProject(files, async (project) => {
    const server = await serveTls(project.path('authority.pem'), (request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ asked: request.url, sunny: true }));
    });
    const env = {
      XDG_STATE_HOME: project.path('../state-of-the-user'),
      NODE_EXTRA_CA_CERTS: project.path('authority.pem'),
      OPENAI_API_KEY: KEY,
    };
    const upstreams = [`weather.example=${server.url}`, `openai=${server.url}/v1`].flatMap((one) => [
      '--upstream',
      one,
    ]);
    const args = ['exec', '--record', '--tape', TAPE, ...upstreams, '--allow-key', 'OPENAI_API_KEY=127.0.0.1', '--'];
    const { code, stdout, stderr } = await project.engine([...args, ...command], env);
    await server.close();
    assert.equal(code, 0, stderr);
    const replay = (...again: readonly string[]) => project.engine(['exec', '--tape', TAPE, '--', ...again], env);
    await test({ project, stdout, env, replay });
  });
}

describe('tapedeck exec, for an agent that uses its own addresses', () => {
  before(buildEngine);

  it('records Node, a model and another host, and replays both with the servers gone', async () => {
    await recorded(['node', 'agent.mjs'], async ({ project, stdout, replay }) => {
      assert.match(stdout, /forecast\?city=Berlin.*\n200 .*"\/v1\/chat\/completions"/);
      const tape = await project.read(TAPE);
      assert.match(tape, /https:\/\/weather\.example\/forecast/);
      assert.ok(!tape.includes('sk-proj') && !tape.includes('PRIVATE KEY'));
      const again = await replay('node', 'agent.mjs');
      assert.deepEqual([again.code, again.stdout], [0, stdout], again.stderr);
      assert.match(again.stderr, /replay: 2 exact/);
    });
  });

  it('records and replays Python', async () => {
    await recorded(['python3', 'agent.py'], async ({ stdout, replay }) => {
      assert.match(stdout, /^200 .*"sunny":true/);
      const again = await replay('python3', 'agent.py');
      assert.deepEqual([again.code, again.stdout], [0, stdout], again.stderr);
    });
  });

  it('replays an unchanged agent whose SDK sends telemetry, and tells of that', async () => {
    await recorded(['node', 'traced.mjs'], async ({ project, stdout, replay }) => {
      assert.doesNotMatch(await project.read(TAPE), /traces|trace_/);
      const again = await replay('node', 'traced.mjs');
      assert.deepEqual([again.code, again.stdout], [0, stdout], again.stderr);
      assert.match(again.stderr, /replay: 2 exact\n/);
      assert.match(
        again.stderr,
        /replay: 1 request for telemetry or packages was answered by Tapedeck and not sent: api\.openai\.com\/v1\/traces\/ingest \(OpenAI Agents SDK\)\n/,
      );
    });
  });

  it('refuses what is not on the tape, and names the address', async () => {
    await recorded(['node', 'agent.mjs'], async ({ replay }) => {
      const { code, stderr } = await replay('node', 'agent.mjs', 'Paris');
      assert.equal(code, 4);
      assert.match(stderr, /request 1: drifted/);
      assert.match(stderr, /request: GET weather\.example\/forecast/);
    });
  });

  it('keeps the key of its authority to the user, outside of the project, the tape and what is told', async () => {
    await recorded(['node', 'agent.mjs'], async ({ project, env, stdout, replay }) => {
      const file = `${env.XDG_STATE_HOME}/tapedeck/authority.pem`;
      assert.equal(statSync(file).mode & 0o777, 0o600);
      const shown = await replay('node', '-e', 'console.log(JSON.stringify(process.env))');
      assert.doesNotMatch(shown.stdout, /PRIVATE KEY|authority\.pem/);
      const [, key = ''] = /PRIVATE KEY-----\s+([\w+/]{60})/.exec(readFileSync(file, 'utf8')) ?? [];
      assert.equal(key.length, 60);
      const entries = readdirSync(project.root, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
      assert.ok(files.some((path) => path.endsWith('.tape.jsonl')));
      const texts = [stdout, shown.stdout, shown.stderr, ...files.map((path) => readFileSync(path, 'latin1'))];
      assert.ok(texts.every((text) => !text.includes(key) && !text.includes('PRIVATE KEY')));
    });
  });

  it('hands out its own certificate alone in a replay, and with those of the system where something may pass', async () => {
    const agent = `import { readFileSync } from 'node:fs';
const NAMES = ['SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'AWS_CA_BUNDLE', 'GIT_SSL_CAINFO', 'CARGO_HTTP_CAINFO', 'DENO_CERT', 'NODE_EXTRA_CA_CERTS'];
const counts = NAMES.map((name) => readFileSync(process.env[name], 'utf8').split('BEGIN CERTIFICATE').length - 1);
const [, store] = /trustStore=(\\S+)/.exec(process.env.JAVA_TOOL_OPTIONS);
console.log(JSON.stringify([...new Set([...counts, readFileSync(store).readUInt32BE(8)])]));
`;
    await inProject({ 'count.mjs': agent, 't.tape.jsonl': NO_CALLS, 'tapedeck.toml': '' }, async (project) => {
      const counted = async (env: Readonly<Record<string, string>>, ...mode: readonly string[]) => {
        const own = {
          XDG_STATE_HOME: project.path('../state-of-the-user'),
          SSL_CERT_FILE: '',
          NODE_EXTRA_CA_CERTS: '',
        };
        const args = ['exec', '--tape', 't.tape.jsonl', '--allow-none', ...mode, '--', 'node', 'count.mjs'];
        const { code, stdout, stderr } = await project.engine(args, { ...own, ...env });
        assert.equal(code, 0, stderr);
        const [count, ...others] = JSON.parse(stdout) as number[];
        assert.deepEqual(others, [], 'all variables name the same');
        return count ?? 0;
      };
      assert.equal(await counted({}), 1);
      for (const mode of ['--record', '--auto', '--passthrough']) assert.ok((await counted({}, mode)) > 50, mode);
      // Public ones are no reason to read a file for each connection, wherever they come from.
      await project.write('public.pem', rootCertificates.join('\n'));
      assert.equal(await counted({ SSL_CERT_FILE: project.path('public.pem') }), 1);
      const { certificate } = await makeAuthority();
      await project.write('own.pem', `${rootCertificates.slice(0, 9).join('\n')}\n${certificate}`);
      const named = { SSL_CERT_FILE: project.path('own.pem'), NODE_EXTRA_CA_CERTS: project.path('own.pem') };
      assert.equal(await counted(named), 2);
      assert.equal(await counted({ NODE_EXTRA_CA_CERTS: project.path('missing.pem') }), 1);
    });
  });

  it('lets an agent reach a server of this machine in a replay, which has its certificate from an authority of the user', async () => {
    const agent = `import { get } from 'node:https';
get(process.argv[2], (response) => { console.log(response.statusCode); response.resume(); }).on('error', (error) => console.log(error.code));
`;
    await inProject({ 'own.mjs': agent, 't.tape.jsonl': NO_CALLS, 'tapedeck.toml': '' }, async (project) => {
      const server = await serveTls(project.path('authority.pem'), (_request, response) => response.end());
      try {
        const args = ['exec', '--tape', 't.tape.jsonl', '--allow-none', '--', 'node', 'own.mjs', server.url];
        const state = { XDG_STATE_HOME: project.path('../state-of-the-user') };
        const env = { ...state, NODE_EXTRA_CA_CERTS: project.path('authority.pem') };
        const { stdout, stderr } = await project.engine(args, env);
        assert.equal(stdout, '200\n', stderr);
      } finally {
        await server.close();
      }
    });
  });

  it('tells of a client that does not accept the certificate', async () => {
    await recorded(['node', 'agent.mjs'], async ({ project, replay }) => {
      const strict = NODE_AGENT.replace('new https.Agent()', 'new https.Agent({ ca: [] })');
      await project.write('strict.mjs', strict);
      const { code, stderr } = await replay('node', 'strict.mjs');
      assert.equal(code, 1);
      assert.match(stderr, /connected to weather\.example, and closed the connection before a request/);
    });
  });

  it('lets a sealed agent reach nothing but the tape', async function () {
    const isPermitted = spawnSync('unshare', ['-Urn', 'ip', 'link', 'set', 'lo', 'up']).status === 0;
    if (!isPermitted) return this.skip();
    const beside = createServer().listen(0, '127.0.0.1');
    try {
      await once(beside, 'listening');
      await recorded(['node', 'agent.mjs'], async ({ project, stdout, env }) => {
        const { port } = beside.address() as AddressInfo;
        const reach = `import { connect } from 'node:net';
const socket = connect(${port}, '127.0.0.1');
socket.on('connect', () => { console.error('reached'); socket.destroy(); }).on('error', (error) => console.error(error.code));`;
        await project.write('sealed.mjs', `${NODE_AGENT}${reach}\n`);
        const exec = (...options: readonly string[]) =>
          project.engine(['exec', '--tape', TAPE, ...options, '--', 'node', 'sealed.mjs'], env);
        assert.match((await exec()).stderr, /^reached$/m);
        const sealed = await exec('--sealed');
        assert.deepEqual([sealed.code, sealed.stdout], [0, stdout], sealed.stderr);
        assert.match(sealed.stderr, /ECONNREFUSED/);
      });
    } finally {
      beside.close();
    }
  });
});
