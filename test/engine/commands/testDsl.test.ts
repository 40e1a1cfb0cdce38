import assert from 'node:assert/strict';
import { inProject, taped, tapeOf } from '../../harness/builtEngine';
import { inCorpus } from '../../harness/engineCorpus';
import { tapedeck } from '../../harness/inProcess';

const EXAMPLES = 'tests/examples';

describe("test-dsl on MoFA's own cases", function () {
  this.timeout(30_000);

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
        const { code, stdout, stderr } = await tapedeck(project, 'test-dsl', `${EXAMPLES}/${name}.toml`);
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
        const { code, stdout } = await tapedeck(project, ...args);
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
        const { code, stdout, stderr } = await tapedeck(project, 'test-dsl', `${EXAMPLES}/${name}.toml`);
        assert.deepEqual([code, stdout], [1, '']);
        assert.match(stderr, /^DSL test failed: missing environment variable `GROQ_API_KEY` for llm provider\n/);
        assert.equal(await project.read(tape), before);
      });
    });
  }
});

describe('test-dsl is as lax as MoFA', function () {
  this.timeout(30_000);

  it('answers with a stock answer beyond the end of a script, or without one', async () => {
    await inProject({ 'a.toml': 'name = "n"\nprompt = "p"' }, async (project) => {
      const { code, stdout } = await tapedeck(project, 'test-dsl', 'a.toml');
      assert.equal(code, 0);
      assert.match(stdout, /output: This is a mock response\.\n/);
    });
  });

  it('repeats the last interaction of a tape that is too short', async () => {
    const tool = '[[tools]]\nname = "t"\ndescription = "d"\nschema = {}\n';
    const tape = JSON.stringify({
      version: 1,
      case_name: 'n',
      interactions: [{ response: '', tool_calls: [{ id: '1', name: 't', arguments: {} }] }],
    });
    await inProject({ 'a.toml': taped('n', 't.json', tool), 't.json': tape }, async (project) => {
      const { stdout } = await tapedeck(project, 'test-dsl', 'a.toml');
      assert.match(stdout, /tool_calls: t(, t)+\n/);
    });
  });

  it('takes `responses` beside a tape as not being there', async () => {
    const text = taped('n', 't.json', 'responses = ["from the script"]');
    await inProject({ 'a.toml': text, 't.json': tapeOf('n', ['from the tape']) }, async (project) => {
      assert.match((await tapedeck(project, 'test-dsl', 'a.toml')).stdout, /output: from the tape\n/);
    });
  });
});
