import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { compactJson } from '../../../../src/core/json/json';
import { toNode } from '../../../../src/core/json/jsonNode';
import { readJson } from '../../../../src/core/json/readJson';
import type { Interaction } from '../../../../src/core/model/interaction';
import type { ChatRequest, ToolCall } from '../../../../src/core/model/message';
import type { Tape } from '../../../../src/core/model/tape';
import { hashOfCassette } from '../../../../src/core/tapes/formats/checkagent/edit';
import { cassettePath, interactionId, shortHash } from '../../../../src/core/tapes/formats/checkagent/hash';
import { checkagentFormat } from '../../../../src/core/tapes/formats/checkagent/index';
import { plainInteraction } from '../../../../src/core/tapes/lazyTape';
import { tapeFileFromText } from '../../../../src/core/tapes/tapeFile';
import { applySplices } from '../../../../src/core/text/splice';
import { corpusSuite } from '../../../corpus';
import { exchange } from '../chatArbitraries';
import { editAnswer, readAs } from '../editing';
import { cassetteText } from './checkagentCassettes';

interface Fields {
  readonly meta?: string;
  readonly request?: string;
  readonly response?: string;
  readonly rest?: string;
}

const CHAT =
  '{"kind": "llm", "method": "chat.completions.create", "body": {"messages": [{"role": "user", "content": "hi"}]}}';

/** A cassette with one interaction, in one line. */
function cassette({
  meta = '{"schema_version": 1}',
  request = CHAT,
  response = '{"body": "hello"}',
  rest = '',
}: Fields): string {
  return `{"meta": ${meta}, "interactions": [{"request": ${request}, "response": ${response}${rest}}]}`;
}

function read(text: string): Tape {
  return checkagentFormat.read(tapeFileFromText(text, 'cassettes/c.json'));
}

function only(text: string): Interaction {
  const [interaction] = readAs('checkagent', text).interactions;
  assert.ok(interaction);
  return interaction;
}

function messages(text: string): string[] {
  return read(text).problems.map(({ message }) => message);
}

function finalised(text: string): string {
  return applySplices(text, checkagentFormat.finalise(tapeFileFromText(text)));
}

describe('CheckAgent cassettes', () => {
  it('are read as the chat that they record', () => {
    const usage = '"prompt_tokens": 10.0, "completion_tokens": "5", "duration_ms": 12';
    const { source: _, ...interaction } = plainInteraction(
      only(cassette({ response: `{"body": "hello", ${usage}}`, rest: ', "id": "mine"' })),
    );
    assert.deepEqual(interaction, {
      index: 0,
      kind: 'llm',
      api: 'openai-chat',
      request: { messages: [{ role: 'user', content: 'hi', toolCalls: [] }], tools: [], params: {} },
      response: { content: 'hello', toolCalls: [], usage: { promptTokens: 10, completionTokens: 5, totalTokens: 15 } },
      timing: { durationMs: 12 },
      id: 'mine',
    });
  });

  it('tell their test, their version and when they were recorded', () => {
    const tape = readAs(
      'checkagent',
      cassette({ meta: '{"schema_version": "1", "test_id": "t::a", "recorded_at": "2026-01-01"}' }),
    );
    assert.deepEqual([tape.name, tape.version], ['t::a', '1']);
    assert.equal(tape.interactions[0]?.timing?.recordedAt, '2026-01-01');
  });

  it('have answers in the shapes of several providers', () => {
    const call = '{"id": "c", "type": "function", "function": {"name": "t", "arguments": "{\\"a\\": 1}"}}';
    const openai = `{"choices": [{"finish_reason": "tool_calls", "message": {"role": "assistant", "content": null, "tool_calls": [${call}]}}]}`;
    assert.deepEqual(only(cassette({ response: `{"body": ${openai}}` })).response?.toolCalls, [
      { id: 'c', name: 't', arguments: { a: 1 }, argumentsText: '{"a": 1}' },
    ]);
    const anthropic =
      '{"type": "message", "role": "assistant", "content": [{"type": "text", "text": "hi"}], "stop_reason": "end_turn"}';
    const asked =
      '{"kind": "llm", "method": "messages.create", "body": {"messages": [{"role": "user", "content": "hi"}]}}';
    assert.equal(only(cassette({ request: asked, response: `{"body": ${anthropic}}` })).response?.content, 'hi');
    for (const body of ['{"output": "hi"}', '{"content": "hi"}', '{"message": {"content": "hi"}}'])
      assert.equal(only(cassette({ response: `{"body": ${body}}` })).response?.content, 'hi');
    assert.deepEqual(only(cassette({ response: '{"body": {"strange": 1}}' })).response, {
      content: null,
      parts: [{ type: 'unknown', raw: { strange: 1 } }],
      toolCalls: [],
    });
  });

  it('have plain prompts, and requests that are something else', () => {
    const asked = (body: string): Interaction['request'] =>
      only(cassette({ request: `{"kind": "llm", "model": "m", "body": ${body}}` })).request;
    assert.deepEqual(asked('{"prompt": "hi"}'), {
      messages: [{ role: 'user', content: 'hi', toolCalls: [] }],
      tools: [],
      params: {},
      model: 'm',
    });
    assert.deepEqual(asked('{"odd": 1}')?.messages[0]?.parts, [{ type: 'unknown', raw: { odd: 1 } }]);
  });

  it('have calls of tools, which may fail', () => {
    const request = '{"kind": "tool", "method": "search", "body": {"q": "w"}}';
    const call = only(cassette({ request, response: '{"body": {"hits": 2}}' }));
    assert.equal(call.kind, 'tool');
    assert.deepEqual(call.request?.messages[0]?.toolCalls, [{ id: '', name: 'search', arguments: { q: 'w' } }]);
    assert.equal(call.response?.content, '{"hits":2}');
    const failed = only(cassette({ request, response: '{"status": "error", "body": "rate limited"}' }));
    assert.deepEqual(failed.response, { content: null, toolCalls: [], error: 'rate limited' });
  });

  it('are told from other files with interactions', () => {
    const looks = (text: string): boolean => checkagentFormat.looksLike(tapeFileFromText(text));
    assert.ok(looks(cassette({})));
    assert.ok(looks(cassette({}).slice(0, 60)), 'cut off');
    assert.ok(looks(cassette({}).replace('"meta"', '"_meta"')));
    assert.ok(!looks('{"meta": {}, "interactions": []}'));
    assert.ok(!looks('{"version": 1, "interactions": [{"request": {"url": "u"}}]}'));
    assert.ok(!looks('{"text": "\\"meta\\": {\\"schema_version\\": 1}, \\"interactions\\": []"}'));
  });
});

describe('what is wrong with a cassette', () => {
  const wrong: readonly (readonly [text: string, ...messages: string[]])[] = [
    [cassette({ request: '{}' }), 'missing field `kind`'],
    [cassette({ request: '{"kind": "llm", "model": 4}' }), '`model` must be a string'],
    [cassette({ request: '{"kind": "llm", "body": []}' }), '`body` must be an object'],
    [cassette({ response: '{"prompt_tokens": 1.5}' }), '`prompt_tokens` must be a whole number'],
    [cassette({ response: '{"duration_ms": "fast"}' }), '`duration_ms` must be a number'],
    [cassette({ response: '{"body": ["\\ud800"]}' }), 'a string has half of a surrogate pair'],
    ['{"meta": {"schema_version": 1}, "interactions": [3]}', 'an interaction must be an object'],
    [cassette({ rest: ', "sequence": 3' }), '`sequence` is 3 at position 0'],
    [cassette({ rest: ', "id": "0123456789abcdef"' }), '`id` does not belong to this method and body'],
    [cassette({ meta: '{"schema_version": 2}' }), 'Cassette schema v2 is newer than current v1.'],
    [cassette({ meta: '{"schema_version": 0}', request: '{}' }), 'Cassette c.json uses schema v0, current is v1.'],
    [
      cassette({}).replace('"meta"', '"_meta"'),
      'CheckAgent does not read `_meta`: the hash and the version in it are ignored',
    ],
    [
      cassette({ meta: `{"schema_version": 1, "content_hash": "${'0'.repeat(64)}"}` }),
      '`content_hash` does not match the interactions: they were changed after they were recorded',
    ],
    [cassette({}).slice(0, -5), 'invalid JSON: a string is not closed'],
  ];
  for (const [text, ...expected] of wrong) it(expected.join(), () => assert.deepEqual(messages(text), expected));

  it('is said at its place', () => {
    const text = cassette({ rest: ', "sequence": 3' });
    const [problem] = read(text).problems;
    assert.equal(text.slice(problem?.span.start, problem?.span.end), '3');
  });

  it('is nothing where ids were given by hand, or no hash is stored', () => {
    assert.deepEqual(messages(cassette({ meta: '{"content_hash": ""}', rest: ', "id": "my-call"' })), []);
  });
});

describe('finalising a cassette', () => {
  it('makes ids, sequence numbers and the hash, and touches nothing else', () => {
    const text = cassette({});
    const done = finalised(text);
    assert.deepEqual(messages(done), []);
    const made = interactionId('chat.completions.create', toNode({ messages: [{ role: 'user', content: 'hi' }] }));
    assert.match(
      done,
      new RegExp(`"id": "${made}", "sequence": 0, "request"|"sequence": 0, "id": "${made}", "request"`),
    );
    assert.match(done, new RegExp(`"content_hash": "${hashOfCassette(done)}"`));
    const added = /"(?:id|content_hash)": "[0-9a-f]+", |"sequence": 0, /g;
    assert.equal(done.replace(added, ''), text);
    assert.deepEqual(checkagentFormat.finalise(tapeFileFromText(done)), []);
  });

  it('renames the meta block that CheckAgent does not read', () => {
    const done = finalised(cassette({}).replace('"meta"', '"_meta"'));
    assert.match(done, /^\{"meta": \{"content_hash"/);
    assert.deepEqual(messages(done), []);
  });

  it('leaves alone what CheckAgent does not load', () => {
    assert.deepEqual(checkagentFormat.finalise(tapeFileFromText(cassette({ request: '{}' }))), []);
    assert.deepEqual(checkagentFormat.finalise(tapeFileFromText('{"meta": {')), []);
  });

  it('ends for every cassette that loads: a second time there is nothing to do', () => {
    fc.assert(
      fc.property(cassetteText, (text) => {
        const done = finalised(text);
        if (hashOfCassette(text) === undefined) assert.equal(done, text);
        else assert.deepEqual(checkagentFormat.finalise(tapeFileFromText(done)), [], text);
      }),
      { numRuns: 300 },
    );
  });
});

describe('editing a cassette', () => {
  it('keeps a right hash right', () => {
    const file = tapeFileFromText(finalised(cassette({})));
    const { text, dependents } = editAnswer(file, 0, 'good\nbye "é" 😀');
    assert.deepEqual(dependents, ['content_hash']);
    assert.deepEqual(messages(text), []);
    assert.ok(text.includes('"good\\nbye \\"é\\" 😀"'));
  });

  it('does not make a wrong hash look right', () => {
    const file = tapeFileFromText(cassette({ meta: '{"schema_version": 1, "content_hash": "00"}' }));
    const { text, dependents } = editAnswer(file, 0, 'x');
    assert.deepEqual(dependents, []);
    assert.match(text, /"content_hash": "00"/);
  });

  it('finds the text inside an answer of a provider', () => {
    const body = '{"id": "x", "choices": [{"index": 0, "message": {"role": "assistant", "content": "hello"}}]}';
    const { text } = editAnswer(tapeFileFromText(cassette({ response: `{"body": ${body}}` })), 0, 'bye');
    assert.equal(text, cassette({ response: `{"body": ${body.replace('hello', 'bye')}}` }));
  });

  it('is refused where there is no text', () => {
    for (const response of ['{"status": "error", "body": "x"}', '{"body": null}', '{"body": {"strange": 1}}']) {
      const outcome = checkagentFormat.editText(tapeFileFromText(cassette({ response })), {
        type: 'response-text',
        interaction: 0,
        text: 'x',
      });
      assert.ok('refused' in outcome, response);
    }
    const none = checkagentFormat.editText(tapeFileFromText(cassette({})), {
      type: 'response-text',
      interaction: 7,
      text: 'x',
    });
    assert.ok('refused' in none);
  });
});

describe('writing a cassette', () => {
  it('keeps what it can carry', () => {
    fc.assert(
      fc.property(fc.array(exchange, { maxLength: 3 }), (interactions) => {
        const text = checkagentFormat.serialise('t', interactions);
        const tape = readAs('checkagent', text);
        assert.deepEqual(messages(text), []);
        assert.equal(tape.interactions.length, interactions.length);
        tape.interactions.forEach(({ request, response }, index) => {
          const { request: asked, response: answered } = interactions[index] ?? {};
          assert.equal(response?.content, answered?.content);
          assert.deepEqual(response?.toolCalls.map(callOf), answered?.toolCalls.map(callOf));
          assert.equal(response?.usage?.promptTokens, answered?.usage?.promptTokens);
          assert.equal(request?.model, asked?.model);
          assert.deepEqual(
            request?.messages.map(({ role, content, toolCalls }) => [role, content, toolCalls.map(callOf)]),
            (asked?.messages ?? []).map(({ role, content, toolCalls }) => [role, content, toolCalls.map(callOf)]),
          );
          assert.deepEqual(namesOf(request), namesOf(asked));
        });
      }),
      { numRuns: 100 },
    );
  });

  it('writes calls of tools, embeddings and failures as such', () => {
    const called = { role: 'assistant', content: null, toolCalls: [{ id: '', name: 'search', arguments: { q: 1 } }] };
    const text = checkagentFormat.serialise('t', [
      {
        kind: 'tool',
        request: { messages: [called], tools: [], params: {} },
        response: { content: 'r', toolCalls: [] },
      },
      { kind: 'llm', response: { content: null, toolCalls: [], error: 'overloaded' }, timing: { durationMs: 12 } },
    ]);
    const [tool, failed] = readAs('checkagent', text).interactions;
    assert.deepEqual(tool?.request?.messages, [called]);
    assert.deepEqual([tool?.kind, tool?.response?.content], ['tool', 'r']);
    assert.deepEqual([failed?.response?.error, failed?.timing?.durationMs], ['overloaded', 12]);
    assert.match(text, /"duration_ms": 12\.0\n/);
    assert.doesNotMatch(text, /\n$/);
  });
});

/** A call as the wire has it. Calls without an id get one when they are read. */
function callOf({ name, arguments: args, argumentsText }: ToolCall): unknown {
  return [name, argumentsText ?? (typeof args === 'string' ? args : compactJson(args))];
}

function namesOf(request: ChatRequest | undefined): string[] {
  return (request?.tools ?? []).map(({ name }) => name);
}

describe('what CheckAgent reads with defaults', () => {
  const CALL = '{"request": {"kind": "llm", "method": "m"}, "response": {"body": "hello"}}';
  const problems = (text: string): string[] => {
    assert.ok(checkagentFormat.looksLike(tapeFileFromText(text)));
    return checkagentFormat
      .read(tapeFileFromText(text))
      .problems.map(({ severity, message }) => `${severity}: ${message}`);
  };

  it('is read, and told: a cassette without `meta`, or without `interactions`', () => {
    assert.deepEqual(problems(`{"interactions": [${CALL}]}`), [
      'warning: the cassette has no `meta`: its hash and version are not known',
    ]);
    assert.deepEqual(problems('{"meta": {"schema_version": 1, "test_id": "t"}}'), [
      'warning: the cassette has no `interactions`: CheckAgent has nothing to replay',
    ]);
    assert.ok(!checkagentFormat.looksLike(tapeFileFromText('{"meta": {"schema_version": 1}, "items": []}')));
  });

  it('does not lead out of the folder of cassettes', () => {
    assert.equal(cassettePath('../../a::b', '0'.repeat(64)), 'a/b/000000000000.json');
  });
});

describe('the names of cassettes', () => {
  it('are made of the test and of 12 digits of the hash', () => {
    const hash = 'abcdef0123456789'.repeat(4);
    assert.equal(shortHash(hash), 'abcdef012345');
    assert.equal(cassettePath('tests/test_a.py::test one', hash), 'tests/test_a.py/test_one/abcdef012345.json');
    assert.equal(cassettePath('', hash), 'abcdef012345.json');
  });
});

corpusSuite('the CheckAgent cassettes of the corpus', (corpus) => {
  const folder = join(corpus, 'checkagent-json/_synthetic');
  const text = (name: string): string => readFileSync(join(folder, name), 'utf8');

  it('have the hash that CheckAgent gave to odd numbers, astral keys and big integers', () => {
    const edge = text('edge-numbers-unicode.json');
    const { value } = readJson(edge);
    assert.ok(value);
    assert.deepEqual(messages(edge), []);
    assert.match(edge, new RegExp(`"content_hash": "${hashOfCassette(edge)}"`));
    for (const [from, to] of [
      ['1e+22', '1e+21'],
      ['"rate limited"', '"rate"'],
      ['"sequence": 2', '"sequence": 1'],
    ] as const)
      assert.notEqual(hashOfCassette(edge.replace(from, to)), hashOfCassette(edge), from);
    // The same value in another spelling has the same hash.
    assert.equal(hashOfCassette(edge.replace('1e+22', '10000000000000000000000.0')), hashOfCassette(edge));
    assert.equal(hashOfCassette(edge.replace('12.0', '12')), hashOfCassette(edge));
  });

  it('are migrated as CheckAgent migrates them, byte for byte', () => {
    assert.equal(checkagentFormat.migrate(tapeFileFromText(text('v0.json'))), text('v0.migrated-to-v1.expected.json'));
    assert.equal(checkagentFormat.migrate(tapeFileFromText(text('edge-numbers-unicode.json'))), undefined);
  });
});
