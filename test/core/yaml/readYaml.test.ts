import * as assert from 'node:assert/strict';
import type { Json } from '../../../src/core/json/json';
import { jsonValue } from '../../../src/core/json/readJson';
import { readYaml, readYamlByLibrary } from '../../../src/core/yaml/readYaml';

/** Texts with the value that PyYAML 6 and Psych 4 read from them. */
const READ: readonly (readonly [what: string, text: string, value: Json])[] = [
  [
    'a scalar that goes on at the indentation of its key',
    `a:\n  b: '{"x":\n  1}'\n  c: "d\n\n  e"\n`,
    { a: { b: '{"x": 1}', c: 'd\ne' } },
  ],
  ['a scalar that goes on without indentation', `a:\n  b: 'c\nd'\n`, { a: { b: 'c d' } }],
  ['a scalar that goes on after a tab', `a: "b\n\tc"\n`, { a: 'b c' }],
  ['a line that a backslash joins with the next', 'a: "b \\\n  \\ c\\\n\n  d"\n', { a: 'b  c\nd' }],
  ['spaces after a backslash', 'a: "b\\ \n  c"\n', { a: 'b  c' }],
  ['line breaks of YAML 1.1 in quotes', "a: 'b\u0085c\u2028d'\n", { a: 'b c\u2028d' }],
  ['an indentation indicator', 'a: |2-\n   b\n  c\nd: 1\n', { a: ' b\nc', d: 1 }],
  ['an indentation indicator after the chomping one', 'a: |-2\n   b\n', { a: ' b' }],
  ['a block of blank lines', 'a: |2+\n\n\nb: 1\n', { a: '\n\n', b: 1 }],
  ['a folded block with a line that is indented more', 'a: >\n  b\n  c\n   d\n  e\n', { a: 'b c\n d\ne\n' }],
  [
    'quoted scalars with the tag of another type',
    "a: !!float '3.0'\nb: ! '1'\nc: !!null 'null'\nd: !!str 1\n",
    { a: 3, b: 1, c: null, d: '1' },
  ],
  ['a fraction with a sign and no digit before it', 'a: -.5\nb: .5\n', { a: '-.5', b: 0.5 }],
  ['merged maps', 'a: &x {b: 1, c: 2}\nd:\n  <<: *x\n  c: 3\n', { a: { b: 1, c: 2 }, d: { b: 1, c: 3 } }],
];

describe('YAML as PyYAML and Psych read it', () => {
  for (const [what, text, expected] of READ) {
    for (const [reader, read] of [
      ['readers', readYaml],
      ['library', readYamlByLibrary],
    ] as const)
      it(`${what}, by the ${reader}`, () => {
        const { value: [root] = [], problems } = read(text);
        assert.deepEqual([root && jsonValue(root), problems], [expected, []]);
      });
  }

  it('ends a quoted scalar at the marker of a document', () => {
    assert.notDeepEqual(readYaml("a: 'b\n--- c'\n").problems, []);
  });
});
