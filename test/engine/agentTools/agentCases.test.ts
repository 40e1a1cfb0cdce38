import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { agentCasesApi } from '../../../src/engine/agentTools/agentCases';
import { callTool } from '../../../src/engine/agentTools/callTool';
import { buildEngine, inProject, type TestProject, tapeOf } from '../../harness/builtEngine';

const ENGINE = resolve(__dirname, '../../../dist/engine.js');
const TAPE = tapeOf('hello', ['hello there']);

/** A case whose agent is a program that leaves a mark. */
const program = (script: string): string =>
  `name = "own"\nprompt = "p"\n[agent]\ncommand = ["sh", "-c", ${JSON.stringify(script)}]\nallow_none = true\n[agent.env]\nMODE = "fast"\n[llm]\ntape = "t.tape.json"\n`;

const python = (endpoint: string): string =>
  `agent: {type: python, endpoint: "${endpoint}"}\ngolden_prompts: [hi]\ninvariants: [{type: output_not_empty}]\n`;

const MARKING = 'echo ran > "$OLDPWD/mark"; echo ran > mark; env > "$MARKS/env"; echo hello';

/** A project, and a user with a state folder of his own. */
async function inUserProject(
  files: Readonly<Record<string, string>>,
  test: (project: TestProject, user: TestProject) => Promise<void>,
): Promise<void> {
  await inProject({}, async (user) => {
    const { XDG_STATE_HOME } = process.env;
    process.env.XDG_STATE_HOME = user.root;
    try {
      await inProject({ 'tapedeck.toml': '', 't.tape.json': TAPE, ...files }, (project) => test(project, user));
    } finally {
      if (XDG_STATE_HOME === undefined) delete process.env.XDG_STATE_HOME;
      else process.env.XDG_STATE_HOME = XDG_STATE_HOME;
    }
  });
}

interface Answer {
  readonly text: string;
  readonly isError: boolean;
}

/** Calls a tool of `tapedeck mcp` with the official client. */
async function callMcp(project: TestProject, user: TestProject, name: string, input: object): Promise<Answer> {
  const client = new Client({ name: 'test', version: '1' });
  const env = {
    PATH: process.env.PATH ?? '',
    XDG_STATE_HOME: user.root,
    MISTRAL_API_KEY: 'mistral-key-of-the-user',
    SOME_TOKEN: 'ghp_secret',
  };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [ENGINE, 'mcp'], cwd: project.root, env }),
  );
  try {
    const result = CallToolResultSchema.parse(await client.callTool({ name, arguments: { ...input } }));
    const [content] = result.content;
    assert.equal(content?.type, 'text');
    return { text: content.text, isError: result.isError === true };
  } finally {
    await client.close();
  }
}

/** Allows a case as the editor does after its dialog. */
async function allow({ root }: TestProject, casePath: string): Promise<void> {
  const { stamp = '' } = (await agentCasesApi.agentCase({ root, casePath })) ?? {};
  await agentCasesApi.allowAgentCase({ root, casePath, stamp });
}

describe('what the agents’ tools run', function () {
  this.timeout(60_000);
  before(function () {
    if (process.platform === 'win32') this.skip();
    buildEngine.call(this);
  });

  it('is no command that nobody has allowed', () =>
    inUserProject(
      { 'c.toml': program(MARKING), 'flakestorm.yaml': python('mark:run'), 'mark.py': 'open("mark", "w")\n' },
      async (project, user) => {
        for (const tool of ['replay_case', 'explain_drift'])
          for (const name of ['c.toml', 'flakestorm.yaml#prompts']) {
            const { text, isError } = await callMcp(project, user, tool, { case: name });
            assert.equal(isError, true, text);
            assert.match(text, /runs a command, which nobody has allowed for coding agents: .*(?:sh -c|python3 -c)/);
            assert.match(text, /Tapedeck Permissions: Let Coding Agents Run This Case/);
            assert.equal(project.has('mark'), false);
            assert.equal(project.has('.tapedeck'), false, 'nothing of the run is left');
          }
      },
    ));

  it('is the command that a person has allowed, as long as neither case nor command changes', () =>
    inUserProject({ 'c.toml': program('echo ran > mark; env > env; echo hello') }, async (project, user) => {
      await allow(project, 'c.toml');
      const first = await callMcp(project, user, 'replay_case', { case: 'c.toml' });
      assert.equal(first.isError, false, first.text);
      assert.equal(await project.read('mark'), 'ran\n');
      assert.doesNotMatch(await project.read('env'), /mistral-key|ghp_secret/, 'no key of the user reaches it');
      assert.match(await project.read('env'), /MODE=fast/);
      for (const changed of [
        program('echo ran > mark; env > env; echo hello; echo more'),
        `${program('echo ran > mark; env > env; echo hello')}\n# changed\n`,
      ]) {
        await project.write('mark', '');
        await project.write('c.toml', changed);
        const { text, isError } = await callMcp(project, user, 'replay_case', { case: 'c.toml' });
        assert.deepEqual([isError, await project.read('mark')], [true, ''], text);
      }
      await allow(project, 'c.toml');
      assert.equal((await callMcp(project, user, 'replay_case', { case: 'c.toml' })).isError, false);
      await agentCasesApi.withdrawAgentCases({ root: project.root, cases: ['c.toml'] });
      assert.equal((await callMcp(project, user, 'replay_case', { case: 'c.toml' })).isError, true);
    }));

  it('stops being allowed case by case, also for a case that is gone', () =>
    inUserProject({ 'a.toml': program('echo a'), 'b.toml': program('echo b') }, async (project, user) => {
      const { root } = project;
      await allow(project, 'b.toml');
      await allow(project, 'a.toml');
      assert.deepEqual(await agentCasesApi.allowedAgentCases({ root }), ['a.toml', 'b.toml']);
      await agentCasesApi.withdrawAgentCases({ root, cases: ['a.toml'] });
      assert.equal((await callMcp(project, user, 'replay_case', { case: 'a.toml' })).isError, true);
      assert.equal((await callMcp(project, user, 'replay_case', { case: 'b.toml' })).isError, false);
      await rm(project.path('b.toml'));
      assert.deepEqual(await agentCasesApi.allowedAgentCases({ root }), ['b.toml']);
      await agentCasesApi.withdrawAgentCases({ root, cases: ['b.toml'] });
      assert.deepEqual(await agentCasesApi.allowedAgentCases({ root }), []);
    }));

  it('cannot be allowed by a file of the project, nor for another case or project', () =>
    inUserProject({ 'c.toml': program('echo ran > mark') }, async (project, user) => {
      await allow(project, 'c.toml');
      const allowed = await user.read('tapedeck/agent-cases.json');
      await project.write('copy.toml', program('echo ran > mark'));
      await project.write('.tapedeck/agent-cases.json', allowed);
      await project.write('tapedeck.toml', '');
      assert.equal((await callMcp(project, user, 'replay_case', { case: 'copy.toml' })).isError, true);
      await inProject(
        { 'tapedeck.toml': '', 't.tape.json': TAPE, 'c.toml': program('echo ran > mark') },
        async (other) => {
          assert.equal((await callMcp(other, user, 'replay_case', { case: 'c.toml' })).isError, true);
        },
      );
      assert.equal(project.has('mark'), false);
    }));

  it('is not allowed by a file that is damaged', () =>
    inUserProject({ 'c.toml': program('echo ran > mark') }, async (project, user) => {
      await allow(project, 'c.toml');
      const file = 'tapedeck/agent-cases.json';
      const allowed = await user.read(file);
      const stamp = /"c\.toml": ("\w+")/.exec(allowed)?.[1] ?? '';
      for (const text of [
        allowed.slice(0, -3),
        allowed.replace('"allowed"', '"allow"'),
        allowed.replace(stamp, `[${stamp}]`),
        JSON.stringify({ version: 1, allowed: [{ 'c.toml': JSON.parse(stamp) }] }),
      ]) {
        await user.write(file, text);
        assert.equal((await callMcp(project, user, 'replay_case', { case: 'c.toml' })).isError, true, text);
      }
      assert.equal(project.has('mark'), false);
    }));

  it('is no service that nobody has allowed', async () => {
    let calls = 0;
    const server = createServer((_, response) => {
      calls += 1;
      response.end('hello');
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    const text = `name = "s"\nprompt = "p"\n[agent]\nurl = "http://127.0.0.1:${port}/run"\nallow_none = true\n[llm]\ntape = "t.tape.json"\n`;
    try {
      await inUserProject({ 'c.toml': text }, async (project, user) => {
        const refused = await callMcp(project, user, 'replay_case', { case: 'c.toml' });
        assert.match(refused.text, /calls a service, which nobody has allowed .*127\.0\.0\.1/);
        assert.equal(calls, 0);
        await allow(project, 'c.toml');
        const { text: answer, isError } = await callMcp(project, user, 'replay_case', { case: 'c.toml' });
        assert.deepEqual([isError, calls], [false, 1], answer);
      });
    } finally {
      server.close();
    }
  });

  it('records nothing and reaches nobody, whatever a case says about misses', async () => {
    let calls = 0;
    const server = createServer((_, response) => {
      calls += 1;
      response.end('{}');
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    const text = (miss: string) =>
      `name = "m"\nprompt = "something else"\n[llm]\ntape = "t.tape.json"\n[llm.replay]\nmatch = "exact"\non_miss = "${miss}"\n[llm.provider]\nkind = "open_ai_compatible"\nmodel = "m"\nbase_url = "http://127.0.0.1:${port}/v1"\napi_key_env = "SOME_TOKEN"\n`;
    try {
      await inUserProject(
        { 'record.toml': text('record'), 'pass.toml': text('passthrough') },
        async (project, user) => {
          for (const tool of ['replay_case', 'explain_drift'])
            for (const name of ['record.toml', 'pass.toml']) {
              const answer = await callMcp(project, user, tool, { case: name });
              assert.match(answer.text, /✗/, answer.text);
            }
          assert.equal(calls, 0);
          assert.equal(await project.read('t.tape.json'), TAPE);
        },
      );
    } finally {
      server.close();
    }
  });

  it('explains drifts that the case lets pass', () =>
    inUserProject(
      {
        'w.toml':
          'name = "w"\nprompt = "something else"\n[llm]\ntape = "w.tape.json"\n[llm.replay]\non_drift = "warn"\n',
        'w.tape.json': JSON.stringify({
          version: 1,
          case_name: 'w',
          interactions: [{ request: { messages: [{ role: 'user', content: 'hello' }] }, response: 'hello there' }],
        }),
      },
      async (project, user) => {
        const { text } = await callMcp(project, user, 'explain_drift', { case: 'w.toml' });
        assert.match(
          text,
          /drifts passed, because of on_drift = "warn"\.\nrequest 1: this request is not on w\.tape\.json/,
        );
      },
    ));

  it('is shown in full to whoever allows it, with nothing hidden', () =>
    inUserProject(
      {
        'in/c.toml': program('rm -rf x\u001b[2K\u202e').replace('tape = "', 'tape = "../'),
        'plain.toml': 'name = "p"\nprompt = "p"\n[llm]\nresponses = ["x"]\n',
      },
      async ({ root }) => {
        const shown = await agentCasesApi.agentCase({ root, casePath: 'in/c.toml' });
        assert.deepEqual(
          { ...shown, stamp: '' },
          {
            starts: 'program',
            shown: 'sh -c "rm -rf x\\u001b[2K\\u202e"',
            details: ['in the folder in', 'MODE=fast'],
            stamp: '',
            isAllowed: false,
          },
        );
        assert.equal(await agentCasesApi.agentCase({ root, casePath: 'plain.toml' }), null);
        await assert.rejects(
          agentCasesApi.allowAgentCase({ root, casePath: 'in/c.toml', stamp: 'of another' }),
          /has changed since it was shown/,
        );
        await assert.rejects(
          callTool('replay_case', { case: 'in/c.toml' }, root, new AbortController().signal),
          /nobody has allowed/,
        );
      },
    ));
});
