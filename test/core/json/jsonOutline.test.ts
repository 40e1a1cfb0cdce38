import assert from 'node:assert/strict';
import fc from 'fast-check';
import { jsonOutline } from '../../../src/core/json/jsonOutline';

const outline = (text: string): string[] => [...jsonOutline(text)];

describe('the outline of a JSON text', () => {
  it('has the paths of members and lists', () => {
    assert.deepEqual(outline('{"a": {"b": [ {"c": 1}, {"d": []} ]}, "e": "f"}'), [
      'a',
      'a.b',
      'a.b[]',
      'a.b[].c',
      'a.b[].d',
      'a.b[].d[]',
      'e',
    ]);
    assert.deepEqual(outline(' [{"hash": 1}]'), ['[]', '[].hash']);
  });

  it('takes nothing in strings for structure', () => {
    assert.deepEqual(outline(String.raw`{"a": "{\"b\": [", "c\"d": 1}`), ['a', String.raw`c\"d`]);
  });

  it('looks at the first value only, and at its beginning', () => {
    assert.deepEqual(outline('{"a":1}\n{"b":2}'), ['a']);
    assert.deepEqual(outline(`{"a":"${'x'.repeat(70_000)}","b":1}`), ['a']);
    assert.deepEqual(outline('a: [1]'), []);
  });

  it('is what a reader finds', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
        const found = jsonOutline(JSON.stringify(value));
        const keys = value !== null && typeof value === 'object' && !Array.isArray(value) ? Object.keys(value) : [];
        for (const key of keys) assert.ok(found.has(JSON.stringify(key).slice(1, -1)) || key === '');
      }),
    );
  });
});
