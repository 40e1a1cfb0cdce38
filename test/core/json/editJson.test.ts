import assert from 'node:assert/strict';
import fc from 'fast-check';
import { jsonStringSplices, setMember } from '../../../src/core/json/editJson';
import type { JsonObjectNode } from '../../../src/core/json/jsonNode';
import { readJson } from '../../../src/core/json/readJson';
import { applySplices } from '../../../src/core/text/splice';

function change(source: string, value: string): string {
  const { value: node } = readJson(source);
  assert.ok(node?.type === 'string');
  return applySplices(source, jsonStringSplices(source, node, value));
}

/** A JSON string in which some characters that need no escape have one. */
const token = fc
  .array(fc.tuple(fc.constantFrom('a', 'é', '"', '\\', '\n', '/', '\u{1f600}'), fc.boolean()))
  .map((chars) =>
    chars.map(([char, isEscaped]) => (isEscaped ? unicodeEscapes(char) : JSON.stringify(char).slice(1, -1))).join(''),
  );

function unicodeEscapes(text: string): string {
  return text
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

describe('splices inside a JSON string', () => {
  it('produce the new string', () => {
    fc.assert(
      fc.property(token, fc.string({ unit: 'binary' }), (inner, value) => {
        assert.equal(JSON.parse(change(`"${inner}"`, value)), value);
      }),
    );
  });

  it('keep the escapes of unchanged text', () => {
    assert.equal(change(String.raw`"\u00e9\/\t x \u0022"`, 'é/\t y "'), String.raw`"\u00e9\/\t y \u0022"`);
    assert.equal(change(String.raw`"one\ntwo\nthree"`, 'uno\ntwo\ntres'), String.raw`"uno\ntwo\ntres"`);
  });

  it('write new text in the style of the writer', () => {
    assert.equal(change(String.raw`"\u00e9"`, 'éö'), String.raw`"\u00e9\u00f6"`);
    assert.equal(
      change(String.raw`"é \uD83D\uDC4B"`, 'ö \u{1f44b}\u{1f600}'),
      String.raw`"ö \uD83D\uDC4B\uD83D\uDE00"`,
    );
    assert.equal(change(String.raw`"\uD83D\uDC4B \\"`, '\u{1f44b} \\\\u'), String.raw`"\uD83D\uDC4B \\\\u"`);
  });
});

function set(text: string, key: string, token: string): string {
  const { value } = readJson(text);
  assert.equal(value?.type, 'object');
  return applySplices(text, [setMember(text, value as JsonObjectNode, key, token)]);
}

describe('setMember', () => {
  it('replaces the value of a member, the last one if it is repeated', () => {
    assert.equal(set('{ "a" : 1 , "b":2}', 'a', '"x"'), '{ "a" : "x" , "b":2}');
    assert.equal(set('{"a": 1, "a": 2}', 'a', '3'), '{"a": 1, "a": 3}');
  });

  it('adds a member in the layout of the others', () => {
    assert.equal(set('{\n  "b": 2\n}', 'a', '1'), '{\n  "a": 1,\n  "b": 2\n}');
    assert.equal(set('{"b": 2}', 'a', '1'), '{"a": 1, "b": 2}');
    assert.equal(set('{ }', 'a', '1'), '{"a": 1}');
  });
});
