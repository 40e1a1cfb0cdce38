import assert from 'node:assert/strict';
import fc from 'fast-check';
import { flakestormFormat } from '../../../../src/core/tapes/formats/flakestorm/index';
import { tapeFileFromText } from '../../../../src/core/tapes/tapeFile';
import { exchange } from '../chatArbitraries';
import { editAnswer, formatOf, readAs } from '../editing';

const SESSION = `# an incident
id: support-1
name: "KB was down"
source: manual
captured_at: "2026-02-15"
input: "How do I reset my password?"
context:
  - role: system
    content: Be kind.
  - ticket: 4
tool_responses:
  - tool: search
    response: nothing found
    latency_ms: 120
  - tool: lookup
    response: {hits: 2}
    status: 503
  - tool: broken
    status: 0
expected_failure: "No source was cited"
contract: "Support Contract"
`;

const problemsOf = (text: string): string[] =>
  flakestormFormat.read(tapeFileFromText(text)).problems.map(({ message }) => message);
/** A session with one more line. */
const withLine = (line: string): string => `id: a\ninput: b\ncontract: c\n${line}\n`;

describe('Flakestorm replay sessions', () => {
  it('are a prompt without an answer, and the declared responses of tools', () => {
    const tape = readAs('flakestorm', SESSION);
    assert.equal(tape.name, 'KB was down');
    assert.deepEqual(
      tape.interactions.map(({ kind, summary, request, response, timing, id }) => [
        kind,
        summary,
        request?.messages.map(({ role, content, toolCalls }) => [role, content ?? toolCalls[0]?.name]),
        response?.content,
        response?.error,
        timing,
        id,
      ]),
      [
        [
          'script',
          'KB was down; expected failure: No source was cited',
          [
            ['system', 'Be kind.'],
            ['context', '{"ticket":4}'],
            ['user', 'How do I reset my password?'],
          ],
          undefined,
          undefined,
          { recordedAt: '2026-02-15' },
          'support-1',
        ],
        ['tool', DECLARED, [['assistant', 'search']], 'nothing found', undefined, { durationMs: 120 }, undefined],
        ['tool', DECLARED, [['assistant', 'lookup']], '{"hits":2}', 'HTTP 503', undefined, undefined],
        ['tool', DECLARED, [['assistant', 'broken']], null, 'the tool failed', undefined, undefined],
      ],
    );
  });

  it('come in JSON, and several in a file, which flakestorm does not read', () => {
    const one = '{"id": "a", "input": "b", "contract": "c"}';
    assert.equal(readAs('flakestorm', one).interactions.length, 1);
    for (const text of [`[${one}, ${one}]`, 'id: a\ninput: b\ncontract: c\n---\nid: d\ninput: e\ncontract: f\n']) {
      const tape = formatOf(tapeFileFromText(text)).read(tapeFileFromText(text));
      assert.deepEqual([tape.format, tape.interactions.length], ['flakestorm', 2]);
      assert.deepEqual(problemsOf(text), ['flakestorm reads one session a file']);
    }
    const listed =
      'replays:\n  sessions:\n    - id: a\n      input: b\n      contract: c\n    - file: "replays/incident_001.yaml"\n';
    const { interactions } = readAs('flakestorm', listed);
    assert.deepEqual(
      interactions.map(({ id, summary }) => [id, summary]),
      [
        ['a', undefined],
        [undefined, 'in replays/incident_001.yaml'],
      ],
    );
  });

  it('are told from other YAML with an id', () => {
    const looks = (text: string): boolean => flakestormFormat.looksLike(tapeFileFromText(text));
    assert.ok(looks('id: a\ninput: b\n'), 'flakestorm needs no more');
    assert.ok(!looks('id: a\ninput: b\nsteps: [c]\n'), 'a key that no session has');
    assert.ok(!looks('agent:\n  endpoint: e\ninput: b\nid: c\ncontract: d\n'));
    assert.ok(!looks('{"id": "resp_1", "object": "response", "input": [], "output": []}'));
    assert.ok(!looks('body: |\n  id: a\n  input: b\n  contract: c\n'));
    assert.ok(looks(SESSION.slice(0, 200)), 'cut off');
  });
});

const DECLARED = 'declared, not injected by flakestorm';

describe('what flakestorm refuses', () => {
  const traps: readonly (readonly [line: string, type: string])[] = [
    ['captured_at: 2026-02-15', 'a date'],
    ['captured_at: 2026-02-15T10:00:00Z', 'a date'],
    ['name: 123', 'a number'],
    ['name: 012', 'a number'],
    ['name: 0x1F', 'a number'],
    ['name: 12:30', 'a number'],
    ['name: 1.5', 'a number'],
    ['name: .inf', 'a number'],
    ['name: yes', 'a boolean'],
    ['name: Off', 'a boolean'],
  ];
  for (const [line, type] of traps) {
    it(`${line}, which YAML 1.1 takes for ${type}`, () => {
      const text = withLine(line);
      const [key = '', value = ''] = line.split(/: (.*)/);
      const [problem, ...others] = flakestormFormat.read(tapeFileFromText(text)).problems;
      assert.deepEqual(others, []);
      assert.equal(
        problem?.message,
        `\`${key}\` must be a string, but unquoted this is ${type} in YAML 1.1, which Flakestorm rejects`,
      );
      assert.equal(text.slice(problem.span.start, problem.span.end), value);
      assert.deepEqual(problemsOf(withLine(`${key}: "${value}"`)), []);
      assert.deepEqual(problemsOf(withLine(`${key}: !!str ${value}`)), []);
    });
  }

  it('a list or a mapping where a string or nothing must be', () => {
    const json = (fields: string): string => `{"id": "a", "input": "b", "contract": "c", ${fields}}`;
    for (const key of ['name', 'captured_at', 'expected_failure', 'file', 'source'])
      for (const value of ['[one, two]', '{a: 1}', '[]'])
        assert.deepEqual(problemsOf(withLine(`${key}: ${value}`)), [`\`${key}\` must be a string`], `${key}: ${value}`);
    assert.deepEqual(problemsOf(json('"expected_failure": ["x"]')), ['`expected_failure` must be a string']);
    assert.deepEqual(problemsOf(json('"expected_failure": null')), []);
  });

  it('nothing of what PyYAML takes for text, or pydantic for a number', () => {
    for (const line of ['name: 1e5', 'name: 12:99', 'name: y', 'name: 2026-2-1', 'name: ~', 'name:', 'name: null'])
      assert.deepEqual(problemsOf(withLine(line)), [], line);
    const tool = (fields: string): string => withLine(`tool_responses:\n  - tool: t\n    ${fields}`);
    for (const fields of ['status: "504"', 'status: 504.0', 'latency_ms: true', 'response: {a: 1}', 'response: ~'])
      assert.deepEqual(problemsOf(tool(fields)), [], fields);
    assert.deepEqual(problemsOf(tool('response: [1]')), [
      '`response` must be a string or an object, and this is a list, which Flakestorm rejects',
    ]);
    assert.deepEqual(problemsOf(tool('response: 504')), [
      '`response` must be a string or an object, and this is a number, which Flakestorm rejects',
    ]);
    assert.deepEqual(problemsOf(tool('latency_ms: fast')), ['`latency_ms` must be a whole number']);
    assert.deepEqual(problemsOf(withLine('tool_responses:\n  - response: x')), ['missing field `tool`']);
  });

  it('a session that says neither what nor where', () => {
    const message = "Replay session must have either 'file' or inline id and input";
    assert.deepEqual(problemsOf('id: a\ninput: ""\ncontract: c\n'), [message]);
    assert.deepEqual(problemsOf('{"id": "", "input": "b", "contract": "c"}'), [message]);
  });

  it('a file that is no YAML', () => {
    assert.match(problemsOf(`${SESSION}bad: [`)[0] ?? '', /^invalid YAML/);
  });
});

describe('editing a Flakestorm session', () => {
  const session = (response: string): string =>
    withLine(`tool_responses:\n  - tool: t\n    response: ${response}\n    status: 200`);

  it('keeps the style of the text', () => {
    const styles = [
      ['plain text', 'other text', 'other text'],
      ["'quoted'", "it's", "'it''s'"],
      ['"double"', 'a\nb', '"a\\nb"'],
      ['|-\n      block\n      text', 'block\ntwo', '|-\n      block\n      two'],
    ] as const;
    for (const [before, value, after] of styles)
      assert.equal(editAnswer(tapeFileFromText(session(before)), 1, value).text, session(after));
  });

  it('writes every text so that it is read again', () => {
    const start = fc.constantFrom('plain', "'single'", '"double"', '|\n      block', '>-\n      folded');
    const value = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(
        '',
        'null',
        '123',
        '2026-02-15',
        'yes',
        '# x',
        'a: b',
        '- a',
        ' a ',
        'a\n',
        '\n\na',
        'a \nb',
        '\t',
        '\u0085',
        '\u2028',
      ),
    );
    fc.assert(
      fc.property(start, value, (style, text) => {
        const { tape } = editAnswer(tapeFileFromText(session(style)), 1, text);
        assert.deepEqual(tape.problems, [], text);
      }),
      { numRuns: 300 },
    );
  });

  it('works in JSON too, and is refused where there is no text', () => {
    const json = '{"id": "a", "input": "b", "contract": "c", "tool_responses": [{"tool": "t", "response": "r"}]}';
    assert.equal(editAnswer(tapeFileFromText(json), 1, 'é"').text, json.replace('"r"', '"é\\""'));
    for (const [text, interaction] of [
      [SESSION, 0],
      [SESSION, 2],
      [SESSION, 3],
      [SESSION, 9],
    ] as const) {
      const outcome = flakestormFormat.editText(tapeFileFromText(text), {
        type: 'response-text',
        interaction,
        text: 'x',
      });
      assert.ok('refused' in outcome, `${interaction}`);
    }
  });
});

describe('writing a Flakestorm session', () => {
  it('carries the prompt and the tools, and flakestorm would read it', () => {
    const called = { role: 'assistant', content: null, toolCalls: [{ id: '', name: 'search', arguments: {} }] };
    const text = flakestormFormat.serialise('incident', [
      {
        request: { messages: [{ role: 'user', content: 'help', toolCalls: [] }], tools: [], params: {} },
        response: { content: 'lost', toolCalls: [] },
      },
      {
        kind: 'tool',
        request: { messages: [called], tools: [], params: {} },
        response: { content: '{"a":1}', toolCalls: [], error: 'HTTP 503' },
        timing: { durationMs: 1.6 },
      },
    ]);
    const { interactions } = readAs('flakestorm', text);
    assert.equal(interactions[0]?.request?.messages[0]?.content, 'help');
    assert.deepEqual(interactions[1]?.response, { content: '{"a":1}', toolCalls: [], error: 'HTTP 503' });
    assert.equal(interactions[1]?.timing?.durationMs, 2);
  });

  it('is total', () => {
    fc.assert(
      fc.property(fc.array(exchange, { maxLength: 3 }), (interactions) => {
        const text = flakestormFormat.serialise('n', interactions);
        assert.equal(flakestormFormat.read(tapeFileFromText(text)).interactions.length, 1);
      }),
      { numRuns: 50 },
    );
  });
});

describe('Flakestorm configurations', () => {
  it('are their golden prompts', () => {
    const text = 'version: "2.0"\nagent:\n  endpoint: e\ngolden_prompts:\n  - "Hello?"\n  - 42\n';
    const file = tapeFileFromText(text);
    const tape = formatOf(file).read(file);
    assert.deepEqual([tape.format, tape.version], ['flakestorm-config', '2.0']);
    assert.deepEqual(
      tape.interactions.map(({ kind, request }) => [kind, request?.messages[0]?.content]),
      [
        ['script', 'Hello?'],
        ['script', null],
      ],
    );
    assert.deepEqual(
      tape.problems.map(({ message }) => message),
      ['a golden prompt must be a string'],
    );
  });

  it('may be profiles of chaos, which have none', () => {
    const tape = readAs(
      'flakestorm-config',
      'name: outage\nchaos:\n  tool_faults:\n    - tool: "*"\n      mode: error\n',
    );
    assert.deepEqual([tape.name, tape.interactions], ['outage', []]);
  });
});
