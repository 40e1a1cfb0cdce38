import assert from 'node:assert/strict';
import { ARTIFACT_KEYS } from '../core/runs/artifacts';
import { buildEngine, inProject, scripted, type TestProject, taped, tapeOf } from './builtEngine';
import { inCorpus } from './corpus';

const EXAMPLES = 'tests/examples';

describe("test-dsl on MoFA's own cases", function () {
  this.timeout(30_000);
  before(buildEngine);

  const expected: readonly (readonly [string, readonly string[]])[] = [
    ['simple_agent', ['case: simple_agent_run', 'status: passed', 'output: hello from DSL']],
    ['simple_agent_tape', ['case: simple_agent_run', 'status: passed', 'output: hello from tape']],
    ['bootstrap_agent', ['case: bootstrap_agent_run', 'status: passed', 'output: Bootstrapped response']],
    [
      'tool_agent',
      ['case: tool_agent_run', 'status: passed', 'output: Tool execution complete', 'tool_calls: echo_tool'],
    ],
  ];
  for (const [name, lines] of expected) {
    it(`${name} prints what MoFA prints, line for line`, async function () {
      await inCorpus(this, 'mofa-project', async (project) => {
        const { code, stdout, stderr } = await project.engine(['test-dsl', `${EXAMPLES}/${name}.toml`]);
        assert.deepEqual([code, stderr], [0, '']);
        const printed = stdout.split('\n');
        assert.match(printed.splice(lines.length, 1)[0] ?? '', /^duration_ms: \d+$/);
        assert.deepEqual(printed, [...lines, '']);
      });
    });
  }

  for (const [where, args] of [
    ['before', ['--output-format', 'json', 'test-dsl', `${EXAMPLES}/tool_agent.toml`]],
    ['before, with =', ['--output-format=json', 'test-dsl', `${EXAMPLES}/tool_agent.toml`]],
    ['after', ['test-dsl', `${EXAMPLES}/tool_agent.toml`, '--output-format', 'json']],
  ] as const) {
    it(`tool_agent as JSON, with --output-format ${where} the command`, async function () {
      await inCorpus(this, 'mofa-project', async (project) => {
        const { code, stdout } = await project.engine(args);
        assert.equal(code, 0);
        assert.match(stdout, /"success": true/);
        const summary = JSON.parse(stdout);
        assert.deepEqual(Object.keys(summary), ['success', 'case', 'baseline']);
        const { duration_ms, workspace_root, ...rest } = summary.case;
        assert.ok(Number.isInteger(duration_ms));
        assert.equal(typeof workspace_root, 'string');
        assert.deepEqual(rest, {
          name: 'tool_agent_run',
          success: true,
          output_text: 'Tool execution complete',
          tool_calls: ['echo_tool'],
          baseline_matches: null,
        });
        assert.deepEqual(Object.keys(summary.case), [
          'name',
          'success',
          'output_text',
          'duration_ms',
          'tool_calls',
          'workspace_root',
          'baseline_matches',
        ]);
        assert.equal(summary.baseline, null);
      });
    });
  }

  for (const name of ['record_case_gpt_oss_120b', 'simple_agent_llama_record']) {
    it(`${name} says which key is missing, and leaves the tape alone`, async function () {
      await inCorpus(this, 'mofa-project', async (project) => {
        const tape = 'tests/fixtures/simple_agent_recorded.tape.json';
        const before = await project.read(tape);
        const { code, stdout, stderr } = await project.engine(['test-dsl', `${EXAMPLES}/${name}.toml`]);
        assert.deepEqual([code, stdout], [1, '']);
        assert.match(stderr, /^DSL test failed: missing environment variable `GROQ_API_KEY` for llm provider\n/);
        assert.equal(await project.read(tape), before);
      });
    });
  }
});

describe('the files of test-dsl', function () {
  this.timeout(30_000);
  before(buildEngine);

  const CASE = scripted('greeting', ['hello'], '[assert]\ncontains = "hello"');
  const inCase = (test: (project: TestProject) => Promise<void>, text = CASE) => inProject({ 'a.toml': text }, test);

  it('--artifact-out and --baseline-out write the artifact with MoFA’s fields, in order, without a final newline', async () => {
    await inCase(async (project) => {
      const flags = ['--artifact-out', 'out/a.json', '--baseline-out', 'b.json'];
      assert.equal((await project.engine(['test-dsl', 'a.toml', ...flags])).code, 0);
      const text = await project.read('out/a.json');
      assert.equal(await project.read('b.json'), text);
      assert.equal(text.endsWith('}'), true);
      const artifact = JSON.parse(text);
      assert.deepEqual(Object.keys(artifact), [...ARTIFACT_KEYS, 'tapedeck']);
      assert.deepEqual(artifact.assertions, [{ kind: 'contains', expected: 'hello', actual: 'hello', passed: true }]);
      assert.equal(artifact.status, 'passed');
      assert.deepEqual(Object.keys(artifact.llm_request), [
        'model',
        'temperature',
        'max_tokens',
        'messages',
        'tool_names',
      ]);
      assert.deepEqual(artifact.llm_response, { content: 'hello', tool_calls: [], usage: null });
      assert.equal(project.has('.tapedeck'), false, 'test-dsl keeps no runs');
    });
  });

  it('--baseline-in that matches says so', async () => {
    await inCase(async (project) => {
      await project.engine(['test-dsl', 'a.toml', '--baseline-out', 'b.json']);
      const { code, stdout } = await project.engine([
        'test-dsl',
        'a.toml',
        '--baseline-in',
        'b.json',
        '--fail-on-diff',
      ]);
      assert.equal(code, 0);
      assert.match(stdout, /\nduration_ms: \d+\nbaseline: matched\n$/);
    });
  });

  /** A project whose case has changed its output since the baseline. */
  const changed = (test: (project: TestProject) => Promise<void>) =>
    inCase(async (project) => {
      await project.engine(['test-dsl', 'a.toml', '--baseline-out', 'b.json']);
      await project.write('a.toml', scripted('greeting', ['hello, you'], '[assert]\ncontains = "hello"'));
      await test(project);
    });

  it('--baseline-in that differs says where, and still ends with 0', async () => {
    await changed(async (project) => {
      const { code, stdout, stderr } = await project.engine(['test-dsl', 'a.toml', '--baseline-in', 'b.json']);
      assert.deepEqual([code, stderr], [0, '']);
      assert.match(stdout, /\nduration_ms: \d+\nbaseline: mismatch\ndifference: output_text\n$/);
    });
  });

  it('--fail-on-diff makes that a 1, after everything is written and printed', async () => {
    await changed(async (project) => {
      const flags = [
        '--baseline-in',
        'b.json',
        '--fail-on-diff',
        '--artifact-out',
        'a.json',
        '--comparison-out',
        'c.json',
      ];
      const { code, stdout, stderr } = await project.engine(['test-dsl', 'a.toml', ...flags]);
      assert.equal(code, 1);
      assert.match(stdout, /baseline: mismatch/);
      assert.equal(stderr, 'baseline comparison mismatch\n');
      assert.ok(project.has('a.json') && project.has('c.json'));
    });
  });

  it('shows the comparison in the JSON output', async () => {
    await changed(async (project) => {
      const flags = ['--baseline-in', 'b.json', '--output-format', 'json'];
      const summary = JSON.parse((await project.engine(['test-dsl', 'a.toml', ...flags])).stdout);
      assert.equal(summary.case.baseline_matches, false);
      assert.deepEqual(summary.baseline, {
        matches: false,
        differences: [{ field: 'output_text', expected: 'hello', actual: 'hello, you' }],
      });
    });
  });

  it('--comparison-out writes the comparison', async () => {
    await changed(async (project) => {
      const flags = ['--baseline-in', 'b.json', '--comparison-out', 'c.json', '--artifact-out', 'a.json'];
      assert.equal((await project.engine(['test-dsl', 'a.toml', ...flags])).code, 0);
      const [baseline, candidate] = [await project.json('b.json'), await project.json('a.json')];
      const text = await project.read('c.json');
      assert.equal(text.endsWith('}'), true);
      assert.deepEqual(JSON.parse(text), {
        case_name: 'greeting',
        matches: false,
        differences: [{ field: 'output_text', expected: 'hello', actual: 'hello, you' }],
        baseline_execution_id: baseline.execution_id,
        candidate_execution_id: candidate.execution_id,
      });
    });
  });

  it('--comparison-out without a baseline fails, after the artifact is written', async () => {
    await inCase(async (project) => {
      const flags = ['--comparison-out', 'c.json', '--artifact-out', 'a.json', '--report-out', 'r.json'];
      const { code, stdout, stderr } = await project.engine(['test-dsl', 'a.toml', ...flags]);
      assert.deepEqual([code, stdout, stderr], [1, '', 'comparison output requires --baseline-in\n']);
      assert.deepEqual([project.has('a.json'), project.has('c.json'), project.has('r.json')], [true, false, false]);
    });
  });

  it('compares with the baseline that was there when --baseline-out names the same file', async () => {
    await changed(async (project) => {
      const flags = ['--baseline-in', 'b.json', '--baseline-out', 'b.json'];
      assert.match((await project.engine(['test-dsl', 'a.toml', ...flags])).stdout, /baseline: mismatch/);
      assert.match((await project.engine(['test-dsl', 'a.toml', ...flags])).stdout, /baseline: matched/);
    });
  });

  it('--report-out writes JSON', async () => {
    await inCase(async (project) => {
      await project.engine(['test-dsl', 'a.toml', '--report-out', 'r.json', '--artifact-out', 'a.json']);
      const artifact = await project.json('a.json');
      const { timestamp, total_duration_ms, ...report } = await project.json('r.json');
      assert.ok(Math.abs(Date.now() - Number(timestamp)) < 60_000);
      assert.ok(Number.isInteger(total_duration_ms));
      assert.deepEqual(report, {
        suite: 'dsl',
        summary: { total: 1, passed: 1, failed: 0, skipped: 0, pass_rate: 1 },
        results: [
          {
            name: 'greeting',
            status: 'passed',
            duration_ms: artifact.duration_ms,
            metadata: {
              execution_id: artifact.execution_id,
              workspace_root: artifact.workspace_root,
              tool_calls: '',
            },
          },
        ],
      });
    });
  });

  it('--report-out writes text, with the reason of a failure', async () => {
    await inCase(
      async (project) => {
        const flags = ['--report-out', 'r.txt', '--report-format', 'text'];
        assert.equal((await project.engine(['test-dsl', 'a.toml', ...flags])).code, 1);
        const text = await project.read('r.txt');
        assert.match(
          text,
          /^=== dsl ===\n\[x\] greeting \.\. \d+ms\n {5}error: expected output to contain `bye`, got `hello`\n\nTotal: 1 \| Passed: 0 \| Failed: 1 \| Skipped: 0\nPass rate: 0\.0% \| Duration: \d+ms\n$/,
        );
      },
      scripted('greeting', ['hello'], '[assert]\ncontains = "bye"'),
    );
  });

  it('says so when a file cannot be written', async () => {
    await inCase(async (project) => {
      const { code, stderr } = await project.engine(['test-dsl', 'a.toml', '--artifact-out', 'a.toml/b.json']);
      assert.equal(code, 1);
      assert.match(stderr, /^failed to write a\.toml\/b\.json: /);
    });
  });

  it('says so when the baseline is not there, or is none', async () => {
    await inCase(async (project) => {
      const missing = await project.engine(['test-dsl', 'a.toml', '--baseline-in', 'no.json']);
      assert.deepEqual([missing.code, missing.stdout], [1, '']);
      assert.match(missing.stderr, /^failed to read the baseline: no\.json: there is no such file\n/);
      await project.write('no.json', '{\n  "case_name": 1\n}');
      const broken = await project.engine(['test-dsl', 'a.toml', '--baseline-in', 'no.json']);
      assert.equal(broken.code, 1);
      assert.match(broken.stderr, /^failed to read the baseline: no\.json:\d+:\d+: /);
    });
  });
});

describe('the errors of test-dsl', function () {
  this.timeout(30_000);
  before(buildEngine);

  const PROVIDER = '[llm.provider]\nkind = "open_ai_compatible"\nbase_url = "https://api.example.com/v1"\n';
  const HEAD = 'name = "n"\nprompt = "p"\n';
  const errors: readonly (readonly [string, string, string, string?])[] = [
    ['broken TOML', 'name = "n"\nprompt = \n', 'failed to parse TOML DSL: ', 'a.toml:2:'],
    ['a missing name', 'prompt = "p"', 'failed to parse TOML DSL: missing field `name`', 'a.toml:1:1'],
    ['a wrong type', 'name = "n"\nprompt = 3', 'failed to parse TOML DSL: `prompt` must be a string', 'a.toml:2:10'],
    [
      'an unknown step',
      `${HEAD}[[llm.steps]]\ntype = "dance"`,
      'failed to parse TOML DSL: unknown step type: dance',
      'a.toml:4:8',
    ],
    ['no prompt', 'name = "n"', 'test case must define either `prompt` or `input`'],
    [
      'an output without the text',
      scripted('n', ['abc'], '[assert]\ncontains = "x"'),
      'expected output to contain `x`, got `abc`',
    ],
    [
      'a tool that is not called',
      scripted('n', ['abc'], '[assert]\ntool_called = "t"'),
      'expected tool `t` to be called, found tool calls: []',
    ],
    [
      'a provider beside a script',
      `${HEAD}[llm]\nresponses = ["a"]\nrecord_tape = "t.json"\n${PROVIDER}`,
      'provider-backed llm cannot be combined with inline responses, steps, or replay tape',
      'a.toml:6:',
    ],
    [
      'a provider beside a tape',
      `${HEAD}[llm]\ntape = "t.json"\nrecord_tape = "t.json"\n${PROVIDER}`,
      'provider-backed llm cannot be combined with inline responses, steps, or replay tape',
    ],
    [
      'record_tape without a provider',
      `${HEAD}[llm]\nrecord_tape = "t.json"`,
      'record_tape requires a provider-backed llm',
      'a.toml:4:',
    ],
    ['a provider without record_tape', `${HEAD}${PROVIDER}`, 'provider-backed llm requires record_tape'],
    [
      'an unknown provider',
      `${HEAD}[llm]\nrecord_tape = "t.json"\n[llm.provider]\nkind = "telepathy"`,
      'unsupported llm provider kind: telepathy',
      'a.toml:6:8',
    ],
    [
      'a missing key',
      `${HEAD}[llm]\nrecord_tape = "t.json"\n${PROVIDER}api_key_env = "THE_KEY"`,
      'missing environment variable `THE_KEY` for llm provider',
    ],
    ['a tape that is not there', taped('n', 'no.json'), 'replay error: failed to read tape file: '],
    ['a tape that is none', taped('n', 'a.toml'), 'replay error: failed to parse tape JSON: '],
    ['an empty tape', taped('n', 'empty.json'), 'replay error: tape has no interactions'],
    [
      'a tape beside steps, on which MoFA panics',
      `${taped('n', 'empty.json')}[[llm.steps]]\ntype = "text"`,
      '`tape` cannot be combined with `steps`',
      'a.toml:4:8',
    ],
  ];
  for (const [what, text, message, place] of errors) {
    it(`${what}: ${message}`, async () => {
      await inProject({ 'a.toml': text, 'empty.json': tapeOf('n', []) }, async (project) => {
        const { code, stderr } = await project.engine(['test-dsl', 'a.toml']);
        assert.equal(code, 1);
        const [head, ...details] = stderr.trimEnd().split('\n');
        assert.ok(head?.startsWith(`DSL test failed: ${message}`), stderr);
        assert.ok(
          details.length > 0 && details.every((line) => line.startsWith('  ')),
          'the place and the way out follow',
        );
        assert.ok(details[0]?.startsWith(`  ${place ?? 'a.toml'}`), stderr);
      });
    });
  }

  it('a file that is not there: failed to read DSL file', async () => {
    await inProject({}, async (project) => {
      const { code, stdout, stderr } = await project.engine(['test-dsl', 'no.toml']);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, /^DSL test failed: failed to read DSL file: there is no such file\n {2}.*no\.toml\n$/);
    });
  });

  it('an answer that never came: run produced no text output, with the reason below and the summary before', async () => {
    const text = `${HEAD}[llm]\nrecord_tape = "t.json"\n[llm.provider]\nkind = "open_ai_compatible"\nbase_url = "http://127.0.0.1:9/v1"\n`;
    await inProject({ 'a.toml': `${text}[assert]\ncontains = "x"`, 'b.toml': text }, async (project) => {
      const asserted = await project.engine(['test-dsl', 'a.toml']);
      assert.equal(asserted.code, 1);
      assert.match(asserted.stdout, /^case: n\nstatus: failed\nduration_ms: \d+\n$/);
      assert.match(
        asserted.stderr,
        /\nDSL test failed: run produced no text output\n {2}a\.toml\n {2}runner error: could not reach 127\.0\.0\.1:9/,
      );
      const bare = await project.engine(['test-dsl', 'b.toml']);
      assert.equal(bare.code, 1);
      assert.match(bare.stderr, /\nDSL test failed: runner error: could not reach 127\.0\.0\.1:9/);
      assert.equal(project.has('t.json'), false);
    });
  });

  it('fails an assertion only after all is written and printed', async () => {
    await inProject({ 'a.toml': scripted('n', ['abc'], '[assert]\ncontains = "x"') }, async (project) => {
      const { code, stdout } = await project.engine(['test-dsl', 'a.toml', '--artifact-out', 'a.json']);
      assert.equal(code, 1);
      assert.match(stdout, /^case: n\nstatus: passed\noutput: abc\n/, '`status` knows nothing of assertions');
      assert.equal((await project.json('a.json')).status, 'failed');
    });
  });
});

describe('test-dsl is as lax as MoFA', function () {
  this.timeout(30_000);
  before(buildEngine);

  it('answers with a stock answer beyond the end of a script, or without one', async () => {
    await inProject({ 'a.toml': 'name = "n"\nprompt = "p"' }, async (project) => {
      const { code, stdout } = await project.engine(['test-dsl', 'a.toml']);
      assert.equal(code, 0);
      assert.match(stdout, /output: This is a mock response\.\n/);
    });
  });

  it('repeats the last interaction of a tape that is too short', async () => {
    const tool = '[[tools]]\nname = "t"\ndescription = "d"\n';
    const tape = JSON.stringify({
      version: 1,
      case_name: 'n',
      interactions: [{ response: '', tool_calls: [{ id: '1', name: 't', arguments: {} }] }],
    });
    await inProject({ 'a.toml': taped('n', 't.json', tool), 't.json': tape }, async (project) => {
      const { stdout } = await project.engine(['test-dsl', 'a.toml']);
      assert.match(stdout, /tool_calls: t(, t)+\n/);
    });
  });

  it('takes `responses` beside a tape as not being there', async () => {
    const text = taped('n', 't.json', 'responses = ["from the script"]');
    await inProject({ 'a.toml': text, 't.json': tapeOf('n', ['from the tape']) }, async (project) => {
      assert.match((await project.engine(['test-dsl', 'a.toml'])).stdout, /output: from the tape\n/);
    });
  });
});
