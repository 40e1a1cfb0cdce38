import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buildEngine, ended, inProject, startEngine, type TestProject } from '../../harness/builtEngine';
import { completion, sendJson, serve } from '../../harness/support';

/** A server in no more than the language has: writes a file, asks the client for its name, and leaves a mark that it was started. */
const SERVER = `
import { appendFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
appendFileSync('started.txt', 'x');
const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
const open = new Map();
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, result } = JSON.parse(line);
  if (method === 'initialize') say({ id, result: { protocolVersion: params.protocolVersion, capabilities: {}, serverInfo: { name: 's', version: '1' } } });
  if (method === 'tools/call' && params.name === 'write') {
    writeFileSync(params.arguments.path, params.arguments.text);
    say({ method: 'notifications/progress', params: { progressToken: params._meta.progressToken, progress: 1.0 } });
    say({ id, result: { content: [{ type: 'text', text: 'token ' + process.env.SERVER_TOKEN }] } });
  }
  if (method === 'tools/call' && params.name === 'who') {
    open.set('q', id);
    say({ id: 'q', method: 'elicitation/create', params: { message: 'who?' } });
  }
  if (result) say({ id: open.get('q'), result: { content: [{ type: 'text', text: 'hello ' + result.content.name }] } });
});
`;

/** An agent: a model call where there is a model, then the tools. Prints what it gets. */
const AGENT = `
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const [,, path = 'out.txt', name = 'Ada'] = process.argv;
if (process.env.WITH_MODEL) {
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'go' }] });
  await fetch(process.env.OPENAI_BASE_URL + '/chat/completions', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
}
const { command, args, env } = JSON.parse(readFileSync(process.env.TAPEDECK_MCP_CONFIG, 'utf8')).mcpServers.files;
const server = spawn(command, args, { env: { PATH: process.env.PATH, ...env }, stdio: ['pipe', 'pipe', 'inherit'] });
const say = (message) => server.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const waiting = new Map();
let next = Number(process.env.FIRST_ID ?? 1);
const ask = (method, params) => new Promise((done) => { const id = next++; waiting.set(id, done); say({ id, method, params }); });
createInterface({ input: server.stdout }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.method === 'elicitation/create') say({ id: message.id, result: { action: 'accept', content: { name } } });
  else if (message.method) console.log(message.method, JSON.stringify(message.params));
  else waiting.get(message.id)(message);
});
const told = ({ result, error }) => console.log(error ? error.message : result.content[0].text);
await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: process.env.FIRST_ID ?? '1' } });
say({ method: 'notifications/initialized' });
told(await ask('tools/call', { name: 'write', arguments: { path, text: 'hi' }, _meta: { progressToken: 'mine' } }));
told(await ask('tools/call', { name: 'who', arguments: {} }));
server.stdin.end();
`;
const CONFIG = `{ // as people write it
  "mcpServers": { "files": { "command": "node", "args": ["server.mjs"], "env": { "SERVER_TOKEN": "sk-proj-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY" } }, },
}`;
const FILES = { 'agent.mjs': AGENT, 'server.mjs': SERVER, '.mcp.json': CONFIG, 'tapedeck.toml': '' };
const MCP_CASE = `name = "a"
prompt = "go"
[agent]
command = ["node", "agent.mjs"]
mcp_config = ".mcp.json"
[llm]
tape = "a.tape.jsonl"
[assert]
`;
const EXEC = ['exec', '--mcp-config', '.mcp.json', '--tape', 'tapes/a.tape.jsonl'];
const AGENT_COMMAND = ['--', 'node', 'agent.mjs'];
/** What the agent printed, without the secret of its server, which is not on the tape. */
const plain = (text: string): string => text.replace(/token \S+/, 'token');

describe('tapedeck exec --mcp-config', () => {
  before(buildEngine);

  it('records a server beside the model in their order, without secrets, and replays it without starting it', async () => {
    const server = await serve((response) => sendJson(response, 200, completion('fine')));
    try {
      await inProject(FILES, async (project) => {
        const env = { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: 'k', WITH_MODEL: '1' };
        const recorded = await project.engine([...EXEC, '--record', ...AGENT_COMMAND], env);
        assert.equal(recorded.code, 0, recorded.stderr);
        const tape = await project.read('tapes/a.tape.jsonl');
        assert.ok(!tape.includes('sk-proj'));
        const kinds = [...tape.matchAll(/^\{"request":\d+.*?("mcp"|"method":"POST")/gm)].map(([, kind]) => kind);
        assert.deepEqual(kinds, ['"method":"POST"', ...Array(4).fill('"mcp"')]);
        const at = (name: string) => join(project.root, name);
        assert.equal(readFileSync(at('out.txt'), 'utf8'), 'hi');
        assert.equal(readFileSync(at('started.txt'), 'utf8'), 'x');
        await rm(project.path('server.mjs'));
        await rm(project.path('out.txt'));
        const replayed = await project.engine([...EXEC, ...AGENT_COMMAND], { WITH_MODEL: '1', FIRST_ID: '70' });
        assert.equal(replayed.code, 0, replayed.stderr);
        assert.match(replayed.stderr, /replay: 5 exact/);
        assert.equal(plain(replayed.stdout), plain(recorded.stdout));
        assert.match(replayed.stdout, /notifications\/progress \{"progressToken":"mine","progress":1\}/);
        assert.match(replayed.stdout, /hello Ada/);
        assert.ok(!existsSync(at('out.txt')));
        assert.equal(readFileSync(at('started.txt'), 'utf8'), 'x');
      });
    } finally {
      await server.close();
    }
  });

  it('ends with 4 for a changed argument, and for another answer of the client, and names them', async () => {
    await inProject(FILES, async (project) => {
      await project.engine([...EXEC, '--record', ...AGENT_COMMAND]);
      const path = await project.engine([...EXEC, ...AGENT_COMMAND, 'other.txt']);
      assert.equal(path.code, 4, path.stderr);
      assert.match(
        path.stderr,
        /tools\/call write of MCP server files is not on tapes\/a\.tape\.jsonl: .*argument path/,
      );
      assert.match(path.stdout, /Tapedeck: tools\/call write/);
      const name = await project.engine([...EXEC, ...AGENT_COMMAND, 'out.txt', 'Bob']);
      assert.equal(name.code, 4, name.stderr);
      assert.match(name.stderr, /answer to elicitation\/create .*"Ada" → "Bob"/);
    });
  });

  it('replays servers to a sealed agent, which reaches nothing else', async function () {
    const isPermitted = spawnSync('unshare', ['-Urn', 'ip', 'link', 'set', 'lo', 'up']).status === 0;
    if (!isPermitted) return this.skip();
    await inProject(FILES, async (project) => {
      const recorded = await project.engine([...EXEC, '--record', '--sealed', ...AGENT_COMMAND]);
      assert.equal(recorded.code, 0, recorded.stderr);
      await rm(project.path('server.mjs'));
      const replayed = await project.engine([...EXEC, '--sealed', ...AGENT_COMMAND]);
      assert.deepEqual([replayed.code, plain(replayed.stdout)], [0, plain(recorded.stdout)], replayed.stderr);
      assert.match(replayed.stderr, /replay: 4 exact/);
    });
  });

  it('leads servers of a case the same way, of which nothing is kept', async () => {
    const agent = `${AGENT}console.log(JSON.stringify({ env }), process.env.TAPEDECK_PROXY);\n`;
    const files = { ...FILES, 'agent.mjs': agent, 'a.toml': MCP_CASE };
    await inProject(files, async (project) => {
      const recorded = await project.engine(['run', 'a.toml', '--record', '--update-baselines']);
      assert.equal(recorded.code, 0, recorded.stdout);
      const replayed = await project.engine(['run', 'a.toml']);
      assert.match(replayed.stdout, /Matches baseline/);
      const kept = ['a.baseline.json', 'a.tape.jsonl', '.tapedeck/runs/a.artifact.json'];
      for (const text of await Promise.all(kept.map((name) => project.read(name)))) {
        assert.doesNotMatch(text, /127\.0\.0\.1:[1-9]/);
        assert.doesNotMatch(text, /127\.0\.0\.1:0\/(?!\[redacted\])/);
      }
    });
  });

  /** As a program reads it. */
  const PLAIN = { ...FILES, '.mcp.json': '{"mcpServers":{"files":{"command":"node","args":["server.mjs"]}}}' };
  const UNTAPED = ['exec', '--tape', 'tapes/a.tape.jsonl'];
  /** Starts the servers of the configuration itself, as agents do. */
  const ALONE = { TAPEDECK_MCP_CONFIG: '.mcp.json', WITH_MODEL: '1' };
  /** The client of the SDK for Python, as far as it starts servers. */
  const SDK = `import asyncio, asyncio.subprocess
async def stdio_client(command, args):
    server = await asyncio.create_subprocess_exec(command, *args, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE)
    server.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"v"}}\\n')
    print((await server.stdout.readline()).decode())
    server.stdin.close()
    await server.wait()
`;
  const PYTHON_AGENT = `import asyncio, json, os, subprocess, urllib.request
from mcp.client.stdio import stdio_client
asyncio.run(stdio_client('node', ['server.mjs']))
print(subprocess.run(['cat'], input=b'{"jsonrpc":"2.0","method":"initialize"}', capture_output=True).stdout)
body = json.dumps({'model': 'm', 'messages': [{'role': 'user', 'content': 'go'}]}).encode()
urllib.request.urlopen(urllib.request.Request(os.environ['OPENAI_BASE_URL'] + '/chat/completions', body, {'content-type': 'application/json'})).read()
`;

  it('is what a run asks for whose agent starts servers that are not on the tape, in a recording and in a replay', async () => {
    const server = await serve((response) => sendJson(response, 200, completion('fine')));
    try {
      const python = {
        'agent.py': PYTHON_AGENT,
        'mcp/__init__.py': '',
        'mcp/client/__init__.py': '',
        'mcp/client/stdio.py': SDK,
      };
      await inProject({ ...PLAIN, ...python }, async (project) => {
        const env = { ...ALONE, OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: 'k' };
        for (const agent of [
          ['node', 'agent.mjs'],
          ['python3', 'agent.py'],
        ]) {
          const recorded = await project.engine([...UNTAPED, '--record', '--', ...agent], env);
          assert.equal(recorded.code, 0, recorded.stderr);
          assert.match(
            recorded.stderr,
            /not on the tape, and every replay will start them again: node server\.mjs\. .*--mcp-config \.mcp\.json\./,
          );
          const replayed = await project.engine([...UNTAPED, '--', ...agent], env);
          assert.equal(replayed.code, 0, replayed.stderr);
          assert.match(replayed.stderr, /replay started MCP servers instead of replaying them.*: node server\.mjs\. /);
          assert.equal(replayed.stderr.match(/server\.mjs/g)?.length, 1);
        }
        // Those that are on it are not told of, whichever of them the recording starts.
        const taped = await project.engine([...EXEC, '--record', ...AGENT_COMMAND], {
          ...env,
          TAPEDECK_MCP_CONFIG: '',
        });
        assert.equal(taped.code, 0);
        assert.doesNotMatch(taped.stderr, /server\.mjs|started/);
        const ignored = await project.engine([...EXEC, '--record', '--', 'python3', 'agent.py'], env);
        assert.match(ignored.stderr, /not in \.mcp\.json, or the agent does not read its copy/);
      });
    } finally {
      await server.close();
    }
  });

  it('is named with a configuration beside the agent that a recording left out, unless its servers are on the tape', async () => {
    const server = await serve((response) => sendJson(response, 200, completion('fine')));
    const agent = `curl -s -H 'content-type: application/json' -d '{"model":"m","messages":[{"role":"user","content":"go"}]}' $OPENAI_BASE_URL/chat/completions`;
    const starts = JSON.stringify({ mcpServers: { files: { command: 'npx', args: ['-y', 'files'] } } });
    try {
      const env = { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: 'k' };
      for (const [path, text, isNamed] of [
        ['.mcp.json', starts, true],
        ['.vscode/mcp.json', '{ "servers": { "files": { "command": "npx" } }, /* as people write it */ }', true],
        ['sub/.cursor/mcp.json', starts, true],
        ['.mcp.json', JSON.stringify({ mcpServers: { web: { url: 'https://mcp.example/mcp' } } }), false],
        [
          '.mcp.json',
          JSON.stringify({ mcpServers: { files: { command: 'tapedeck', args: ['mcp-tape', '--', 'x'] } } }),
          false,
        ],
        ['.mcp.json', 'no JSON', false],
        ['other/.mcp.json', starts, false],
      ] as const)
        await inProject({ 'tapedeck.toml': '', 'sub/agent.sh': agent, [path]: text }, async (project) => {
          const record = await project.engine([...UNTAPED, '--record', '--', 'sh', 'sub/agent.sh'], env);
          assert.equal(record.code, 0, record.stderr);
          const advice = new RegExp(`${path.replaceAll('.', '\\.')} were not recorded.*--mcp-config ${path}`);
          assert.equal(advice.test(record.stderr), isNamed, record.stderr);
          const replay = await project.engine([...UNTAPED, '--', 'sh', 'sub/agent.sh'], env);
          assert.doesNotMatch(replay.stderr, /left out|MCP/);
        });
    } finally {
      await server.close();
    }
  });

  it('is what a case says whose replay starts servers', async () => {
    const server = await serve((response) => sendJson(response, 200, completion('fine')));
    const agent = AGENT.replace('process.env.TAPEDECK_MCP_CONFIG', "'.mcp.json'").replace(
      'process.env.WITH_MODEL',
      'true',
    );
    const untaped = MCP_CASE.replace(/^mcp_config.*\n/m, '');
    try {
      await inProject({ ...PLAIN, 'agent.mjs': agent, 'a.toml': untaped }, async (project) => {
        const env = { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: 'k' };
        const recorded = await project.engine(['run', 'a.toml', '--record'], env);
        assert.match(
          recorded.stderr,
          /every replay will start them again: node server\.mjs\. .*mcp_config = "\.mcp\.json"/,
        );
        const replayed = await project.engine(['run', 'a.toml']);
        assert.equal(replayed.code, 0, replayed.stdout);
        assert.match(replayed.stdout, /1 MCP server was started, and not replayed/);
        assert.match(replayed.stderr, /instead of replaying them.*: node server\.mjs/);
        const { results } = JSON.parse((await project.engine(['run', 'a.toml', '--json'])).stdout) as {
          results: { untapedServers?: string[] }[];
        };
        assert.deepEqual(results[0]?.untapedServers, ['node server.mjs']);
      });
    } finally {
      await server.close();
    }
  });

  it('refuses a tape that has no place for messages before anything runs', async () => {
    await inProject(FILES, async (project) => {
      const words = ['exec', '--mcp-config', '.mcp.json', '--tape', 'a.yaml', '--record', ...AGENT_COMMAND];
      const { code, stderr } = await project.engine(words);
      assert.equal(code, 2);
      assert.match(stderr, /no place for the messages of MCP servers/);
      assert.ok(!existsSync(join(project.root, 'started.txt')));
    });
  });
});

describe('tapedeck mcp-tape', () => {
  before(buildEngine);

  const WORDS = ['mcp-tape', '--tape', 'a.tape.jsonl', '--server', 'files'];
  /** Says the handshake and a call, and ends when both have their replies. */
  async function talk({ root }: TestProject, words: readonly string[], id: number, path: string) {
    const child = startEngine([...words, '--', 'node', 'server.mjs'], { cwd: root });
    const write = { name: 'write', arguments: { path, text: 'hi' }, _meta: { progressToken: 1 } };
    const say = (message: object) =>
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}
`);
    say({ id, method: 'initialize', params: { protocolVersion: 'v' } });
    say({ id: id + 1, method: 'tools/call', params: write });
    let heard = '';
    child.stdout.on('data', (chunk: Buffer) => {
      heard += chunk.toString();
      if ([id, id + 1].every((one) => heard.includes(`"id":${one}`))) child.stdin.end();
    });
    return ended(child);
  }

  it('records what a server says, replaces only that in a new recording, and replays it', async () => {
    await inProject({ 'server.mjs': SERVER }, async (project) => {
      const record = (name: string) =>
        talk(project, ['mcp-tape', '--tape', 'a.tape.jsonl', '--server', name, '--record'], 1, 'o.txt');
      for (const name of ['files', 'others', 'files']) assert.equal((await record(name)).code, 0);
      const tape = await project.read('a.tape.jsonl');
      assert.equal(tape.match(/"server":"files"/g)?.length, 2);
      assert.equal(tape.match(/"server":"others"/g)?.length, 2);
      await rm(project.path('server.mjs'));
      const replayed = await talk(project, WORDS, 8, 'o.txt');
      assert.equal(replayed.code, 0, replayed.stderr);
      assert.match(replayed.stdout, /"id":9/);
      const missed = await talk(project, WORDS, 8, 'p.txt');
      assert.equal(missed.code, 4);
      assert.match(missed.stderr, /argument path: "o\.txt" → "p\.txt"/);
    });
  });

  it('refuses to record to a tape that has no place for messages, and starts nothing', async () => {
    const old = 'version: 1\ninteractions: []\n';
    await inProject({ 'server.mjs': SERVER, 'a.yaml': old }, async (project) => {
      for (const mode of ['--record', '--auto']) {
        const words = ['mcp-tape', '--tape', 'a.yaml', mode, '--', 'node', 'server.mjs'];
        const { code, stderr } = await project.engine(words);
        assert.equal(code, 2, stderr);
        assert.match(stderr, /no place for the messages of MCP servers\n {2}Record to a \.tape\.jsonl file/);
      }
      assert.ok(!existsSync(join(project.root, 'started.txt')));
      assert.equal(await project.read('a.yaml'), old);
    });
  });

  it('starts the server for what is new with --auto, and tells it of the handshake', async () => {
    await inProject({ 'server.mjs': SERVER }, async (project) => {
      const run = (mode: string, path: string) => talk(project, [...WORDS, mode], 1, path);
      assert.equal((await run('--record', 'one.txt')).code, 0);
      const { code, stdout, stderr } = await run('--auto', 'two.txt');
      assert.equal(code, 0, stderr);
      assert.equal(stdout.match(/"id":1,/g)?.length, 1);
      assert.match(stdout, /"id":2/);
      assert.equal((await run('--replay', 'two.txt')).code, 0);
      assert.equal((await run('--replay', 'one.txt')).code, 0);
    });
  });
});
