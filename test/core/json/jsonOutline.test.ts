import assert from 'node:assert/strict';
import fc from 'fast-check';
import { hasTopLevelKeys, jsonOutline, topLevelKeys } from '../../../src/core/json/jsonOutline';

describe('the outline of a JSON text', () => {
  it('has the paths of members and lists', () => {
    const outline = jsonOutline('{"a": {"b": [ {"c": 1}, {"d": []} ]}, "e": "f"}');
    for (const path of ['a', 'a.b', 'a.b[]', 'a.b[].c', 'a.b[].d', 'a.b[].d[]', 'e'])
      assert.ok(outline.has(path), path);
    for (const path of ['b', 'a[]', 'a.c', 'a.b[][]', 'a.b[].e', 'e.f', '[]', '']) assert.ok(!outline.has(path), path);
    assert.ok(jsonOutline(' [{"hash": 1}]').has('[].hash'));
    assert.ok(jsonOutline('[]').has('[]'));
  });

  it('ends at a truncated string, without searching inside it', () => {
    const outline = jsonOutline('{"a": 1, "b": "c, [');
    assert.deepEqual([outline.has('a'), outline.has('b'), outline.has('b[]')], [true, true, false]);
    assert.ok(!jsonOutline('{"a": 1, "b').has('b'));
  });

  it('ignores structure inside strings', () => {
    const outline = jsonOutline(String.raw`{"a": "{\"b\": [", "c\"d": 1}`);
    assert.deepEqual(
      [outline.has('a'), outline.has('b'), outline.has('a[]'), outline.has('c"d')],
      [true, false, false, true],
    );
  });

  it('covers the first value, and reports whether there are more', () => {
    const lines = jsonOutline('{"a":1}\n{"b":2}');
    assert.deepEqual([lines.has('a'), lines.has('b'), lines.isWhole, lines.isOnly], [true, false, true, false]);
    assert.ok(jsonOutline('{"a":1}\n').isOnly);
    assert.ok(!jsonOutline('a: [1]').has('a'));
  });

  it('covers the beginning of a broken text', () => {
    const broken = jsonOutline('{"a": {"b": [{"c": tru}, {"d": 1}]}, "e"');
    assert.deepEqual([broken.has('a.b[].d'), broken.has('e'), broken.isWhole], [true, true, false]);
    assert.ok(!jsonOutline(`{"a":"${'x'.repeat(70_000)}","b":1`).has('b'));
  });

  it('agrees with a parser', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
        const found = jsonOutline(JSON.stringify(value));
        const keys = value !== null && typeof value === 'object' && !Array.isArray(value) ? Object.keys(value) : [];
        for (const key of keys) assert.ok(/[.[\]]/.test(key) || found.has(key));
      }),
    );
  });
});

describe('topLevelKeys', () => {
  it('yields the raw member names of the outermost object only', () => {
    const text = ' {"a": {"b": [1, {"c": "\\"d\\": {"}]}, "e\\n": "f", "a": [","], "g": "\\\\"}, "h": 1';
    assert.deepEqual([...topLevelKeys(text)], ['a', 'e\\n', 'a', 'g']);
  });

  it('yields the names in a truncated text', () => {
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

  it('checks several names at once', () => {
    const text = '{"a": {"c": 1}, "b": 2}';
    assert.ok(hasTopLevelKeys(text, 'a', 'b'));
    assert.ok(!hasTopLevelKeys(text, 'a', 'c'));
  });
});
