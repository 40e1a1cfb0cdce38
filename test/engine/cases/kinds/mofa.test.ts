import assert from 'node:assert/strict';
import { inProject, type TestProject } from '../../../harness/builtEngine';
import { tapedeck } from '../../../harness/inProcess';

async function run(project: TestProject, ...args: string[]) {
  const { code, stdout, stderr } = await tapedeck(project, 'run', '--reporter', 'json', ...args);
  assert.ok(stdout.startsWith('{'), stderr);
  const { results } = JSON.parse(stdout);
  return { code, results, first: results[0] };
}

const tape = (...interactions: object[]) => JSON.stringify({ version: 1, case_name: 'x', interactions });
const call = (name: string, args: object) => ({ response: '', tool_calls: [{ id: '1', name, arguments: args }] });

const SCENARIO = `agent_id: weather
system_prompt: Be kind.
tools: [search]
turns:
  - user: Weather in Berlin?
    expect:
      - {kind: call_tool_with, name: search, arguments: {city: Berlin}}
      - {kind: respond_containing, text: 22}
  - user: Thanks!
    expect:
      - {kind: not_call_any_tool}
      - {kind: respond_matching_regex, pattern: "(?i)welcome"}
`.replace('text: 22', 'text: "22"');
const TAPE = tape(
  call('search', { city: 'Berlin' }),
  { response: 'It is 22 degrees.' },
  { response: 'You are WELCOME.' },
);

describe('an agent scenario of MoFA', function () {
  this.timeout(30_000);

  it('holds its conversation turn by turn and judges each', async () => {
    await inProject({ 's.yaml': SCENARIO, 's.tape.json': TAPE }, async (project) => {
      const { code, first } = await run(project, 's.yaml');
      assert.deepEqual([code, first.status, first.name], [0, 'passed', 'weather']);
      const { assertions } = await project.json('.tapedeck/runs/s.yaml.artifact.json');
      assert.equal((assertions as unknown[]).length, 4);
    });
  });

  it('says which turn did not do what was expected, and what it did', async () => {
    const other = tape(call('search', { city: 'Bonn' }), { response: 'It is 22.' }, call('search', {}), {
      response: 'welcome',
    });
    await inProject({ 's.yaml': SCENARIO, 's.tape.json': other }, async (project) => {
      const { first } = await run(project, 's.yaml');
      assert.deepEqual(
        first.failures.map(({ message }: { message: string }) => message),
        [
          'call_tool_with: turn 1 expects a call of search with {"city":"Berlin"}; it called it with {"city":"Bonn"}',
          'not_call_any_tool: turn 2 expects no tool call; it called search',
        ],
      );
    });
  });

  it('records with the project’s provider, and replays that', async () => {
    const files = {
      's.yaml': SCENARIO.replace(/ {4}expect:[\s\S]*?(?= {2}- user: Thanks|$)/g, ''),
      'tapedeck.toml': '[provider]\nkind = "practice"\n',
    };
    await inProject(files, async (project) => {
      assert.equal((await run(project, 's.yaml', '--record')).first.status, 'passed');
      assert.equal((await run(project, 's.yaml')).first.mode, 'replay');
    });
  });

  it('is a case for each set of parameters and each combination of the matrix', async () => {
    const text = `template:
  agent_id: a
  tools: []
  turns:
    - user: "{{greeting}} {{name}}"
      expect: [{kind: respond_exact, text: "hi {{name}}"}]
parameters:
  - {name: first, vars: {greeting: Hello, name: Bo}}
matrix:
  limit: 3
  dimensions: {name: [A, B], greeting: [x, y]}
`;
    const files = {
      'p.yaml': text,
      'p.first.tape.json': tape({ response: 'hi Bo' }),
      'p.greeting-x-name-B.tape.json': tape({ response: 'hi A' }),
    };
    await inProject(files, async (project) => {
      const { results } = await run(project, 'p.yaml');
      assert.deepEqual(
        results.map(({ name, status }: { name: string; status: string }) => `${name} ${status}`),
        [
          'a: first passed',
          'a: greeting=x, name=A failed',
          'a: greeting=x, name=B failed',
          'a: greeting=y, name=A failed',
        ],
      );
      assert.match(results[2].failures[0].message, /exactly "hi B"; it responded: hi A/);
    });
  });

  it('can be judged by a file of semantic assertions', async () => {
    const assertions =
      '- kind: contains_all_facts\n  facts: [welcome, Berlin]\n- kind: excludes_content\n  banned: [error]\n';
    const files = { 's.yaml': `${SCENARIO}assertions: a.yaml\n`, 's.tape.json': TAPE, 'a.yaml': assertions };
    await inProject(files, async (project) => {
      const { first } = await run(project, 's.yaml');
      assert.deepEqual(
        first.failures.map(({ message }: { message: string }) => message),
        ['contains_all_facts: missing: Berlin'],
      );
      const alone = await run(project, 'a.yaml');
      assert.equal(alone.code, 2);
      assert.match(alone.first.failures[0].message, /these assertions have no response to check; name them in a case/);
    });
  });
});

describe('a golden response of MoFA', function () {
  this.timeout(30_000);
  const golden = {
    test_name: 'g',
    turns: [
      {
        user_input: 'Weather?',
        response: 'At 2026-01-01T00:00:00Z it is 22.',
        tool_calls: [{ name: 'search', arguments: { city: 'Berlin' } }],
      },
      { user_input: 'Thanks', response: 'Welcome.', tool_calls: [] },
    ],
    metadata: {},
  };

  it('is compared turn by turn, after what differs from run to run is taken out', async () => {
    const said = tape(
      call('search', { city: 'Berlin' }),
      { response: 'At 2026-02-03T04:05:06Z it  is 22.' },
      { response: 'Welcome.' },
    );
    await inProject({ 'g.golden.json': JSON.stringify(golden), 'g.tape.json': said }, async (project) => {
      assert.equal((await run(project, 'g.golden.json')).first.status, 'passed');
      await project.write(
        'g.tape.json',
        tape(call('search', { city: 'Bonn' }), { response: golden.turns[0]?.response }, { response: 'No.' }),
      );
      assert.deepEqual(
        (await run(project, 'g.golden.json')).first.failures.map(({ message }: { message: string }) => message),
        [
          'golden: turn 1: expected search to be called with {"city":"Berlin"}, got {"city":"Bonn"}',
          'golden: turn 2: expected the response "Welcome.", got "No."',
        ],
      );
    });
  });
});

describe('a scenario spec of MoFA', function () {
  this.timeout(30_000);
  const spec = {
    suite_name: 's',
    prompts: ['ping one', 'ping two', 'what?'],
    llm: {
      responses: [{ prompt_substring: 'ping', response: 'pong' }],
      response_sequences: [{ prompt_substring: 'two', responses: ['first'] }],
      fallback: 'else',
    },
    expectations: {
      infer_total: 3,
      prompt_counts: [{ substring: 'ping', expected: 2 }],
      tool_calls: [{ tool_name: 't', expected: 0 }],
      bus_messages_from: [{ sender_id: 'x', expected: 1 }],
    },
  };

  it('runs with its mocked model, counts what it expects, and says what it does not judge', async () => {
    await inProject({ 'b.scenario.json': JSON.stringify(spec) }, async (project) => {
      const { first } = await run(project, 'b.scenario.json');
      assert.deepEqual([first.status, first.outputText], ['passed', 'else']);
      assert.match(first.compared, /bus message expectations were not checked/);
      const { session_snapshot } = await project.json('.tapedeck/runs/b.scenario.json.artifact.json');
      const said = (session_snapshot as { messages: { role: string; content: string }[] }).messages;
      assert.deepEqual(
        said.filter(({ role }) => role === 'assistant').map(({ content }) => content),
        ['pong', 'first', 'else'],
      );
    });
  });

  it('fails on other counts and on failures it injects, and says that it lacks a prompt', async () => {
    const broken = { ...spec, llm: { ...spec.llm, fail_next: [{ count: 1, error: 'overloaded' }] } };
    const { prompts: _, ...promptless } = spec;
    const files = { 'b.scenario.json': JSON.stringify(broken), 'c.scenario.json': JSON.stringify(promptless) };
    await inProject(files, async (project) => {
      assert.match((await run(project, 'b.scenario.json')).first.failures[0].message, /overloaded/);
      const { first, code } = await run(project, 'c.scenario.json');
      assert.equal(code, 2);
      assert.match(first.failures[0].message, /but no prompts: add prompts/);
    });
  });
});
