import assert from 'node:assert/strict';
import fc from 'fast-check';
import { hasTopLevelKeys, topLevelKeys } from '../../../src/core/json/topLevelKeys';

describe('topLevelKeys', () => {
  it('gives the members of an object as they are written, and those of nothing in it', () => {
    const text = ' {"a": {"b": [1, {"c": "\\"d\\": {"}]}, "e\\n": "f", "a": [","], "g": "\\\\"}, "h": 1';
    assert.deepEqual([...topLevelKeys(text)], ['a', 'e\\n', 'a', 'g']);
  });

  it('gives those that a text which is cut off still has', () => {
    assert.deepEqual([...topLevelKeys('\uFEFF{"a": 1, "b": {"c": "d')], ['a', 'b']);
    assert.deepEqual([...topLevelKeys('{"a": 1, "b')], ['a', 'b']);
    for (const text of ['', '[{"a": 1}]', '"a"', 'a: 1']) assert.deepEqual([...topLevelKeys(text)], []);
  });

  it('agrees with a parser', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'grapheme-ascii' }), fc.jsonValue()), (value) => {
        const keys = [...topLevelKeys(JSON.stringify(value, null, 1))].map((key) => JSON.parse(`"${key}"`) as string);
        assert.deepEqual(keys, Object.keys(value));
      }),
    );
  });

  it('tells whether all of several are there', () => {
    const text = '{"a": {"c": 1}, "b": 2}';
    assert.ok(hasTopLevelKeys(text, 'a', 'b'));
    assert.ok(!hasTopLevelKeys(text, 'a', 'c'));
  });
});
