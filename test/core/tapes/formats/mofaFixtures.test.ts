import assert from 'node:assert/strict';
import fc from 'fast-check';
import { jsonEqual } from '../../../../src/core/json/json';
import type { Interaction } from '../../../../src/core/model/interaction';
import type { TapeFormat } from '../../../../src/core/tapes/format';
import { mofaFormat } from '../../../../src/core/tapes/formats/mofa/index';
import { mofaAgentScenarioFormat } from '../../../../src/core/tapes/formats/mofaAgentScenario/index';
import { mofaGoldenFormat } from '../../../../src/core/tapes/formats/mofaGolden/index';
import { mofaScenarioFormat } from '../../../../src/core/tapes/formats/mofaScenario/index';
import { plainInteraction } from '../../../../src/core/tapes/lazyTape';
import { tapeFileFromText } from '../../../../src/core/tapes/tapeFile';
import { exchange } from '../chatArbitraries';
import { editAnswer, formatOf, readAs } from '../editing';

/** What a reader sees of a scripted interaction. */
function told({ kind, summary, request, response }: Interaction): unknown[] {
  const [message] = request?.messages.slice(-1) ?? [];
  return [kind, message?.content ?? message?.toolCalls[0]?.name, response?.content, response?.error, summary];
}

const problemsOf = (format: TapeFormat, text: string): string[] =>
  format.read(tapeFileFromText(text)).problems.map(({ message }) => message);

describe('editing a MoFA tape', () => {
  const tape = (response: string): string =>
    `{"version": 1, "case_name": "c", "interactions": [{"response": ${response}}]}`;

  it('changes the answer, escaped as it was', () => {
    assert.equal(editAnswer(tapeFileFromText(tape('"old"')), 0, 'é "x"').text, tape('"é \\"x\\""'));
    assert.equal(editAnswer(tapeFileFromText(tape('"\\u00e9"')), 0, 'é!').text, tape('"\\u00e9!"'));
  });

  it('is refused where there is none', () => {
    for (const [text, interaction] of [
      [tape('null'), 0],
      [tape('"a"'), 4],
      ['{', 0],
    ] as const)
      assert.ok(
        'refused' in mofaFormat.editText(tapeFileFromText(text), { type: 'response-text', interaction, text: 'x' }),
      );
  });
});

const GOLDEN = `{
  "test_name": "support",
  "turns": [
    {
      "user_input": "Check #4",
      "response": "It is open.",
      "tool_calls": [
        {
          "name": "lookup",
          "arguments": {
            "id": 18446744073709551615
          }
        }
      ]
    }
  ],
  "metadata": {}
}`;

describe('MoFA golden responses', () => {
  it('are turns', () => {
    const tape = readAs('mofa-golden', GOLDEN);
    assert.equal(tape.name, 'support');
    assert.deepEqual(tape.interactions.map(told), [['script', 'Check #4', 'It is open.', undefined, undefined]]);
    assert.deepEqual(tape.interactions[0]?.response?.toolCalls, [
      { id: '', name: 'lookup', arguments: { id: 18446744073709551615n } },
    ]);
  });

  it('report what MoFA refuses', () => {
    assert.deepEqual(problemsOf(mofaGoldenFormat, '{"test_name": 4, "turns": [{"response": "r"}, 3]}'), [
      '`test_name` must be a string',
      'missing field `user_input`',
      'a turn must be an object',
    ]);
  });

  it('change in one response', () => {
    assert.equal(editAnswer(tapeFileFromText(GOLDEN), 0, 'It is shut.').text, GOLDEN.replace('open', 'shut'));
    assert.ok(
      'refused' in
        mofaGoldenFormat.editText(tapeFileFromText(GOLDEN), { type: 'response-text', interaction: 1, text: 'x' }),
    );
  });

  it('are written as serde does', () => {
    const { interactions } = mofaGoldenFormat.read(tapeFileFromText(GOLDEN));
    assert.equal(mofaGoldenFormat.serialise('support', interactions), GOLDEN);
    fc.assert(
      fc.property(fc.array(exchange, { maxLength: 3 }), (recorded) => {
        const tape = readAs('mofa-golden', mofaGoldenFormat.serialise('n', recorded));
        tape.interactions.forEach(({ response }, index) => {
          assert.equal(response?.content, recorded[index]?.response?.content);
          const calls = recorded[index]?.response?.toolCalls.map((call) => ({ ...call, id: '' }));
          assert.ok(jsonEqual(response?.toolCalls, calls));
        });
      }),
      { numRuns: 50 },
    );
  });
});

const SCENARIO = `suite_name: suite   # all of it
case_name: "a case"
llm:
  model_name: mock
  fallback: I do not know.
  responses:
    - prompt_substring: ping
      response: pong
  response_sequences:
    - prompt_substring: again
      responses:
        - first
        - "second"
  fail_on:
    - prompt_substring: bad
      error: refused
  fail_next:
    - count: 2
      error: overloaded
tools:
  - name: search
    description: d
    schema: {}
    stubbed_result:
      text: found
    result_sequence:
      - json: {hits: 1}
      - error: gone
    fail_on_input:
      - input: {q: x}
        error: denied
expectations:
  infer_total: 1
`;

describe('a scenario from what was recorded', () => {
  it('answers every prompt as it was answered, in order where it came again', () => {
    const text = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c é', ''), text), { minLength: 1, maxLength: 6 }),
        (said) => {
          const recorded = said.map(([prompt, content]) => ({
            request: { messages: [{ role: 'user', content: prompt, toolCalls: [] }], tools: [], params: {} },
            response: { content, toolCalls: [] },
          }));
          const tape = readAs('mofa-scenario', mofaScenarioFormat.serialise('n', recorded));
          const byPrompt = (list: readonly Pick<Interaction, 'request' | 'response'>[], prompt: string): unknown[] =>
            list.filter(({ request }) => request?.messages[0]?.content === prompt).map((one) => one.response?.content);
          assert.equal(tape.interactions.length, said.length);
          for (const [prompt] of said)
            assert.deepEqual(byPrompt(tape.interactions, prompt), byPrompt(recorded, prompt));
          const turns = readAs(
            'mofa-agent-scenario',
            mofaAgentScenarioFormat.serialise('n', [...recorded, ...recorded.slice(0, 1)]),
          );
          assert.deepEqual(
            turns.interactions
              .slice(0, said.length)
              .map(({ request, response }) => [request?.messages[0]?.content, response?.content]),
            said,
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  it('has what tools returned, and what went wrong', () => {
    const { interactions } = readAs('mofa-scenario', SCENARIO);
    const again = readAs('mofa-scenario', mofaScenarioFormat.serialise('a case', interactions.slice(4)));
    assert.equal(again.name, 'a case');
    assert.deepEqual(
      again.interactions.map((one) => told(one).slice(0, 4)),
      [
        ['script', 'bad', null, 'refused'],
        ['script', '', null, 'overloaded'],
        ['tool', 'search', 'found', undefined],
        ['tool', 'search', '{"hits":1}', undefined],
        ['tool', 'search', null, 'gone'],
        ['tool', 'search', null, 'denied'],
      ],
    );
  });
});

describe('MoFA scenario specs', () => {
  it('are what the mock model and the mock tools answer', () => {
    const tape = readAs('mofa-scenario', SCENARIO);
    assert.equal(tape.name, 'a case');
    assert.deepEqual(tape.interactions.map(told), [
      ['script', 'ping', 'pong', undefined, undefined],
      ['script', 'again', 'first', undefined, 'response 1 of 2'],
      ['script', 'again', 'second', undefined, 'response 2 of 2'],
      ['script', undefined, 'I do not know.', undefined, 'any other prompt'],
      ['script', 'bad', null, 'refused', undefined],
      ['script', undefined, null, 'overloaded', 'the next 2'],
      ['tool', 'search', 'found', undefined, undefined],
      ['tool', 'search', '{"hits":1}', undefined, undefined],
      ['tool', 'search', null, 'gone', undefined],
      ['tool', 'search', null, 'denied', undefined],
    ]);
    assert.equal(tape.interactions[0]?.request?.model, 'mock');
    const [first] = tape.interactions.map(plainInteraction);
    assert.deepEqual(Object.keys(first ?? {}).sort(), ['index', 'kind', 'request', 'response', 'source']);
  });

  it('report what MoFA refuses', () => {
    const text =
      'suite_name: s\nllm:\n  responses:\n    - prompt_substring: a\n      response: b\n    - not-valid\n    - response: 4\n';
    assert.deepEqual(problemsOf(mofaScenarioFormat, text), [
      'a response must be an object',
      'missing field `prompt_substring`',
      '`response` must be a string',
    ]);
  });

  it('report once that a sequence has no prompt, and each of its answers that is no text', () => {
    const text =
      '{"suite_name": "s", "llm": {"response_sequences": [{"responses": ["a", 4, "b", null]}, {"responses": []}]}}';
    assert.deepEqual(problemsOf(mofaScenarioFormat, text), [
      'missing field `prompt_substring`',
      'missing field `prompt_substring`',
      'a response must be a string',
      'a response must be a string',
    ]);
  });

  it('change in one answer, wherever it stands', () => {
    const edits = [
      [0, 'pong', 'pang'],
      [1, '- first', '- fifth'],
      [2, '"second"', '"sec\\nond"'],
      [3, 'I do not know.', 'I do know.'],
      [6, 'text: found', 'text: lost'],
    ] as const;
    for (const [index, before, after] of edits) {
      const value = after
        .replace(/^(?:- |text: )/, '')
        .replaceAll('"', '')
        .replace('\\n', '\n');
      assert.equal(editAnswer(tapeFileFromText(SCENARIO), index, value).text, SCENARIO.replace(before, after));
    }
    for (const interaction of [4, 5, 7, 8, 9, 10])
      assert.ok(
        'refused' in
          mofaScenarioFormat.editText(tapeFileFromText(SCENARIO), { type: 'response-text', interaction, text: 'x' }),
      );
  });

  it('have no text where something fails, whatever else its step has', () => {
    const spec = '{"suite_name": "s", "llm": {"fail_on": [{"prompt_substring": "a", "error": "b", "": "c"}]}}';
    const edit = { type: 'response-text', interaction: 0, text: 'x' } as const;
    assert.ok('refused' in mofaScenarioFormat.editText(tapeFileFromText(spec), edit));
  });

  it('write every text so that it is read again', () => {
    const value = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('', 'null', '1', 'a: b', '- x', '\n', ' a', 'x\n\n', '#'),
    );
    fc.assert(
      fc.property(fc.constantFrom(0, 1, 2, 3, 6), value, (index, text) => {
        editAnswer(tapeFileFromText(SCENARIO), index, text);
      }),
      { numRuns: 200 },
    );
  });
});

const EXPECTED = [
  'expects a call of weather with {"city":"Berlin"}; a response containing "degrees"',
  'expects no tool call; a response matching /(?i)bye/',
  'expects exactly "Welcome."',
];
const AGENT_YAML = `agent_id: helper
system_prompt: Be kind.
tools:
  - weather
turns:
  - user: Weather?
    expect:
      - kind: call_tool_with
        name: weather
        arguments: {city: Berlin}
      - kind: respond_containing
        text: degrees
  - user: Thanks!
    expectations:
      - kind: not_call_any_tool
      - kind: respond_matching_regex
        pattern: "(?i)bye"
  - user: Hello
    expect:
      - kind: respond_exact
        text: Welcome.
`;
const AGENT_TOML = `agent_id = "helper"
system_prompt = "Be kind."
tools = ["weather"]

[[turns]]
user = "Weather?"
[[turns.expect]]
kind = "call_tool_with"
name = "weather"
arguments = { city = "Berlin" }
[[turns.expect]]
kind = "respond_containing"
text = 'degrees'

[[turns]]
user = "Thanks!"
[[turns.expectations]]
kind = "not_call_any_tool"
[[turns.expectations]]
kind = "respond_matching_regex"
pattern = "(?i)bye"

[[turns]]
user = "Hello"
[[turns.expect]]
kind = "respond_exact"
text = 'Welcome.'
`;

describe('MoFA agent scenarios', () => {
  for (const [syntax, text] of [
    ['YAML', AGENT_YAML],
    ['TOML', AGENT_TOML],
  ] as const) {
    it(`are turns with what is expected of them, in ${syntax}`, () => {
      const tape = readAs('mofa-agent-scenario', text);
      assert.equal(tape.name, 'helper');
      assert.deepEqual(tape.interactions.map(told), [
        ['script', 'Weather?', undefined, undefined, EXPECTED[0]],
        ['script', 'Thanks!', undefined, undefined, EXPECTED[1]],
        ['script', 'Hello', 'Welcome.', undefined, EXPECTED[2]],
      ]);
      assert.deepEqual(tape.interactions[0]?.request?.tools, [{ name: 'weather' }]);
      assert.equal(tape.interactions[0]?.request?.messages[0]?.role, 'system');
    });

    it(`may demand another exact answer, in ${syntax}`, () => {
      const file = tapeFileFromText(text);
      const outcome = mofaAgentScenarioFormat.editText(file, { type: 'response-text', interaction: 2, text: 'Hello.' });
      assert.ok('splices' in outcome);
      const [splice] = outcome.splices;
      assert.equal(text.slice(splice?.start, splice?.end).replace('Welcome', 'Hello'), splice?.text);
      const refused = mofaAgentScenarioFormat.editText(file, { type: 'response-text', interaction: 0, text: 'x' });
      assert.ok('refused' in refused);
    });
  }

  it('write every exact answer so that it is read again, in TOML', () => {
    const text = AGENT_TOML;
    const read = (changed: string): unknown =>
      mofaAgentScenarioFormat.read(tapeFileFromText(changed)).interactions[2]?.response?.content;
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        const outcome = mofaAgentScenarioFormat.editText(tapeFileFromText(text), {
          type: 'response-text',
          interaction: 2,
          text: value,
        });
        if ('refused' in outcome) return assert.match(value, /\p{Surrogate}/u);
        const [splice] = outcome.splices;
        assert.ok(splice);
        assert.equal(read(text.slice(0, splice.start) + splice.text + text.slice(splice.end)), value);
      }),
    );
  });

  it('may be templates with parameters', () => {
    const text = `template:\n${AGENT_YAML.replace(/^/gm, '  ').trimEnd()}\nparameters:\n  - name: one\n    vars: {city: Berlin}\n`;
    assert.equal(readAs('mofa-agent-scenario', text).interactions.length, 3);
    const json =
      '{"template": {"agent_id": "a", "turns": [{"user": "{{x}}"}]}, "matrix": {"dimensions": {"x": ["1"]}}}';
    assert.equal(readAs('mofa-agent-scenario', json).interactions[0]?.request?.messages[0]?.content, '{{x}}');
  });

  it('report what MoFA refuses', () => {
    assert.deepEqual(problemsOf(mofaAgentScenarioFormat, 'agent_id: " "\nturns: []\n'), [
      '`agent_id` must not be blank',
      'a scenario needs at least one turn',
    ]);
    const turn = (expect: string): string => `agent_id: a\nturns:\n  - user: u\n    expect:\n      - ${expect}\n`;
    assert.deepEqual(problemsOf(mofaAgentScenarioFormat, turn('kind: sing')), ['unknown kind of expectation: sing']);
    assert.deepEqual(problemsOf(mofaAgentScenarioFormat, turn('kind: call_tool')), ['missing field `name`']);
    assert.match(problemsOf(mofaAgentScenarioFormat, `${AGENT_TOML}\n[[turns]\n`)[0] ?? '', /TOML/);
  });
});

describe('MoFA semantic assertions', () => {
  it('are told in words', () => {
    const text = `# what an answer must be like
- kind: contains_all_facts
  facts: [Berlin, 22]
- kind: excludes_content
  banned: [error]
- kind: matches_intent
  intents:
    - name: weather
      indicators: [rain]
- kind: similar_to
  reference: It is warm
  threshold: 0.3
- kind: matches_pattern
  pattern: '\\d+'
`;
    assert.deepEqual(
      readAs('mofa-assertions', text).interactions.map(({ kind, summary }) => [kind, summary]),
      [
        ['script', 'contains all of: Berlin, 22'],
        ['script', 'contains none of: error'],
        ['script', 'intent: weather'],
        ['script', 'similar to: It is warm'],
        ['script', 'matches /\\d+/'],
      ],
    );
    const json = '[{"kind": "contains_all_facts", "facts": ["a"]}]';
    assert.equal(formatOf(tapeFileFromText(json)).id, 'mofa-assertions');
  });
});
