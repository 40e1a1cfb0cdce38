import assert from 'node:assert/strict';
import fc from 'fast-check';
import { LiteralFinder, type LiteralMatch } from '../../../src/core/text/literalFinder';

const KEYS = ['sk-', 'sk-ant-', '://', 'Wört', '漢字漢', 'AbC', 'aaa', 'aaaa'];
const NAMES = ['key', 'keys', 'password', ':aa'];
const finder = new LiteralFinder({
  keys: { literals: KEYS },
  names: { literals: NAMES, ignoresCase: true },
});

const texts = fc
  .array(
    fc.oneof(
      fc.constantFrom(...KEYS, ...NAMES, 'PassWord', 'KEYS', ':AA', 'abc', 'wört', 'ſk-', '\u212aey', 'a', 's', ' '),
      fc.string({ unit: 'binary' }),
    ),
    { maxLength: 20 },
  )
  .map((pieces) => pieces.join(''));

describe('a finder of literals', () => {
  it('finds each where it stands, and nothing else', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const found = finder.find(text);
        assert.deepEqual(found.keys, expected(text, KEYS));
        assert.deepEqual(found.names, expected(asciiLowerCase(text), NAMES));
      }),
      { numRuns: 1000 },
    );
  });
});

/** In the order of the text; the longer one first. */
function expected(text: string, literals: readonly string[]): LiteralMatch[] {
  const longest = literals.toSorted((left, right) => right.length - left.length);
  return Array.from({ length: text.length }).flatMap((_, index) =>
    longest.filter((literal) => text.startsWith(literal, index)).map((literal) => ({ index, literal })),
  );
}

function asciiLowerCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
