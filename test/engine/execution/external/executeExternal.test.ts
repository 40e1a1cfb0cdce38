import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import type { Failure } from '../../../../src/core/model/run';
import { buildEngine, ended, inProject, startEngine, type TestProject } from '../../../harness/builtEngine';
import { tapedeck } from '../../../harness/inProcess';
import { completion, type Handler, sendJson, serve, type TestServer } from '../../../harness/support';

/** Asks for a tool, calls it, and says what the model makes of its result. In two languages, with what each comes with. */
const NODE_AGENT = `const chat = async (messages) => {
  const answer = await fetch(process.env.OPENAI_BASE_URL + '/chat/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer ' + process.env.OPENAI_API_KEY },
    body: JSON.stringify({ model: 'm', messages }),
  });
  if (!answer.ok) throw new Error((await answer.json()).error.message);
  return (await answer.json()).choices[0].message;
};
let prompt = '';
for await (const piece of process.stdin) prompt += piece;
const messages = [{ role: 'system', content: 'Now: ' + process.env.TAPEDECK_NOW }, { role: 'user', content: prompt }];
const first = await chat(messages);
const [call] = first.tool_calls;
const second = await chat([...messages, first, { role: 'tool', tool_call_id: call.id, content: '21 degrees' }]);
console.log(second.content);
`;
const PYTHON_AGENT = `import json, os, sys, urllib.request
def chat(messages):
    headers = {'content-type': 'application/json', 'authorization': 'Bearer ' + os.environ['OPENAI_API_KEY']}
    body = json.dumps({'model': 'm', 'messages': messages}).encode()
    request = urllib.request.Request(os.environ['OPENAI_BASE_URL'] + '/chat/completions', body, headers)
    return json.load(urllib.request.urlopen(request))['choices'][0]['message']
prompt = sys.stdin.read()
assert prompt == os.environ['TAPEDECK_PROMPT']
messages = [{'role': 'system', 'content': 'Now: ' + os.environ['TAPEDECK_NOW']}, {'role': 'user', 'content': prompt}]
first = chat(messages)
call = first['tool_calls'][0]
print(chat(messages + [first, {'role': 'tool', 'tool_call_id': call['id'], 'content': '21 degrees'}])['content'])
`;
/** The same, that log as their users' agents do: addresses, times, how long it took; one starts a server that logs while recording. */
const LOGGING_AGENTS = {
  'logs.mjs': `${NODE_AGENT}
console.log(process.env.OPENAI_BASE_URL, process.env.HTTPS_PROXY, process.env.JAVA_TOOL_OPTIONS.split(' ')[1]);
console.error(new Date().toISOString(), process.env.TAPEDECK_FORWARD, process.env.MCP_SERVER ?? 'server ready');
console.error('done in ' + performance.now() + ' ms');
`,
  'logs.py': `import logging
logging.basicConfig(level=logging.DEBUG, format='%(asctime)s %(message)s')
${PYTHON_AGENT.replace('urllib.request.urlopen(request)', 'logged(urllib.request.urlopen(request))').replace(
  'def chat',
  `def logged(response):
    logging.info('POST %s %s', response.url, response.fp.raw._sock.getpeername())
    return response
def chat`,
)}
print(os.environ['OPENAI_BASE_URL'])
logging.info('done in %s s', __import__('time').perf_counter())
`,
};
const KEY = 'sk-proj-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY';

const model: Handler = (response, { body }) => {
  if (body.includes('21 degrees'))
    return sendJson(
      response,
      200,
      completion('It is 21 °C.', { prompt_tokens: 40, completion_tokens: 9, total_tokens: 49 }),
    );
  const call = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Berlin"}' } };
  const message = { role: 'assistant', content: null, tool_calls: [call] };
  sendJson(response, 200, { choices: [{ index: 0, message, finish_reason: 'tool_calls' }] });
};

const caseOf = (command: readonly string[], agent = '', llm = '') => `name = "weather"
prompt = "How is the weather in Berlin?"
[agent]
command = ${JSON.stringify(command)}
clock = "2026-01-31T12:00:00Z"
${agent}
[llm]
tape = "weather.tape.jsonl"
${llm}
[assert]
contains = "21"
tool_called = "weather"
`;

async function withModel(test: (server: TestServer) => Promise<void>): Promise<void> {
  const server = await serve(model);
  try {
    await test(server);
  } finally {
    await server.close();
  }
}

async function recorded(command: readonly string[], test: (project: TestProject) => Promise<void>): Promise<void> {
  await withModel(async ({ baseUrl, close }) => {
    const files = {
      'agent.mjs': NODE_AGENT,
      'agent.py': PYTHON_AGENT,
      'weather.toml': caseOf(command),
      'tapedeck.toml': '',
    };
    await inProject(files, async (project) => {
      const env = { OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: KEY };
      const { code, stdout, stderr } = await project.engine(['run', 'weather.toml', '--record'], env);
      assert.equal(code, 0, stdout + stderr);
      await close();
      await test(project);
    });
  });
}

/** The processes whose command line has this word in it. */
async function running(word: string): Promise<readonly string[]> {
  const { readdir, readFile } = await import('node:fs/promises');
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(names.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  return lines.filter((line) => line.includes(word));
}

describe('a case with an agent of its own', () => {
  before(buildEngine);

  for (const command of [
    ['node', 'agent.mjs'],
    ['python3', 'agent.py'],
  ])
    it(`in ${command[0]} is recorded, and replayed without the model`, async () => {
      await recorded(command, async (project) => {
        const { code, stdout } = await tapedeck(project, 'run', 'weather.toml', '--reporter', 'json');
        assert.equal(code, 0, stdout);
        const [result] = (JSON.parse(stdout) as { results: Record<string, unknown>[] }).results;
        assert.equal(result?.outputText, 'It is 21 °C.');
        assert.deepEqual(result?.toolCalls, ['weather']);
        assert.deepEqual(
          ((result?.interactions ?? []) as { verdict: string }[]).map(({ verdict }) => verdict),
          ['exact', 'exact'],
        );
        const artifact = await project.json('.tapedeck/runs/weather.artifact.json');
        assert.deepEqual((artifact.tool_calls as unknown[])[0], {
          tool_name: 'weather',
          input: { city: 'Berlin' },
          output: '21 degrees',
          success: true,
          duration_ms: null,
          timed_out: false,
        });
        const { mode, process: ran } = artifact.tapedeck as Record<string, unknown>;
        assert.equal(mode, 'replay');
        assert.deepEqual(ran, { command, exit_code: 0, stdout: 'It is 21 °C.\n', stderr: '' });
      });
    });

  for (const [file, source] of Object.entries(LOGGING_AGENTS))
    it(`matches its baseline whatever it logs: ${file}`, async () => {
      await withModel(async ({ baseUrl }) => {
        const command = [file.endsWith('.py') ? 'python3' : 'node', file];
        const files = { [file]: source, 'weather.toml': caseOf(command), 'tapedeck.toml': '' };
        await inProject(files, async (project) => {
          const env = { OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: KEY };
          const recorded = await project.engine(['run', 'weather.toml', '--record', '--update-baselines'], env);
          assert.equal(recorded.code, 0, recorded.stdout + recorded.stderr);
          const baseline = await project.read('weather.baseline.json');
          const replayed = await project.engine(['run', 'weather.toml'], { ...env, MCP_SERVER: 'silent' });
          assert.match(replayed.stdout, /Matches baseline/);
          const artifact = await project.read('.tapedeck/runs/weather.artifact.json');
          // It is kept, without the address of the proxy.
          assert.match(artifact, /"stderr": ".*done in/);
          const tape = await project.read('weather.tape.jsonl');
          for (const kept of [baseline, artifact, tape]) {
            assert.doesNotMatch(kept, /127\.0\.0\.1:[1-9]\d*\/(?!v1)/);
            assert.doesNotMatch(kept, /proxyPort=[1-9]|[\w-]{24}\/openai/);
          }
          assert.match(artifact, /127\.0\.0\.1:0\/\[redacted\]\/openai/);
        });
      });
    });

  it('judges its steps, and points at the one that fails, on the tape', async () => {
    await recorded(['node', 'agent.mjs'], async (project) => {
      const text = await project.read('weather.toml');
      const failuresOf = async (assertions: string) => {
        await project.write('weather.toml', `${text}${assertions}`);
        const { stdout } = await tapedeck(project, 'run', 'weather.toml', '--reporter', 'json');
        const [first] = (JSON.parse(stdout) as { results: { failures: Failure[] }[] }).results;
        return first?.failures ?? [];
      };
      const held = `max_calls = 2
max_tokens = 60
no_errors = true
each_tool_result_used = true
tool_not_called = ["news"]
[[assert.tool_args]]
tool = "weather"
arguments = { city = "Berlin" }
`;
      assert.deepEqual(await failuresOf(held), []);
      const [args, calls] = await failuresOf(
        'max_calls = 1\n[[assert.tool_args]]\ntool = "weather"\nschema = { properties = { city = { maxLength = 3 } } }\n',
      );
      assert.deepEqual(
        [calls?.message, calls?.step],
        [
          'max_calls: the agent called the model 2 times, at most 1 is allowed (interaction 2)',
          { number: 1, index: 1, tapePath: 'weather.tape.jsonl' },
        ],
      );
      assert.ok(args);
      assert.match(
        args.message,
        /^tool_args: the arguments of `weather` do not match the schema: \$\.city .*\(interaction 1\)$/,
      );
      assert.deepEqual(args.step, { number: 0, index: 0, tapePath: 'weather.tape.jsonl' });
      assert.match(args.expected ?? '', /"maxLength": 3/);
      assert.equal(args.actual, '{\n  "city": "Berlin"\n}');
    });
  });

  it('reports a drift in every kind of output, and ends with 4', async () => {
    await recorded(['node', 'agent.mjs'], async (project) => {
      const text = await project.read('weather.toml');
      await project.write('weather.toml', text.replace('in Berlin?', 'in Hamburg?'));
      const { code, stdout } = await tapedeck(project, 'run', 'weather.toml', '--reporter', 'junit');
      assert.equal(code, 4);
      assert.match(stdout, /<property name="interaction.1" value="drifted">/);
      assert.match(stdout, /\[-Berlin-\]\{\+Hamburg\+\}/);
      const reported = await tapedeck(project, 'run', 'weather.toml', '--reporter', 'json');
      const [{ failures } = { failures: [] }] = (JSON.parse(reported.stdout) as { results: { failures: Failure[] }[] })
        .results;
      const { miss, expected, actual } = failures[0] ?? {};
      assert.deepEqual(
        { ...miss, tapePath: '' },
        {
          tapePath: '',
          kind: 'drifted',
          line: 'user: Berlin → Hamburg',
          at: 0,
          recorded: 2,
          nearest: 0,
          retake: { calls: 2, unpriced: ['m'], uncounted: 1 },
          masks: [],
        },
      );
      assert.match(expected ?? '', /in Berlin/);
      assert.match(actual ?? '', /in Hamburg/);
      const shown = await tapedeck(project, 'run', 'weather.toml');
      assert.match(shown.stdout, /request 1 drifted: this request is not on weather\.tape\.jsonl/);
      assert.match(shown.stdout, /Re-record the case/);
    });
  });

  it('reports unused recordings, where the case does not allow them', async () => {
    await recorded(['node', 'agent.mjs'], async (project) => {
      await project.write('idle.mjs', 'console.log("21")');
      const idle = (agent: string) =>
        caseOf(['node', 'idle.mjs'], agent, '[llm.replay]\nfail_on_unused = true\n').replace(/tool_called.*/, '');
      await project.write('weather.toml', idle(''));
      const silent = await tapedeck(project, 'run', 'weather.toml');
      assert.equal(silent.code, 1);
      assert.match(silent.stdout, /node idle\.mjs sent no requests through Tapedeck/);
      await project.write('weather.toml', idle('allow_none = true'));
      const { code, stdout } = await tapedeck(project, 'run', 'weather.toml');
      assert.equal(code, 5, stdout);
      assert.match(stdout, /weather\.tape\.jsonl: interactions 1, 2 were not used/);
    });
  });

  it('says which recordings are too old, where that counts', async () => {
    await recorded(['node', 'agent.mjs'], async (project) => {
      const rules = (more: string) => caseOf(['node', 'agent.mjs'], '', `[llm.replay]\nmax_age_days = 30\n${more}`);
      const verdicts = async () => {
        const { code, stdout } = await tapedeck(project, 'run', 'weather.toml', '--reporter', 'json');
        const [result] = (JSON.parse(stdout) as { results: { interactions: { verdict: string }[] }[] }).results;
        return [code, ...(result?.interactions.map(({ verdict }) => verdict) ?? [])];
      };
      await project.write('weather.toml', rules(''));
      assert.deepEqual(await verdicts(), [0, 'exact', 'exact']);
      const tape = await project.read('weather.tape.jsonl');
      await project.write('weather.tape.jsonl', tape.replaceAll(`"${new Date().getFullYear()}-`, '"2020-'));
      assert.deepEqual(await verdicts(), [0, 'expired', 'expired']);
      await project.write('weather.toml', rules('fail_on_expired = true\n'));
      const { code, stdout } = await tapedeck(project, 'run', 'weather.toml');
      assert.equal(code, 5, stdout);
      assert.match(stdout, /interactions 1, 2 were recorded more than 30 days ago/);
      const undatedTape = tape
        .replaceAll(/"at": ?"[^"]*",? ?/g, '')
        .replaceAll(/,?\["date", ?"[^"]*"\]/gi, '')
        .replaceAll('[,', '[');
      await project.write('weather.tape.jsonl', undatedTape);
      const undated = await tapedeck(project, 'run', 'weather.toml');
      assert.equal(undated.code, 0, undated.stdout);
      assert.match(undated.stdout, /max_age_days does not apply to the recordings/);
    });
  });

  it('serves the last recording of a request again, where the case says so', async () => {
    await recorded(['node', 'agent.mjs'], async (project) => {
      await project.write('twice.mjs', `${NODE_AGENT}console.log((await chat(messages)).tool_calls.length)`);
      const more = (llm: string) => project.write('weather.toml', caseOf(['node', 'twice.mjs'], '', llm));
      await more('');
      assert.match((await tapedeck(project, 'run', 'weather.toml')).stdout, /request 3 used-up/);
      await more('[llm.replay]\nrepeat = true\n');
      const { code, stdout } = await tapedeck(project, 'run', 'weather.toml');
      assert.equal(code, 0, stdout);
    });
  });

  it('fails with what the agent said, when it fails, takes too long, or is not there', async () => {
    await recorded(['node', 'agent.mjs'], async (project) => {
      const run = async (command: readonly string[], agent = '') => {
        await project.write('weather.toml', caseOf(command, agent));
        return tapedeck(project, 'run', 'weather.toml');
      };
      const failed = await run(['node', '-e', 'console.error("out of luck"); process.exit(7)']);
      assert.equal(failed.code, 1);
      assert.match(failed.stdout, /exited with code 7\n\s+out of luck/);
      const slow = await run(['node', '-e', 'setTimeout(() => {}, 60000)'], 'timeout_ms = 300');
      assert.equal(slow.code, 1);
      assert.match(slow.stdout, /took longer than 300 ms/);
      const missing = await run(['no-such-program-anywhere']);
      assert.equal(missing.code, 3);
      assert.match(missing.stdout, /the program or the folder .* does not exist/);
    });
  });

  it('keeps what it recorded before it failed, to be recovered as its tape', async () => {
    await withModel(async ({ baseUrl }) => {
      const files = { 'agent.mjs': `${NODE_AGENT}process.exit(7);`, 'weather.toml': caseOf(['node', 'agent.mjs']) };
      await inProject({ ...files, 'tapedeck.toml': '' }, async (project) => {
        const env = { OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: KEY };
        const failed = await project.engine(['run', 'weather.toml', '--record'], env);
        assert.equal(failed.code, 1, failed.stdout);
        assert.match(failed.stderr, /Kept: 2 interactions\..*tapedeck recover --save weather\.tape\.jsonl/);
        assert.ok(!project.has('weather.tape.jsonl'));
        assert.equal((await tapedeck(project, 'recover', '--save', 'weather.tape.jsonl')).code, 0);
        await project.write('agent.mjs', NODE_AGENT);
        const replayed = await tapedeck(project, 'run', 'weather.toml');
        assert.equal(replayed.code, 0, replayed.stdout);
      });
    });
  });

  it('ends with all that it has started, when the run is cancelled', async function () {
    if (process.platform !== 'linux') this.skip();
    await inProject({ 'tapedeck.toml': '' }, async (project) => {
      const word = `sleep_${process.pid}_${Date.now()}`;
      const child = `setInterval(() => {}, 1000, '${word}')`;
      const agent = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(child)}], { stdio: 'ignore' }); setInterval(() => {}, 1000)`;
      await project.write('weather.toml', caseOf(['node', '-e', agent]));
      await project.write('weather.tape.jsonl', '{"tapedeck":"tape","version":1,"name":"x"}\n');
      const engine = startEngine(['run', 'weather.toml'], { cwd: project.root });
      const end = ended(engine);
      for (let tries = 0; tries < 100 && (await running(word)).length < 2; tries += 1) await wait(50);
      assert.equal((await running(word)).length, 2, 'the agent and its child run');
      engine.kill('SIGINT');
      assert.equal((await end).code, 130);
      assert.deepEqual(await running(word), []);
    });
  });
});
