import assert from 'node:assert/strict';
import { readJson } from '../../../src/core/json/readJson';
import { artifactDocument, completionDocument, dslDocument, tapeDocument } from '../../../src/core/testDsl/dslDocument';
import {
  defaultList,
  list,
  optional,
  type Reader,
  required,
  SerdeError,
  struct,
  text,
  unsigned,
  words,
} from '../../../src/core/testDsl/serde';
import { readSerdeJson } from '../../../src/core/testDsl/serdeJson';
import { readSerdeToml } from '../../../src/core/testDsl/serdeToml';

const point = struct({ x: required(unsigned(32)), name: optional(text), tags: defaultList(text) });

function refusal(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof SerdeError) return error.message;
    throw error;
  }
  return 'accepted';
}

const json = (source: string, reader: Reader<unknown> = point) => refusal(() => readSerdeJson(source, reader));

describe('reading as serde does', () => {
  it('takes structs as objects and as lists, with defaults, and passes over what it does not know', () => {
    const read = (source: string) => readSerdeJson(source, point);
    assert.deepEqual(read('{"x":1,"y":2,"y":3}'), { x: 1, name: null, tags: [] });
    assert.deepEqual(read('{"x":1,"name":null,"tags":["a"]}'), { x: 1, name: null, tags: ['a'] });
    assert.deepEqual(read('[1,"n",["a"]]'), { x: 1, name: 'n', tags: ['a'] });
  });

  const refused: readonly (readonly [string, string])[] = [
    ['{}', 'missing field `x`'],
    ['{"x":1,"x":1}', 'duplicate field `x`'],
    ['{"x":1.0}', 'invalid type: number, expected u32'],
    ['{"x":-1}', 'invalid value: integer `-1`, expected u32'],
    ['{"x":4294967296}', 'invalid value: integer `4294967296`, expected u32'],
    ['{"x":1,"tags":null}', 'invalid type: null, expected a sequence'],
    ['{"x":1,"name":[]}', 'invalid type: sequence, expected a string'],
    ['[1]', 'invalid length 1, expected more elements'],
    ['7', 'invalid type: number, expected a table'],
    ['{"x":1,"y":1e400}', 'number out of range'],
    [`{"x":1,"y":${'['.repeat(127)}${']'.repeat(127)}}`, 'recursion limit exceeded'],
    ['{"x":1,"y":"\\ud800"}', 'lone leading surrogate in hex escape'],
    ['{"x":1,"y":"\\udc00"}', 'lone leading surrogate in hex escape'],
    ['{"x":1,"y":"\\ud800\\ud800\\udc00"}', 'lone leading surrogate in hex escape'],
  ];
  for (const [source, message] of refused)
    it(`refuses ${source.slice(0, 40)}: ${message}`, () => assert.equal(json(source), message));

  it('takes pairs of surrogates, escaped backslashes, and 126 levels', () => {
    const levels = `${'['.repeat(126)}${']'.repeat(126)}`;
    for (const value of ['"\\ud83d\\ude00"', '"\\\\ud800"', levels])
      assert.equal(json(`{"x":1,"y":${value}}`), 'accepted', value);
  });

  it('takes a word as a text only, and names the others', () => {
    const word = words('text', 'tool_call');
    assert.equal(json('"dance"', word), 'unknown variant `dance`, expected `text` or `tool_call`');
    assert.equal(json('{"dance":1}', word), 'unknown variant `dance`, expected `text` or `tool_call`');
    assert.equal(json('{}', word), 'invalid type: map, expected a string');
  });

  it('reads dates and floats of TOML as what they are', () => {
    const kept = struct({ value: required(list((node) => (node.type === 'number' ? node.lexeme : node.type))) });
    const source = 'value = [1, 1.0, -0.0, 2.50, 1e21, 2026-01-31, "x"]';
    const { value } = readSerdeToml(source, kept);
    assert.deepEqual(value, ['1', '1.0', '-0.0', '2.5', '1e+21', 'object', 'string']);
    assert.match(
      refusal(() => readSerdeToml('name = 2026-01-31', dslDocument)),
      /^invalid type: map, expected a string/,
    );
  });

  it('never throws anything else, whatever a document is', () => {
    for (const source of ['', '[]', '{}', 'null', '{"choices":7}', '{"interactions":[[]]}', '"\\u"'])
      for (const reader of [artifactDocument, completionDocument, tapeDocument, dslDocument] as Reader<unknown>[])
        assert.notEqual(json(source, reader), 'accepted', `${source} ${readJson(source).problems.length}`);
  });
});
