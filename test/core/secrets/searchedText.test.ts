import assert from 'node:assert/strict';
import fc from 'fast-check';
import { SearchedText } from '../../../src/core/secrets/searchedText';

const pieces = fc.oneof(
  fc.string({ minLength: 1, maxLength: 40, unit: fc.constantFrom(...'abYZ09+/_-') }),
  fc.constantFrom('=', '==', '===', '\\n', '\\t', '\\', ' ', '.', '"', 'é', 'Ł', '漢', '😀', 'n'),
);
const texts = fc.array(pieces, { maxLength: 20 }).map((some) => some.join(''));

describe('a text to search', () => {
  it('has its long words of base64, with their padding and without the letter of an escape', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const expected = Array.from(text.matchAll(/[A-Za-z0-9+/_-]+={0,2}/g)).flatMap(({ 0: match, index: start }) => {
          const skipped = text[start - 1] === '\\' && /^[nrtbf]/.test(match) ? 1 : 0;
          const isLong = match.replace(/=+$/, '').length - skipped >= 16;
          return isLong ? [{ start: start + skipped, end: start + match.length }] : [];
        });
        assert.deepEqual([...new SearchedText(text).words()], expected);
      }),
      { numRuns: 1000 },
    );
  });

  it('has a dotted word where a token of Discord may begin', () => {
    assert.equal(new SearchedText('see MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.Zn').hasDottedWord, true);
    assert.equal(new SearchedText('see MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FM.Zn').hasDottedWord, false);
    assert.equal(new SearchedText('see short.Cl2FMQ.Zn').hasDottedWord, false);
  });
});
