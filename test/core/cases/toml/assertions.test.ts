import assert from 'node:assert/strict';
import { judgeAssertion } from '../../../../src/core/cases/toml/assertions';
import { readCase } from '../../../../src/core/cases/toml/readCase';
import type { Json } from '../../../../src/core/json/json';

const usage = { promptTokens: 5, completionTokens: 2, totalTokens: 7 };
const request = { messages: [], tools: [], params: {} };
const run = {
  outputText: 'The order is shipped.',
  toolCallOrder: ['a', 'b', 'c'],
  durationMs: 20.4,
  modelCalls: [{ number: 0, request, response: { content: 'The order is shipped.', toolCalls: [], usage } }],
  toolSteps: [],
};
const judge = (kind: string, expected: Json, asserted: Parameters<typeof judgeAssertion>[1] = run) => {
  const { passed, details } = judgeAssertion({ kind, expected }, asserted);
  return [passed, details];
};

describe('assertions', () => {
  it('of MoFA are its own', () => {
    assert.deepEqual(judge('contains', 'shipped'), [true, undefined]);
    assert.deepEqual(judge('contains', 'Shipped'), [false, undefined]);
    assert.deepEqual(judge('tool_called', 'b'), [true, undefined]);
  });

  it('not_contains', () => {
    assert.equal(judge('not_contains', 'error')[0], true);
    assert.deepEqual(judge('not_contains', 'order'), [false, 'the output contains `order`']);
    assert.equal(
      judge('not_contains', 'x', { ...run, outputText: null })[0],
      false,
      'a run without output proves nothing',
    );
  });

  it('matches', () => {
    assert.equal(judge('matches', '(?i)ORDER is \\w+')[0], true);
    assert.deepEqual(judge('matches', '^is'), [false, 'the output does not match /^is/']);
  });

  it('max_ms and max_tokens', () => {
    assert.equal(judge('max_ms', 21)[0], true);
    assert.deepEqual(judge('max_ms', 20), [false, 'the run took 20 ms, at most 20 ms are allowed']);
    assert.equal(judge('max_tokens', 7)[0], true);
    assert.equal(judge('max_tokens', 6)[0], false);
    const silent = { ...run, modelCalls: [{ number: 0, request, response: { content: 'x', toolCalls: [] } }] };
    assert.deepEqual(judge('max_tokens', 9, silent), [false, 'the responses do not report token usage']);
  });

  it('tool_order: others may be in between', () => {
    assert.equal(judge('tool_order', ['a', 'c'])[0], true);
    assert.deepEqual(judge('tool_order', ['c', 'a']), [false, 'expected the tools c, a in this order, got a, b, c']);
    assert.equal(judge('tool_order', ['a', 'a'])[0], false);
  });

  it('json_schema', () => {
    const json = { ...run, outputText: '{"id": 1}' };
    const schema = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
    assert.deepEqual(judge('json_schema', schema, json), [false, '$.id is not of type string: 1']);
    assert.deepEqual(judge('json_schema', schema), [false, 'the output is not JSON']);
    assert.equal(judge('json_schema', { type: 'object' }, json)[0], true);
  });

  it('are read in the order of the words they are told in, each with its place', () => {
    const text = 'name = "n"\nprompt = "p"\n[assert]\nmatches = "("\nmax_ms = 0\n';
    assert.deepEqual(
      readCase(text).problems.map(({ message }) => message.split(':')[0]),
      ['`matches` is not a valid regular expression', '`max_ms` must be a whole number of at least 1'],
    );
    const { value } = readCase(
      'name = "n"\nprompt = "p"\n[assert]\ntool_order = ["a"]\nnot_contains = "x"\n[assert.json_schema]\ntype = "object"\n',
    );
    assert.deepEqual(
      value?.assertions.map(({ kind, expected }) => [kind, expected]),
      [
        ['not_contains', 'x'],
        ['json_schema', { type: 'object' }],
        ['tool_order', ['a']],
      ],
    );
  });
});
