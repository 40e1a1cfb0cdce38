import assert from 'node:assert/strict';
import { compactJson, jsonEqual, prettyJson } from '../../../src/core/json/json';
import { toNode } from '../../../src/core/json/jsonNode';
import { pythonJson } from '../../../src/core/json/pythonJson';
import { exactText, exactValue, parseExactJson, readJson } from '../../../src/core/json/readJson';

const TEXT = '{"a":1.0,"b":[-0.0,1e5,{"c":1.50,"d":-0}],"e":18446744073709551615,"f":0.1,"g":"1.0","h":1E-7,"i":1e400}';

describe('numbers as they were written', () => {
  it('are written again by every writer of JSON', () => {
    const value = parseExactJson(TEXT) ?? null;
    assert.equal(compactJson(value), TEXT);
    assert.equal(prettyJson(value).replace(/\n */g, '').replaceAll('": ', '":'), TEXT);
    assert.match(pythonJson(toNode(value)), /"a": 1\.0, "b": \[-0\.0, 100000\.0, \{"c": 1\.5, "d": 0\}\]/);
  });

  it('are plain numbers to whoever reads the value', () => {
    const value = parseExactJson('{"a":1.0,"b":[2.50]}') ?? null;
    assert.deepEqual(value, { a: 1, b: [2.5] });
    assert.ok(jsonEqual(value, { a: 1, b: [2.5] }));
    assert.equal(JSON.stringify(value), '{"a":1,"b":[2.5]}');
  });

  it('are those of the last of repeated keys', () => {
    assert.equal(compactJson(parseExactJson('{"a":1.0,"a":2}') ?? null), '{"a":2}');
    assert.equal(compactJson(parseExactJson('{"a":2,"a":1.0}') ?? null), '{"a":1.0}');
  });

  it('are kept of a value that is a number itself', () => {
    const { value: node } = readJson('3.0');
    assert.ok(node);
    assert.deepEqual([exactText(node), exactValue(node)], ['3.0', 3]);
  });
});
