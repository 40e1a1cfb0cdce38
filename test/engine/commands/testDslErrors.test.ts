import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { inProject, scripted, taped, tapeOf } from '../../harness/builtEngine';
import { tapedeck } from '../../harness/inProcess';

describe('the errors of test-dsl', function () {
  this.timeout(30_000);

  const PROVIDER = '[llm.provider]\nkind = "open_ai_compatible"\nbase_url = "https://api.example.com/v1"\n';
  const HEAD = 'name = "n"\nprompt = "p"\n';
  const errors: readonly (readonly [string, string, string, string?])[] = [
    ['broken TOML', 'name = "n"\nprompt = \n', 'failed to parse TOML DSL: ', 'a.toml:2:'],
    ['a missing name', 'prompt = "p"', 'failed to parse TOML DSL: missing field `name`', 'a.toml:1:1'],
    [
      'a wrong type',
      'name = "n"\nprompt = 3',
      'failed to parse TOML DSL: invalid type: number, expected a string',
      'a.toml:2:10',
    ],
    [
      'an unknown step',
      `${HEAD}[[llm.steps]]\ntype = "dance"`,
      'failed to parse TOML DSL: unknown variant `dance`, expected `text` or `tool_call`',
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
    ],
    ['a provider without record_tape', `${HEAD}${PROVIDER}`, 'provider-backed llm requires record_tape'],
    [
      'an unknown provider',
      `${HEAD}[llm]\nrecord_tape = "t.json"\n[llm.provider]\nkind = "telepathy"`,
      'failed to parse TOML DSL: unknown variant `telepathy`, expected `open_ai_compatible` or `ollama`',
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
    ],
  ];
  for (const [what, text, message, place] of errors) {
    it(`${what}: ${message}`, async () => {
      await inProject({ 'a.toml': text, 'empty.json': tapeOf('n', []) }, async (project) => {
        const { code, stderr } = await tapedeck(project, 'test-dsl', 'a.toml');
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
      const { code, stdout, stderr } = await tapedeck(project, 'test-dsl', 'no.toml');
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, /^DSL test failed: failed to read DSL file: there is no such file\n {2}.*no\.toml\n$/);
    });
  });

  it('a file that is not UTF-8: failed to read DSL file, and run refuses it too', async () => {
    await inProject({}, async (project) => {
      const latin1 = Buffer.from('name = "a"\nprompt = "Grüße"\n[llm]\nresponses = ["Tschüs"]\n', 'latin1');
      writeFileSync(project.path('a.toml'), latin1);
      const dsl = await tapedeck(project, 'test-dsl', 'a.toml');
      assert.notEqual(dsl.code, 0);
      assert.match(dsl.stderr, /^DSL test failed: failed to read DSL file: it is not UTF-8\n/);
      const run = await tapedeck(project, 'run', 'a.toml');
      assert.equal(run.code, 2);
      assert.match(`${run.stdout}${run.stderr}`, /a\.toml: the file is not UTF-8/);
    });
  });

  it('a response that never came: a failed run with its reason, which fails only an assertion', async () => {
    const text = `${HEAD}[llm]\nrecord_tape = "t.json"\n[llm.provider]\nkind = "open_ai_compatible"\nbase_url = "http://127.0.0.1:9/v1"\n`;
    await inProject({ 'a.toml': `${text}[assert]\ncontains = "x"`, 'b.toml': text }, async (project) => {
      const reason =
        /^the run failed: Agent execution failed: error sending request for url \(http:\/\/127\.0\.0\.1:9\//;
      const asserted = await tapedeck(project, 'test-dsl', 'a.toml');
      assert.equal(asserted.code, 1);
      assert.match(asserted.stdout, /^case: n\nstatus: failed\nduration_ms: \d+\n$/);
      assert.match(asserted.stderr, reason);
      assert.match(asserted.stderr, /\nDSL test failed: run produced no text output\n {2}a\.toml\n$/);
      const bare = await tapedeck(project, 'test-dsl', 'b.toml');
      assert.equal(bare.code, 0);
      assert.match(bare.stderr, reason);
      assert.equal(project.has('t.json'), false);
    });
  });

  it('fails an assertion only after all is written and printed', async () => {
    await inProject({ 'a.toml': scripted('n', ['abc'], '[assert]\ncontains = "x"') }, async (project) => {
      const { code, stdout } = await tapedeck(project, 'test-dsl', 'a.toml', '--artifact-out', 'a.json');
      assert.equal(code, 1);
      assert.match(stdout, /^case: n\nstatus: passed\noutput: abc\n/, '`status` knows nothing of assertions');
      assert.equal((await project.json('a.json')).status, 'failed');
    });
  });
});
