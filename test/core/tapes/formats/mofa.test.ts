import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { jsonEqual } from '../../../../src/core/json/json';
import type { Tape } from '../../../../src/core/model/tape';
import { mofaFormat } from '../../../../src/core/tapes/formats/mofa/index';
import { plainInteraction } from '../../../../src/core/tapes/lazyTape';
import { detectFormat, readTape } from '../../../../src/core/tapes/readTape';
import { tapeFileFromText } from '../../../../src/core/tapes/tapeFile';
import { tapeTotals } from '../../../../src/core/transcript/metrics';
import { corpusSuite } from '../../../corpus';
import { exchange } from '../chatArbitraries';

function parse(text: string): Tape {
  const tape = readTape(tapeFileFromText(text));
  assert.ok(tape);
  assert.deepEqual(tape.problems, []);
  return tape;
}

/** A tape with one interaction, in one line. */
const tapeOf = (...interactions: string[]): string =>
  `{"version": 1, "case_name": "c", "interactions": [${interactions.join(', ')}]}`;
const withRequest = (request: string): string => tapeOf(`{"request": ${request}, "response": "r"}`);
const withMessage = (message: string): string => withRequest(`{"messages": [${message}]}`);
const withCalls = (calls: string): string => tapeOf(`{"response": "r", "tool_calls": ${calls}}`);

const FULL = `{
  "version": 1,
  "case_name": "full",
  "interactions": [
    {
      "request": {
        "messages": [
          {
            "role": "user",
            "content": "é \u{1F600} \\"quoted\\"",
            "tool_call_id": null,
            "tool_calls": []
          },
          {
            "role": "tool",
            "content": null,
            "tool_call_id": "call_1",
            "tool_calls": [
              {
                "id": "call_1",
                "name": "t",
                "arguments": {
                  "b": 18446744073709551615,
                  "a": []
                }
              }
            ]
          }
        ],
        "model": "m",
        "temperature": 0.7,
        "max_tokens": 10,
        "tool_names": [
          "t"
        ]
      },
      "response": "",
      "tool_calls": [
        {
          "id": "",
          "name": "t",
          "arguments": "{not json"
        }
      ],
      "usage": {
        "prompt_tokens": 1,
        "completion_tokens": 2,
        "total_tokens": 3
      }
    },
    {
      "request": null,
      "response": "bye",
      "tool_calls": [],
      "usage": null
    }
  ]
}`;

describe('the MoFA tape format', () => {
  it('reads every field', () => {
    const tape = parse(FULL);
    const [first, second] = tape.interactions;
    assert.deepEqual(
      { format: tape.format, name: tape.name, version: tape.version },
      { format: 'mofa', name: 'full', version: '1' },
    );
    assert.deepEqual(first?.request, {
      model: 'm',
      messages: [
        { role: 'user', content: 'é \u{1F600} "quoted"', toolCalls: [] },
        {
          role: 'tool',
          content: null,
          toolCallId: 'call_1',
          toolCalls: [{ id: 'call_1', name: 't', arguments: { b: 18446744073709551615n, a: [] } }],
        },
      ],
      tools: [{ name: 't' }],
      params: { temperature: 0.7, max_tokens: 10 },
    });
    assert.deepEqual(first?.response, {
      content: '',
      toolCalls: [{ id: '', name: 't', arguments: '{not json' }],
      usage: { promptTokens: 1, completionTokens: 2, totalTokens: 3 },
    });
    assert.deepEqual(second?.response, { content: 'bye', toolCalls: [] });
    assert.equal(second?.request, undefined);
    assert.equal(FULL.slice(second?.source.start, second?.source.end).startsWith('{\n      "request": null'), true);
    assert.deepEqual(tapeTotals(tape), {
      interactions: 2,
      toolCalls: 1,
      usage: { promptTokens: 1, completionTokens: 2, totalTokens: 3 },
      unpriced: 1,
    });
  });

  it('reads the least MoFA accepts, and unknown fields', () => {
    const tape = parse('{"note": 1, "version": 2, "case_name": "", "interactions": [{"response": "hi", "x": {}}]}');
    assert.deepEqual(tape.interactions[0]?.response, { content: 'hi', toolCalls: [] });
    assert.equal(tape.version, '2');
  });

  it('writes byte for byte what MoFA’s recorder writes', () => {
    assert.equal(mofaFormat.serialise('full', parse(FULL).interactions), FULL);
    assert.equal(
      mofaFormat.serialise('empty', []),
      '{\n  "version": 1,\n  "case_name": "empty",\n  "interactions": []\n}',
    );
  });

  it('keeps beside MoFA’s counts what decides the cost', () => {
    const counts = { promptTokens: 1000, completionTokens: 20, totalTokens: 1020 };
    const usage = { ...counts, cachedTokens: 900, cacheWriteTokens: 50, reasoningTokens: 8 };
    const response = { content: 'r', toolCalls: [], usage, reportedCost: 0.25 };
    const written = mofaFormat.serialise?.('c', [{ response }]) ?? '';
    assert.deepEqual(parse(written).interactions[0]?.response, response);
    const plain = mofaFormat.serialise?.('c', [{ response: { ...response, usage: { ...counts, cachedTokens: 0 } } }]);
    assert.doesNotMatch(plain ?? '', /details/);
  });

  it('reads back everything it can carry', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(exchange, { minLength: 1, maxLength: 4 }), (name, exchanges) => {
        const text = mofaFormat.serialise(name, exchanges);
        const tape = parse(text);
        assert.equal(tape.name, name);
        const reread = tape.interactions
          .map(plainInteraction)
          .map(({ index: _, kind: __, source: ___, ...carried }) => carried);
        assert.ok(jsonEqual(reread, exchanges));
        assert.equal(mofaFormat.serialise(name, tape.interactions), text);
      }),
    );
  });

  const malformed: readonly (readonly [text: string, place: string, message: string])[] = [
    ['["case_name"]', '[', 'a MoFA tape is a JSON object'],
    ['{"case_name": "c", "interactions": [{"response": ""}]}', '{', 'missing field `version`'],
    [
      '{"version": "1", "case_name": "c", "interactions": [{"response": ""}]}',
      '"1"',
      '`version` must be a whole number',
    ],
    ['{"version": -1, "case_name": "c", "interactions": [{"response": ""}]}', '-1', '`version` must be a whole number'],
    [
      '{"version": 1.0, "case_name": "c", "interactions": [{"response": ""}]}',
      '1.0',
      '`version` must be a whole number',
    ],
    ['{"version": 1, "interactions": [{"response": ""}]}', '{', 'missing field `case_name`'],
    ['{"version": 1, "case_name": 7, "interactions": [{"response": ""}]}', '7', '`case_name` must be a string'],
    ['{"version": 1, "case_name": "c"}', '{', 'missing field `interactions`'],
    ['{"version": 1, "case_name": "c", "interactions": null}', 'null', '`interactions` must be a list'],
    [tapeOf(), '[]', 'tape has no interactions'],
    [tapeOf('7'), '7', 'an interaction must be an object'],
    [tapeOf('{"tool_calls": []}'), '{', 'missing field `response`'],
    [tapeOf('{"response": null}'), 'null', '`response` must be a string'],
    [tapeOf('{"response": {"content": ""}}'), '{', '`response` must be a string'],
    [tapeOf('{"response": "", "request": "q"}'), '"q"', '`request` must be an object'],
    [withRequest('{}'), '{', 'missing field `messages`'],
    [withRequest('{"messages": null}'), 'null', '`messages` must be a list'],
    [withRequest('{"messages": [], "model": 4}'), '4', '`model` must be a string'],
    [withRequest('{"messages": [], "temperature": "hot"}'), '"hot"', '`temperature` must be a number'],
    [withRequest('{"messages": [], "max_tokens": 1.5}'), '1.5', '`max_tokens` must be a whole number'],
    [withRequest('{"messages": [], "max_tokens": 4294967296}'), '4294967296', '`max_tokens` must be a whole number'],
    [withRequest('{"messages": [], "tool_names": null}'), 'null', '`tool_names` must be a list'],
    [withRequest('{"messages": [], "tool_names": ["a", 1]}'), '1', 'a tool name must be a string'],
    [withMessage('"hello"'), '"hello"', 'a message must be an object'],
    [withMessage('{"content": ""}'), '{', 'missing field `role`'],
    [withMessage('{"role": null}'), 'null', '`role` must be a string'],
    [withMessage('{"role": "user", "content": ["x"]}'), '[', '`content` must be a string'],
    [withMessage('{"role": "user", "tool_call_id": 5}'), '5', '`tool_call_id` must be a string'],
    [withMessage('{"role": "user", "tool_calls": null}'), 'null', '`tool_calls` must be a list'],
    [withCalls('null'), 'null', '`tool_calls` must be a list'],
    [withCalls('[true]'), 'true', 'a tool call must be an object'],
    [withCalls('[{"name": "t", "arguments": {}}]'), '{', 'missing field `id`'],
    [withCalls('[{"id": 3, "name": "t", "arguments": {}}]'), '3', '`id` must be a string'],
    [withCalls('[{"id": "", "arguments": {}}]'), '{', 'missing field `name`'],
    [withCalls('[{"id": "", "name": false, "arguments": {}}]'), 'false', '`name` must be a string'],
    [withCalls('[{"id": "", "name": "t"}]'), '{', 'missing field `arguments`'],
    [tapeOf('{"response": "", "usage": 3}'), '3', '`usage` must be an object'],
    [
      tapeOf('{"response": "", "usage": {"prompt_tokens": 1, "completion_tokens": 2}}'),
      '{',
      'missing field `total_tokens`',
    ],
    [
      tapeOf('{"response": "", "usage": {"prompt_tokens": -1, "completion_tokens": 2, "total_tokens": 1}}'),
      '-1',
      '`prompt_tokens` must be a whole number',
    ],
  ];
  for (const [text, place, message] of malformed) {
    it(`reports ${message} in ${text}`, () => {
      const { problems } = mofaFormat.read(tapeFileFromText(text));
      assert.deepEqual(
        problems.map((problem) => problem.message),
        [message],
      );
      assert.equal(text.slice(problems[0]?.span.start, problems[0]?.span.end), place);
      assert.match(problems[0]?.fix ?? '', /\.$/);
    });
  }

  it('reports the innermost place: the tool call, not the tape', () => {
    const text = tapeOf('{"response": "a"}', '{"response": "b", "tool_calls": [{"id": "", "arguments": 1}]}');
    assert.equal(mofaFormat.read(tapeFileFromText(text)).problems[0]?.span.start, text.indexOf('{"id"'));
  });

  it('goes on after a problem', () => {
    const tape = mofaFormat.read(
      tapeFileFromText(tapeOf('{"response": 1}', '{"response": "b"}', '3', '{"response": "d"}')),
    );
    assert.equal(tape.problems.length, 2);
    assert.deepEqual(
      tape.interactions.map(({ index, response }) => [index, response?.content]),
      [
        [0, null],
        [1, 'b'],
        [2, undefined],
        [3, 'd'],
      ],
    );
  });

  it('keeps the interactions before the place where a tape is cut off, and says one thing', () => {
    const whole = parse(FULL).interactions;
    for (let end = 0; end < FULL.length; end += 1) {
      const { interactions, problems } = mofaFormat.read(tapeFileFromText(FULL.slice(0, end)));
      assert.equal(problems.length, 1, `cut at ${end}`);
      assert.ok((problems[0]?.span.end ?? end + 1) <= end);
      const complete = whole.filter(({ source }) => source.end <= end);
      assert.deepEqual(interactions.slice(0, complete.length), complete);
    }
  });
});

describe('detectFormat', () => {
  it('knows a MoFA tape by its content, also behind a byte order mark and when it is cut off', () => {
    for (const text of [FULL, `\uFEFF${FULL}`, ` \r\n${FULL}`, FULL.slice(0, 80), tapeOf()])
      assert.equal(detectFormat(tapeFileFromText(text))?.id, 'mofa');
  });

  it('claims nothing else', () => {
    const others = [
      '',
      '[]',
      'case_name interactions',
      '{"case_name": "c", "workspace_before": {}}',
      '{"meta": {}, "interactions": []}',
      '{"fixtures": [{"match": {}}]}',
      '{"text": "\\"case_name\\": \\"interactions\\":"}',
      'interactions:\n- request: {}\n',
    ];
    for (const text of others) assert.ok(!mofaFormat.looksLike(tapeFileFromText(text)), text);
    assert.equal(detectFormat(tapeFileFromText('case_name interactions')), undefined);
    assert.equal(readTape(tapeFileFromText('[]')), undefined);
  });
});

corpusSuite('the MoFA tapes of the corpus', (folder) => {
  const tapes = join(folder, 'mofa-project/tests/fixtures');
  const text = (name: string): string => readFileSync(join(tapes, name), 'utf8');

  it('are read without problems', () => {
    const names = readdirSync(tapes).filter((name) => name.endsWith('.tape.json'));
    assert.ok(names.length >= 2);
    for (const name of names) assert.equal(parse(text(name)).interactions.length, 1, name);
  });

  it('have their counts', () => {
    const tape = parse(text('simple_agent_recorded.tape.json'));
    assert.equal(tape.name, 'simple_agent_record');
    assert.deepEqual(tapeTotals(tape), {
      interactions: 1,
      toolCalls: 0,
      usage: { promptTokens: 284, completionTokens: 25, totalTokens: 309 },
      unpriced: 1,
    });
  });

  it('come back byte for byte, where MoFA’s recorder wrote them', () => {
    const recorded = text('simple_agent_recorded.tape.json');
    assert.equal(mofaFormat.serialise('simple_agent_record', parse(recorded).interactions), recorded);
  });
});
