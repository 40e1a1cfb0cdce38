import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compilePattern, isRefused } from '../../../src/core/text/compilePattern';
import type { PatternDialect } from '../../../src/core/text/patternDialect';
import { pattern } from './filePattern';
import { translatePattern } from './translatePattern';

const TEXT = fc.string({ unit: fc.constantFrom(...'aabbcA1_ \n-éß٣'), maxLength: 14 });

/** Patterns of the parts that the dialects share, nested a few times. */
function patternsOf(dialect: PatternDialect): fc.Arbitrary<string> {
  const atoms = [
    'a',
    'b',
    'ab',
    '.',
    '\\w',
    '\\W',
    '\\d',
    '\\s',
    '[ab]',
    '[^a]',
    '[^\\W\\d]',
    '[a\\S]',
    'é',
    '😀',
    '1',
    '\\n',
  ];
  const places = ['^', '$', '\\b', '\\B'];
  const looks = dialect === 'rust' ? [] : ['(?=', '(?!', '(?<=', '(?<!'];
  const flags = ['(?i:', '(?m:', '(?s:'];
  const { whole } = fc.letrec<{ whole: string; piece: string }>((tie) => ({
    whole: fc.oneof(
      { depthSize: 'small' },
      fc.array(tie('piece'), { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join('')),
      fc.tuple(tie('whole'), tie('whole')).map(([one, other]) => `${one}|${other}`),
    ),
    piece: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      { weight: 5, arbitrary: fc.constantFrom(...atoms) },
      { weight: 2, arbitrary: fc.constantFrom(...places) },
      {
        weight: 3,
        arbitrary: fc
          .tuple(
            fc.constantFrom(...atoms),
            tie('whole'),
            fc.constantFrom('*', '+', '?', '*?', '??', '{2}', '{1,3}', '{0,2}?', '{2,}'),
          )
          // What repeats is not empty: engines differ in how often they repeat nothing.
          .map(([atom, body, times]) => `(?:${atom}(?:${body}))${times}`),
      },
      { weight: 1, arbitrary: tie('whole').map((body) => `(${body})`) },
      {
        weight: 2,
        arbitrary: fc
          .tuple(fc.constantFrom(...looks, ...(dialect === 'javascript' ? ['(?:'] : flags)), tie('whole'))
          .map(([opening, body]) => `${opening}${body})`),
      },
    ),
  }));
  return whole;
}

function reference(source: string, dialect: PatternDialect): RegExp {
  return dialect === 'javascript' ? new RegExp(source, 'gu') : translatePattern(source, dialect, 'g');
}

describe('a pattern that is matched in linear time', () => {
  for (const dialect of ['javascript', 'python', 'rust'] as const)
    it(`finds what a search with backtracking finds, in ${dialect}`, () => {
      fc.assert(
        fc.property(patternsOf(dialect), fc.array(TEXT, { minLength: 4, maxLength: 4 }), (source, texts) => {
          let expected: RegExp;
          try {
            expected = reference(source, dialect);
          } catch {
            return;
          }
          const compiled = compilePattern(source, dialect);
          if (isRefused(compiled)) {
            assert.match(compiled.reason, /more than 8 lookarounds/);
            return;
          }
          for (const text of texts) {
            const found = Array.from(text.matchAll(expected), ({ 0: match, index }) => [index, match] as const);
            assert.equal(compiled.test(text), found.length > 0, JSON.stringify({ source, text }));
            // After an empty match, engines go on differently.
            const [first] = compiled.matchAll(text);
            assert.deepEqual(first && [first.index, first.text], found[0], JSON.stringify({ source, text }));
          }
        }),
        { numRuns: 80 },
      );
    });

  it('replaces every match, without special characters', () => {
    assert.equal(pattern('\\d+').replace('a1 b22', '<$&>'), 'a<$&> b<$&>');
    assert.equal(pattern('(?<=key=)\\w+(?=;)').replace('key=abc; key=def', '*'), 'key=*; key=def');
    assert.equal(pattern('\\bé\\w*', 'rust').replace('été, aé', '_'), '_, aé');
  });

  const hostile = ['(a+)+$', '^(a|a)*$', '(a|aa)+b', '(.*)*x', '(?=(a+)+b)c', 'a*a*a*a*a*a*b', '(?:a?){500}a{500}b'];
  for (const source of hostile)
    it(`takes no time for ${source}`, () => {
      const started = process.cpuUsage();
      for (const dialect of ['javascript', 'python', 'rust'] as const) {
        const compiled = compilePattern(source, dialect);
        if (!isRefused(compiled)) compiled.replace(`${'a'.repeat(20_000)}!`, '');
      }
      assert.ok(process.cpuUsage(started).user < 5_000_000);
    });

  it('stops where there are quadratically many steps', () => {
    const started = process.cpuUsage();
    assert.throws(() => pattern('a[^z]*z|a').replace('a'.repeat(1_000_000), ''), {
      name: 'PatternTooSlow',
      message: /^the pattern \/a\[\^z\]\*z\|a\/ takes too long on a text of 1000000 characters/,
    });
    assert.ok(process.cpuUsage(started).user < 6_000_000);
  });

  it('is refused where it would be too large, or is none of a linear language', () => {
    for (const [source, reason] of [
      ['((a{100}){100}){100}', /^repetitions that amount to more than 10000 characters$/],
      ['a'.repeat(30_000), /^more than 20000 characters$/],
      [`${'('.repeat(5000)}a${')'.repeat(5000)}`, /^more than 200 nested groups$/],
      ['(a)\\1', /^the backreference \\1, which cannot be matched in linear time$/],
      ['(?<n>a)\\k<n>', /^the backreference \\k<n>/],
    ] as const) {
      const compiled = compilePattern(source, 'javascript');
      assert.ok(isRefused(compiled), source);
      assert.match(compiled.reason, reason);
      assert.equal(compiled.isUnsupported, true);
    }
    const invalid = compilePattern('(', 'javascript');
    assert.ok(isRefused(invalid));
    assert.match(invalid.reason, /Unterminated group/);
    assert.equal(invalid.isUnsupported, false);
  });
});
