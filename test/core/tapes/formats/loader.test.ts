import assert from 'node:assert/strict';
import fc from 'fast-check';
import { jsonEqual } from '../../../../src/core/json/json';
import { loaderFormat } from '../../../../src/core/tapes/formats/loader/index';
import { tapeFileFromText } from '../../../../src/core/tapes/tapeFile';
import { exchange } from '../chatArbitraries';
import { editAnswer, readAs } from '../editing';

const chunk = (content: string, rest = ''): string =>
  `{"content": ${JSON.stringify(content)}, "is_done": false${rest}}`;
const last = (content: string, full: string, calls = '[]'): string =>
  `{"content": ${JSON.stringify(content)}, "full_content": ${JSON.stringify(full)}, "tool_calls": ${calls}, "is_done": true}`;
const scenario = (completions: string[], streams: string[][], native = true): string =>
  `{"name": "s", "prompt": "Read it.", "supports_native_tools": ${native}, "completions": [${completions.join(', ')}], ` +
  `"streams": [${streams.map((chunks) => `[${chunks.join(', ')}]`).join(', ')}]}`;

const CALL = '{"id": "c", "name": "read", "arguments": {"path": "a"}}';
const COMPLETION = `{"content": "I look.", "tool_calls": [${CALL}], "usage": {"prompt_tokens": 12, "completion_tokens": 7}}`;
const problemsOf = (text: string): string[] =>
  loaderFormat.read(tapeFileFromText(text)).problems.map(({ message }) => message);

describe('Loader scenarios', () => {
  it('have two queues: completions, and streams put together from their chunks', () => {
    const text = scenario([COMPLETION], [[chunk('Hel'), last('lo', 'Hello', `[${CALL}]`)], [last('x', '')]]);
    const tape = readAs('loader', text);
    assert.equal(tape.name, 's');
    const call = { id: 'c', name: 'read', arguments: { path: 'a' } };
    const prompt = { messages: [{ role: 'user', content: 'Read it.', toolCalls: [] }], tools: [], params: {} };
    assert.deepEqual(
      tape.interactions.map(({ id, request, response }) => [id, request, response?.content, response?.toolCalls]),
      [
        ['completion 1', prompt, 'I look.', [call]],
        ['stream 1', prompt, 'Hello', [call]],
        ['stream 2', undefined, 'x', []],
      ],
    );
    assert.deepEqual(tape.interactions[0]?.response?.usage, { promptTokens: 12, completionTokens: 7, totalTokens: 19 });
    assert.equal(tape.interactions[1]?.response?.chunks?.length, 2);
  });

  it('say when the backend has no native tools', () => {
    assert.equal(readAs('loader', scenario([COMPLETION], [], false)).interactions[0]?.summary, 'without native tools');
  });

  it('report what cannot be played', () => {
    assert.deepEqual(problemsOf(scenario([], [[chunk('a')]])), ['the stream does not end']);
    assert.deepEqual(problemsOf(scenario([], [[]])), ['the stream does not end']);
    assert.deepEqual(problemsOf(scenario([], [[chunk('a'), last('b', 'c')]])), [
      '`full_content` differs from the text of the chunks',
    ]);
    assert.deepEqual(problemsOf(scenario(['3'], [])), ['a completion must be an object']);
    assert.deepEqual(problemsOf(scenario(['{"tool_calls": [{}]}'], [])), ['missing field `name`']);
    assert.deepEqual(problemsOf('{"completions": [], "streams": 3}'), ['`streams` must be a list']);
  });

  it('are told from other files with completions', () => {
    assert.ok(!loaderFormat.looksLike(tapeFileFromText('{"completions": []}')));
    assert.ok(!loaderFormat.looksLike(tapeFileFromText('{"data": {"completions": [], "streams": []}}')));
    assert.ok(loaderFormat.looksLike(tapeFileFromText(scenario([COMPLETION], []).slice(0, 120))), 'cut off');
  });
});

describe('editing a Loader scenario', () => {
  it('changes a completion', () => {
    const text = scenario([COMPLETION], []);
    assert.equal(editAnswer(tapeFileFromText(text), 0, 'é "x"').text, text.replace('"I look."', '"é \\"x\\""'));
  });

  it('changes as few chunks as it can, and the whole that repeats them', () => {
    const text = scenario([COMPLETION], [[chunk('Hello '), chunk('big '), last('world', 'Hello big world')]]);
    const { text: changed, dependents } = editAnswer(tapeFileFromText(text), 1, 'Hello bad world');
    assert.deepEqual(dependents, ['full_content']);
    assert.equal(changed, scenario([COMPLETION], [[chunk('Hello '), chunk('bad '), last('world', 'Hello bad world')]]));
  });

  it('leaves the chunks that say nothing', () => {
    const text = scenario([], [[chunk('ab'), last('', '')]]);
    assert.equal(editAnswer(tapeFileFromText(text), 0, 'abc').text, scenario([], [[chunk('abc'), last('', '')]]));
  });

  it('writes every text so that it is read again', () => {
    const text = scenario([COMPLETION], [[chunk('Hello '), chunk('😀 '), last('world', 'Hello 😀 world')]]);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(1), (value, index) => {
        editAnswer(tapeFileFromText(text), index, value);
      }),
    );
  });

  it('is refused where there is no text, or where it is not certain', () => {
    const text = scenario(['{"content": null}'], [[chunk('a'), last('b', 'c')]]);
    for (const interaction of [0, 1, 2])
      assert.ok(
        'refused' in loaderFormat.editText(tapeFileFromText(text), { type: 'response-text', interaction, text: 'x' }),
      );
  });
});

describe('writing a Loader scenario', () => {
  it('keeps answers, calls and usage', () => {
    fc.assert(
      fc.property(fc.array(exchange, { maxLength: 3 }), (interactions) => {
        const tape = readAs('loader', loaderFormat.serialise('n', interactions));
        assert.equal(tape.interactions.length, interactions.length);
        tape.interactions.forEach(({ response }, index) => {
          const answered = interactions[index]?.response;
          assert.equal(response?.content, answered?.content);
          assert.ok(jsonEqual(response?.toolCalls, answered?.toolCalls));
          assert.equal(response?.usage?.completionTokens, answered?.usage?.completionTokens);
        });
      }),
      { numRuns: 100 },
    );
  });
});
