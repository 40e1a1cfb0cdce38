import assert from 'node:assert/strict';
import { inProject, scripted, type TestProject, taped, tapeOf } from '../../harness/builtEngine';
import { tapedeck } from '../../harness/inProcess';
import { completion, sendJson, serve } from '../../harness/support';

const TOOL = '[[tools]]\nname = "echo"\ndescription = "Echoes."\nresult = "r"\n';

/** The results of `run --reporter json`. */
async function results(project: TestProject, ...args: string[]) {
  const { code, stdout, stderr } = await tapedeck(project, 'run', '--reporter', 'json', ...args);
  assert.ok(stdout.startsWith('{'), stderr);
  const { summary, results: all } = JSON.parse(stdout);
  return { code, stderr, summary, all, first: all[0] };
}

describe('run', function () {
  this.timeout(30_000);

  it('runs a scripted case, keeps its artifact, and says what was checked', async () => {
    await inProject({ 'cases/a.toml': scripted('a', ['hello'], '[assert]\ncontains = "hello"') }, async (project) => {
      const { code, first } = await results(project, 'cases/a.toml');
      assert.equal(code, 0);
      assert.equal(first.status, 'passed');
      assert.equal(first.mode, 'scripted');
      assert.equal(first.outputText, 'hello');
      assert.equal(first.compared, '1 assertion · no baseline');
      assert.equal(first.artifactPath, '.tapedeck/runs/cases/a.artifact.json');
      assert.equal((await project.json('.tapedeck/runs/cases/a.artifact.json')).case_name, 'a');
    });
  });

  it('replays a tape of responses by position, and says that nothing was compared and what it did not use', async () => {
    const files = { 'a.toml': taped('a', 't/a.json'), 't/a.json': tapeOf('a', ['one', 'two', 'three']) };
    await inProject(files, async (project) => {
      const { code, first } = await results(project);
      assert.deepEqual([code, first.mode, first.outputText], [0, 'replay', 'one']);
      assert.equal(
        first.compared,
        'Nothing checked: no assertions, no baseline · 1 request not compared: the tape has responses only · 2 of 3 recordings unused',
      );
    });
  });

  it('compares with the baseline', async () => {
    await inProject({ 'a.toml': scripted('a', ['hello'], '[assert]\ncontains = "hello"') }, async (project) => {
      await results(project, '--update-baselines');
      const same = await results(project);
      assert.equal(same.code, 0);
      assert.equal(same.first.compared, 'Matches baseline · 1 assertion');
      assert.deepEqual(same.first.comparison, { matches: true, differences: [] });

      await project.write('a.toml', scripted('a', ['hello you'], '[assert]\ncontains = "hello"'));
      const changed = await results(project, '--fail-on-diff');
      assert.equal(changed.code, 1);
      const [failure, ...more] = changed.first.failures;
      assert.deepEqual(more, []);
      assert.equal(failure.kind, 'difference');
      assert.deepEqual(
        [failure.message, failure.expected, failure.actual],
        ['Output differs from the baseline', 'hello', 'hello you'],
      );
    });
  });

  it('--update-baselines accepts a difference, leaves a baseline that matches alone, and takes no run with an error', async () => {
    const short = `${taped('b', 'b.json')}\n${TOOL}`;
    const call = { response: '', tool_calls: [{ id: '1', name: 'echo', arguments: {} }] };
    const tape = JSON.stringify({ version: 1, case_name: 'b', interactions: [call] });
    await inProject({ 'a.toml': scripted('a', ['one']), 'b.toml': short, 'b.json': tape }, async (project) => {
      const first = await results(project, '--update-baselines');
      assert.equal(first.code, 4);
      assert.equal(first.first.baselineUpdated, true);
      assert.deepEqual([project.has('a.baseline.json'), project.has('b.baseline.json')], [true, false]);

      const written = await project.read('a.baseline.json');
      const second = await results(project, '--update-baselines', 'a.toml');
      assert.equal(second.first.baselineUpdated, undefined);
      assert.equal(await project.read('a.baseline.json'), written, 'the baseline matched');

      await project.write('a.toml', scripted('a', ['two']));
      const third = await results(project, '--update-baselines', 'a.toml');
      assert.deepEqual([third.code, third.first.status], [0, 'passed']);
      assert.equal((await project.json('a.baseline.json')).output_text, 'two');
    });
  });

  it('fails on a baseline that cannot be read, at its place, and still judges the rest', async () => {
    const files = {
      'a.toml': scripted('a', ['x'], '[assert]\ncontains = "y"'),
      'a.baseline.json': '{\n  "case_name": \n}',
    };
    await inProject(files, async (project) => {
      const { code, first } = await results(project);
      assert.equal(code, 2);
      assert.deepEqual(
        first.failures.map(({ kind }: { kind: string }) => kind),
        ['assertion', 'case'],
      );
      assert.match(first.failures[1].message, /^a\.baseline\.json:3:1: invalid JSON: /);
      assert.equal(first.compared, '1 assertion · unreadable baseline');
      const updated = await results(project, '--update-baselines');
      assert.equal(updated.code, 2, 'it may be something else of somebody');
      assert.match(updated.first.failures[1].fix, /Correct or remove the file/);
      assert.equal(await project.read('a.baseline.json'), files['a.baseline.json']);
    });
  });
});

describe('assertions about the steps of a run', function () {
  this.timeout(60_000);

  const tool = '[[tools]]\nname = "refund"\ndescription = "Refunds."\nresult = "receipt R-77"\n';
  const step = (order: string) => ({ response: '', tool_calls: [{ id: order, name: 'refund', arguments: { order } }] });
  const usage = { prompt_tokens: 1000, completion_tokens: 0, total_tokens: 1000 };
  const tape = JSON.stringify({
    version: 1,
    case_name: 'r',
    interactions: [step('4711'), step('4712'), { response: 'Done.', usage }],
  });
  const caseWith = (assertions: string, more = '') =>
    `${taped('r', 'tapes/r.tape.json')}[assert]\n${assertions}\n${tool}${more}`;

  it('fail at the interaction of the tape, in JSON, JUnit, text, the artifact, and the kept result', async () => {
    const files = {
      'r.toml': caseWith('[[assert.tool_args]]\ntool = "refund"\ncall = 2\narguments = { order = "4711" }'),
      'tapes/r.tape.json': tape,
    };
    await inProject(files, async (project) => {
      const { code, first } = await results(project);
      assert.equal(code, 1);
      const [failure] = first.failures;
      const message = 'tool_args: in call 2 of `refund`, `order` is "4712", expected "4711" (interaction 2)';
      assert.equal(failure.message, message);
      assert.deepEqual(failure.step, { number: 1, index: 1, tapePath: 'tapes/r.tape.json' });
      assert.deepEqual(JSON.parse(failure.actual), { order: '4712' });
      assert.deepEqual(JSON.parse(failure.expected), { order: '4711' });
      assert.equal((await project.read('r.toml')).slice(failure.span.start).startsWith('assert.tool_args]]'), true);
      const junit = await tapedeck(project, 'run', '--reporter', 'junit');
      assert.match(junit.stdout, /expected &quot;4711&quot; \(interaction 2\)/);
      const text = await tapedeck(project, 'run');
      assert.ok(text.stdout.includes(message), text.stdout);
      const { assertions } = await project.json('.tapedeck/runs/r.artifact.json');
      assert.deepEqual((assertions as { step: unknown }[])[0]?.step, { number: 1, index: 1 });
      const kept = JSON.parse(await project.read('.tapedeck/runs/r.result.json'));
      assert.deepEqual(kept.failures[0].step, { number: 1, index: 1, tapePath: 'tapes/r.tape.json' });
    });
  });

  it('know of the built-in agent what failed and what was ignored', async () => {
    const assertions = 'no_errors = true\neach_tool_result_used = true\nmax_calls = 2\ntool_not_called = ["refund"]';
    const slow = 'delay_ms = 50\n[agent]\ntool_timeout_ms = 1\n';
    const files = { 'r.toml': caseWith(assertions), 'tapes/r.tape.json': tape };
    await inProject(files, async (project) => {
      const messages = async () =>
        (await results(project)).first.failures.map(({ message }: { message: string }) => message);
      assert.deepEqual(await messages(), [
        'tool_not_called: `refund` was called with {"order":"4711"} (interaction 1)',
        'max_calls: the agent called the model 3 times, at most 2 are allowed (interaction 3)',
        'each_tool_result_used: no later response has a word or number of the result of `refund`: receipt R-77 (interaction 1)',
      ]);
      await project.write('r.toml', caseWith('no_errors = true', slow));
      assert.deepEqual(await messages(), [
        'no_errors: `refund` failed: Error: `refund` timed out after 1 ms; and 1 more (interaction 1)',
      ]);
    });
  });

  it('take the model of the provider and the prices of the project for the cost', async () => {
    const only = JSON.stringify({ version: 1, case_name: 'r', interactions: [{ response: 'Done.', usage }] });
    const provider = '[llm.provider]\nkind = "ollama"\nmodel = "ours"\n';
    const files = { 'r.toml': caseWith('max_cost = 0.5', provider), 'tapes/r.tape.json': only };
    await inProject(files, async (project) => {
      const messages = async () =>
        (await results(project)).first.failures.map(({ message }: { message: string }) => message);
      assert.deepEqual(await messages(), [
        'max_cost: the price of `ours` is unknown: add it under [prices] in tapedeck.toml (interaction 1)',
      ]);
      await project.write('tapedeck.toml', '[prices]\n"ours" = { input = 600, output = 0 }\n');
      assert.deepEqual(await messages(), ['max_cost: the run cost $0.60, at most $0.50 is allowed (interaction 1)']);
      await project.write('tapedeck.toml', '[prices]\n"ours" = { input = 400, output = 0 }\n');
      assert.deepEqual(await messages(), []);
    });
  });

  it('are none of test-dsl’s business', async () => {
    await inProject(
      { 'r.toml': scripted('r', ['hello'], '[assert]\nmax_calls = 1\nmax_cost = 0\n') },
      async (project) => {
        const { code, stdout } = await tapedeck(project, 'test-dsl', 'r.toml', '--artifact-out', 'out.json');
        assert.equal(code, 0, stdout);
        assert.deepEqual((await project.json('out.json')).assertions, []);
      },
    );
  });
});

describe('a key that nobody reads', function () {
  this.timeout(60_000);

  it('is named by `run`, at its line, fails nothing, and is none of test-dsl’s business', async () => {
    await inProject({ 'a.toml': scripted('a', ['secret'], '[assert]\nnot_contians = "secret"\n') }, async (project) => {
      const { code, stdout, stderr } = await tapedeck(project, 'run', '--reporter', 'json');
      assert.equal(code, 0);
      assert.equal(JSON.parse(stdout).summary.passed, 1);
      const notice =
        'line 6: there is no assertion `not_contians`, so it is never checked. Change it to `not_contains`.';
      assert.equal(stderr, `a.toml: ${notice}\n`);
      const mofa = await tapedeck(project, 'test-dsl', 'a.toml');
      assert.deepEqual([mofa.code, mofa.stderr], [0, '']);
    });
  });
});

describe('a setting that nobody reads', function () {
  this.timeout(60_000);

  it('is named once by `run`, and by `exec`, and fails nothing', async () => {
    const config = '[provider]\nkind = "practice"\n[normalize]\npresets = []\n';
    const files = { 'a.toml': scripted('a', ['x']), 'b.toml': scripted('b', ['x']), 'tapedeck.toml': config };
    await inProject(files, async (project) => {
      const notice = 'tapedeck.toml: line 3: unknown key `normalize` is ignored. Change it to `normalise`.';
      const { code, stderr } = await tapedeck(project, 'run', '--reporter', 'json');
      assert.deepEqual([code, stderr], [0, `${notice}\n`]);
      const exec = await tapedeck(project, 'exec', '--tape', 't.tape.jsonl', '--record', '--', 'node', '-e', '0');
      assert.match(exec.stderr, /tapedeck: tapedeck\.toml: line 3: unknown key `normalize` is ignored/);
    });
  });
});

describe('the address of a case', function () {
  this.timeout(60_000);

  it('has no id where the file is one case', async () => {
    await inProject({ 'cases/a.toml': scripted('a', ['x']) }, async (project) => {
      const { code, stdout } = await tapedeck(project, 'run', 'cases/a.toml#typo');
      assert.equal(code, 2);
      assert.match(stdout, /cases\/a\.toml has no case typo\n +The file is a single case: omit #typo\./);
      assert.equal((await tapedeck(project, 'run', 'cases/a.toml')).code, 0);
    });
  });
});

describe('run is strict where MoFA is lax', function () {
  this.timeout(30_000);

  it('fails beyond the end of a script', async () => {
    const steps = `name = "a"\nprompt = "p"\n${TOOL}[[llm.steps]]\ntype = "tool_call"\ntool = "echo"\n`;
    await inProject({ 'a.toml': steps }, async (project) => {
      const { code, first } = await results(project);
      assert.deepEqual([code, first.failures[0].kind], [4, 'replay']);
      assert.match(first.failures[0].message, /script exhausted after 1 response/);
      assert.equal((await project.json('.tapedeck/runs/a.artifact.json')).runner_error, first.failures[0].message);
    });
  });

  it('fails beyond the end of a tape', async () => {
    const call = { response: '', tool_calls: [{ id: '1', name: 'echo', arguments: {} }] };
    const tape = JSON.stringify({ version: 1, case_name: 'a', interactions: [call, call] });
    await inProject({ 'a.toml': taped('a', 'a.json', TOOL), 'a.json': tape }, async (project) => {
      const { code, first } = await results(project);
      assert.deepEqual([code, first.failures[0].kind], [4, 'replay']);
      assert.match(first.failures[0].message, /replay exhausted after 2 interactions/);
      assert.deepEqual(first.toolCalls, ['echo', 'echo']);
    });
  });

  it('fails a failed assertion with both sides and its place', async () => {
    const text = scripted('a', ['abc'], '[assert]\ncontains = "xyz"\ntool_called = "echo"');
    await inProject({ 'a.toml': text }, async (project) => {
      const { code, first } = await results(project);
      assert.equal(code, 1);
      const [contains, called] = first.failures;
      assert.deepEqual([contains.expected, contains.actual], ['xyz', 'abc']);
      assert.equal(text.slice(contains.span.start, contains.span.end), '"xyz"');
      assert.equal(called.message, 'expected tool `echo` to be called, found tool calls: []');
    });
  });

  it('quotes only the beginning of a long output, and keeps the whole beside it', async () => {
    await inProject({ 'a.toml': scripted('a', ['z'.repeat(5000)], '[assert]\ncontains = "y"') }, async (project) => {
      const [failure] = (await results(project)).first.failures;
      assert.ok(failure.message.length < 300);
      assert.equal(failure.actual.length, 5000);
    });
  });
});

describe('what a case can do in a mode', function () {
  this.timeout(30_000);

  const HEAD = 'name = "a"\nprompt = "p"\n';
  const nothing: readonly (readonly [string, string, string, RegExp, RegExp])[] = [
    ['replay', 'no answers', HEAD, /^a\.toml:1:8: there is nothing to replay/, /responses = \["…"\] or tape/],
    ['record', 'no tape', HEAD, /^a\.toml:1:8: the case has no tape to record to/, /record_tape = /],
    [
      'record',
      'no provider',
      taped('a', 't.json'),
      /^a\.toml:1:8: no provider is configured/,
      /\[provider\] to tapedeck\.toml/,
    ],
    ['live', 'no provider', HEAD, /^a\.toml:1:8: no provider is configured/, /\[llm\.provider\]/],
    ['replay', 'no prompt', 'name = "a"\n[llm]\nresponses = ["x"]', /^a\.toml:1:1: test case must define/, /prompt = /],
    ['replay', 'a broken file', 'name = "a"\nprompt =', /^a\.toml:2:\d+: invalid TOML: /, /./],
  ];
  for (const [mode, what, text, message, fix] of nothing) {
    it(`--${mode} with ${what} is a case that cannot be understood`, async () => {
      await inProject({ 'a.toml': text }, async (project) => {
        const { code, first } = await results(project, 'a.toml', `--${mode}`);
        assert.equal(code, 2);
        assert.equal(first.failures[0].kind, 'case');
        assert.match(first.failures[0].message, message);
        assert.match(first.failures[0].fix, fix);
        assert.equal(typeof first.failures[0].span.start, 'number');
        assert.equal(project.has('.tapedeck/runs/a.artifact.json'), false);
      });
    });
  }

  for (const mode of ['replay', 'record', 'live']) {
    it(`--${mode} runs a script as a script`, async () => {
      await inProject({ 'a.toml': scripted('a', ['x']) }, async (project) => {
        const { code, first } = await results(project, `--${mode}`);
        assert.deepEqual([code, first.mode], [0, 'scripted']);
      });
    });
  }

  it('a tape that is not there is a replay without an answer: 4', async () => {
    await inProject({ 'a.toml': taped('a', 'no.json') }, async (project) => {
      assert.equal((await results(project)).code, 4);
    });
  });

  it('a provider that is not there is 3', async () => {
    const text = `${taped('a', 't.json')}[llm.provider]\nkind = "open_ai_compatible"\nbase_url = "http://127.0.0.1:9/v1"\n`;
    await inProject({ 'a.toml': text, 't.json': tapeOf('a', ['old']) }, async (project) => {
      const { code, stderr, first } = await results(project, '--record');
      assert.deepEqual([code, first.failures[0].kind], [3, 'unreachable']);
      assert.match(stderr, /attempt 2 of 3/, 'a person who waits is told why');
      assert.equal(await project.read('t.json'), tapeOf('a', ['old']));
      assert.equal(first.recording, undefined);
    });
  });

  it('records with the provider of the case, keeps the take before, and replays what it recorded', async () => {
    let answer = 'first';
    const server = await serve((response) => sendJson(response, 200, completion(answer)));
    try {
      const text = `${taped('a', 't.json')}[llm.provider]\nkind = "open_ai_compatible"\nbase_url = "${server.baseUrl}"\n`;
      await inProject({ 'a.toml': text }, async (project) => {
        const first = await results(project, '--record');
        assert.deepEqual(first.first.recording, { tapePath: 't.json', interactions: 1 });
        answer = 'second';
        const second = await results(project, '--record');
        const { previousTakePath } = second.first.recording;
        assert.match(previousTakePath, /\.tapedeck\/takes\/t\.json\/.*\.json$/);
        assert.match(await project.read(previousTakePath), /"response": "first"/);
        assert.equal((await results(project)).first.outputText, 'second');
        assert.equal(server.requests.length, 2, 'a replay calls nobody');
      });
    } finally {
      await server.close();
    }
  });

  it('--live asks the provider and leaves the tape alone', async () => {
    const server = await serve((response) => sendJson(response, 200, completion('live')));
    try {
      const text = `${taped('a', 't.json')}[llm.provider]\nkind = "open_ai_compatible"\nbase_url = "${server.baseUrl}"\n`;
      await inProject({ 'a.toml': text, 't.json': tapeOf('a', ['old']) }, async (project) => {
        const { first } = await results(project, '--live');
        assert.deepEqual([first.mode, first.outputText], ['live', 'live']);
        assert.equal(await project.read('t.json'), tapeOf('a', ['old']));
      });
    } finally {
      await server.close();
    }
  });

  it('records with the provider of tapedeck.toml where the case has none, and says where that is wrong', async () => {
    const files = { 'deep/a.toml': taped('a', 't.json'), 'tapedeck.toml': '[provider]\nkind = "practice"\n' };
    await inProject(files, async (project) => {
      const recorded = await results(project, '--record');
      assert.deepEqual([recorded.code, recorded.first.mode], [0, 'record']);
      assert.ok(project.has('deep/t.json'));
      await project.write('tapedeck.toml', '[provider]\nkind = "telepathy"\n');
      const broken = await results(project, '--record');
      assert.equal(broken.code, 2);
      assert.match(broken.first.failures[0].message, /^tapedeck\.toml:2:8: unsupported llm provider kind: telepathy/);
      assert.equal(broken.first.failures[0].span, undefined, 'its place is not one in the case');
      assert.equal((await results(project)).code, 2, 'what is to be hidden stands in the same file');
    });
  });
});

describe('the exit code of several cases', function () {
  this.timeout(30_000);

  it('is that of the cause to look at first', async () => {
    const failing = scripted('f', ['x'], '[assert]\ncontains = "y"');
    await inProject({ 'ok.toml': scripted('ok', ['x']), 'failing.toml': failing }, async (project) => {
      assert.equal((await results(project)).code, 1);
      await project.write('drifted.toml', taped('d', 'no.json'));
      assert.equal((await results(project)).code, 4);
      await project.write('broken.toml', 'prompt = "p"\n[llm]\n');
      const { code, summary } = await results(project);
      assert.equal(code, 2);
      assert.deepEqual({ ...summary, durationMs: 0 }, { total: 4, passed: 1, failed: 3, cancelled: 0, durationMs: 0 });
    });
  });
});
