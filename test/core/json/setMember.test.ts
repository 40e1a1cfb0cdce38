import assert from 'node:assert/strict';
import { type JsonObjectNode, readJson } from '../../../src/core/json/jsonDocument';
import { setMember } from '../../../src/core/json/setMember';
import { applySplices } from '../../../src/core/text/splice';

function set(text: string, key: string, token: string): string {
  const { value } = readJson(text);
  assert.equal(value?.type, 'object');
  return applySplices(text, [setMember(text, value as JsonObjectNode, key, token)]);
}

describe('setMember', () => {
  it('replaces the value of a member, the last one where it is repeated', () => {
    assert.equal(set('{ "a" : 1 , "b":2}', 'a', '"x"'), '{ "a" : "x" , "b":2}');
    assert.equal(set('{"a": 1, "a": 2}', 'a', '3'), '{"a": 1, "a": 3}');
  });

  it('adds a member in the layout of the others', () => {
    assert.equal(set('{\n  "b": 2\n}', 'a', '1'), '{\n  "a": 1,\n  "b": 2\n}');
    assert.equal(set('{"b": 2}', 'a', '1'), '{"a": 1, "b": 2}');
    assert.equal(set('{ }', 'a', '1'), '{"a": 1}');
  });
});
