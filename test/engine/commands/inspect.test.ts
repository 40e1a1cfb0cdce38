import assert from 'node:assert/strict';
import { inProject, scripted, tapeOf } from '../../harness/builtEngine';
import { inCorpus } from '../../harness/engineCorpus';
import { tapedeck } from '../../harness/inProcess';

const TAPE = JSON.stringify(
  {
    version: 1,
    case_name: 'weather',
    interactions: [
      {
        request: {
          messages: [
            { role: 'system', content: 'Be brief.', tool_call_id: null, tool_calls: [] },
            { role: 'user', content: 'How is it?', tool_call_id: null, tool_calls: [] },
          ],
          model: 'm-1',
          temperature: 0.5,
          max_tokens: null,
          tool_names: ['weather'],
        },
        response: '',
        tool_calls: [{ id: 'c1', name: 'weather', arguments: { city: 'Berlin' } }],
        usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
      },
      {
        request: {
          messages: [
            { role: 'system', content: 'Be brief.', tool_call_id: null, tool_calls: [] },
            { role: 'user', content: 'How is it?', tool_call_id: null, tool_calls: [] },
            {
              role: 'assistant',
              content: '',
              tool_call_id: null,
              tool_calls: [{ id: 'c1', name: 'weather', arguments: { city: 'Berlin' } }],
            },
            { role: 'tool', content: 'sunny\u001B[31m', tool_call_id: 'c1', tool_calls: [] },
          ],
          model: 'm-1',
          temperature: null,
          max_tokens: null,
          tool_names: [],
        },
        response: 'It is sunny.',
        tool_calls: [],
        usage: { prompt_tokens: 20, completion_tokens: 4, total_tokens: 24 },
      },
    ],
  },
  null,
  2,
);

describe('inspect', function () {
  this.timeout(30_000);

  it('shows a tape as a conversation', async () => {
    await inProject({ 't.json': TAPE }, async (project) => {
      const { code, stdout, stderr } = await tapedeck(project, 'inspect', 't.json');
      assert.deepEqual([code, stderr], [0, '']);
      assert.equal(
        stdout,
        `weather  MoFA tape, 2 interactions, 1 tool call, 30 in, 9 out: 39 tokens, no price known for 2 responses

── interaction 1 of 2 ──
system
  Be brief.
user
  How is it?
assistant  m-1, 10 in, 5 out: 15 tokens
  → weather {
    "city": "Berlin"
  }
  ← sunny\\u001b[31m

── interaction 2 of 2 ──
~ Tool weather removed since interaction 1
  [-{
    "name": "weather"
  }-]
~ Parameter temperature changed since interaction 1
  [-0.5-]
assistant  m-1, 20 in, 4 out: 24 tokens
  It is sunny.
`,
      );
    });
  });

  it('says what each interaction cost', async () => {
    const tape = JSON.parse(TAPE);
    tape.interactions[0].request.model = 'gpt-4o';
    tape.interactions[0].usage = { prompt_tokens: 10_000, completion_tokens: 5, total_tokens: 10_005 };
    await inProject({ 't.json': JSON.stringify(tape) }, async (project) => {
      const { stdout } = await tapedeck(project, 'inspect', 't.json');
      assert.match(stdout, /\nassistant {2}gpt-4o, 10000 in, 5 out: 10005 tokens, \$0\.025\n/);
      const printed = JSON.parse((await tapedeck(project, 'inspect', 't.json', '--json')).stdout);
      const costs = printed.interactions.map(({ cost }: { cost: number | null }) => cost);
      assert.deepEqual(costs, [0.02505, null]);
    });
  });

  it('says where a request was sent again', async () => {
    const { interactions, ...rest } = JSON.parse(TAPE);
    const twice = JSON.stringify({ ...rest, interactions: [interactions[0], interactions[0]] });
    await inProject({ 't.json': twice }, async (project) => {
      const { stdout } = await tapedeck(project, 'inspect', 't.json');
      assert.match(stdout, /── interaction 2 of 2 ──\nthe request of interaction 1 again\nassistant/);
    });
  });

  it('shows the beginning of a very long text, and hides a secret that is cut there', async () => {
    const { interactions, ...rest } = JSON.parse(TAPE);
    const secret = `sk-proj-${'Ab3dE9fGh1'.repeat(5)}`;
    const response = `${'words '.repeat(174_760)}${secret} ${'more '.repeat(1000)}`;
    const long = JSON.stringify({ ...rest, interactions: [{ ...interactions[1], response }] });
    await inProject({ 't.json': long }, async (project) => {
      const { code, stdout } = await tapedeck(project, 'inspect', 't.json');
      assert.equal(code, 0);
      assert.doesNotMatch(stdout, /sk-proj/);
      const [, more] = /…\n {2}\(([\d,]+) more characters; --json prints all of them\)\n$/.exec(stdout) ?? [];
      assert.equal(Number(more?.replaceAll(',', '')), response.length - 2 ** 20);
    });
  });

  it('--json has the documented shape', async () => {
    await inProject({ 't.json': TAPE }, async (project) => {
      const { code, stdout } = await tapedeck(project, 'inspect', 't.json', '--json');
      assert.equal(code, 0);
      const { ok, format, name, interactions, totals, problems, ...more } = JSON.parse(stdout);
      assert.deepEqual([ok, format, name, problems, more], [true, 'mofa', 'weather', [], {}]);
      assert.deepEqual(totals, {
        interactions: 2,
        toolCalls: 1,
        usage: { promptTokens: 30, completionTokens: 9, totalTokens: 39 },
        unpriced: 2,
      });
      const [{ source, ...first }] = interactions;
      const calls = [{ id: 'c1', name: 'weather', arguments: { city: 'Berlin' } }];
      assert.equal(JSON.parse(TAPE.slice(source.start, source.end)).tool_calls[0].id, 'c1');
      assert.deepEqual(first, {
        index: 0,
        kind: 'llm',
        model: 'm-1',
        request: {
          messages: [
            { role: 'system', content: 'Be brief.', toolCalls: [] },
            { role: 'user', content: 'How is it?', toolCalls: [] },
          ],
          tools: [{ name: 'weather' }],
          params: { temperature: 0.5 },
        },
        response: {
          message: { role: 'assistant', content: '', toolCalls: calls },
          toolCalls: calls,
          usage: { promptTokens: 10, completionTokens: 5, totalTokens: 15 },
          finishReason: null,
          error: null,
        },
        timing: null,
        cost: null,
      });
    });
  });

  it('shows what can be read of a broken tape, what is wrong at its place, and ends with 1', async () => {
    const broken = TAPE.replace('"response": "It is sunny."', '"response": null');
    await inProject({ 't.json': broken }, async (project) => {
      const { code, stdout } = await tapedeck(project, 'inspect', 't.json');
      assert.equal(code, 1);
      const line = broken.slice(0, broken.indexOf('"response": null')).split('\n').length;
      assert.match(stdout, new RegExp(`\nt\\.json:${line}:\\d+: error: .response. must be a string\n {2}MoFA stores`));
      assert.match(stdout, /Be brief\./);
      const { problems } = JSON.parse((await tapedeck(project, 'inspect', 't.json', '--json')).stdout);
      assert.deepEqual([problems[0].severity, problems[0].line], ['error', line]);
    });
  });

  it('ends with 2, and says what it is, for a file that is no tape', async () => {
    await inProject(
      { 'a.toml': scripted('a', ['x']), 'b.json': '{"hello": 1}', 't.json': tapeOf('t', []) },
      async (project) => {
        await tapedeck(project, 'run', '--update-baselines');
        const cases = [
          ['a.toml', /a\.toml is a case, not a recording\n {2}Run it: tapedeck run a\.toml/],
          ['b.json', /b\.json is neither a tape nor an artifact/],
          [
            'a.baseline.json',
            /a\.baseline\.json is the artifact of a run of a, not a tape\n {2}Compare it with another: tapedeck diff/,
          ],
          ['no.json', /no\.json: there is no such file/],
          ['.', /\.: this is a folder, not a file/],
        ] as const;
        for (const [path, message] of cases) {
          const { code, stdout, stderr } = await tapedeck(project, 'inspect', path, '--json');
          assert.deepEqual([code, stdout], [2, ''], path);
          assert.match(stderr, message);
        }
        assert.equal((await tapedeck(project, 'inspect', 't.json')).code, 0, 'an empty tape is a warning');
      },
    );
  });

  it("reads MoFA's own tapes", async function () {
    await inCorpus(this, 'mofa-project/tests/fixtures', async (project) => {
      const { code, stdout } = await tapedeck(project, 'inspect', 'simple_agent_recorded.tape.json', '--json');
      assert.equal(code, 0);
      const { name, totals } = JSON.parse(stdout);
      assert.deepEqual([name, totals.usage.totalTokens], ['simple_agent_record', 309]);
    });
  });
});
