import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { tapeToRecord, tapeToReplay } from '../../../../src/core/cases/toml/kind';
import { readCase } from '../../../../src/core/cases/toml/readCase';
import type { Case } from '../../../../src/core/model/case';
import { LineIndex } from '../../../../src/core/text/source';
import { corpusSuite } from '../../../corpus';

const HEAD = 'name = "n"\nprompt = "p"\n';

function parse(text: string): Case {
  const { value, problems } = readCase(text);
  assert.deepEqual(
    problems.filter(({ severity }) => severity === 'error'),
    [],
  );
  assert.ok(value);
  return value;
}

/** The problems of a case as `line:column message`. */
function problemsOf(text: string): string[] {
  const { value, problems } = readCase(text);
  const isWrong = problems.some(({ severity }) => severity === 'error');
  assert.equal(value === undefined, isWrong, 'a case is there exactly when nothing is wrong');
  for (const { fix } of problems) assert.match(fix ?? '', /^[A-Z].*\.$/, 'every problem names a way out');
  const lines = new LineIndex(text);
  return problems.map(({ message, span }) => {
    const { line, column } = lines.position(span.start);
    return `${line}:${column} ${message}`;
  });
}

describe('readCase', () => {
  it('warns of keys that it does not know, where they are', () => {
    const text = `${HEAD}[asert]
contains = "a"
[agent]
comand = ["node", "agent.js"]
[agent.env]
ANYTHING = "goes"
[[tools]]
name = "t"
description = "d"
schema = { type = "object", anything = "goes" }
result = { anything = "goes" }
delay = 3
[llm]
responses = ["x"]
[assert]
not_contians = "secret"
zzz = 1
`;
    assert.deepEqual(problemsOf(text), [
      '3:2 unknown key `asert` is ignored',
      '6:1 unknown key `comand` under [agent] is ignored',
      '14:1 unknown key `delay` under [tools] is ignored',
      '18:1 there is no assertion `not_contians`, so it is never checked',
      '19:1 there is no assertion `zzz`, so it is never checked',
    ]);
    const fixes = readCase(text).problems.map(({ severity, fix }) => `${severity}: ${fix}`);
    assert.deepEqual(fixes, [
      'warning: Change it to `assert`.',
      'warning: Change it to `command`.',
      'warning: Change it to `delay_ms`.',
      'warning: Change it to `not_contains`.',
      'warning: Correct it, or remove it.',
    ]);
    assert.match(problemsOf(`[asert]\n${text}`)[0] ?? '', /invalid TOML/);
    assert.match(problemsOf(text.replace('name = "n"', 'nam = "n"'))[0] ?? '', /missing field `name`/, 'errors first');
  });

  it('reads every field of the schema', () => {
    const text = `
name = "full"
prompt = "ask"
input = "ignored"
expected_text = "ignored too"

[agent]
name = "A"
description = "D"
system = "S"
max_iterations = 3
tool_timeout_ms = 50

[[bootstrap_files]]
path = "docs/AGENTS.md"
content = "text"

[[tools]]
name = "t"
description = "does"
schema = { type = "object" }
result = { ok = true }
delay_ms = 7

[llm]
tape = "a.tape.json"
record_tape = "b.tape.json"

[llm.provider]
kind = "open_ai_compatible"
base_url = "https://api.example.com/v1"
model = "m"
api_key_env = "KEY"
stream = true
timeout_ms = 9
seed = 4

[assert]
contains = "yes"
tool_called = "t"
`;
    const testCase = parse(text);
    const spanOf = (part: string) => ({ start: text.indexOf(part), end: text.indexOf(part) + part.length });
    assert.deepEqual(
      { ...testCase, nameSpan: text.slice(testCase.nameSpan.start, testCase.nameSpan.end), assertions: undefined },
      {
        name: 'full',
        nameSpan: '"full"',
        prompt: 'ask',
        tags: [],
        agent: { name: 'A', description: 'D', system: 'S', maxIterations: 3, toolTimeoutMs: 50 },
        bootstrapFiles: [{ path: 'docs/AGENTS.md', content: 'text' }],
        tools: [{ name: 't', description: 'does', schema: { type: 'object' }, result: { ok: true }, delayMs: 7 }],
        llm: {
          tape: 'a.tape.json',
          recordTape: 'b.tape.json',
          tapeSpan: spanOf('"b.tape.json"'),
          provider: {
            kind: 'open_ai_compatible',
            baseUrl: 'https://api.example.com/v1',
            model: 'm',
            apiKeyEnv: 'KEY',
            stream: true,
            timeoutMs: 9,
            seed: 4,
          },
        },
        assertions: undefined,
      },
    );
    const assertions = testCase.assertions.map(({ kind, expected, span }) => [
      kind,
      expected,
      text.slice(span.start, span.end),
    ]);
    assert.deepEqual(assertions, [
      ['contains', 'yes', '"yes"'],
      ['tool_called', 't', '"t"'],
    ]);
  });

  it('fills in defaults', () => {
    assert.deepEqual(parse('name = "n"\ninput = "i"\n[[tools]]\nname = "t"\ndescription = ""\n'), {
      name: 'n',
      nameSpan: { start: 7, end: 10 },
      prompt: 'i',
      tags: [],
      agent: { maxIterations: 10, toolTimeoutMs: 30_000 },
      bootstrapFiles: [],
      tools: [{ name: 't', description: '', schema: { type: 'object' }, result: null, delayMs: 0 }],
      llm: {},
      assertions: [],
    });
    assert.deepEqual(parse(`${HEAD}[llm.provider]\nkind = "ollama"\n[llm]\nrecord_tape = "t"\n`).llm.provider, {
      kind: 'ollama',
      stream: false,
      timeoutMs: 60_000,
    });
  });

  it('takes expected_text for contains, and contains before it', () => {
    const [shorthand] = parse(`expected_text = "a"\n${HEAD}`).assertions;
    assert.deepEqual(shorthand, { kind: 'contains', expected: 'a', span: { start: 16, end: 19 } });
    const [explicit] = parse(`expected_text = "a"\n${HEAD}[assert]\ncontains = "b"\n`).assertions;
    assert.equal(explicit?.expected, 'b');
  });

  it('reads steps before responses, and responses only where there is no tape: MoFA’s order', () => {
    const responses = '[llm]\nresponses = ["r"]\n';
    const steps = '[[llm.steps]]\ntype = "tool_call"\ntool = "t"\n[[llm.steps]]\ntype = "text"\ncontent = "c"\n';
    assert.deepEqual(parse(HEAD + responses).llm.script, [{ type: 'text', content: 'r' }]);
    assert.deepEqual(parse(HEAD + responses + steps).llm.script, [
      { type: 'tool_call', tool: 't', arguments: {} },
      { type: 'text', content: 'c' },
    ]);
    const taped = `${HEAD}${responses}tape = "t"\n`;
    const start = taped.indexOf('"t"');
    assert.deepEqual(parse(taped).llm, { tape: 't', tapeSpan: { start, end: start + 3 } });
    assert.deepEqual(parse(`${HEAD}[llm]\nresponses = []\n`).llm, {});
  });

  it('keeps big integers and prototype names in tool data', () => {
    const [tool] = parse(
      `${HEAD}[[tools]]\nname = "t"\ndescription = ""\nresult = { id = 18446744073709551615, constructor = 1 }\n`,
    ).tools;
    assert.deepEqual(tool?.result, { id: 18446744073709551615n, constructor: 1 });
  });

  it('says which tape is replayed and which is recorded', () => {
    assert.equal(tapeToReplay({ tape: 'a', recordTape: 'b' }), 'a');
    assert.equal(tapeToRecord({ tape: 'a', recordTape: 'b' }), 'b');
    assert.equal(tapeToReplay({ recordTape: 'b' }), 'b');
    assert.equal(tapeToRecord({ tape: 'a' }), 'a');
    assert.equal(tapeToReplay({}), undefined);
  });

  const wrong: readonly (readonly [text: string, ...problems: string[]])[] = [
    ['', '1:1 missing field `name`', '1:1 test case must define either `prompt` or `input`'],
    ['name = 1\nprompt = "p"', '1:8 `name` must be a string'],
    ['name = "n"\n', '1:1 test case must define either `prompt` or `input`'],
    ['name = "n"\nprompt = 1', '2:10 `prompt` must be a string'],
    ['name = "n"\r\ninput = []', '2:9 `input` must be a string'],
    [`expected_text = 1\n${HEAD}`, '1:17 `expected_text` must be a string'],
    [`agent = "x"\n${HEAD}`, '1:9 `agent` must be a table'],
    [`${HEAD}[[agent]]\nname = "a"`, '3:3 `agent` must be a table'],
    [`${HEAD}[agent]\nname = 1`, '4:8 `name` must be a string'],
    [`${HEAD}[agent]\nmax_iterations = 0`, '4:18 `max_iterations` must be a whole number of at least 1'],
    [`${HEAD}[agent]\nmax_iterations = 1.5`, '4:18 `max_iterations` must be a whole number of at least 1'],
    [`${HEAD}[agent]\ntool_timeout_ms = "1s"`, '4:19 `tool_timeout_ms` must be a whole number of at least 1'],
    [`${HEAD}agent.system = 1`, '3:16 `system` must be a string'],
    [`${HEAD}[tools]\nname = "t"`, '3:2 `tools` must be a list of tables'],
    [`tools = ["t"]\n${HEAD}`, '1:9 `tools` must be a list of tables'],
    [`${HEAD}[[tools]]\ndescription = ""`, '3:3 missing field `name`'],
    [
      `${HEAD}[[tools]]\nname = "a"\ndescription = ""\n[[tools]]\nname = "b"\ndelay_ms = -1`,
      '6:3 missing field `description`',
      '8:12 `delay_ms` must be a whole number of at least 0',
    ],
    [`${HEAD}[[bootstrap_files]]\npath = "a"`, '3:3 missing field `content`'],
    ...['../a', '/a', '\\\\a', 'C:\\\\a', 'a/../../b', 'a\\\\..\\\\b'].map((path): [string, string] => [
      `${HEAD}[[bootstrap_files]]\npath = "${path}"\ncontent = ""`,
      `4:8 bootstrap file \`${path.replaceAll('\\\\', '\\')}\` is outside the run's workspace`,
    ]),
    [`${HEAD}[llm]\nresponses = "r"`, '4:13 `responses` must be a list of strings'],
    [`${HEAD}[llm]\nresponses = ["r", 1]`, '4:13 `responses` must be a list of strings'],
    [`${HEAD}[llm]\ntape = 1`, '4:8 `tape` must be a string'],
    [`${HEAD}[llm.steps]\ntype = "text"`, '3:2 `steps` must be a list of tables'],
    [`${HEAD}[[llm.steps]]\ncontent = "c"`, '3:3 missing field `type`'],
    [`${HEAD}[[llm.steps]]\ntype = 1`, '4:8 `type` must be a string'],
    [`${HEAD}[[llm.steps]]\ntype = "image"`, '4:8 unknown step type: image'],
    [`${HEAD}[[llm.steps]]\ntype = "tool_call"`, '3:3 missing field `tool`'],
    [`${HEAD}[[llm.steps]]\ntype = "text"\ncontent = 1`, '5:11 `content` must be a string'],
    [`${HEAD}[assert]\ncontains = true`, '4:12 `contains` must be a string'],
    [`${HEAD}[assert]\ntool_called = ["t"]`, '4:15 `tool_called` must be a string'],
    [`${HEAD}[llm]\nrecord_tape = "t"\nprovider = "x"`, '5:12 `provider` must be a table'],
    [`${HEAD}[llm]\nrecord_tape = "t"\n[llm.provider]\nmodel = "m"`, '5:2 missing field `kind`'],
    [`${HEAD}[llm]\nrecord_tape = "t"\n[llm.provider]\nkind = 1`, '6:8 `kind` must be a string'],
    [`${HEAD}[llm]\nrecord_tape = "t"\n[llm.provider]\nkind = "x"`, '6:8 unsupported llm provider kind: x'],
    [
      `${HEAD}[llm]\nrecord_tape = "t"\n[llm.provider]\nkind = "open_ai_compatible"`,
      '5:2 open_ai_compatible needs `base_url`',
    ],
    [
      `${HEAD}[llm]\nrecord_tape = "t"\n[llm.provider]\nkind = "ollama"\nbase_url = "localhost:1"`,
      '7:12 `base_url` is not an http(s) address: localhost:1',
    ],
    [
      `${HEAD}[llm]\nrecord_tape = "t"\n[llm.provider]\nkind = "ollama"\nstream = 1\ntimeout_ms = 0\nseed = -1`,
      '7:10 `stream` must be true or false',
      '8:14 `timeout_ms` must be a whole number of at least 1',
      '9:8 `seed` must be a whole number of at least 0',
    ],
    // MoFA panics on this one.
    [`${HEAD}[llm]\ntape = "t"\n[[llm.steps]]\ntype = "text"`, '4:8 `tape` cannot be combined with `steps`'],
    ['name =\n', '1:7 invalid TOML: invalid value'],
  ];
  for (const [text, ...problems] of wrong) {
    it(`reports ${problems.join(' and ')}`, () => assert.deepEqual(problemsOf(text), problems));
  }

  const PROVIDER = '[llm.provider]\nkind = "ollama"\n';
  const MIXED = 'provider-backed llm cannot be combined with inline responses, steps, or replay tape';
  const REQUIRED = 'provider-backed llm requires record_tape';
  const conflicts: readonly (readonly [title: string, text: string, problems: string[]])[] = [
    ['a provider beside responses', `${PROVIDER}[llm]\nresponses = ["r"]`, [`3:2 ${MIXED}`]],
    [
      'a provider and a record_tape beside responses',
      `${PROVIDER}[llm]\nrecord_tape = "t"\nresponses = ["r"]`,
      [`3:2 ${MIXED}`],
    ],
    ['a provider and a tape beside responses', `${PROVIDER}[llm]\ntape = "t"\nresponses = ["r"]`, [`3:2 ${MIXED}`]],
    ['a provider beside steps', `${PROVIDER}[[llm.steps]]\ntype = "text"`, [`3:2 ${MIXED}`]],
    ['a provider beside a tape', `${PROVIDER}[llm]\ntape = "t"`, []],
    ['a provider beside both tapes', `${PROVIDER}[llm]\ntape = "t"\nrecord_tape = "r"`, []],
    ['a provider without any tape', PROVIDER, [`3:2 ${REQUIRED}`]],
    ['a record_tape without a provider', '[llm]\nrecord_tape = "t"', []],
    ['a record_tape with a provider', `${PROVIDER}[llm]\nrecord_tape = "t"`, []],
    ['a tape beside responses', '[llm]\ntape = "t"\nresponses = ["r"]', []],
    ['no llm at all', '', []],
  ];
  for (const [title, text, problems] of conflicts)
    it(`judges ${title}`, () => assert.deepEqual(problemsOf(HEAD + text), problems));

  it('never throws, and stays inside the text, while a case is being typed', () => {
    const text = `${HEAD}[[tools]]\nname = "t"\ndescription = ""\n[llm]\ntape = "t"\n${PROVIDER}[assert]\ncontains = "é"\n`;
    const edit = fc.tuple(
      fc.nat(text.length),
      fc.nat(20),
      fc.constantFrom('', '1', '"', '[', ']', '=', '\n', '{}', '.'),
    );
    fc.assert(
      fc.property(edit, ([at, drop, insert]) => {
        const typed = text.slice(0, at) + insert + text.slice(at + drop);
        for (const { span } of readCase(typed).problems)
          assert.ok(0 <= span.start && span.start <= span.end && span.end <= typed.length);
      }),
      { numRuns: 1000 },
    );
  });
});

corpusSuite('readCase on the MoFA corpus', (folder) => {
  const cases = join(folder, 'mofa-project/tests/examples');
  for (const file of readdirSync(cases).filter((name) => name.endsWith('.toml'))) {
    it(`reads ${file} without problems`, () => {
      parse(readFileSync(join(cases, file), 'utf8'));
    });
  }
});
