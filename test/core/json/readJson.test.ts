import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Json } from '../../../src/core/json/json';
import { type JsonNode, type JsonStringNode, toNode, visitStrings } from '../../../src/core/json/jsonNode';
import { jsonValue, member, readJson } from '../../../src/core/json/readJson';
import { jsonText } from './arbitraryJson';

/** The root of a valid text. */
function parse(text: string): JsonNode {
  const { value, problems } = readJson(text);
  assert.deepEqual(problems, []);
  assert.ok(value);
  return value;
}

/** Every node of a tree, the root first. */
function nodes(node: JsonNode): JsonNode[] {
  const children =
    node.type === 'array' ? node.items : node.type === 'object' ? node.members.map(({ value }) => value) : [];
  return [node, ...children.flatMap(nodes)];
}

/** The value as `JSON.parse` returns it, without big integers. */
function withDoubles(value: Json): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(withDoubles);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withDoubles(item)]));
}

function problemOf(text: string): { message: string; start: number; end: number } {
  const { problems } = readJson(text);
  assert.equal(problems.length, 1, `one problem in ${JSON.stringify(text)}`);
  const [problem] = problems;
  assert.ok(problem);
  return { message: problem.message, ...problem.span };
}

describe('the strings of a value', () => {
  const visited = (root: JsonNode): JsonStringNode[] => {
    const strings: JsonStringNode[] = [];
    visitStrings(root, (string) => strings.push(string));
    return strings;
  };
  const plain = ({ value, start, end }: JsonStringNode) => ({ value, start, end });

  it('are visited in order, without the names of members', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        const strings = nodes(parse(text)).filter((node) => node.type === 'string');
        assert.deepEqual(visited(parse(text)).map(plain), strings.map(plain));
        const values = toNode(jsonValue(parse(text)));
        assert.deepEqual(
          visited(values),
          nodes(values).filter(({ type }) => type === 'string'),
        );
      }),
    );
  });
});

describe('readJson', () => {
  it('accepts what JSON.parse accepts', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        assert.deepEqual(withDoubles(jsonValue(parse(text))), JSON.parse(text));
      }),
      { numRuns: 500 },
    );
  });

  it('rejects what JSON.parse rejects, at an offset inside the text', () => {
    const damaged = fc
      .tuple(
        jsonText,
        fc.nat(),
        fc.nat(3),
        fc.constantFrom('', ',', '"', '{', ']', '\\', '0', 'e', '\n', '\u00a0', 'x'),
      )
      .map(([text, at, drop, insert]) => {
        const start = at % (text.length + 1);
        return text.slice(0, start) + insert + text.slice(start + drop);
      });
    fc.assert(
      fc.property(damaged, (text) => {
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        const { problems } = readJson(text);
        assert.equal(problems.length, valid ? 0 : 1);
        for (const { span } of problems) {
          assert.ok(0 <= span.start && span.start <= span.end && span.end <= text.length);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('gives every node the span of its own text', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        for (const node of nodes(parse(text))) {
          const own = text.slice(node.start, node.end);
          assert.deepEqual(jsonValue(parse(own)), jsonValue(node));
          assert.equal(own, own.trim());
          if (node.type === 'number') assert.equal(node.lexeme, own);
          if (node.type !== 'object') continue;
          for (const { key, keySpan } of node.members)
            assert.equal(JSON.parse(text.slice(keySpan.start, keySpan.end)), key);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('skips a byte order mark, and counts it in offsets', () => {
    const node = parse('\uFEFF[1]');
    assert.deepEqual({ start: node.start, end: node.end }, { start: 1, end: 4 });
    assert.deepEqual(problemOf('[\uFEFF]').start, 1);
  });

  it('has one problem and no value for a text without a value', () => {
    for (const text of ['', '  \n', '\uFEFF']) {
      const { value, problems } = readJson(text);
      assert.equal(value, undefined);
      assert.match(problems[0]?.message ?? '', /expected a value, found the end of the file/);
      assert.deepEqual(problems[0]?.span, { start: text.length, end: text.length });
    }
  });

  const errors: readonly (readonly [text: string, start: number, message: RegExp])[] = [
    ['{"a" 1}', 5, /expected ":", found "1"/],
    ['{"a": 1 "b": 2}', 8, /expected "," or "}", found "\\""/],
    ['[1, ]', 4, /expected a value, found "]"/],
    ['{"a": 1,}', 8, /expected a member name in double quotes, found "}"/],
    ["{'a': 1}", 1, /expected a member name in double quotes/],
    ['[1] 2', 4, /expected nothing more, found "2"/],
    ['[01]', 2, /expected "," or "]", found "1"/],
    ['[-]', 1, /expected a number/],
    ['[1.]', 2, /expected "," or "]", found "."/],
    ['["abc', 1, /a string is not closed/],
    ['["a\nb"]', 3, /a control character inside a string must be escaped/],
    ['["a\tb"]', 3, /a control character/],
    ['["\\x"]', 1, /invalid escape/],
    ['["\\u12"]', 1, /invalid escape/],
    ['[nul]', 1, /expected a value, found "n"/],
    ['[\u{1F600}]', 1, /expected a value, found "\u{1F600}"/u],
  ];
  for (const [text, start, message] of errors) {
    it(`reports ${JSON.stringify(text)} at ${start}`, () => {
      const problem = problemOf(text);
      assert.match(problem.message, message);
      assert.equal(problem.start, start);
    });
  }

  it('keeps everything before an error, at every level', () => {
    const { value } = readJson('{"done": [1, {"a": "x"}], "open": [2, {"b": tru');
    assert.ok(value);
    assert.deepEqual(jsonValue(value), { done: [1, { a: 'x' }], open: [2, {}] });
  });

  it('reads a document that is truncated anywhere', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        for (let end = 0; end < text.length; end += 1) {
          const { problems } = readJson(text.slice(0, end));
          for (const { span } of problems) assert.ok(span.start <= end && span.end <= end);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('reads 500 levels and refuses more, without overflowing', () => {
    parse('['.repeat(500) + ']'.repeat(500));
    const problem = problemOf('['.repeat(501) + ']'.repeat(501));
    assert.match(problem.message, /nested deeper than 500 levels/);
    assert.equal(problem.start, 500);
    assert.match(problemOf('{"a":'.repeat(200_000)).message, /nested deeper/);
  });
});

describe('jsonValue', () => {
  it('keeps integers that a double cannot hold', () => {
    const text = '[18446744073709551615, -9007199254740993, 9007199254740991, 1.0, 1e3, -0]';
    assert.deepEqual(jsonValue(parse(text)), [
      18446744073709551615n,
      -9007199254740993n,
      9007199254740991,
      1,
      1000,
      -0,
    ]);
  });

  it('uses the last of repeated keys', () => {
    const node = parse('{"a": 1, "b": 2, "a": 3}');
    assert.deepEqual(jsonValue(node), { a: 3, b: 2 });
    assert.equal(member(node, 'a')?.start, 22);
  });

  it('treats __proto__ as any other key', () => {
    const value = jsonValue(parse('{"__proto__": {"polluted": true}}'));
    assert.ok(typeof value === 'object' && value !== null);
    assert.deepEqual(Object.keys(value), ['__proto__']);
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
    assert.equal('polluted' in value, false);
  });
});

describe('member', () => {
  it('finds own members of objects only', () => {
    assert.equal(member(parse('{}'), 'toString'), undefined);
    assert.equal(member(parse('[1]'), '0'), undefined);
    assert.equal(member(undefined, 'a'), undefined);
  });
});
