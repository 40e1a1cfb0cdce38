import * as assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pythonJson } from '../../../src/core/json/pythonJson';
import { readJson } from '../../../src/core/json/readJson';
import { corpusSuite } from '../../corpus';

interface Vector {
  readonly json_text: string;
  readonly dumps_sorted_ascii: string;
  readonly sha256_ascii: string;
  /** Null if Python cannot encode it, because of a lone surrogate. */
  readonly dumps_sorted_utf8: string | null;
}

function dump(text: string, ensureAscii: boolean): string {
  const { value } = readJson(text);
  assert.ok(value, text);
  return pythonJson(value, { sortKeys: true, ensureAscii });
}

describe('pythonJson', () => {
  const cases: readonly (readonly [json: string, python: string])[] = [
    ['{"b":1,"a":[true,null]}', '{"a": [true, null], "b": 1}'],
    [
      '[1.0,1e16,1e15,1e-4,1e-5,-0.0,-0,1E400,12345678901234567890]',
      '[1.0, 1e+16, 1000000000000000.0, 0.0001, 1e-05, -0.0, 0, Infinity, 12345678901234567890]',
    ],
    ['{"\\uE000":1,"\\uD83D\\uDE00":2}', '{"\\ue000": 1, "\\ud83d\\ude00": 2}'],
    ['{"\\uE000":1,"\\uD800":2,"\\uA000":3}', '{"\\ua000": 3, "\\ud800": 2, "\\ue000": 1}'],
    ['"\\u007f\\u0001é"', '"\\u007f\\u0001\\u00e9"'],
    ['{"a":1,"b":2,"a":3}', '{"a": 3, "b": 2}'],
  ];
  for (const [json, python] of cases) {
    it(`writes ${json} as Python does`, () => assert.equal(dump(json, true), python));
  }
});

describe('pythonJson with an indent', () => {
  it('writes as json.dumps(value, indent=2) does', () => {
    const { value } = readJson('{"b": [1, {}, [], {"é": null}], "a": 1.0}');
    assert.ok(value);
    const lines = [
      '{',
      '  "b": [',
      '    1,',
      '    {},',
      '    [],',
      '    {',
      '      "\\u00e9": null',
      '    }',
      '  ],',
      '  "a": 1.0',
      '}',
    ];
    assert.equal(pythonJson(value, { indent: 2 }), lines.join('\n'));
  });
});

corpusSuite('the golden vectors of json.dumps', (corpus) => {
  const vectors = JSON.parse(readFileSync(join(corpus, '_vectors/vectors.json'), 'utf8')) as {
    python_json_dumps: Vector[];
  };
  for (const vector of vectors.python_json_dumps) {
    it(vector.json_text.slice(0, 60), () => {
      assert.equal(dump(vector.json_text, true), vector.dumps_sorted_ascii);
      if (vector.dumps_sorted_utf8 !== null) assert.equal(dump(vector.json_text, false), vector.dumps_sorted_utf8);
      const hash = createHash('sha256').update(dump(vector.json_text, true)).digest('hex');
      assert.equal(hash, vector.sha256_ascii);
    });
  }

  it('writes floats as pydantic does, where that is asked for', () => {
    const written = ['1e-7', '0.00001', '1.5e-10', '1e22', '2.0', '-0.0', '123456789012345680.0', '0.0001'];
    const { value } = readJson(`[${written.join(', ')}]`);
    assert.ok(value);
    assert.equal(
      pythonJson(value, { floats: 'pydantic' }),
      '[1e-7, 0.00001, 1.5e-10, 1e+22, 2.0, -0.0, 1.2345678901234568e+17, 0.0001]',
    );
  });
});
