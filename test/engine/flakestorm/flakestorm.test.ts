import assert from 'node:assert/strict';
import { buildEngine, inProject, type TestProject, tapeOf } from '../../harness/builtEngine';
import { tapedeck } from '../../harness/inProcess';
import { completion, type Handler, sendJson, serve } from '../../harness/support';

async function run(project: TestProject, ...args: string[]) {
  const { code, stdout, stderr } = await tapedeck(project, 'run', '--reporter', 'json', ...args);
  assert.ok(stdout.startsWith('{'), stderr);
  const { results } = JSON.parse(stdout);
  return { code, results, first: results[0] };
}

const CONTRACT = `name: strict
invariants:
  - {id: cites, type: regex, pattern: "(?i)source", severity: critical}
  - {id: short, type: excludes_pattern, patterns: ["error"]}
`;
const session = (more = '') => `id: incident
input: "What is the status?"
contract: contract.yaml
${more}`;
const config = (more = '') => `agent:
  endpoint: "http://localhost:1/invoke"
golden_prompts: ["one", "two"]
invariants:
  - {type: contains, value: "source"}
${more}`;

const call = (name: string, id = '1') => ({ response: '', tool_calls: [{ id, name, arguments: { q: 1 } }] });
const tape = (...interactions: object[]) => JSON.stringify({ version: 1, case_name: 'x', interactions });

describe('Flakestorm sessions', function () {
  this.timeout(30_000);
  before(buildEngine);

  it('are held to the contract they name by path, each invariant with its details', async () => {
    const files = {
      's.yaml': session(),
      'contract.yaml': CONTRACT,
      's.tape.json': tapeOf('s', ['an error, says the source']),
    };
    await inProject(files, async (project) => {
      const { code, first } = await run(project, 's.yaml');
      assert.equal(code, 1);
      assert.deepEqual(
        first.failures.map(({ message }: { message: string }) => message),
        ["excludes_pattern: short: Found forbidden: ['error']"],
      );
      const { assertions } = await project.json('.tapedeck/runs/s.yaml.artifact.json');
      assert.deepEqual(
        (assertions as { passed: boolean }[]).map(({ passed }) => passed),
        [true, false],
      );
    });
  });

  it('need only an id and an input', async () => {
    const files = { 'replays/s.yaml': 'id: s\ninput: hi\n', 'replays/s.tape.json': tapeOf('s', ['hello']) };
    await inProject(files, async (project) => {
      const { code, first } = await run(project);
      assert.deepEqual([code, first.status], [0, 'passed']);
    });
  });

  it('find the contract by its name in flakestorm.yaml, and say so when there is none', async () => {
    const named = session().replace('contract.yaml', 'strict');
    const nested = CONTRACT.replace(/^/gm, '  ');
    const files = {
      'replays/s.yaml': named,
      'replays/s.tape.json': tapeOf('s', ['no']),
      'flakestorm.yaml': config(`contract:\n${nested}\n`),
    };
    await inProject(files, async (project) => {
      const { first } = await run(project, 'replays/s.yaml');
      assert.match(first.failures[0].message, /cites: Response does not match/);
      await project.write('flakestorm.yaml', config());
      const without = await run(project, 'replays/s.yaml');
      assert.equal(without.first.status, 'passed');
      assert.match(without.first.compared, /there is no contract "strict": the session passes if the agent responds/);
    });
  });

  it('give the agent what the tools answered then, with status and latency', async () => {
    const tools = `tool_responses:
  - {tool: search, response: "first", status: 200, latency_ms: 4000}
  - {tool: search, response: {error: "down"}, status: 503}
  - {tool: search, response: "gone", status: 0}
`;
    const contract = `${CONTRACT}  - {id: fast, type: latency, max_ms: 3900}\n`;
    const calls = ['1', '2', '3', '4'].map((id) => call('search', id));
    const answers = tape(...calls, { response: 'source' });
    const files = { 's.yaml': session(tools), 'contract.yaml': contract, 's.tape.json': answers };
    await inProject(files, async (project) => {
      const { first } = await run(project, 's.yaml');
      assert.match(first.failures[0].message, /^latency: fast: Latency 4\d\d\dms exceeded 3900ms threshold/);
      assert.match(first.compared, /4000 ms of delays were counted without waiting/);
      assert.match(first.compared, /the recorded tool responses were injected/);
      const { tool_calls, session_snapshot } = await project.json('.tapedeck/runs/s.yaml.artifact.json');
      assert.deepEqual(
        (tool_calls as { success: boolean }[]).map(({ success }) => success),
        [true, false, false, false],
      );
      const { messages } = session_snapshot as { messages: { role: string; content: string }[] };
      assert.deepEqual(
        messages.filter(({ role }) => role === 'tool').map(({ content }) => content),
        [
          'first',
          'Error: HTTP 503: {"error":"down"}',
          'Error: gone',
          // The words of earlier versions: they are in requests on tapes.
          'Error: the session has no more recorded responses of `search`',
        ],
      );
    });
  });

  it('say what they lack when nothing is recorded', async () => {
    await inProject({ 's.yaml': session(), 'contract.yaml': CONTRACT }, async (project) => {
      const { code, first } = await run(project, 's.yaml');
      assert.deepEqual([code, first.failures[0].kind], [4, 'replay']);
      assert.match(first.failures[0].message, /s\.tape\.json does not exist$/);
    });
  });

  it('evaluate `when`', async () => {
    const contract = `${CONTRACT}  - {id: calm, type: contains, value: "never", when: any_chaos_active}\n`;
    const files = { 's.yaml': session(), 'contract.yaml': contract, 's.tape.json': tapeOf('s', ['source']) };
    await inProject(files, async (project) => {
      const { first } = await run(project, 's.yaml');
      assert.equal(first.status, 'passed');
      assert.match(
        first.compared,
        /calm was not judged because of when: any_chaos_active \(Flakestorm always judges it\)/,
      );
    });
  });
});

const PYTHON = `import json, os, urllib.request

def ask(text):
    body = json.dumps({"model": "m", "messages": [{"role": "user", "content": text}]}).encode()
    url = os.environ["OPENAI_BASE_URL"] + "/chat/completions"
    request = urllib.request.Request(url, body, {"content-type": "application/json"})
    answer = json.load(urllib.request.urlopen(request))
    return answer["choices"][0]["message"]["content"]

async def asked(text):
    return {"output": ask(text)}

class Chain:
    async def ainvoke(self, given):
        return await asked(given["input"])

chain = Chain()
`;

describe('an agent in Python of flakestorm.yaml', function () {
  this.timeout(60_000);
  before(buildEngine);

  it('has the time that a timeout fault gives it, and no other fault besides', async () => {
    const server = await serve((response) => sendJson(response, 200, completion('says a source')));
    const under = (limitMs: number) =>
      config(`chaos:\n  llm_faults: [{mode: rate_limit}, {mode: timeout, delay_ms: ${limitMs}}]\n`).replace(
        '"http://localhost:1/invoke"',
        '"agent:ask"\n  type: python',
      );
    try {
      await inProject(
        { 'flakestorm.yaml': under(60_000), 'agent.py': PYTHON, 'tapedeck.toml': '' },
        async (project) => {
          await project.engine(['run', '--record', 'flakestorm.yaml#prompts'], { OPENAI_BASE_URL: server.baseUrl });
          assert.equal((await run(project, 'flakestorm.yaml#chaos')).first.status, 'passed');
          await project.write('flakestorm.yaml', under(1));
          const { first } = await run(project, 'flakestorm.yaml#chaos');
          assert.match(first.failures[0].message, /Chaos: LLM timeout/);
        },
      );
    } finally {
      await server.close();
    }
  });

  for (const [type, endpoint] of [
    ['python', 'agent:ask'],
    ['python', 'agent:asked'],
    ['langchain', 'agent:chain'],
  ] as const) {
    it(`is asked, and its calls of models are recorded and replayed: ${type} ${endpoint}`, async () => {
      const asked: string[] = [];
      const server = await serve((response, { body }) => {
        asked.push(JSON.parse(body).messages[0].content);
        sendJson(response, 200, completion('says a source'));
      });
      const text = config().replace(
        'endpoint: "http://localhost:1/invoke"',
        `endpoint: "${endpoint}"\n  type: ${type}`,
      );
      try {
        await inProject({ 'flakestorm.yaml': text, 'agent.py': PYTHON, 'tapedeck.toml': '' }, async (project) => {
          const env = { OPENAI_BASE_URL: server.baseUrl };
          const recorded = await project.engine(['run', '--record', '--reporter', 'json', 'flakestorm.yaml'], env);
          assert.equal(JSON.parse(recorded.stdout).results[0].status, 'passed', recorded.stdout);
          assert.deepEqual(asked, ['one', 'two']);
          const { first } = await run(project, 'flakestorm.yaml');
          assert.deepEqual([first.status, first.mode], ['passed', 'replay']);
          assert.equal(asked.length, 2, 'a replay calls nobody');
        });
      } finally {
        await server.close();
      }
    });
  }

  it('is struck by the faults of the model, and says what went wrong in it', async () => {
    const broken = config('chaos:\n  llm_faults: [{mode: rate_limit}]\n').replace(
      'endpoint: "http://localhost:1/invoke"',
      'endpoint: "agent:missing"\n  type: python',
    );
    await inProject(
      {
        'flakestorm.yaml': broken,
        'agent.py': 'def missing(text): return "a source"\n',
        'flakestorm.prompt-1.tape.json': tapeOf('x', ['x']),
        'flakestorm.prompt-2.tape.json': tapeOf('x', ['x']),
      },
      async (project) => {
        assert.equal((await run(project, 'flakestorm.yaml#prompts')).first.status, 'passed');
        assert.match(
          (await run(project, 'flakestorm.yaml#chaos')).first.failures[0].message,
          /Chaos: LLM Rate limit exceeded/,
        );
        await project.write('agent.py', 'def other(text): return ""\n');
        assert.match(
          (await run(project, 'flakestorm.yaml#prompts')).first.failures[0].message,
          /has no attribute 'missing'|exited with code 1/,
        );
      },
    );
  });
});

describe('a flakestorm.yaml', function () {
  this.timeout(30_000);
  before(buildEngine);

  const matrix = `contract:
  name: strict
  invariants:
    - {id: cites, type: contains, value: source, severity: critical}
    - {id: calm, type: contains, value: answer, severity: high, when: no_chaos}
    - {id: same, type: behavior_unchanged, severity: low, similarity_threshold: 0.9}
  chaos_matrix:
    - {name: quiet}
    - {name: mute, llm_faults: [{mode: empty}]}
`;
  const tapes = {
    'flakestorm.prompt-1.tape.json': tapeOf('one', ['the answer of a source']),
    'flakestorm.prompt-2.tape.json': tapeOf('two', ['the answer of a source']),
  };

  it('holds its prompts, its chaos, its contract and each inline session as cases', async () => {
    const more = `${matrix}chaos:\n  llm_faults: [{mode: garbage}]\nreplays:\n  sessions:\n    - {id: in-1, input: hi}\n    - {file: elsewhere.yaml}\n`;
    const files = { 'flakestorm.yaml': config(more), ...tapes, 'flakestorm.in-1.tape.json': tapeOf('s', ['hello']) };
    await inProject(files, async (project) => {
      const { results } = await run(project, 'flakestorm.yaml');
      assert.deepEqual(
        results.map(({ casePath, status }: { casePath: string; status: string }) => [casePath.split('#')[1], status]),
        [
          ['prompts', 'passed'],
          ['chaos', 'failed'],
          ['contract', 'failed'],
          ['session%3Ain-1', 'passed'],
        ],
      );
      const one = await run(project, 'flakestorm.yaml#prompts');
      assert.deepEqual([one.results.length, one.first.name], [1, 'golden prompts']);
    });
  });

  it('names the injected faults in the artifact in words that do not change, because baselines are compared with it', async () => {
    const chaotic = config('chaos:\n  llm_faults: [{mode: empty}]\n');
    await inProject({ 'flakestorm.yaml': chaotic, ...tapes }, async (project) => {
      await run(project, 'flakestorm.yaml#chaos');
      const { tapedeck } = await project.json('.tapedeck/runs/flakestorm.yaml#chaos.artifact.json');
      const { details } = tapedeck as { details: { struck: readonly string[] } };
      assert.deepEqual([...new Set(details.struck)], ['the response of the model']);
    });
  });

  it('applies no other fault of a chaos to a model that is given a time limit', async () => {
    const faults = '[{mode: rate_limit}, {mode: timeout, delay_ms: 60000}, {mode: empty}]';
    const files = { 'flakestorm.yaml': config(`chaos:\n  llm_faults: ${faults}\n`), ...tapes };
    await inProject(files, async (project) => {
      assert.equal((await run(project, 'flakestorm.yaml#chaos')).first.status, 'passed');
    });
  });

  it('judges its contract under each scenario, and scores it', async () => {
    await inProject({ 'flakestorm.yaml': config(matrix), ...tapes }, async (project) => {
      const { code, first } = await run(project, 'flakestorm.yaml#contract');
      assert.equal(code, 1, 'a critical invariant fails under `mute`');
      const { tapedeck } = await project.json('.tapedeck/runs/flakestorm.yaml#contract.artifact.json');
      const { details } = tapedeck as {
        details: {
          resilience_score: number;
          cells: { invariant_id: string; scenario_name: string; outcome: string }[];
        };
      };
      assert.deepEqual(
        details.cells.map(({ invariant_id, scenario_name, outcome }) => `${invariant_id} ${scenario_name} ${outcome}`),
        [
          'cites quiet passed',
          'calm quiet passed',
          'same quiet passed',
          'cites mute failed',
          'calm mute not judged',
          'same mute failed',
        ],
      );
      assert.equal(details.resilience_score, 60);
      assert.match(first.compared, /resilience score 60.0%/);
      assert.match(first.compared, /`when` is evaluated/);
    });
  });

  it('asks the agent of the configuration when it runs live, resets it before each cell, and records its answers', async () => {
    const asked: string[] = [];
    const agent: Handler = (response, { url, body }) => {
      asked.push(url === '/reset' ? 'reset' : JSON.parse(body).input);
      response.setHeader('content-type', 'application/json').end('{"result": "the answer of a source"}');
    };
    const server = await serve(agent);
    try {
      const text = config(matrix.replace('mode: empty', 'mode: rate_limit'))
        .replace('http://localhost:1/invoke', `http://${server.host}/invoke`)
        .replace('golden_prompts', `  reset_endpoint: "http://${server.host}/reset"\ngolden_prompts`);
      await inProject({ 'flakestorm.yaml': text }, async (project) => {
        const { first } = await run(project, 'flakestorm.yaml#contract', '--live');
        assert.match(first.failures[0].message, /cites under mute: Chaos: LLM Rate limit exceeded/);
        assert.equal(asked.filter((one) => one === 'reset').length, 5);
        assert.equal((await run(project, 'flakestorm.yaml#prompts', '--record')).first.status, 'passed');
        const offline = await run(project, 'flakestorm.yaml#prompts');
        assert.deepEqual([offline.first.status, offline.first.mode], ['passed', 'replay']);
      });
    } finally {
      await server.close();
    }
  });
});
