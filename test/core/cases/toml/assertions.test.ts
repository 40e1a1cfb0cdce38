import assert from 'node:assert/strict';
import { judgeAssertion } from '../../../../src/core/cases/toml/assertions';
import { readCase } from '../../../../src/core/cases/toml/readCase';
import type { Json } from '../../../../src/core/json/json';
import { findSchemaMismatch } from '../../../../src/core/json/jsonSchema';
import type { AssertionKind } from '../../../../src/core/model/case';

const run = { outputText: 'The order is shipped.', toolCallOrder: ['a', 'b', 'c'], durationMs: 20.4, totalTokens: 7 };
const judge = (kind: AssertionKind, expected: Json, asserted: Parameters<typeof judgeAssertion>[1] = run) => {
  const { passed, details } = judgeAssertion({ kind, expected, span: { start: 0, end: 0 } }, asserted);
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
    const { totalTokens: _, ...silent } = run;
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

describe('a JSON schema', () => {
  const cases: readonly [schema: Record<string, Json>, good: Json, bad: Json][] = [
    [{ type: 'integer' }, 3, 3.5],
    [{ type: ['string', 'null'] }, null, 1],
    [{ const: { a: [1] } }, { a: [1] }, { a: [2] }],
    [{ enum: ['a', 2] }, 2, 'b'],
    [{ properties: { a: { type: 'number' } }, additionalProperties: false }, { a: 1 }, { a: 1, b: 2 }],
    [{ additionalProperties: { type: 'string' } }, { x: 'y' }, { x: 1 }],
    [{ items: { minimum: 2 }, minItems: 1, maxItems: 2 }, [2, 3], [1]],
    [{ minLength: 2, maxLength: 3, pattern: '^a' }, 'abc', 'bcd'],
    [{ exclusiveMinimum: 0, exclusiveMaximum: 1 }, 0.5, 1],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, 1, true],
    [{ oneOf: [{ minimum: 1 }, { minimum: 2 }] }, 1, 3],
    [{ allOf: [{ minimum: 1 }, { maximum: 2 }] }, 2, 3],
    [{ not: { type: 'string' } }, 1, 'a'],
  ];
  for (const [schema, good, bad] of cases) {
    it(`takes ${JSON.stringify(good)} and not ${JSON.stringify(bad)} for ${JSON.stringify(schema)}`, () => {
      assert.equal(findSchemaMismatch(schema, good), undefined);
      assert.equal(typeof findSchemaMismatch(schema, bad), 'string');
    });
  }

  it('passes nothing that it does not know', () => {
    assert.match(
      findSchemaMismatch({ patternProperties: {} }, {}) ?? '',
      /`patternProperties`, which is not supported/,
    );
    assert.match(findSchemaMismatch({ toString: {} }, {}) ?? '', /`toString`, which is not supported/);
  });
});
