import assert from 'node:assert/strict';
import { compilePattern, isRefused } from '../../../src/core/text/compilePattern';
import type { PatternDialect } from '../../../src/core/text/patternDialect';

/** Whether the pattern matches, or why it cannot be compiled. */
function match(dialect: PatternDialect, pattern: string, text: string): boolean | string {
  const expression = compilePattern(pattern, dialect);
  if (!isRefused(expression)) return expression.test(text);
  return `${expression.isUnsupported ? 'unsupported' : 'invalid'}: ${expression.reason}`;
}

describe('a pattern of Python', () => {
  // The results of `re.search(pattern, text, re.DOTALL)` in Python 3.11.
  const searches: readonly (readonly [pattern: string, text: string, found: boolean])[] = [
    ['^\\d{3}$', '123\n', true],
    ['^\\d{3}$', '123\n\n', false],
    ['^\\d{3}\\Z', '123\n', false],
    ['(?m)^b$', 'a\nb\nc', true],
    ['^b$', 'a\nb\nc', false],
    ['(?m)^b', 'a\rb', false],
    ['^\\w+$', 'é', true],
    ['^\\d+$', '٣٤', true],
    ['(?a)\\w', 'é', false],
    ['\\bé', 'é', true],
    ['\\bß', 'aß', false],
    ['\\s', '\x1c', true],
    ['\\s', '\ufeff', false],
    ['[^\\W\\d]', '7', false],
    ['[\\D]', '7', false],
    ['(?i:A)b', 'ab', true],
    ['(?i:a)b', 'AB', false],
    ['(?i:[a-c]+)d', 'aBCd', true],
    ['(?i)straße', 'STRAßE', true],
    ['a{,2}b', 'b', true],
    ['^a{,2}b', 'aaab', false],
    ['a{2', 'a{2', true],
    ['{"id": {}}', '{"id": {}}', true],
    ['a.b', 'a\nb', true],
    ['(?-s:a.b)', 'a\nb', false],
    ['^.$', '😀', true],
    ['^[😀]$', '😀', true],
    ['[]a]', ']', true],
    ['[^]a]', ']', false],
    ['[a&&b]', '&', true],
    ['(?x) a b  # the rest\n c', 'abc', true],
    ['(?x)[ ]a', ' a', true],
    ['a(?#never mind)b', 'ab', true],
    ['\\Aab', 'xab', false],
    ['\\x41\\u0042\\U00000043\\104', 'ABCD', true],
    ["it\\'s \\- \\/", "it's - /", true],
    ['\\$\\d+(?:\\.\\d{2})?', '$12.50', true],
  ];
  for (const [pattern, text, expected] of searches)
    it(`${pattern} is ${expected ? '' : 'not '}in ${JSON.stringify(text)}`, () => {
      assert.equal(match('python', pattern, text), expected);
    });

  it('is invalid if Python says so', () => {
    for (const pattern of [
      '(',
      'a|*',
      '\\e',
      '[\\w-.]',
      '[z-a]',
      '(?<n>a)',
      'a**',
      '(?L)a',
      'a(?i)b',
      '\\p{L}',
      '[a',
      'a\\',
    ])
      assert.match(String(match('python', pattern, '')), /^invalid: /, pattern);
  });

  it('is unsupported if it is valid in Python but is not matched in linear time', () => {
    for (const pattern of ['a++b', '(?>a+)b', '(a)?(?(1)b|c)', '\\N{DASH}', '(?P<q>["\'])x(?P=q)', '(a)\\1{2}'])
      assert.match(String(match('python', pattern, '')), /^unsupported: /, pattern);
  });
});

describe('a pattern of Rust', () => {
  it('matches the end at the end of the text only, and supports Unicode', () => {
    for (const [pattern, text, expected] of [
      ['^\\d{3}$', '123', true],
      ['^\\d{3}$', '123\n', false],
      ['\\d\\z', '3', true],
      ['^\\w+$', 'é', true],
      ['\\s', '\x1c', false],
      ['\\pL\\p{Lu}', 'aB', true],
      ['\\x{41}', 'A', true],
      ['(?P<n>a)|(?<m>b)', 'b', true],
      ['a(?i)b', 'aB', true],
      ['(?i)(source|according to)', 'SOURCE', true],
    ] as const)
      assert.equal(match('rust', pattern, text), expected, pattern);
    assert.match(String(match('rust', '[[:alpha:]]', '')), /^unsupported: a nested character class/);
  });
});
