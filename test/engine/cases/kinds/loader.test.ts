import assert from 'node:assert/strict';
import { buildEngine, inProject, type TestProject } from '../../../harness/builtEngine';

interface Details {
  readonly events: readonly { readonly type: string; readonly content?: string; readonly confirmed?: boolean }[];
  readonly response: string | null;
  readonly invocations: readonly {
    readonly mode: string;
    readonly messages: readonly { readonly role: string; readonly content: string }[];
    readonly tools:
      | readonly {
          readonly function: { readonly name: string; readonly description?: string; readonly parameters?: unknown };
        }[]
      | null;
    readonly temperature: number;
    readonly max_tokens: number;
  }[];
  readonly agent: { readonly messages: readonly { readonly role: string; readonly content: string }[] };
}

async function run(
  scenario: object,
  test: (result: Record<string, never>, details: Details, code: number | null) => void,
) {
  const files = { 'x.scenario.json': JSON.stringify({ prompt: 'Do it.', completions: [], streams: [], ...scenario }) };
  await inProject(files, async (project: TestProject) => {
    const { code, stdout, stderr } = await project.cli(['run', '--reporter', 'json', 'x.scenario.json']);
    assert.ok(stdout.startsWith('{'), stderr);
    const { tapedeck } = await project.json('.tapedeck/runs/x.scenario.json.artifact.json');
    test(JSON.parse(stdout).results[0], (tapedeck as { details: Details }).details, code);
  });
}

const call = (name: string, args: object, id = '1') => ({ content: '', tool_calls: [{ id, name, arguments: args }] });
const chunk = (content: string, more: object = {}) => ({ content, full_content: '', is_done: false, ...more });
const toolMessages = ({ invocations }: Details) =>
  (invocations.at(-1)?.messages ?? []).filter(({ role }) => role === 'tool').map(({ content }) => content);

/** FORMATS 3.5. */
describe('a scripted scenario of Loader', function () {
  this.timeout(30_000);
  before(buildEngine);

  it('plays its completions, captures every invocation, and keeps events and response', async () => {
    const scenario = {
      files: { 'fixture.txt': 'alpha' },
      completions: [
        {
          content: 'I look.',
          tool_calls: [{ id: 'r', name: 'read', arguments: { file_path: '{{temp_dir}}/fixture.txt' } }],
        },
        { content: 'It says alpha.' },
      ],
      expected_tools: ['read'],
      expected_events: ['assistant', 'tool_call', 'tool_result', 'response'],
      expected_response: 'It says alpha.',
    };
    await run(scenario, (result, details, code) => {
      assert.deepEqual(
        [code, result.status, result.mode, result.outputText],
        [0, 'passed', 'scripted', 'It says alpha.'],
      );
      assert.deepEqual(
        details.invocations.map(({ mode, temperature, max_tokens, tools }) => [mode, temperature, max_tokens, tools]),
        [
          ['complete', 0.7, 4096, []],
          ['complete', 0.7, 4096, []],
        ],
      );
      assert.deepEqual(toolMessages(details), ['alpha']);
      assert.equal(details.response, 'It says alpha.');
    });
  });

  it('keeps the definitions that the backend was given, and the conversation that the agent ends with', async () => {
    const tools = [{ name: 'look', description: 'Looks.', result: 'seen' }];
    await run({ tools, completions: [call('look', {}), { content: 'I saw it.' }] }, (_, details) => {
      const definition = { name: 'look', description: 'Looks.', parameters: { type: 'object' } };
      assert.deepEqual(details.invocations[1]?.tools, [{ type: 'function', function: definition }]);
      assert.deepEqual(
        details.agent.messages.slice(-4).map(({ role, content }) => [role, content]),
        [
          ['user', 'Do it.'],
          ['assistant', null],
          ['tool', 'seen'],
          ['assistant', 'I saw it.'],
        ],
      );
    });
  });

  it('answers "Done." when the completions are at their end', async () => {
    await run({}, (result) => assert.deepEqual([result.status, result.outputText], ['passed', 'Done.']));
  });

  it('plays streams from their own queue, piece by piece, and fails in Loader’s words when it is empty', async () => {
    const streams = [[chunk('Hello '), chunk('you', { is_done: true, full_content: 'Hello you' })]];
    await run(
      { config: { stream: true, temperature: 0, max_tokens: 9 }, streams, completions: [{ content: 'never' }] },
      (result, details) => {
        assert.equal(result.outputText, 'Hello you');
        assert.deepEqual(
          details.events.map(({ type, content }) => [type, content]),
          [
            ['chunk', 'Hello '],
            ['chunk', 'you'],
            ['response', 'Hello you'],
          ],
        );
        assert.deepEqual(
          [details.invocations[0]?.mode, details.invocations[0]?.temperature, details.invocations[0]?.max_tokens],
          ['stream', 0, 9],
        );
      },
    );
    await run({ config: { stream: true } }, (result, _, code) => {
      assert.equal(code, 4);
      assert.match(JSON.stringify(result.failures), /No scripted stream left for this scenario/);
    });
  });

  it('reads calls that a model without native tools writes as text, raw and split over chunks, or in brackets', async () => {
    const raw = [
      [chunk('{"name": "echo", '), chunk('"arguments": {"a": 1}}', { is_done: true })],
      [chunk('[calls echo tool with: {"a": 2}]', { is_done: true })],
      [chunk('end', { is_done: true })],
    ];
    await run(
      { supports_native_tools: false, config: { stream: true }, streams: raw, tools: [{ name: 'echo', result: 'ok' }] },
      (result, details) => {
        assert.deepEqual(result.toolCalls, ['echo', 'echo']);
        assert.equal(details.invocations[0]?.tools, null);
        assert.equal(result.outputText, 'end');
      },
    );
  });

  it('answers confirmations and questions from the script, and declines what it does not answer', async () => {
    const tools = [{ name: 'write', result: 'written', confirm: true }];
    const completions = [
      call('write', {}),
      call('write', {}),
      call('write', {}),
      call('askuserquestion', { question: 'Sure?' }),
      { content: 'ok' },
    ];
    await run({ tools, completions, confirmations: [true, false], answers: ['yes'] }, (_, details) => {
      assert.deepEqual(toolMessages(details), [
        'written',
        'Error: the user declined `write`',
        'Error: the user declined `write`',
        'yes',
      ]);
      assert.deepEqual(
        details.events.filter(({ type }) => type === 'confirmation').map(({ confirmed }) => confirmed),
        [true, false, false],
      );
    });
  });

  it('changes nothing in explore mode', async () => {
    const tools = [
      { name: 'write', result: 'written', writes: true },
      { name: 'look', result: 'seen' },
    ];
    await run(
      { config: { mode: 'explore' }, tools, completions: [call('write', {}), call('look', {}), { content: 'ok' }] },
      (_, details) => {
        assert.deepEqual(toolMessages(details), [
          'Error: `write` makes changes, which explore mode does not allow',
          'seen',
        ]);
      },
    );
  });

  it('fails when events or tools are not the expected ones, and says which came', async () => {
    await run(
      { completions: [{ content: 'hi' }], expected_tools: ['read'], expected_events: ['response'] },
      (result, _, code) => {
        assert.equal(code, 1);
        assert.match(JSON.stringify(result.failures), /tools: expected read; got /);
      },
    );
  });

  it('says which tools have no declared result', async () => {
    await run({ completions: [call('bash', {}), { content: 'x' }] }, (result) => {
      assert.match(String(result.compared), /no result is declared for bash/);
    });
  });
});
