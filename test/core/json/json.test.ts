import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isRecord, jsonEqual, prettyJson } from '../../../src/core/json/json';
import { prettyJsonPieces } from '../../../src/core/json/prettyJsonPieces';
import { jsonValue, readJson } from '../../../src/core/json/readJson';

const json = fc.jsonValue({ maxDepth: 4 });

function reread(value: unknown): unknown {
  const { value: node } = readJson(prettyJson(value));
  assert.ok(node);
  return jsonValue(node);
}

describe('prettyJsonPieces', () => {
  const whole = (value: unknown) => [...prettyJsonPieces(value)].join('');

  it('are the text of prettyJson', () => {
    fc.assert(fc.property(json, (value) => assert.equal(whole(value), prettyJson(value))));
    const { value: node } = readJson('{"a": [1.0, -0.0, {"b": 1e5}], "c": 12345678901234567890}');
    assert.ok(node);
    const value = jsonValue(node);
    assert.equal(whole(value), prettyJson(value));
  });

  it('have a long text in pieces, and no half of a character', () => {
    const value = { a: [`x${'😀"'.repeat(200_000)}`], b: Array.from({ length: 2000 }, (_, at) => at) };
    const pieces = [...prettyJsonPieces(value)];
    assert.ok(Math.max(...pieces.map(({ length }) => length)) < 1_000_000);
    assert.equal(pieces.join(''), prettyJson(value));
  });

  it('take the items of an iterable as a list', () => {
    const items = function* () {
      yield { a: 1 };
      yield undefined;
    };
    assert.equal(whole({ items: items(), none: [] }), prettyJson({ items: [{ a: 1 }, null], none: [] }));
  });
});

describe('prettyJson', () => {
  it('equals JSON.stringify with two spaces', () => {
    fc.assert(fc.property(json, (value) => assert.equal(prettyJson(value), JSON.stringify(value, null, 2))));
  });

  it('writes a value beside a big integer as it does alone', () => {
    const wide = 2n ** 63n;
    fc.assert(
      fc.property(json, (value) => {
        assert.equal(prettyJson([wide, value]), JSON.stringify([0, value], null, 2).replace('0', `${wide}`));
        assert.equal(prettyJson(value, '  '), prettyJson([value]).slice(4, -2));
      }),
    );
  });

  it('writes values that are not JSON like JSON.stringify', () => {
    for (const value of [{ a: undefined, b: 1 }, [undefined], [Number.NaN, Infinity], { a: undefined }, -0, '\ud800'])
      assert.equal(prettyJson(value), JSON.stringify(value, null, 2));
  });

  it('writes big integers as integers', () => {
    assert.equal(prettyJson({ checksum: 18446744073709551615n }), '{\n  "checksum": 18446744073709551615\n}');
  });
});

describe('jsonEqual', () => {
  it('holds between a value and a copy of it', () => {
    fc.assert(fc.property(json, (value) => assert.ok(jsonEqual(value, structuredClone(value)))));
  });

  it('holds between a value and the value read from its text', () => {
    fc.assert(fc.property(json, (value) => assert.ok(jsonEqual(value, reread(value)))));
  });

  it('holds for big numbers after reading them back, as number or bigint', () => {
    for (const value of [1e20, 12345678901234567000, 2 ** 53, 5n, 18446744073709551615n, 10000000000000000000n, 1e21])
      assert.ok(jsonEqual({ value }, reread({ value })), String(value));
  });

  it('distinguishes adjacent big integers', () => {
    assert.ok(!jsonEqual(9007199254740992n, 9007199254740993n));
    assert.ok(!jsonEqual(9007199254740992, 9007199254740993n));
  });

  it('is symmetric, and false exactly when the canonical texts differ', () => {
    const canonical = (value: unknown): string =>
      JSON.stringify(value, (_, item: unknown) =>
        isRecord(item) ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))) : item,
      );
    const small = fc.jsonValue({ maxDepth: 2, noUnicodeString: true, stringUnit: fc.constantFrom('a', 'b') });
    fc.assert(
      fc.property(small, small, (left, right) => {
        assert.equal(jsonEqual(left, right), jsonEqual(right, left));
        assert.equal(jsonEqual(left, right), canonical(left) === canonical(right));
      }),
    );
  });

  it('ignores the order of keys, but not of items', () => {
    assert.ok(jsonEqual({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 }));
    assert.ok(!jsonEqual([1, 2], [2, 1]));
  });

  it('distinguishes lists, objects, scalars and inherited members', () => {
    const pairs: readonly (readonly [unknown, unknown])[] = [
      [[], {}],
      [null, {}],
      [0, ''],
      ['1', 1],
      ['1', 1n],
      [{ a: 1 }, { b: 1 }],
      [{ toString: 1 }, { valueOf: 1 }],
      [JSON.parse('{"__proto__": 1}'), {}],
      [JSON.parse('{"__proto__": {}}'), { b: {} }],
      [JSON.parse('{"__proto__": 1}'), JSON.parse('{"__proto__": 2}')],
    ];
    for (const [left, right] of pairs) assert.ok(!jsonEqual(left, right), `${prettyJson(left)} ${prettyJson(right)}`);
  });
});
