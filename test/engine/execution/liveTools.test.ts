import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { EXIT_CODES, exitCode } from '../../../src/core/cases/runOutcome';
import type { Json } from '../../../src/core/json/json';
import type { ChatRequest, ChatResponse } from '../../../src/core/model/message';
import type { RequestedMode, RunResult } from '../../../src/core/model/run';
import { runCase } from '../../../src/engine/cases/runCase';
import { startedByUser } from '../../../src/engine/execution/runnableCase';
import { NetworkPolicy } from '../../../src/engine/network/policy';
import type { ChatProvider } from '../../../src/engine/providers/chatProvider';
import { keysOf } from '../../harness/network';
import { inFolder, NEVER, RECORDERS } from '../../harness/support';

const KEY = 'sk-proj-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY';
/** A tool that leaves a mark when it runs. */
const COMMAND = `
const { appendFileSync } = require('node:fs');
appendFileSync('ran.txt', 'x');
let text = '';
process.stdin.on('data', (chunk) => { text += chunk; }).on('end', () => {
  const { city } = JSON.parse(text);
  if (city === 'Nowhere') { console.error('no such city'); process.exit(3); }
  if (city === 'Slow') { setTimeout(() => {}, 60_000); return; }
  console.log(process.env.TAPEDECK_TOOL + ': sun in ' + city + (process.env.ASK ? ' with ' + process.env.ASK : ''));
});
`;
const SERVER = `
const { createInterface } = require('node:readline');
const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') { say({ id: 'p', method: 'ping' }); say({ id, result: {} }); }
  if (method === 'tools/call') say({ id, result: { content: [{ type: 'text', text: params.name + ' ' + params.arguments.city + ' ' + process.env.SECRET }] } });
});
`;

/** A model that calls tools, one after the other, and then repeats what they returned. */
class Caller implements ChatProvider {
  readonly label = 'caller';
  readonly model = 'm';
  constructor(readonly calls: readonly (readonly [tool: string, city: string])[]) {}

  async chat({ messages }: ChatRequest): Promise<ChatResponse> {
    const results = messages.filter(({ role }) => role === 'tool');
    const next = this.calls[results.length];
    if (next === undefined) return { content: results.map(({ content }) => content).join('; '), toolCalls: [] };
    const [name, city] = next;
    return { content: null, toolCalls: [{ id: `c${results.length}`, name, arguments: { city } }] };
  }
}

const tool = (name: string, more: string): string =>
  `[[tools]]\nname = "${name}"\ndescription = ""\nschema = { type = "object" }\n${more}\n`;
const caseText = (...tools: readonly string[]): string =>
  `name = "sky"\nprompt = "p"\n[agent]\ntool_timeout_ms = 2000\n\n${tools.join('\n')}\n[llm]\ntape = "t.tape.json"\n[llm.provider]\nkind = "practice"\n`;

class Project {
  constructor(readonly root: string) {}

  write(name: string, text: string): Promise<void> {
    return writeFile(join(this.root, name), text);
  }

  read(name: string): Promise<string> {
    return readFile(join(this.root, name), 'utf8');
  }

  run(mode: RequestedMode, live?: ChatProvider, starts: string[] = []): Promise<RunResult> {
    return runCase(join(this.root, 'sky.toml'), {
      root: this.root,
      permitStart: async (start) => {
        starts.push(start.agent.kind === 'program' ? start.agent.command.join(' ') : start.agent.url);
        await startedByUser();
      },
      recorders: RECORDERS,
      mode,
      signal: NEVER,
      network: NetworkPolicy.for(mode, keysOf({ ASK: 'me' })),
      ...(live && { live }),
    });
  }
}

const inProject = (test: (project: Project) => Promise<void>) =>
  inFolder(async (root) => {
    const project = new Project(root);
    await project.write('tapedeck.toml', '');
    await project.write('tool.cjs', COMMAND);
    await project.write('server.cjs', SERVER);
    await test(project);
  });

describe('the tools of the built-in agent, as they really are', () => {
  const WEATHER = tool('weather', 'command = ["node", "tool.cjs"]\npass_env = ["ASK"]');

  it('are run by a recording, which writes their results, and by no replay', async () => {
    await inProject(async (project) => {
      await project.write('sky.toml', caseText(WEATHER));
      const starts: string[] = [];
      const calls = [
        ['weather', 'Oslo'],
        ['weather', 'Nowhere'],
        ['weather', 'Slow'],
      ] as const;
      const recorded = await project.run('record', new Caller(calls), starts);
      assert.deepEqual(recorded.failures, []);
      const said = 'weather: sun in Oslo with me; Error: no such city; Error: `weather` timed out after 2000 ms';
      assert.equal(recorded.outputText, said);
      assert.deepEqual(starts, ['node tool.cjs']);
      assert.match(
        await project.read('sky.toml'),
        /\[\[tools\.results\]\]\narguments = \{ city = "Nowhere" \}\nerror = "no such city"\n/,
      );
      await rm(join(project.root, 'tool.cjs'));
      const replayed = await project.run('replay');
      assert.deepEqual([replayed.status, replayed.outputText], ['passed', said]);
      assert.equal(await project.read('ran.txt'), 'xxx');
    });
  });

  it('are a miss in a replay that calls one with other arguments, which is explained as one', async () => {
    await inProject(async (project) => {
      await project.write('sky.toml', caseText(WEATHER));
      await project.run('record', new Caller([['weather', 'Oslo']]));
      const text = await project.read('sky.toml');
      await project.write('sky.toml', text.replace('city = "Oslo"', 'city = "Bergen"'));
      const missed = await project.run('replay');
      assert.equal(exitCode([missed]), EXIT_CODES.drifted);
      const [failure] = missed.failures;
      assert.match(
        failure?.message ?? '',
        /^a call of the tool weather has no result: .*argument city: "Bergen" → "Oslo"/,
      );
      assert.match(failure?.fix ?? '', /Re-record/);
      assert.match(failure?.expected ?? '', /Bergen/);
      assert.equal(await project.read('ran.txt'), 'x');
    });
  });

  it('are called anew only by a whole recording, and a case that is changed meanwhile stays with its tape', async () => {
    await inProject(async (project) => {
      await project.write('sky.toml', caseText(WEATHER));
      await project.run('record', new Caller([['weather', 'Oslo']]));
      const live = await project.run(
        'live',
        new Caller([
          ['weather', 'Oslo'],
          ['weather', 'Rome'],
        ]),
      );
      assert.equal(live.outputText, 'weather: sun in Oslo with me; weather: sun in Rome with me');
      assert.equal(await project.read('ran.txt'), 'xx');
      const tape = await project.read('t.tape.json');
      const changing = new Caller([['weather', 'Rome']]);
      const chat = changing.chat.bind(changing);
      changing.chat = async (request) => {
        await project.write('sky.toml', `${caseText(WEATHER)}# edited\n`);
        return chat(request);
      };
      const refused = await project.run('record', changing);
      assert.match(refused.failures[0]?.message ?? '', /the case was changed while it was being recorded/);
      assert.equal(await project.read('t.tape.json'), tape);
      assert.ok((await project.read('sky.toml')).endsWith('# edited\n'));
    });
  });

  it('are those of MCP servers, over stdio and HTTP, without their secrets', async () => {
    const seen: Json[] = [];
    const web = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        const { id, method, params } = JSON.parse(body);
        seen.push([method, request.headers['mcp-session-id'] ?? null, request.headers['x-ask'] ?? null]);
        if (id === undefined) return void response.writeHead(202).end();
        const content = [{ type: 'text', text: `wind in ${params.arguments?.city}` }];
        const reply = JSON.stringify({ jsonrpc: '2.0', id, result: method === 'initialize' ? {} : { content } });
        response.writeHead(200, { 'content-type': 'text/event-stream', 'mcp-session-id': 's1' });
        // The stream stays open, as that of some servers does.
        response.write(`data: {"jsonrpc":"2.0","method":"notifications/message"}\n\ndata: ${reply}\n\n`);
      });
    });
    await new Promise<void>((done) => web.listen(0, '127.0.0.1', done));
    try {
      await inProject(async (project) => {
        const { port } = web.address() as AddressInfo;
        const config = {
          servers: {
            sky: { command: 'node', args: ['server.cjs'], env: { SECRET: KEY } },
            web: { url: `http://127.0.0.1:${port}/mcp`, headers: { 'X-Ask': 'yes' } },
          },
        };
        await project.write('mcp.json', JSON.stringify(config));
        const sky = tool('sky', 'mcp = { config = "mcp.json", server = "sky", tool = "look" }');
        const wind = tool('wind', 'mcp = { config = "mcp.json", server = "web" }');
        await project.write('sky.toml', caseText(sky, wind));
        const recorded = await project.run(
          'record',
          new Caller([
            ['sky', 'Oslo'],
            ['wind', 'Rome'],
          ]),
        );
        assert.deepEqual(recorded.failures, []);
        const text = await project.read('sky.toml');
        assert.ok(!text.includes(KEY) && /result = "look Oslo \S+"/.test(text), text);
        assert.deepEqual(seen, [
          ['initialize', null, 'yes'],
          ['notifications/initialized', 's1', 'yes'],
          ['tools/call', 's1', 'yes'],
        ]);
        web.closeAllConnections();
        web.close();
        const replayed = await project.run('replay');
        assert.deepEqual([replayed.status, replayed.failures], ['passed', []]);
        assert.match(replayed.outputText ?? '', /^look Oslo \S+; wind in Rome$/);
        const missing = caseText(tool('sky', 'mcp = { config = "mcp.json", server = "sea" }'));
        await project.write('sky.toml', missing);
        const [failure] = (await project.run('record', new Caller([['sky', 'Oslo']]))).failures;
        assert.match(`${failure?.message} ${failure?.fix}`, /no MCP server `sea` .*the servers are: sky, web/);
      });
    } finally {
      web.close();
    }
  });
});
