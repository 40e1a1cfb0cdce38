import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { readJsonLines } from '../../../src/core/json/jsonLines';
import { jsonValue, readJson } from '../../../src/core/json/readJson';

describe('lines of JSON', () => {
  it('have the same values as in the tree reader', () => {
    fc.assert(
      fc.property(fc.array(fc.dictionary(fc.string(), fc.jsonValue())), (objects) => {
        const text = objects.map((object) => `${JSON.stringify(object)}\n`).join('');
        const { lines, problems } = readJsonLines(text);
        assert.deepEqual(problems, []);
        for (const { value, source } of lines) {
          const { value: node } = readJson(text.slice(source.start, source.end));
          assert.deepEqual(value, node && jsonValue(node));
        }
        assert.equal(lines.length, objects.length);
      }),
    );
  });

  it('keep integers that a double cannot hold, and the last of repeated members', () => {
    const { lines } = readJsonLines('{"a": 18446744073709551615, "b": 9007199254740991, "b": 1e300}\r\n\n {"a": 1.5}');
    assert.deepEqual(
      lines.map(({ value }) => value),
      [{ a: 18446744073709551615n, b: 1e300 }, { a: 1.5 }],
    );
  });

  it('are distinguished from lines that are not objects, broken or nested too deeply, each with its position', () => {
    const deep = `{"a":${'['.repeat(600)}${']'.repeat(600)}}`;
    const text = `[1]\n{"a": 01}\n${deep}\n{"a": 1}`;
    const { lines, problems } = readJsonLines(text);
    assert.deepEqual(
      lines.map(({ value }) => value),
      [{ a: 1 }],
    );
    assert.deepEqual(
      problems.map(({ message }) => message.replace(/:.*/, '')),
      ['a line must be a JSON object', 'invalid JSON', 'invalid JSON'],
    );
    assert.deepEqual(problems[1]?.span, { start: 11, end: 12 });
  });

  it('are read and reported where several records are on one', () => {
    const text = '{"a":1}\n{"a":2}{"a":3} {"a":4}\n{"a":5}\n{"a":6}{"a":\n{"a":7} x\n';
    const { lines, problems } = readJsonLines(text);
    assert.deepEqual(
      lines.map(({ value, source }) => [value.a, text.slice(source.start, source.end)]),
      [1, 2, 3, 4, 5].map((a) => [a, `{"a":${a}}`]),
    );
    assert.deepEqual(
      problems.map(({ message }) => message.replace(/(?<=JSON):.*/, '')),
      ['the line has 3 records, which programs that read one a line lose', 'invalid JSON', 'invalid JSON'],
    );
  });

  it('are not searched for records without end', () => {
    const { lines, problems } = readJsonLines('{}'.repeat(200_000));
    assert.deepEqual([lines.length, problems.length], [0, 1]);
  });
});
