import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isRecord, type Json } from '../../../src/core/json/json';
import { LineIndex, type Span } from '../../../src/core/text/source';
import { readToml, type TomlDocument, type TomlPath } from '../../../src/core/toml/readToml';

function parse(text: string): TomlDocument {
  const { value, problems } = readToml(text);
  assert.deepEqual(problems, []);
  assert.ok(value);
  return value;
}

/** The source text at a path. */
function slice(text: string, path: TomlPath): string {
  const { start, end } = parse(text).span(path);
  return text.slice(start, end);
}

/** The paths of all values in a value. */
function allPaths(value: Json, path: TomlPath = []): TomlPath[] {
  const members: (readonly [string | number, Json])[] = Array.isArray(value)
    ? [...value.entries()]
    : isRecord(value)
      ? Object.entries(value)
      : [];
  const own = path.length === 0 ? [] : [path];
  return [...own, ...members.flatMap(([key, member]) => allPaths(member, [...path, key]))];
}

const SAMPLE = `# A comment with [brackets] and "quotes"
name = "sample"
owner.mail = 'x@y'
when = 2024-05-06T07:08:09Z

[llm]
tape = "a.tape.json" # beside
responses = ["one", """two
lines""", 'three']

[[tools]]
name = "first"
schema = { type = "object", properties = { q = { type = "string" } } }
[[tools]]
name = "second"
[tools.result]
count = 18446744073709551615

[deep.er.table]
"quoted key" = 1.5
`;

describe('readToml', () => {
  it('has the same places whether they are looked up at once or later', () => {
    const pieces = fc.constantFrom(
      ...[
        'a = 1\n',
        'b.c = "x"\n',
        '[t]\n',
        '[[l]]\n',
        '"q u" = [1, {x = 2, y = [3]}]\n',
        'd = { e.f = true }\n',
        '# c\n',
        '\n',
      ],
      ...[
        '[t.u]\n',
        '[[l.m]]\n',
        "s = '''a\nb'''\n",
        'g = """x"""\r\n',
        'é = 1\n',
        '= 2\n',
        'h = \n',
        '[',
        '"',
        'i = 01\n',
      ],
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (lines) => {
        const text = lines.join('');
        // A text with a time may be refused for it: its places are looked up at once.
        const [later, atOnce] = [readToml(text), readToml(`${text}\n# 00:00`)];
        assert.equal(later.value === undefined, atOnce.value === undefined);
        if (later.value === undefined || atOnce.value === undefined) return;
        assert.deepEqual(later.value.root, atOnce.value.root);
        for (const path of allPaths(later.value.root)) {
          for (const places of ['span', 'keySpan'] as const) {
            const expected: Span = atOnce.value[places](path);
            assert.deepEqual(later.value[places](path), expected);
            assert.deepEqual({ ...parse(text)[places](path) }, expected);
            assert.deepEqual(structuredClone(parse(text)[places](path)), expected);
          }
        }
      }),
    );
  });

  it('reads values as JSON, with dates as text and big integers kept', () => {
    assert.deepEqual(parse(SAMPLE).root, {
      name: 'sample',
      owner: { mail: 'x@y' },
      when: '2024-05-06T07:08:09.000Z',
      llm: { tape: 'a.tape.json', responses: ['one', 'two\nlines', 'three'] },
      tools: [
        { name: 'first', schema: { type: 'object', properties: { q: { type: 'string' } } } },
        { name: 'second', result: { count: 18446744073709551615n } },
      ],
      deep: { er: { table: { 'quoted key': 1.5 } } },
    });
  });

  const places: readonly (readonly [path: TomlPath, text: string])[] = [
    [['name'], '"sample"'],
    [['owner', 'mail'], "'x@y'"],
    [['owner'], 'owner.mail'],
    [['when'], '2024-05-06T07:08:09Z'],
    [['llm'], 'llm'],
    [['llm', 'tape'], '"a.tape.json"'],
    [['llm', 'responses', 1], '"""two\nlines"""'],
    [['tools'], 'tools'],
    [['tools', 1, 'name'], '"second"'],
    [['tools', 0, 'schema', 'properties', 'q', 'type'], '"string"'],
    [['tools', 1, 'result'], 'tools.result'],
    [['tools', 1, 'result', 'count'], '18446744073709551615'],
    [['deep'], 'deep.er.table'],
    [['deep', 'er', 'table', 'quoted key'], '1.5'],
  ];
  for (const [path, text] of places) {
    it(`finds the span of ${path.join('.')}`, () => assert.equal(slice(SAMPLE, path), text));
  }

  it('uses the span of the table for an absent value', () => {
    assert.equal(slice(SAMPLE, ['llm', 'provider', 'kind']), 'llm');
    assert.equal(slice(SAMPLE, ['tools', 1, 'description']), 'tools');
    assert.deepEqual(parse(SAMPLE).span(['nothing']), { start: 0, end: SAMPLE.length });
  });

  it('prefers the header of a table to the first mention of it', () => {
    const text = '[llm.provider]\nkind = "ollama"\n[llm]\ntape = "x"\n';
    assert.equal(parse(text).span(['llm']).start, text.indexOf('[llm]') + 1);
  });

  it('refuses what only TOML 1.1 has, which others refuse too', () => {
    for (const text of ['a = {\n b = 1 }', 'a = { b = 1,\n c = 2 }', 'a = { b = 1, }', 'a = "\\e[0m"', 'a = "\\x41"'])
      assert.equal(readToml(text).value, undefined, text);
    for (const text of ['a = { b = 1, c = 2 }', 'a = [\n 1,\n]', 'a = { b = [\n1,\n] }', "a = '''{\n}'''"])
      assert.deepEqual(readToml(text).problems, [], text);
  });

  it('reads a number that JSON does not have as serde_json does', () => {
    assert.deepEqual(readToml('a = inf\nb = -inf\nc = nan\nd = [1, inf]').value?.root, {
      a: null,
      b: null,
      c: null,
      d: [1, null],
    });
  });

  it('skips a byte order mark, and counts it in offsets', () => {
    const text = '\uFEFFname = "x"\r\n[llm]\r\n';
    assert.deepEqual(parse(text).root, { name: 'x', llm: {} });
    assert.equal(slice(text, ['name']), '"x"');
    assert.equal(readToml('\uFEFFname = x').problems[0]?.span.start, 8);
  });

  it('treats __proto__ and constructor as any other key', () => {
    const { root } = parse('[tool]\n__proto__ = { polluted = true }\nconstructor = "x"\n');
    const tool = root.tool;
    assert.ok(typeof tool === 'object' && tool !== null);
    assert.deepEqual(Object.keys(tool), ['__proto__', 'constructor']);
    assert.equal('polluted' in tool, false);
  });

  const errors: readonly (readonly [text: string, line: number, column: number, message: RegExp])[] = [
    ['name =\n', 1, 7, /invalid value/],
    ['name = "x\nprompt = "y"', 1, 10, /unterminated string/],
    ['name = "a"\r\nname = "b"\r\n', 2, 1, /redefine/],
    ['a = "\u{1F600}" x', 1, 10, /end-of-line/],
    ['a = [1,\n  2', 2, 4, /expected comma or end of structure/],
    ['\n\n[llm', 3, 2, /./],
    ['day = 2024-02-30', 1, 16, /invalid date/],
  ];
  for (const [text, line, column, message] of errors) {
    it(`reports ${JSON.stringify(text)} at ${line}:${column}`, () => {
      const { value, problems } = readToml(text);
      assert.equal(value, undefined);
      assert.equal(problems.length, 1);
      assert.match(problems[0]?.message ?? '', message);
      assert.match(problems[0]?.message ?? '', /^invalid TOML: [^\n]+$/);
      assert.deepEqual(new LineIndex(text).position(problems[0]?.span.start ?? -1), { line, column });
    });
  }

  it('rejects very deep nesting without overflowing', () => {
    parse(`a = ${'['.repeat(499)}${']'.repeat(499)}`);
    const deep = [`a = ${'['.repeat(900)}${']'.repeat(900)}`, `a = ${'['.repeat(100_000)}`, `[a${'.a'.repeat(5000)}]`];
    for (const text of deep) assert.match(readToml(text).problems[0]?.message ?? '', /nested|more than 50000 values/);
  });

  it('never throws, and reports offsets inside the text, for any edit of a document', () => {
    const token = fc.constantFrom(
      '',
      '[',
      ']',
      '"',
      "'''",
      '=',
      '.',
      '\n',
      '\r',
      '{',
      '}',
      ',',
      '\\',
      '2024-02-30',
      '\u0000',
    );
    const damaged = fc.tuple(fc.nat(SAMPLE.length), fc.nat(12), token).map(([at, drop, insert]) => {
      return SAMPLE.slice(0, at) + insert + SAMPLE.slice(at + drop);
    });
    fc.assert(
      fc.property(damaged, (text) => {
        const { value, problems } = readToml(text);
        const spans = [value?.span(['tools', 0, 'name']), ...problems.map(({ span }) => span)];
        for (const span of spans)
          assert.ok(!span || (0 <= span.start && span.start <= span.end && span.end <= text.length));
        assert.equal(value === undefined, problems.length === 1);
      }),
      { numRuns: 1000 },
    );
  });
});
