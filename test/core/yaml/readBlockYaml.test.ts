import * as assert from 'node:assert/strict';
import fc from 'fast-check';
import type { JsonNode } from '../../../src/core/json/jsonNode';
import { readBlockYaml } from '../../../src/core/yaml/readBlockYaml';
import { readYamlByLibrary } from '../../../src/core/yaml/readYaml';

const CASSETTE = `---
# Recorded by hand
interactions:
- request:
    body: '{"a": "it''s"}'
    headers:
      Accept: ['*/*', "text\\tplain"]
      Empty: []
      Content-Type:
      - application/json
    method: POST
    uri: https://api.openai.com/v1/x?a=1#b
  response:
    body:
      string: "one \\
        \\ two\\n
        three é"
    folded: plain text that goes on
      on the next line

      and after a blank one
    kept: |+
      event: x

      data: y

    status: {code: 200, message: OK}
    stripped: |-
      a
        b
    raw: !!binary |
      H4sIAAAA
      AAAA==
    nothing:
    number: 1_000
- - nested
  - - deeper
-
  late: ~
---
second: >
  folded
  block

  text
version: 1
`;

/** A copy with all values, which are otherwise decoded lazily. */
function plain(node: JsonNode): unknown {
  const { start, end } = node;
  if (node.type === 'array') return { start, end, items: node.items.map(plain) };
  if (node.type !== 'object')
    return {
      ...('binary' in node ? { binary: true } : {}),
      start,
      end,
      value: 'lexeme' in node ? node.lexeme : node.value,
    };
  const members = node.members.map(({ key, keySpan, value }) => ({ key, keySpan, value: plain(value) }));
  return { start, end, members };
}

function assertSame(text: string): boolean {
  const nodes = readBlockYaml(text);
  if (nodes === undefined) return false;
  const { value, problems } = readYamlByLibrary(text);
  assert.deepEqual([nodes.map(plain), problems], [value?.map(plain), []]);
  return true;
}

const LINES = [
  ...['# c', '', '   ', 'a: 1', '- x', 'b: "q"', '|', '- - z: 1', '> f', '---', '&a x', '? k', 'x: [a, b]', '...'],
  ...[
    'x: {a: "b", c: [ d ]}',
    "x: 'a''b'",
    'c: |+',
    'c: >-',
    '\t',
    'k:',
    '- ',
    '"',
    "'",
    '\\',
    ' # c',
    ': ',
    '%',
    '!x y',
  ],
];

describe('the YAML that recorders write', () => {
  it('is read like the yaml package does', () => {
    assert.ok(assertSame(CASSETTE));
  });

  const others = [
    'a: &x 1\nb: *x\n',
    'a: !!python/tuple [1]\n',
    'a: "\\q"\n',
    'a: b: c\n',
    '- a\nb: c\n',
    'a: 1\r\n',
    'a: [b\n',
    '',
    'text\n',
  ];
  for (const text of others) {
    it(`leaves ${JSON.stringify(text)} to the yaml package`, () => {
      assert.equal(readBlockYaml(text), undefined);
    });
  }

  it('agrees with the yaml package on any edit of it, or leaves it to that package', () => {
    const place = fc.nat(CASSETTE.split('\n').length);
    const change = fc.record({ place, indent: fc.nat(4), line: fc.constantFrom(...LINES), how: fc.nat(2) });
    let read = 0;
    const property = fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
      const lines = CASSETTE.split('\n');
      for (const { place: at, indent, line, how } of changes) {
        if (how === 0) lines.splice(at, 0, ' '.repeat(indent * 2) + line);
        else if (how === 1) lines.splice(at, 1);
        else lines[at] = `${lines[at] ?? ''}${line}`;
      }
      if (assertSame(lines.join('\n'))) read += 1;
    });
    fc.assert(property, { numRuns: 1500 });
    assert.ok(read > 100);
  });
});
