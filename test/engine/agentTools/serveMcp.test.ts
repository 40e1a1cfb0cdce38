import assert from 'node:assert/strict';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { AGENT_TOOLS, inputSchemaOf } from '../../../src/contracts/agentTools';
import { buildEngine, inProject, scripted, type TestProject, taped, tapeOf } from '../../harness/builtEngine';

const ENGINE = resolve(__dirname, '../../../dist/engine.js');

const PROJECT = {
  'tapedeck.toml': '',
  'cases/hello.toml': taped('hello', '../tapes/hello.tape.json', '[assert]\ncontains = "hello"'),
  'cases/short.toml': scripted('short', ['the new answer']),
  'cases/broken.toml': 'name = "broken"\n[llm]\ntape = 1\n',
  'tapes/hello.tape.json': tapeOf('hello', ['hello there']),
  'storm/flakestorm.yaml':
    'agent: {endpoint: "http://x"}\ngolden_prompts: [hi]\ninvariants: [{type: output_not_empty}]\n',
  'storm/flakestorm.prompt-1.tape.json': tapeOf('hi', ['hello']),
};
const MOFA = 'MoFA test case';

/** A session with the real client of the official SDK. */
async function inSession(test: (call: Call, client: Client, project: TestProject) => Promise<void>): Promise<void> {
  await inProject(PROJECT, async (project) => {
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [ENGINE, 'mcp'], cwd: project.root }),
    );
    try {
      await test(async (name, input = {}) => answerOf(client, name, input), client, project);
    } finally {
      await client.close();
    }
  });
}

type Call = (name: string, input?: Record<string, unknown>) => Promise<Answer>;
interface Answer {
  readonly text: string;
  readonly isError: boolean;
}

async function answerOf(client: Client, name: string, input: Record<string, unknown>): Promise<Answer> {
  const result = CallToolResultSchema.parse(await client.callTool({ name, arguments: input }));
  const [content] = result.content;
  assert.equal(content?.type, 'text');
  return { text: content.text, isError: result.isError === true };
}

describe('tapedeck mcp', () => {
  before(buildEngine);

  it('serves its tools to a client, with what each takes', () =>
    inSession(async (_, client) => {
      assert.equal(client.getServerVersion()?.name, 'tapedeck');
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
        AGENT_TOOLS.map((tool) => ({
          name: tool.name,
          description: tool.description,
          inputSchema: inputSchemaOf(tool),
        })),
      );
    }));

  it('says what each tool can do: some only read, others can run what a person has allowed', () =>
    inSession(async (_, client) => {
      const { tools } = await client.listTools();
      const hints = Object.fromEntries(tools.map(({ name, annotations = {} }) => [name, annotations]));
      for (const name of ['list_cases', 'read_interaction', 'propose_acceptance'])
        assert.deepEqual(hints[name], {
          readOnlyHint: true,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: false,
        });
      for (const name of ['replay_case', 'explain_drift'])
        assert.deepEqual(hints[name], {
          readOnlyHint: false,
          destructiveHint: true,
          idempotentHint: false,
          openWorldHint: true,
        });
    }));

  it('lists cases with their tapes, and says what is wrong with one that is none', () =>
    inSession(async (call) => {
      const cases: unknown = JSON.parse((await call('list_cases')).text);
      assert.deepEqual(cases, [
        { case: 'cases/broken.toml', problem: '`tape` must be a string' },
        {
          case: 'cases/hello.toml',
          name: 'hello',
          kind: MOFA,
          tape: 'tapes/hello.tape.json',
          lastRun: null,
          changes: null,
        },
        { case: 'cases/short.toml', name: 'short', kind: MOFA, tape: null, lastRun: null, changes: null },
        {
          case: 'storm/flakestorm.yaml#prompts',
          name: 'golden prompts',
          kind: 'Flakestorm configuration',
          tape: 'storm/flakestorm.prompt-1.tape.json',
          lastRun: null,
          changes: null,
        },
      ]);
    }));

  it('lists many cases in pages', () =>
    inSession(async (call, _, { root }) => {
      await mkdir(resolve(root, 'many'));
      const names = Array.from({ length: 201 }, (_, at) => `many/${String(at).padStart(3, '0')}.toml`);
      for (const name of names)
        await writeFile(resolve(root, name), 'name = "a"\nprompt = "a"\n[llm]\ntape = "a.json"\n');
      const page: { case?: string; more?: number; from?: number }[] = JSON.parse((await call('list_cases')).text);
      assert.equal(page.length, 201);
      assert.deepEqual(page.at(-1), { more: 5, from: 200 });
      const rest: typeof page = JSON.parse((await call('list_cases', { from: 200 })).text);
      const listed = [...page.slice(0, -1), ...rest].map((one) => one.case);
      assert.deepEqual([listed.length, new Set(listed).size], [205, 205]);
    }));

  it('replays a case, and reads an interaction of its tape', () =>
    inSession(async (call) => {
      assert.match((await call('replay_case', { case: 'cases/hello.toml' })).text, /^✓ hello {2}replay .*1 assertion/);
      const one = await call('replay_case', { case: 'storm/flakestorm.yaml#prompts' });
      assert.match(one.text, /^✓ golden prompts/);
      const read: unknown = JSON.parse(
        (await call('read_interaction', { tape: 'tapes/hello.tape.json', index: 0 })).text,
      );
      assert.equal((read as { response: { message: { content: string } } }).response.message.content, 'hello there');
      assert.match((await call('explain_drift', { case: 'cases/hello.toml' })).text, /every request had a recording/);
    }));

  it('proposes an acceptance, and performs none', () =>
    inSession(async (call, _, project) => {
      await project.cli(['run', 'cases/short.toml', '--update-baselines']);
      const baseline = await project.read('cases/short.baseline.json');
      await project.write('cases/short.toml', scripted('short', ['a newer answer']));
      await call('replay_case', { case: 'cases/short.toml' });
      const { text } = await call('propose_acceptance', { case: 'cases/short.toml', reason: 'it is newer' });
      assert.match(
        text,
        /it is newer[\s\S]*- the new answer\n *\+ a newer answer[\s\S]*tapedeck accept cases\/short\.toml/,
      );
      assert.equal(await project.read('cases/short.baseline.json'), baseline);
    }));

  it('explains why a replay has no answer', () =>
    inSession(async (call, _, project) => {
      await project.write('tapes/hello.tape.json', tapeOf('hello', []));
      const { text } = await call('explain_drift', { case: 'cases/hello.toml' });
      assert.match(text, /^✗ hello/);
      assert.match(text, /no interactions/);
    }));

  const refusals: Record<string, [name: string, input: Record<string, unknown>, words: RegExp]> = {
    'a path out of the project': ['read_interaction', { tape: '../x.tape.json', index: 0 }, /outside this project/],
    'a link out of the project': ['read_interaction', { tape: 'tapes/link.json', index: 0 }, /outside this project/],
    'a file that is not there': ['replay_case', { case: 'cases/none.toml' }, /there is no such file/],
    'an interaction that is not there': [
      'read_interaction',
      { tape: 'tapes/hello.tape.json', index: 7 },
      /1 interaction/,
    ],
    'arguments that do not fit': ['replay_case', { case: 3 }, /"case" must be a non-empty string/],
    'no argument': ['replay_case', {}, /"case" must be a non-empty string/],
    'an empty name': ['explain_drift', { case: '' }, /"case" must be a non-empty string/],
    'a number that is text': ['read_interaction', { tape: 'x', index: '0' }, /"index" must be a whole number/],
    'a number that is not whole': ['read_interaction', { tape: 'x', index: 0.5 }, /"index" must be a whole number/],
    'a page before the first': ['list_cases', { from: -1 }, /"from" must be a whole number of at least 0/],
    'a tool that is not there': ['accept', {}, /no tool accept/],
    'a case that has not run': ['propose_acceptance', { case: 'cases/hello.toml', reason: 'x' }, /has not been run/],
  };
  for (const [what, [name, input, words]] of Object.entries(refusals)) {
    it(`refuses ${what}, in words that the agent reads`, () =>
      inSession(async (call, _, project) => {
        const outside = `${project.root}-outside.json`;
        await writeFile(outside, tapeOf('x', ['secret']));
        await symlink(outside, project.path('tapes/link.json'));
        try {
          const { text, isError } = await call(name, input);
          assert.equal(isError, true);
          assert.match(text, words);
        } finally {
          await rm(outside);
        }
      }));
  }
});
