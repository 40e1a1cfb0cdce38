import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { compactJson, type Json, jsonEqual } from '../../../../src/core/json/json';
import { toNode } from '../../../../src/core/json/jsonNode';
import { readJson } from '../../../../src/core/json/readJson';
import type { ToolCall } from '../../../../src/core/model/message';
import { reynFormat } from '../../../../src/core/tapes/formats/reyn/index';
import {
  completionKey,
  embeddingKey,
  keyComponents,
  promptPreview,
} from '../../../../src/core/tapes/formats/reyn/keys';
import { plainInteraction } from '../../../../src/core/tapes/lazyTape';
import { tapeFileFromText } from '../../../../src/core/tapes/tapeFile';
import { applySplices } from '../../../../src/core/text/splice';
import { corpusSuite } from '../../../corpus';
import { exchange } from '../chatArbitraries';
import { editAnswer, readAs } from '../editing';

const KEY = 'a'.repeat(64);

function answer(content: string | null): string {
  const message = `{"content": ${JSON.stringify(content)}, "role": "assistant", "tool_calls": null}`;
  return `{"id": "i", "model": "m", "choices": [{"finish_reason": "stop", "index": 0, "message": ${message}}], "usage": {"completion_tokens": 2, "prompt_tokens": 1, "total_tokens": 3}}`;
}

function completion(key: string, components?: string, content: string | null = 'hello'): string {
  const fingerprint = components === undefined ? '' : ` "key_components": ${components},`;
  return `{"key": "${key}", "model": "m", "prompt_preview": "hi",${fingerprint} "response": ${answer(content)}}`;
}

const COMPONENTS = '{"model": "m", "tool_choice": "auto", "messages": ["system:0", "user:1"], "tools": {"run": "2"}}';
const ENVIRONMENT = '{"kind": "environment", "name": "mcp_catalog", "value": {"a": [{"name": "x"}, {"name": "y"}]}}';
const lines = (...all: string[]): string => all.map((line) => `${line}\n`).join('');
const problemsOf = (text: string): string[] =>
  reynFormat.read(tapeFileFromText(text)).problems.map(({ message }) => message);

describe('Reyn fixtures', () => {
  it('have completions, of whose request only the end is known', () => {
    const { interactions } = readAs('reyn', lines(completion(KEY, COMPONENTS)));
    const { source: _, ...first } = plainInteraction(interactions[0] ?? assert.fail());
    assert.deepEqual(first, {
      index: 0,
      kind: 'llm',
      api: 'openai-chat',
      request: {
        model: 'm',
        messages: [{ role: 'user', content: 'hi', toolCalls: [] }],
        tools: [{ name: 'run' }],
        params: { tool_choice: 'auto' },
        partial: 'preview',
        digests: { model: 'm', toolChoice: 'auto', messages: ['system:0', 'user:1'], tools: { run: '2' } },
      },
      response: {
        content: 'hello',
        toolCalls: [],
        model: 'm',
        usage: { promptTokens: 1, completionTokens: 2, totalTokens: 3 },
        finishReason: 'stop',
      },
      id: KEY,
    });
  });

  it('have captured environments and embeddings', () => {
    const vectors = `{"model": "e", "data": [{"embedding": [0.1, -2e-3], "index": 0, "object": "embedding"}], "object": "list"}`;
    const embedding = `{"key": "${KEY}", "kind": "embedding", "model": "e", "prompt_preview": "text", "response": ${vectors}}`;
    const { interactions } = readAs('reyn', lines(ENVIRONMENT, embedding));
    assert.deepEqual(
      interactions.map(({ kind, summary, id }) => [kind, summary, id]),
      [
        ['environment', 'mcp_catalog: 1 server, 2 tools', 'mcp_catalog'],
        ['embedding', '1 vector with 2 dimensions', KEY],
      ],
    );
  });

  it('are told from other files of JSON lines, also when the first line is broken', () => {
    const looks = (text: string): boolean => reynFormat.looksLike(tapeFileFromText(text));
    assert.ok(looks(lines(ENVIRONMENT)));
    assert.ok(looks(lines('{"key": "x', completion(KEY))));
    assert.ok(!looks(lines('{"method": "generateContent", "response": {}}')));
    assert.ok(!looks(lines('{"kind": "event", "name": "n", "value": 1}')));
    assert.ok(!looks('{"key": 1}'));
    assert.ok(!looks('version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n'));
  });

  it('report what Reyn skips without a word, and go on', () => {
    const text = lines(
      completion(KEY, COMPONENTS),
      '{"key": ',
      `{"key": "${'b'.repeat(64)}", "model": "m", "prompt_preview": ""}`,
    );
    const tape = reynFormat.read(tapeFileFromText(text));
    assert.equal(tape.interactions.length, 2);
    assert.deepEqual(
      tape.problems.map(({ message }) => message),
      [
        'invalid JSON: expected a value, found the end of the file; Reyn silently skips this line',
        'missing field `response`; Reyn silently skips this line',
      ],
    );
  });
});

describe('the lines of Reyn fixtures', () => {
  for (const char of ['\u2028', '\u2029', '\u0085']) {
    it(`are broken by Python at U+${char.charCodeAt(0).toString(16)}`, () => {
      const text = lines(ENVIRONMENT, completion(KEY, COMPONENTS, `a${char}b`));
      const { interactions, problems } = reynFormat.read(tapeFileFromText(text));
      assert.equal(interactions[1]?.response?.content, `a${char}b`, 'it is shown all the same');
      assert.match(problems[0]?.message ?? '', /Reyn does not find this entry: Python ends a line at U\+/);
      assert.equal(text.slice(problems[0]?.span.start, problems[0]?.span.end), char);
      const repaired = applySplices(text, reynFormat.finalise(tapeFileFromText(text)));
      assert.deepEqual(reynFormat.read(tapeFileFromText(repaired)).problems, []);
      assert.equal(reynFormat.read(tapeFileFromText(repaired)).interactions[1]?.response?.content, `a${char}b`);
    });
  }

  it('may be several where an editor sees one', () => {
    const text = `${ENVIRONMENT}\u2028${completion(KEY, COMPONENTS)}\r\n`;
    const tape = reynFormat.read(tapeFileFromText(text));
    assert.deepEqual(
      tape.interactions.map(({ source }) => text.slice(source.start, source.end)),
      [ENVIRONMENT, completion(KEY, COMPONENTS)],
    );
    assert.deepEqual(tape.problems, []);
  });
});

describe('what is in a Reyn fixture more than once', () => {
  const [one, other] = ['b'.repeat(64), 'c'.repeat(64)];

  it('is a key: only the last entry counts', () => {
    assert.deepEqual(problemsOf(lines(completion(KEY, COMPONENTS), completion(KEY, COMPONENTS))), [
      'another entry below has the same key: Reyn uses only the last',
    ]);
  });

  it('is an environment', () => {
    assert.deepEqual(problemsOf(lines(ENVIRONMENT, ENVIRONMENT)), [
      'the same environment is captured again below: Reyn uses only the last',
    ]);
  });

  it('is a call under several keys, whatever its tools', () => {
    const stacked = COMPONENTS.replace('"2"', '"3"');
    const message = 'the same call is recorded under 2 keys: the fixture matches every one of these generations';
    assert.deepEqual(problemsOf(lines(completion(one, COMPONENTS), completion(other, stacked))), [message, message]);
    const rerank = (line: string) => line.replace('{', '{"kind": "rerank", ');
    const unknown = 'unknown kind "rerank": Reyn replays this entry as a completion';
    const ofUnknown = [completion(one, COMPONENTS), completion(other, stacked)].map((line) => rerank(line));
    assert.deepEqual(problemsOf(lines(...ofUnknown)), [unknown, unknown], 'as Reyn, which counts it as none');
    const next = COMPONENTS.replace('"user:1"', '"user:9"');
    assert.deepEqual(problemsOf(lines(completion(one, COMPONENTS), completion(other, next))), []);
  });

  it('cannot be measured in old fixtures', () => {
    const [problem] = reynFormat.read(tapeFileFromText(lines(completion(one), completion(other)))).problems;
    assert.equal(problem?.severity, 'info');
    assert.match(problem?.message ?? '', /cannot be measured/);
  });
});

describe('editing a Reyn fixture', () => {
  it('changes the text, in Python’s spacing, and nothing else', () => {
    const file = tapeFileFromText(
      lines(
        ENVIRONMENT,
        completion(KEY, COMPONENTS),
        completion('b'.repeat(64), COMPONENTS.replace('user:1', 'user:3')),
      ),
    );
    const { text, dependents } = editAnswer(file, 1, 'good "bye" é');
    assert.equal(text, file.text.replace('"content": "hello"', '"content": "good \\"bye\\" é"'));
    assert.deepEqual(dependents, []);
  });

  it('never writes a character at which Python ends the line', () => {
    const { text } = editAnswer(tapeFileFromText(lines(completion(KEY, COMPONENTS))), 0, 'a\u2028b\u2029c\u0085d');
    assert.match(text, /"a\\u2028b\\u2029c\\u0085d"/);
    assert.deepEqual(problemsOf(text), []);
  });

  it('is refused where there is no text', () => {
    const file = tapeFileFromText(lines(ENVIRONMENT, completion(KEY, COMPONENTS, null)));
    for (const interaction of [0, 1, 2])
      assert.ok('refused' in reynFormat.editText(file, { type: 'response-text', interaction, text: 'x' }));
  });
});

describe('writing a Reyn fixture', () => {
  it('keeps answers, models and usage, under keys that agree with their parts', () => {
    fc.assert(
      fc.property(fc.array(exchange, { maxLength: 3 }), (exchanges) => {
        const interactions = exchanges.filter(({ request }) => (request?.messages.length ?? 0) > 0);
        const text = reynFormat.serialise('', exchanges);
        const tape = reynFormat.read(tapeFileFromText(text));
        assert.equal(tape.interactions.length, interactions.length);
        assert.ok(!tape.problems.some(({ severity }) => severity === 'error'), JSON.stringify(tape.problems));
        tape.interactions.forEach(({ response }, index) => {
          const answered = interactions[index]?.response;
          assert.equal(response?.content, answered?.content);
          assert.deepEqual(response?.toolCalls.map(callOf), answered?.toolCalls.map(callOf));
          assert.ok(jsonEqual(response?.usage, answered?.usage));
        });
      }),
      { numRuns: 100 },
    );
  });

  it('has the servers and tools that a call could choose from, each once', () => {
    const tool = (name: string, servers: Json[], tools: Json[]) => ({
      name,
      schema: { type: 'object', properties: { server: { enum: servers }, mcp_tool_name: { enum: tools } } },
    });
    const messages = [{ role: 'user', content: 'hi', toolCalls: [] }];
    const tools = [tool('a', ['git', 'disk'], ['git.log']), tool('b', ['disk', 3, 'web'], []), { name: 'c' }];
    const text = reynFormat.serialise('', [
      { request: { messages, tools, params: {} }, response: { content: 'a', toolCalls: [] } },
    ]);
    assert.match(
      text,
      /"preconditions": \{"mcp_catalog": \{"servers": \["git", "disk", "3", "web"\], "tools": \["git\.log"\]\}\}/,
    );
  });

  it('has a line for each entry, and none for what has no place in it', () => {
    const response = { content: 'a\u2028b', toolCalls: [] };
    const request = { messages: [{ role: 'user', content: 'hi', toolCalls: [] }], tools: [], params: {} };
    const text = reynFormat.serialise('', [
      { request, response },
      { kind: 'tool', request, response },
      { kind: 'http' },
      { response },
      { request: { ...request, messages: [] }, response },
      { request: { ...request, partial: 'preview' }, response },
      { kind: 'embedding', request: { ...request, partial: 'preview' }, response },
    ]);
    assert.equal(text.split('\n').length, 2);
    assert.ok(text.includes('"content": "a\\u2028b"'));
  });
});

/** A call as the wire has it. */
function callOf({ name, arguments: args, argumentsText }: ToolCall): unknown {
  return [name, argumentsText ?? (typeof args === 'string' ? args : compactJson(args))];
}

interface Vector {
  readonly model: string;
  readonly messages: Json[];
  readonly tools: Json[] | null;
  readonly tool_choice: string | null;
  readonly key: string;
  readonly message_digests: string[];
  readonly tool_digests: Record<string, string>;
}

describe('the keys of Reyn', () => {
  const call = (text: string): Parameters<typeof completionKey>[0] => ({
    model: 'm',
    messages: [toNode({ role: 'user', content: 'hi' })],
    tools: [readJson(text).value ?? assert.fail()],
  });

  it('leave out what depends on the machine, and only that', () => {
    const tool = (server: string): string =>
      `{"function": {"name": "f", "parameters": {"properties": {"server": ${server}, "mode": {"enum": ["x"]}}}}}`;
    const key = completionKey(call(tool('{"type": "string"}')));
    assert.equal(completionKey(call(tool('{"type": "string", "enum": ["a", "b"]}'))), key);
    assert.notEqual(completionKey(call(tool('{"type": "string"}').replace('["x"]', '["y"]'))), key);
    assert.notEqual(completionKey(call(tool('{"type": "number"}'))), key);
  });

  it('tell 1.0 from 1, and do not exist for half a character', () => {
    assert.notEqual(completionKey(call('{"default": 1.0}')), completionKey(call('{"default": 1}')));
    assert.equal(completionKey({ model: 'm', messages: [toNode('\ud800')] }), undefined);
  });

  it('have a preview of 200 code points of the last message', () => {
    const preview = (content: Json): string => promptPreview([toNode({ content: 'first' }), toNode({ content })]);
    assert.equal(preview('😀'.repeat(300)), '😀'.repeat(200));
    assert.equal(preview([{ type: 'text', text: 'a' }, { type: 'image' }, 'b']), 'a  b');
    assert.equal(preview(null), 'None');
    assert.equal(promptPreview([]), '');
  });
});

corpusSuite('the golden vectors of Reyn', (corpus) => {
  const vectors = JSON.parse(readFileSync(join(corpus, '_vectors/vectors.json'), 'utf8')) as {
    readonly reyn_completion: Vector[];
    readonly reyn_embedding: { model: string; input: string[]; key: string }[];
  };

  it('hold for completions', () => {
    assert.ok(vectors.reyn_completion.length >= 6);
    for (const { model, messages, tools, tool_choice, key, message_digests, tool_digests } of vectors.reyn_completion) {
      const asked = {
        model,
        messages: messages.map(toNode),
        tools: (tools ?? []).map(toNode),
        toolChoice: tool_choice ?? '',
      };
      assert.equal(completionKey(asked), key);
      const components = keyComponents(asked);
      assert.deepEqual(components.messages, message_digests);
      assert.deepEqual(components.tools, tool_digests);
      assert.equal(components.tool_choice, tool_choice ?? '');
    }
  });

  it('hold for embeddings', () => {
    assert.ok(vectors.reyn_embedding.length >= 3);
    for (const { model, input, key } of vectors.reyn_embedding) assert.equal(embeddingKey(model, input), key);
    assert.equal(embeddingKey('text-embedding-3-small', 'a'), vectors.reyn_embedding[0]?.key);
  });

  it('are the keys of the real fixtures', () => {
    const [first, second] = vectors.reyn_completion;
    for (const [name, vector] of [
      ['text_only', first],
      ['tool_call', second],
    ] as const) {
      const path = join(corpus, `reyn-jsonl/tya5+reyn/tests__fixtures__llm__llm_tools__${name}.jsonl`);
      const { interactions } = reynFormat.read(tapeFileFromText(readFileSync(path, 'utf8')));
      assert.ok(interactions.some(({ id }) => id === vector?.key));
    }
  });

  it('stay when an answer is edited: of a real fixture only the answer changes', () => {
    const path = join(corpus, 'reyn-jsonl/tya5+reyn/tests__fixtures__llm__llm_tools__text_only.jsonl');
    const file = tapeFileFromText(readFileSync(path, 'utf8'));
    const outcome = reynFormat.editText(file, { type: 'response-text', interaction: 1, text: 'bye' });
    assert.ok('splices' in outcome);
    assert.equal(outcome.splices.length, 1);
    assert.equal(
      reynFormat.read(tapeFileFromText(applySplices(file.text, outcome.splices))).interactions[1]?.response?.content,
      'bye',
    );
  });
});
